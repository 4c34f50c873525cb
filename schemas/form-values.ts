/** Logical requests as form fields, and back. */
import type { JsonSchema } from './catalogue.ts'
import { jsonIn } from './values.ts'

/** A name and a value of a form, decoded. */
type FormField = [name: string, value: string]

/**
 * Writes a logical request as form fields, in the order of its properties: text as it is, arrays by the `x-form` of
 * the request schema, all else literally. Properties that the schema does not know are written too.
 */
export function formFields(schema: JsonSchema, request: Readonly<Record<string, unknown>>): FormField[] {
  return Object.entries(request).flatMap(([name, value]): FormField[] => {
    if (value === undefined) return []
    const isJoined = Array.isArray(value) && propertyOf(schema, name)['x-form'] === 'comma'
    return [[name, isJoined ? value.map(written).join(',') : written(value)]]
  })
}

/**
 * Reads decoded form fields as a logical request. Text that cannot be read as what the schema asks for stays text, so
 * that it violates the schema. Of several fields of one name the first counts.
 */
export function fromFormFields(
  schema: JsonSchema,
  fields: Iterable<readonly [string, string]>,
): Record<string, unknown> {
  const values = new Map<string, unknown>()
  for (const [name, value] of fields)
    if (!values.has(name)) values.set(name, read(propertyOf(schema, name), value))
  // fromEntries defines its keys, so that a field named __proto__ is an ordinary one.
  return Object.fromEntries(values)
}

const unknownProperty: JsonSchema = {}

function propertyOf({ properties }: JsonSchema, name: string): JsonSchema {
  return properties !== undefined && Object.hasOwn(properties, name)
    ? (properties[name] as JsonSchema)
    : unknownProperty
}

function written(value: unknown): string {
  if (typeof value === 'string') return value
  // String() would write integers from 1e21 on with an exponent.
  return Number.isInteger(value) ? String(BigInt(value as number)) : JSON.stringify(value)
}

function read({ type, 'x-form': notation }: JsonSchema, text: string): unknown {
  if (type === 'integer') return numberIn(text)
  if (type !== 'array') return text
  if (notation === 'comma') return text === '' ? [] : text.split(',')
  const value = jsonIn(text)
  return Array.isArray(value) ? value : text
}

/** Generous (+7, 007, 7.0): a text that a service may read as a number must not count as a violation. */
function numberIn(text: string): unknown {
  if (!/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return text
  const value = Number(text)
  return Number.isFinite(value) ? value : text
}
