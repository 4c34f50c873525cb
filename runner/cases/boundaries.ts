/** Requests at and beyond each limit, and such as break exactly one keyword of one field, derived from a request schema. */
import fc from 'fast-check'
import { decodeForm, encodeForm, type FormField } from '../../deployment/http/outgoing-request.ts'
import type { Limit, RequestSchema } from '../../schemas/catalogue.ts'
import { fromFormFields } from '../../schemas/form-values.ts'
import { type Issue, violationsOf } from '../../schemas/validators.ts'
import type { RequestFields } from '../context/calls.ts'
import { printableText, textOfLength } from './text.ts'

/** A control that keeps the limit and a probe that is the same but for one field, which breaks it. */
interface LimitCase {
  readonly control: RequestFields
  readonly probe: RequestFields
  /** The limited field, and what was put in it. */
  readonly field: string
  readonly size: number
}

/** Sizes beyond a limit: just above it, at round numbers where an implementation may have another limit, and far above. */
function beyond(most: number, farthest: number): fc.Arbitrary<number> {
  const near = [1, 2, 3, 9, 10, 11, 28].map((more) => most + more)
  const round = [
    128, 150, 200, 255, 256, 257, 300, 500, 512, 999, 1000, 1001, 1024, 2000, 4000, 4001, 5000, 9000,
  ]
  const sizes = [...near, ...round].filter((size) => size > most && size <= farthest)
  return fc.oneof(
    { arbitrary: fc.constant(most + 1), weight: 2 },
    { arbitrary: fc.constantFrom(...sizes), weight: 5 },
    { arbitrary: fc.integer({ min: most + 1, max: farthest }), weight: 2 },
  )
}

/** Valid requests whose limited text has 1 to the most characters, the most itself above all. */
export function withinTextLimit(
  valid: fc.Arbitrary<RequestFields>,
  { field, most }: Limit,
): fc.Arbitrary<RequestFields> {
  const length = fc.oneof(
    { arbitrary: fc.constant(most), weight: 4 },
    { arbitrary: fc.constantFrom(1, 2, Math.max(1, most - 1)), weight: 2 },
    { arbitrary: fc.integer({ min: 1, max: most }), weight: 2 },
  )
  const text = fc.oneof({ arbitrary: length.chain(textOfLength), weight: 4 }, printableText(most))
  return fc.tuple(valid, text).map(([request, value]) => ({ ...request, [field]: value }))
}

/** Controls at the limit and probes beyond it, by characters that every way of counting counts alike. */
export function beyondTextLimit(
  valid: fc.Arbitrary<RequestFields>,
  { field, most }: Limit,
): fc.Arbitrary<LimitCase> {
  const size = beyond(most, Math.max(9000, most * 4))
  return fc
    .tuple(valid, size)
    .chain(([request, length]) => textOfLength(length).map((text) => ({ request, length, text })))
    .map(({ request, length, text }) => ({
      control: { ...request, [field]: cutTo(text, most) },
      probe: { ...request, [field]: text },
      field,
      size: length,
    }))
}

/** The first characters of a text, with no space left at the end. */
function cutTo(text: string, most: number): string {
  const start = [...text].slice(0, most)
  return start.at(-1) === ' ' ? `${start.slice(0, -1).join('')}x` : start.join('')
}

/** Numbers of entries beyond a limit, the first one above all. */
export const beyondItemLimit = ({ most }: Limit): fc.Arbitrary<number> => beyond(most, most + 60)

/** Numbers of entries within a limit, the most itself above all. */
export const withinItemLimit = ({ most }: Limit): fc.Arbitrary<number> =>
  fc.oneof(
    { arbitrary: fc.constant(most), weight: 1 },
    fc.constantFrom(1, 2, 3),
    fc.integer({ min: 1, max: most }),
  )

/** The parameters that must be sent. */
export const requiredFields = (schema: RequestSchema): readonly string[] => schema.required ?? []

/** The one keyword that a violation breaks. */
interface Fault {
  readonly field: string
  readonly keyword: 'required' | 'maxLength' | 'maxItems' | 'type' | 'format' | 'pattern'
}

/**
 * Makes sure that what will be sent breaks the schema as meant, and in no other way.
 * Throws an error of the suite where it does not: such a probe would prove nothing.
 */
export function assertViolates(schema: RequestSchema, fields: readonly FormField[], fault: Fault): void {
  const decoded = fromFormFields(schema, decodeForm(encodeForm(fields)))
  const issues = violationsOf(schema, decoded)
  const meant = issues.filter((issue) => concerns(issue, fault))
  if (meant.length > 0 && meant.length === issues.length) return
  const found = issues.length === 0 ? 'nothing' : issues.map(({ message }) => message).join('; ')
  throw new Error(
    `a probe must break ${fault.keyword} of ${fault.field} and nothing else; on the wire it breaks ${found}`,
  )
}

const concerns = ({ path, keyword }: Issue, fault: Fault): boolean =>
  keyword === fault.keyword && (path === fault.field || path.startsWith(`${fault.field}[`) || path === '')
