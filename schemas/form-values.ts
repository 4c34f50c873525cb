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
  const fields: FormField[] = []
  for (const [name, value] of Object.entries(request)) {
    if (value === undefined) continue
    const notation = Array.isArray(value) ? propertyOf(schema, name)['x-form'] : undefined
    if (notation === 'repeated') for (const item of value as unknown[]) fields.push([name, written(item)])
    else if (notation === 'comma') fields.push([name, (value as unknown[]).map(written).join(',')])
    else fields.push([name, written(value)])
  }
  return fields
}

/**
 * Reads decoded form fields as a logical request. Text that cannot be read as what the schema asks for stays text, so
 * that it violates the schema. Of several fields of one name the first counts, unless its notation is `repeated`.
 */
export function fromFormFields(
  schema: JsonSchema,
  fields: Iterable<readonly [string, string]>,
): Record<string, unknown> {
  const values = new Map<string, unknown>()
  for (const [name, value] of fields) {
    const property = propertyOf(schema, name)
    const known = values.get(name)
    if (known === undefined) values.set(name, read(property, value))
    else if (Array.isArray(known) && property['x-form'] === 'repeated') known.push(value)
  }
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

function read(property: JsonSchema, text: string): unknown {
  switch (property.type) {
    case 'array':
      return property['x-form'] === 'repeated' ? [text] : arrayIn(text, property['x-form'])
    case 'integer':
    case 'number':
      return numberIn(text)
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    default:
      return text
  }
}

function arrayIn(text: string, notation: string | undefined): unknown {
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
