/** docs/configuration.md: every key of the configuration, from its schema. */
import { Document, isMap, isPair, isScalar, stringify, type YAMLMap } from 'yaml'
import { type JsonSchema, type SchemaName, schemaOf } from '../schemas/catalogue.ts'
import { anchor, code, codes, fenced, linkTo, list, page, prose } from './markdown.ts'

/** The schema of a configuration. */
const root = schemaOf('configuration')

/** Definitions that stand in place of the keys that refer to them: the page has no part on them. */
const unnamed = ['pool', 'credential']

/** The schema itself, or the one that stands in its place; its own description goes first. */
function inPlace({ $ref, ...schema }: JsonSchema): JsonSchema {
  const file = /^([a-z-]+)\.schema\.json$/.exec($ref ?? '')?.[1]
  if (file !== undefined) return { ...schemaOf(file as SchemaName), ...schema }
  const name = unnamed.find((each) => $ref === `#/$defs/${each}`)
  if (name !== undefined) return { ...definition(name), ...schema }
  return $ref === undefined ? schema : { $ref, ...schema }
}

/** What `$ref` names within a schema: `#/$defs/actor` is `actor`. */
const definitionOf = (schema: JsonSchema): string | undefined =>
  /^#\/\$defs\/(.+)$/.exec(schema.$ref ?? '')?.[1]

const definition = (name: string): JsonSchema => root.$defs?.[name] as JsonSchema

/** The kinds of value that have a name of their own and no keys. */
const plainDefinitions: Readonly<Record<string, string>> = { duration: '[duration](#durations)' }

