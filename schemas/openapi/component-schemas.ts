/** Our schemas as components of an OpenAPI document: under names in place of addresses, without what only the suite needs. */
import { type SchemaName, schemaNames, schemaOf } from '../catalogue.ts'
import { annotations, type JsonSchema } from '../json-schema.ts'

/** `AddWorkspaceRequest` for `add-workspace.request`. */
export function componentName(name: SchemaName): string {
  return name.replace(/(?:^|[-.])([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Refers to a schema of ours from anywhere in the document. */
export function reference(name: SchemaName): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${componentName(name)}` }
}

/** The schemas of those names and all that they refer to, as components. */
export function schemaComponents(names: readonly SchemaName[]): Record<string, JsonSchema> {
  const needed = new Set<SchemaName>(names)
  // A set is walked in the order in which it grows, so that what a referred schema refers to is met too.
  for (const name of needed) for (const referred of referredIn(schemaOf(name))) needed.add(referred)
  return Object.fromEntries([...needed].map((name) => [componentName(name), asComponent(schemaOf(name))]))
}

/** Keywords that name a file of its own, and annotations that nobody outside the suite can use. */
const dropped = new Set<string>([
  '$schema',
  '$id',
  // How an array is written stands in the encoding of the body; whether a parameter is required is nowhere else told.
  ...annotations.filter((name) => name !== 'x-presence'),
])

function asComponent(schema: JsonSchema): JsonSchema {
  return rewritten(schema) as JsonSchema
}

function rewritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewritten)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key]) => !dropped.has(key))
  return Object.fromEntries(
    entries.map(([key, inner]) => {
      if (key === '$ref') return [key, reference(nameOf(inner as string)).$ref]
      return [key, isExample(key) ? inner : rewritten(inner)]
    }),
  )
}

/** Values that are examples may have keys that look like keywords. */
const isExample = (key: string): boolean => key === 'examples' || key === 'default' || key === 'const'

function referredIn(value: unknown): SchemaName[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (isExample(key)) return []
    return key === '$ref' ? [nameOf(inner as string)] : referredIn(inner)
  })
}

/** The schema that a `$ref` names. Throws where it is none of ours: the contract's schemas refer to whole files only. */
function nameOf(ref: string): SchemaName {
  const name = schemaNames.find((known) => ref === `${known}.schema.json`)
  if (name === undefined) throw new Error(`cannot be put into an OpenAPI document: a schema refers to ${ref}`)
  return name
}
