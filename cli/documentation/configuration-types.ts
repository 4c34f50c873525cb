/** The type of a key of the configuration in words, as its schema states it. */
import { type SchemaName, schemaOf } from '../../schemas/catalogue.ts'
import type { JsonSchema } from '../../schemas/json-schema.ts'
import { code, codes, linkTo, prose } from './markdown.ts'

/** The schema itself, or the one in another file that stands in its place; its own description goes first. */
export function inPlace(schema: JsonSchema): JsonSchema {
  const file = /^([a-z-]+)\.schema\.json$/.exec(schema.$ref ?? '')?.[1]
  return file === undefined ? schema : { ...schemaOf(file as SchemaName), ...schema }
}

/** What `$ref` names within a schema: `#/$defs/actor` is `actor`. */
export const definitionOf = (schema: JsonSchema): string | undefined =>
  /^#\/\$defs\/(.+)$/.exec(schema.$ref ?? '')?.[1]

/** The kinds of value that have a name of their own and no keys. */
const plainDefinitions: Readonly<Record<string, string>> = { duration: '[duration](#durations)' }

/** The type as Markdown. */
export function typeOf(given: JsonSchema): string {
  const schema = inPlace(given)
  const definition = definitionOf(schema)
  if (definition !== undefined)
    return plainDefinitions[definition] ?? linkTo(definition, '', prose(definition))
  if (schema.enum !== undefined) return `one of ${codes(schema.enum.map(String))}`
  if (schema.const !== undefined) return code(String(schema.const))
  if (schema.if !== undefined) {
    return [schema.then, schema.else].map((side) => (side === undefined ? '' : typeOf(side))).join(', or ')
  }
  const name = schema.type ?? 'anything'
  const words: Readonly<Record<string, () => string>> = {
    string: () => (schema['x-expected'] === undefined ? 'text' : prose(schema['x-expected'])),
    boolean: () => '`true` or `false`',
    integer: () => `whole number${boundsOf(schema)}`,
    number: () => `number${boundsOf(schema)}`,
    array: () => `list: ${schema.items === undefined ? 'anything' : typeOf(schema.items)}`,
    object: () =>
      typeof schema.additionalProperties === 'object'
        ? `names with values: ${typeOf(schema.additionalProperties)}`
        : 'object',
  }
  return words[name]?.() ?? name
}

function boundsOf({ minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`
  if (minimum === undefined) return ''
  return maximum === undefined ? `, ${minimum} or more` : `, ${minimum} to ${maximum}`
}