/** The type as Markdown. */
function typeOf(given: JsonSchema): string {
  const schema = inPlace(given)
  const named = definitionOf(schema)
  if (named !== undefined) return plainDefinitions[named] ?? linkTo(named, '', prose(named))
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

/** The whole page. */
export function configurationPage(): string {
  const sections = keysOf(root).filter(({ path }) => !path.includes('.') && path !== '$schema')
  const definitionsTold: string[] = []
  const shown = sections.map((key) => {
    const keys = keysOf(key.schema, key.path)
    const definitions = definitionsIn(keys, definitionsTold)
    definitionsTold.push(...definitions)
    return sectionOf(key, keys, definitions)
  })
  return page([
    '# Configuration',
    introduction,
    '## Contents',
    list([
      ...sections.map(({ path }) => linkTo(path)),
      linkTo('a-complete-example', '', 'A complete example'),
    ]),
    ...shown,
    `${anchor('a-complete-example')}\n\n## A complete example`,
    `Of these keys only \`target.baseUrl\`, \`portals.host.id\` and, beyond loopback, \`effects\` must be there. Of the sources of
fixtures exactly one can be named, here \`url\`.`,
    fenced(configurationExample(), 'yaml'),
  ])
}

const introduction = `A configuration says where the deployment under test is, who may call it, and where fixtures come from. It is YAML or
JSON; its schema, [configuration.schema.json](../schemas/configuration.schema.json), works in editors. Unknown keys are
refused, with the nearest known one named.

- \`\${NAME}\` in a text is taken from the environment; a variable that is not there is an error. Secrets belong there, or
  into files and commands: \`portal-conformance\` takes none on its command line and shows none in its output.
- Paths are seen from the folder of the configuration.
- Options of the command line go over keys: \`--base-url\`, \`--effects\`, \`--seed\`, \`--runs\`, \`--concurrency\`.
- <a id="durations"></a>A duration is a number and its unit: \`250ms\`, \`10s\`, \`2m\`, \`1h\` or \`1d\`.

\`portal-conformance init\` writes one for your deployment, \`serve\` prints a complete one for the embedded portal, and
\`portal-conformance run --dry-run --config FILE\` says what a configuration is enough for, and sends nothing.`

function sectionOf(
  { path, schema, byDefault, description, required }: Key,
  keys: readonly Key[],
  definitions: readonly string[],
): string {
  const example = exampleOf(path, schema)
  const facts = [
    required ? 'Required.' : '',
    byDefault === undefined ? '' : `Default: ${prose(byDefault)}.`,
    example === undefined || keys.length > 0 ? '' : `Example: ${example}.`,
  ]
  return [
    `${anchor(path)}\n\n## ${path}`,
    [prose(description), ...facts].filter((fact) => fact !== '').join(' '),
    list(keys.map((key) => entryOf(key))),
    ...definitions.map(definitionPart),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** What several keys have in common, told once. */
function definitionPart(name: string): string {
  const schema = definition(name)
  return [
    `${anchor(name)}\n\n### ${name}`,
    prose(schema.description ?? ''),
    list(keysOf(schema).map((key) => entryOf(key, name))),
  ].join('\n\n')
}

function entryOf({ path, schema, required, byDefault, description }: Key, within?: string): string {
  const name = path.split('.').at(-1) as string
  const example = exampleOf(name, schema)
  const facts = [
    typeOf(inPlace(schema)),
    ...(required ? ['required'] : []),
    ...(byDefault === undefined ? [] : [`default: ${prose(byDefault)}`]),
  ]
  const lines = [
    `${anchor(within === undefined ? path : `${within}.${path}`)}**${code(path)}** (${facts.join('; ')})`,
    prose(description),
    ...(example === undefined ? [] : [`Example: ${example}`]),
  ]
  return lines.filter((line) => line !== '').join('<br>\n  ')
}

/** The first example or the default, as it is written in a configuration; absent where there is neither. */
function exampleOf(name: string, { examples, default: value }: JsonSchema): string | undefined {
  const shown = examples?.[0] ?? value
  if (shown === undefined) return undefined
  return code(`${name}: ${stringify(shown, { collectionStyle: 'flow', lineWidth: 0 }).trim()}`)
}

interface Key {
  /** With dots from the root of its section. */
  readonly path: string
  readonly schema: JsonSchema
  readonly required: boolean
  /** What holds where the key is left out, in words; absent: the description says it. */
  readonly byDefault?: string
  readonly description: string
}

/** All keys below an object, at any depth, but for those of definitions, which are told once. */
function keysOf(parent: JsonSchema, above = ''): Key[] {
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

/** Columns of a comment. */
const width = 96

/** Keys that no configuration for people has. */
const leftOut = ['$schema', 'targets']

/** The example, each key with what it means where it first comes up. */
function configurationExample(): string {
  const [, complete] = root.examples as readonly Readonly<Record<string, unknown>>[]
  const shown = Object.entries(complete ?? {}).filter(([name]) => !leftOut.includes(name))
  const document = new Document(Object.fromEntries(shown))
  comment(document.contents as YAMLMap, root, new Set())
  return document.toString({ lineWidth: 0 })
}

/** Puts the description of each key before it. */
function comment(map: YAMLMap, schema: JsonSchema, told: Set<JsonSchema>): void {
  for (const pair of map.items) {
    if (!isPair(pair) || !isScalar(pair.key)) continue
    const given = keysIn(schema)[String(pair.key.value)]
    if (given === undefined) continue
    if (!told.has(given)) pair.key.commentBefore = wrapped(given.description ?? '')
    told.add(given)
    if (isMap(pair.value)) comment(pair.value, given, told)
  }
}

/** The keys of an object, wherever its schema stands. */
function keysIn(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const named = definitionOf(schema)
  const whole = named === undefined ? inPlace(schema) : definition(named)
  if (whole.properties !== undefined) return whole.properties
  return whole.else === undefined ? {} : keysIn(whole.else)
}

/** In lines that begin with a space, as YAML writes comments. */
function wrapped(text: string): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`
    if (line.length <= width) lines[lines.length - 1] = line
    else lines.push(` ${word}`)
  }
  return lines.join('\n')
}
