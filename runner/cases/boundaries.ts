/** Requests at and beyond each limit, derived from request schemas. */
import fc from 'fast-check'
import type { Limit } from '../../schemas/catalogue.ts'
import type { RequestFields } from '../context/calls.ts'
import { printableText, textOfLength } from './text.ts'

/** A control within the limit, and a probe that differs only in the limited field. */
interface LimitCase {
  readonly control: RequestFields
  readonly probe: RequestFields
}

/** Sizes beyond a limit: just above, at round numbers where an implementation may have its limit, and far above. */
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

/** Valid requests whose limited text has 1 to `most` characters, most often exactly `most`. */
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

/** Controls at the limit and probes beyond it, with characters that every way of counting counts equally. */
export function beyondTextLimit(
  valid: fc.Arbitrary<RequestFields>,
  { field, most }: Limit,
): fc.Arbitrary<LimitCase> {
  const size = beyond(most, Math.max(9000, most * 4))
  return fc
    .tuple(valid, size)
    .chain(([request, length]) => textOfLength(length).map((text) => ({ request, text })))
    .map(({ request, text }) => ({
      control: { ...request, [field]: cutTo(text, most) },
      probe: { ...request, [field]: text },
    }))
}

/** The first characters of a text, without a trailing space. */
function cutTo(text: string, most: number): string {
  const start = [...text].slice(0, most)
  return start.at(-1) === ' ' ? `${start.slice(0, -1).join('')}x` : start.join('')
}

/** Numbers of items beyond a limit, most often one more. */
export const beyondItemLimit = ({ most }: Limit): fc.Arbitrary<number> => beyond(most, most + 60)

/** Numbers of items within a limit, often the limit itself. */
export const withinItemLimit = ({ most }: Limit): fc.Arbitrary<number> =>
  fc.oneof(
    { arbitrary: fc.constant(most), weight: 1 },
    fc.constantFrom(1, 2, 3),
    fc.integer({ min: 1, max: most }),
  )
