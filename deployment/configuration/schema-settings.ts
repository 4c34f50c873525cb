/** Reads a valid configuration by its schema: fills in defaults, and converts texts. */
import { resolve } from 'node:path'
import { type JsonSchema, type SchemaName, schemaOf } from '../../schemas/catalogue.ts'
import type { Configuration as Settings } from '../../schemas/types/configuration.ts'
import { isObject } from '../../schemas/values.ts'
import { parseDuration } from './duration.ts'

/**
 * The configuration with the defaults of its schema in it. A duration is a number of milliseconds, and its key ends in
 * `Ms`: `timeout: 10s` is `timeoutMs: 10000`. Paths are relative to the folder; addresses end without a slash. Settled
 * points are kept as they were written, without defaults: an absent point is not settled.
 */
export function schemaSettings(value: object, folder: string): Settings {
  const root = schemaOf('configuration')
  return readObject({ schema: root, root }, value, folder) as unknown as Settings
}

/** A schema, and the root schema of its file. */
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
  if (schema['x-read'] === 'as-written') return value
  if (isObject(value)) {
    // At most one of the forms of a value is an object.
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

/** The schema merged with the one that it refers to. Its own keywords win. */
function inPlace({ schema: { $ref, ...own }, root }: Placed): Placed {
  if ($ref === undefined) return { schema: own, root }
  const [, name] = /^#\/\$defs\/(.+)$/.exec($ref) ?? []
  const other = name === undefined ? schemaOf($ref.replace('.schema.json', '') as SchemaName) : root
  const target = name === undefined ? other : (root.$defs?.[name] ?? {})
  return { schema: { ...target, ...own }, root: other }
}
