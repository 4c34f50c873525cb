/** docs/configuration.md: every key of the configuration, from its schema. */
import { stringify } from 'yaml'
import { schemaOf } from '../../schemas/catalogue.ts'
import type { JsonSchema } from '../../schemas/json-schema.ts'
import { configurationExample } from './configuration-example.ts'
import { definitionsIn, type Key, keysOf } from './configuration-keys.ts'
import { inPlace, typeOf } from './configuration-types.ts'
import { anchor, code, fenced, linkTo, list, page, prose } from './markdown.ts'

/** The whole page. */
export function configurationPage(): string {
  const root = schemaOf('configuration')
  const sections = keysOf({ properties: root.properties ?? {}, required: root.required ?? [] }).filter(
    ({ path }) => !path.includes('.'),
  )
  const definitionsTold: string[] = []
  const shown = sections
    .filter(({ path }) => path !== '$schema')
    .map((key) => {
      const keys = keysOf(key.schema, key.path)
      const definitions = definitionsIn(root, keys, definitionsTold)
      definitionsTold.push(...definitions)
      return sectionOf(key, keys, definitions, root)
    })
  return page([
    '# Configuration',
    introduction,
    '## Contents',
    list([
      ...sections.filter(({ path }) => path !== '$schema').map(({ path }) => linkTo(path)),
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
\`portal-conformance plan --config FILE\` says what a configuration is enough for, and sends nothing.`

function sectionOf(
  { path, schema, byDefault, description, required }: Key,
  keys: readonly Key[],
  definitions: readonly string[],
  root: JsonSchema,
): string {
  const facts = [
    required ? 'Required.' : '',
    byDefault === undefined ? '' : `Default: ${prose(byDefault)}.`,
    exampleOf(path, schema) === undefined || keys.length > 0 ? '' : `Example: ${exampleOf(path, schema)}.`,
  ]
  return [
    `${anchor(path)}\n\n## ${path}`,
    [prose(description), ...facts].filter((fact) => fact !== '').join(' '),
    list(keys.map((key) => entryOf(key))),
    ...definitions.map((name) => definitionPart(name, root)),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** What several keys have in common, told once. */
function definitionPart(name: string, root: JsonSchema): string {
  const schema = root.$defs?.[name] as JsonSchema
  const keys = keysOf(schema)
  return [
    `${anchor(name)}\n\n### ${name}`,
    prose(schema.description ?? ''),
    list(keys.map((key) => entryOf(key, name))),
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
