/** What the schema says of a valid configuration beyond its shape: defaults, and how its texts are read. */
import { resolve } from 'node:path'
import { isObject } from '../../schemas/any-value.ts'
import { type JsonSchema, type SchemaName, schemaOf } from '../../schemas/catalogue.ts'
import { parseDuration } from './duration.ts'

/**
 * The configuration with the defaults of its schema in it. A duration is a number of milliseconds, and its key ends in
 * `Ms`: `timeout: 10s` is `timeoutMs: 10000`. Paths are seen from the folder; addresses end without a slash.
 */
export function schemaSettings(value: object, folder: string): object {
  return readObject({ schema: schemaOf('configuration'), root: schemaOf('configuration') }, value, folder)
}

/** A schema, and the one in whose file it is. */
interface Placed {
  readonly schema: JsonSchema
  readonly root: JsonSchema
}

function readObject(
  placed: Placed,
  value: Readonly<Record<string, unknown>> | object,
  folder: string,
): object {
  const { schema, root } = placed
  const given = value as Readonly<Record<string, unknown>>
  const properties = schema.properties ?? {}
  const keys = new Set([...Object.keys(properties), ...Object.keys(given)])
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      const property = inPlace({ schema: properties[key] ?? {}, root })
      const found = given[key] ?? structuredClone(property.schema.default)
      if (found === undefined) return []
      const name = property.schema['x-read'] === 'duration' ? `${key}Ms` : key
      return [[name, readValue(property, found, folder)]]
    }),
  )
}

function readValue({ schema, root }: Placed, value: unknown, folder: string): unknown {
  if (isObject(value)) {
    // Of several forms that a value may have, at most one is an object.
    const forms = [schema, schema.then, schema.else].map((form) => inPlace({ schema: form ?? {}, root }))
    const form = forms.find((each) => each.schema.properties !== undefined)
    return form === undefined ? value : readObject(form, value, folder)
  }
  if (typeof value !== 'string') return value
  switch (schema['x-read']) {
    case 'duration':
      return parseDuration(value)
    case 'path':
      return resolve(folder, value)
    case 'address':
      return value.replace(/\/+$/, '')
    default:
      return value
  }
}

/** The schema with the one that it refers to; its own keywords go first. */
function inPlace({ schema: { $ref, ...own }, root }: Placed): Placed {
  if ($ref === undefined) return { schema: own, root }
  const [, name] = /^#\/\$defs\/(.+)$/.exec($ref) ?? []
  const other = name === undefined ? schemaOf($ref.replace('.schema.json', '') as SchemaName) : root
  const target = name === undefined ? other : (root.$defs?.[name] ?? {})
  return { schema: { ...target, ...own }, root: other }
}
