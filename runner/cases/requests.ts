/**
 * Requests, derived from a request schema: valid ones, with everything that the contract allows and nothing that it
 * leaves open, and those at and beyond each limit.
 */
import fc from 'fast-check'
import { type JsonSchema, type Limit, type RequestSchema, requestSchema } from '../../schemas/catalogue.ts'
import type { OperationId } from '../../specs/operations.ts'
import type { RequestFields } from '../context/calls.ts'
import { realistic } from './realistic.ts'
import { printableText, textOfLength } from './text.ts'

/** Hints of free text. Text of other kinds stays ordinary. */
const freeText = new Set(['title', 'sentence', 'result'])
const longestFreeText = 400

export interface Derivation {
  /** Values of fixtures and settled values, which cannot be made up. */
  readonly fixed?: RequestFields
  /** `adversarial`: all text that must work. `ordinary`: what people write. */
  readonly text?: 'adversarial' | 'ordinary'
  /** Which parameters may be left out. Default: the optional ones. */
  readonly leaveOut?: 'optional' | 'all-but-required' | 'nothing'
  /** The domain of made-up addresses. Default: example domains. */
  readonly domain?: string
}

/** Valid requests with every subset of the optional parameters. */
export function validRequest(
  schema: RequestSchema,
  derivation: Derivation = {},
): fc.Arbitrary<RequestFields> {
  const { fixed = {}, text = 'adversarial', leaveOut = 'optional', domain } = derivation
  const entries = Object.entries(schema.properties).flatMap(
    ([name, property]): [string, fc.Arbitrary<unknown>][] => {
      if (Object.hasOwn(fixed, name)) return [[name, present(fc.constant(fixed[name]), property, leaveOut)]]
      if ((property['x-fixture'] ?? property.items?.['x-fixture']) !== undefined) {
        if (property['x-presence'] === 'required') throw new Error(`${name} must be given by a fixture`)
        return []
      }
      // No valid value is known.
      if (property['x-realistic'] === 'settled') return []
      return [[name, present(validValue(property, text, domain), property, leaveOut)]]
    },
  )
  return fc.record(Object.fromEntries(entries)).map(withoutAbsent)
}

/** Valid values of one parameter. */
function validValue(
  property: JsonSchema,
  text: 'adversarial' | 'ordinary' = 'adversarial',
  domain?: string,
): fc.Arbitrary<unknown> {
  if (property.const !== undefined) return fc.constant(property.const)
  if (property.enum !== undefined) return fc.constantFrom(...property.enum)
  if (property.type === 'integer') {
    return fc.integer({ min: property.minimum ?? 1, max: property.maximum ?? 10_000 })
  }
  if (property.type === 'boolean') return fc.boolean()
  if (property.type === 'array') {
    const { items = {}, minItems = 1, maxItems = 5 } = property
    return fc.uniqueArray(validValue(items, text), { minLength: minItems, maxLength: Math.min(maxItems, 5) })
  }
  const hint = property['x-realistic']
  if (hint === undefined) {
    if (property.maxLength !== undefined) return textUpTo(property.maxLength, 'sentence', text)
    return fc.constant(property.examples?.[0] ?? 'value')
  }
  if (!freeText.has(hint)) return realistic(hint, domain, text === 'ordinary')
  return textUpTo(property.maxLength ?? longestFreeText, hint, text)
}

function textUpTo(limit: number, hint: string, text: 'adversarial' | 'ordinary'): fc.Arbitrary<string> {
  const ordinary = realistic(hint).map((value) => [...value].slice(0, limit).join('').trim())
  return text === 'ordinary' ? ordinary : fc.oneof({ arbitrary: printableText(limit), weight: 3 }, ordinary)
}

const absent = Symbol('absent')

function present(
  value: fc.Arbitrary<unknown>,
  property: JsonSchema,
  leaveOut: NonNullable<Derivation['leaveOut']>,
): fc.Arbitrary<unknown> {
  const presence = property['x-presence'] ?? 'optional'
  const may =
    leaveOut === 'optional'
      ? presence === 'optional'
      : leaveOut === 'all-but-required' && presence !== 'required'
  return may && property.const === undefined
    ? fc.oneof({ arbitrary: value, weight: 3 }, fc.constant(absent))
    : value
}

const withoutAbsent = (request: Record<string, unknown>): RequestFields =>
  Object.fromEntries(Object.entries(request).filter(([, value]) => value !== absent))

/** Valid requests, one with each of these values. */
export const requestsHolding = (
  valid: fc.Arbitrary<RequestFields>,
  values: readonly RequestFields[],
  seed: number,
): RequestFields[] =>
  fc.sample(valid, { seed, numRuns: values.length }).map((request, at) => ({ ...request, ...values[at] }))

/** The parameters of the request that the contract does not mark as required. */
export function openParameters(operation: OperationId, request: RequestFields): string[] {
  const { properties } = requestSchema(operation)
  return Object.keys(request).filter(
    (name) => name !== 'f' && properties[name]?.['x-presence'] !== 'required',
  )
}

/** The request without each of these parameters, one at a time. */
export const eachLeftOut = (operation: OperationId, request: RequestFields): RequestFields[] =>
  openParameters(operation, request).map((left) => ({ ...request, [left]: undefined }))

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
