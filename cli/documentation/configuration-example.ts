/** A complete configuration in YAML with a comment on every key, made of the example that the schema has. */
import { Document, isMap, isPair, isScalar, type YAMLMap } from 'yaml'
import { schemaOf } from '../../schemas/catalogue.ts'
import type { JsonSchema } from '../../schemas/json-schema.ts'
import { definitionOf, inPlace } from './configuration-types.ts'

/** Columns of a comment. */
const width = 96

/** Keys that no configuration for people has. */
const leftOut = ['$schema', 'targets']

/** The example, each key with what it means where it first comes up. */
export function configurationExample(): string {
  const root = schemaOf('configuration')
  const [, complete] = root.examples as readonly Readonly<Record<string, unknown>>[]
  const shown = Object.entries(complete ?? {}).filter(([name]) => !leftOut.includes(name))
  const document = new Document(Object.fromEntries(shown))
  comment(document.contents as YAMLMap, root, root, new Set())
  return document.toString({ lineWidth: 0 })
}

/** Puts the description of each key before it. */
function comment(map: YAMLMap, schema: JsonSchema, root: JsonSchema, told: Set<JsonSchema>): void {
  for (const pair of map.items) {
    if (!isPair(pair) || !isScalar(pair.key)) continue
    const given = keysBeside(schema, root)[String(pair.key.value)]
    if (given === undefined) continue
    if (!told.has(given)) pair.key.commentBefore = wrapped(given.description ?? '')
    told.add(given)
    if (isMap(pair.value)) comment(pair.value, given, root, told)
  }
}

/** The keys of an object, wherever its schema stands. */
function keysBeside(schema: JsonSchema, root: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const definition = definitionOf(schema)
  const whole = definition === undefined ? inPlace(schema) : (root.$defs?.[definition] as JsonSchema)
  if (whole.properties !== undefined) return whole.properties
  return whole.else === undefined ? {} : keysBeside(whole.else, root)
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
