/** The keys of a schema with what a reader wants to know of each: type, default, description, example. */
import type { JsonSchema } from '../../schemas/json-schema.ts'
import { definitionOf, inPlace } from './configuration-types.ts'

export interface Key {
  /** With dots from the root of its section. */
  readonly path: string
  readonly schema: JsonSchema
  readonly required: boolean
  /** What holds where the key is left out, in words; absent: the description says it. */
  readonly byDefault?: string
  readonly description: string
}

/** All keys below an object, at any depth, but for those of definitions, which are told once. */
export function keysOf(parent: JsonSchema, above = ''): Key[] {
  return Object.entries(inPlace(parent).properties ?? {}).flatMap(([name, given]) => {
    const schema = inPlace(given)
    const path = above === '' ? name : `${above}.${name}`
    const required = inPlace(parent).required?.includes(name) === true
    const { description, byDefault } = told(schema.description ?? '')
    const key = { path, schema, required, description, ...(byDefault === undefined ? {} : { byDefault }) }
    return definitionOf(schema) === undefined ? [key, ...keysOf(schema, path)] : [key]
  })
}

/** Descriptions end with what holds by default. */
function told(text: string): { readonly description: string; readonly byDefault?: string } {
  const [, description, byDefault] = /^(.*?)\s*(?:Default: (.*)|Required)\.$/s.exec(text) ?? []
  return { description: description ?? text, ...(byDefault === undefined ? {} : { byDefault }) }
}

/** Definitions with keys of their own that those keys refer to, also through each other. */
export function definitionsIn(
  root: JsonSchema,
  keys: readonly Key[],
  known: readonly string[] = [],
): string[] {
  const found = new Set(
    keys
      .flatMap(({ schema }) => [schema, schema.then, schema.else])
      .flatMap((schema) => (schema === undefined ? [] : [definitionOf(schema)]))
      .filter((name) => name !== undefined && root.$defs?.[name]?.properties !== undefined)
      .filter((name) => !known.includes(name as string)) as string[],
  )
  return [...found].flatMap((name) => [
    name,
    ...definitionsIn(root, keysOf(root.$defs?.[name] as JsonSchema), [...known, ...found]),
  ])
}
