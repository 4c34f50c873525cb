/** docs/configuration.md: every key of the configuration, one line each, from its schema. */
import { type JsonSchema, type SchemaName, schemaOf } from '../schemas/catalogue.ts'
import { code, codes, page, prose, table } from './markdown.ts'

/** The schema of a configuration. */
const root = schemaOf('configuration')

/** Definitions that replace the keys that refer to them: they have no section of their own. */
const unnamed = ['pool', 'credential']

/** Definitions without keys. */
const plainDefinitions: Readonly<Record<string, string>> = { duration: 'duration' }

/** The schema, or the one that it refers to. Its own description takes precedence. */
function resolved({ $ref, ...schema }: JsonSchema): JsonSchema {
  const file = /^([a-z-]+)\.schema\.json$/.exec($ref ?? '')?.[1]
  if (file !== undefined) return { ...schemaOf(file as SchemaName), ...schema }
  const name = unnamed.find((each) => $ref === `#/$defs/${each}`)
  if (name !== undefined) return { ...definition(name), ...schema }
  return $ref === undefined ? schema : { $ref, ...schema }
}

/** The definition that a `$ref` names: `#/$defs/actor` is `actor`. */
const definitionOf = (schema: JsonSchema): string | undefined =>
  /^#\/\$defs\/(.+)$/.exec(schema.$ref ?? '')?.[1]

const definition = (name: string): JsonSchema => root.$defs?.[name] as JsonSchema

/** The type as Markdown. */
function typeOf(given: JsonSchema): string {
  const schema = resolved(given)
  const named = definitionOf(schema)
  if (named !== undefined) return plainDefinitions[named] ?? `[${prose(named)}](#${named.toLowerCase()})`
  if (schema.enum !== undefined) return schema.enum.length > 5 ? 'text' : codes(schema.enum.map(String))
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

/** The whole page. */
export function configurationPage(): string {
  const shown: string[] = []
  const sections = Object.entries(root.properties ?? {}).filter(([name]) => name !== '$schema')
  return page([
    '# Configuration',
    introduction,
    ...sections.flatMap(([name, given]) => {
      const schema = resolved(given)
      const keys = keysOf(schema, name)
      const definitions = definitionsIn(keys, shown)
      shown.push(...definitions)
      return [
        partOf('##', name, schema, keys),
        ...definitions.map((each) => partOf('###', each, definition(each), keysOf(definition(each)))),
      ]
    }),
  ])
}

const introduction = `A configuration says where the deployment is, who may call it, and where fixtures come from. It is YAML or JSON, and
[its schema](../schemas/configuration.schema.json) works in editors. The command refuses an unknown key and suggests the
nearest known one. \`portal-conformance init\` writes a configuration, \`serve\` prints one for the embedded portal, and
\`run --dry-run\` shows what a configuration is enough for.

- \`\${NAME}\` in a text comes from the environment; an unset variable is an error. Keep secrets there, in files or in commands.
- Paths are relative to the folder of the configuration.
- Options of the command line win over keys: \`--base-url\`, \`--effects\`, \`--seed\`, \`--runs\`, \`--concurrency\`.
- A duration is a number and its unit: \`250ms\`, \`10s\`, \`2m\`, \`1h\` or \`1d\`.
- Required: \`target.baseUrl\`, \`portals.host.id\` and, beyond loopback, \`effects\`. \`fixtures\` names one source.`

function partOf(heading: string, name: string, schema: JsonSchema, keys: readonly Key[]): string {
  const rows = keys.map(({ path, type, description }) => [code(path), type, prose(description)])
  const parts = [`${heading} ${name}`, prose(schema.description ?? '')]
  return [...parts, ...(rows.length === 0 ? [] : [table(['key', 'type', 'meaning'], rows)])].join('\n\n')
}

interface Key {
  /** The path from the root of its section, with dots. */
  readonly path: string
  readonly schema: JsonSchema
  readonly type: string
  readonly description: string
}

/** All keys below an object, at any depth, without those of definitions, which have their own section. */
function keysOf(parent: JsonSchema, above = ''): Key[] {
  return Object.entries(resolved(parent).properties ?? {}).flatMap(([name, given]) => {
    const schema = resolved(given)
    const path = above === '' ? name : `${above}.${name}`
    const below = definitionOf(schema) === undefined ? keysOf(schema, path) : []
    if (below.length > 0 && schema.description === undefined) return below
    return [{ path, schema, type: typeOf(schema), description: schema.description ?? '' }, ...below]
  })
}

/** Definitions that those keys refer to, directly or through others. */
function definitionsIn(keys: readonly Key[], known: readonly string[]): string[] {
  const found = new Set(
    keys
      .flatMap(({ schema }) => [schema, schema.then, schema.else])
      .flatMap((schema) => (schema === undefined ? [] : [definitionOf(schema)]))
      .filter((name) => name !== undefined)
      .filter((name) => definition(name).properties !== undefined && !known.includes(name)),
  )
  return [...found].flatMap((name) => [
    name,
    ...definitionsIn(keysOf(definition(name)), [...known, ...found]),
  ])
}
