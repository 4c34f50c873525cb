/** Walks a schema: lists its subschemas, and values that violate each keyword. */
import { type JsonSchema, type SchemaName, schemaNames, schemaOf } from './catalogue.ts'

export interface Place {
  /** JSON pointer of the subschema in its file. */
  readonly pointer: string
  readonly schema: JsonSchema
}

const children = ['items', 'additionalProperties', 'if', 'then', 'else'] as const
const groups = ['properties', '$defs'] as const

/** The schema itself and every subschema, in the order of the file. */
export function placesOf(schema: JsonSchema, pointer = ''): Place[] {
  const below = (key: string, child: unknown): Place[] =>
    typeof child === 'object' ? placesOf(child as JsonSchema, `${pointer}/${key}`) : []
  return [
    { pointer, schema },
    ...children.flatMap((key) => below(key, schema[key])),
    ...groups.flatMap((group) =>
      Object.entries(schema[group] ?? {}).flatMap(([name, child]) => below(`${group}/${name}`, child)),
    ),
  ]
}

/** Resolves a `$ref` in the schema of a file. */
function referred(file: SchemaName, ref: string): { file: SchemaName; schema: JsonSchema } {
  const [name, definition] = ref.split('#/$defs/')
  const other = schemaNames.find((known) => name === `${known}.schema.json`) ?? file
  const whole = schemaOf(other)
  return { file: other, schema: definition === undefined ? whole : (whole.$defs?.[definition] as JsonSchema) }
}

export interface Breakage {
  readonly path: string
  readonly keyword: string
  /** The whole example, invalid in this one place. */
  readonly value: unknown
  /** The subschema with the keyword, to list the subschemas that were tried. */
  readonly schema: JsonSchema
}

type Rebuild = (value: unknown) => unknown

/** Violates each keyword that applies to the example, one at a time. */
export function breakagesOf(
  file: SchemaName,
  value: unknown,
  schema = schemaOf(file),
  path = '',
  rebuild: Rebuild = (whole) => whole,
): Breakage[] {
  if (schema.$ref !== undefined) {
    const target = referred(file, schema.$ref)
    return breakagesOf(target.file, value, target.schema, path, rebuild)
  }
  const branch = schema.if === undefined ? undefined : holds(schema.if, value) ? schema.then : schema.else
  const here = wrongValues(schema, value).map(({ keyword, wrong, key }) => ({
    path: key === undefined ? path : below(path, key),
    keyword,
    value: rebuild(wrong),
    schema,
  }))
  const ofBranch = branch === undefined ? [] : breakagesOf(file, value, branch, path, rebuild)
  return [...here, ...childBreakages(file, value, schema, path, rebuild), ...ofBranch]
}

/** Whether the value meets a condition: its type and the constants of its properties. */
function holds({ type, properties = {} }: JsonSchema, value: unknown): boolean {
  if (type !== (Array.isArray(value) ? 'array' : typeof value)) return false
  const fields = value as Record<string, unknown>
  return Object.entries(properties).every(([key, condition]) => fields[key] === condition.const)
}

function childBreakages(
  file: SchemaName,
  value: unknown,
  schema: JsonSchema,
  path: string,
  rebuild: Rebuild,
): Breakage[] {
  if (Array.isArray(value) && schema.items !== undefined) {
    return value.flatMap((item, index) =>
      breakagesOf(file, item, schema.items, `${path}[${index}]`, (wrong) =>
        rebuild(value.with(index, wrong)),
      ),
    )
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => {
    const child = schema.properties?.[key] ?? schema.additionalProperties
    if (typeof child !== 'object') return []
    return breakagesOf(file, item, child, below(path, key), (wrong) => rebuild({ ...value, [key]: wrong }))
  })
}

const below = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`)

/** A value whose type no schema of ours allows. */
const wrongType = null

/** Keywords that no value violates, or that are violated in a subschema. */
const skipped =
  /^(\$.+|x-.+|title|description|default|examples|writeOnly|contentEncoding|properties|items|if|then|else)$/

function wrongValues(
  schema: JsonSchema,
  value: unknown,
): { keyword: string; wrong: unknown; key?: string }[] {
  const fields = value as Record<string, unknown>
  const without = (field: string) =>
    Object.fromEntries(Object.entries(fields).filter(([key]) => key !== field))
  const repeated = (times: number) => Array.from({ length: times }, () => (value as unknown[])[0])
  const texts = Object.entries(schema.properties ?? {}).flatMap(([name, { type, examples }]) =>
    type === 'string' ? [[name, examples?.[0]]] : [],
  )
  const keywords: Record<string, () => { wrong: unknown; key?: string }[]> = {
    type: () => [{ wrong: wrongType }],
    const: () => [{ wrong: 'something else' }],
    enum: () => [{ wrong: 'something else' }],
    minLength: () => [{ wrong: 'x'.repeat((schema.minLength as number) - 1) }],
    maxLength: () => [{ wrong: 'x'.repeat((schema.maxLength as number) + 1) }],
    pattern: () => [{ wrong: '\n' }],
    format: () => [{ wrong: 'neither one nor the other' }],
    minimum: () => [{ wrong: (schema.minimum as number) - 1 }],
    maximum: () => [{ wrong: (schema.maximum as number) + 1 }],
    exclusiveMinimum: () => [{ wrong: schema.exclusiveMinimum }],
    minItems: () => [{ wrong: repeated((schema.minItems as number) - 1) }],
    maxItems: () => [{ wrong: repeated((schema.maxItems as number) + 1) }],
    uniqueItems: () => [{ wrong: repeated(2) }],
    required: () => (schema.required ?? []).map((key) => ({ wrong: without(key), key })),
    additionalProperties: () => {
      if (schema.additionalProperties !== false) return []
      const others = schema.maxProperties === undefined ? fields : {}
      return [{ wrong: { ...others, unknownField: 1 }, key: 'unknownField' }]
    },
    minProperties: () => [{ wrong: {} }],
    maxProperties: () => [
      { wrong: Object.fromEntries(texts.slice(0, (schema.maxProperties as number) + 1)) },
    ],
  }
  return Object.keys(schema).flatMap((keyword) => {
    if (skipped.test(keyword)) return []
    const broken = keywords[keyword]
    if (broken === undefined) throw new Error(`no value is known that violates ${keyword}`)
    return broken().map((one) => ({ keyword, ...one }))
  })
}
