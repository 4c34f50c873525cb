/** Writes the TypeScript types of our own files from their schemas: a step of the build, before the code is compiled. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { type JsonSchema, type SchemaName, schemaNames, schemaOf, typeName } from './catalogue.ts'

/** The schemas that become types, each with the folder whose code needs them first. */
const typed = {
  authentication: 'specs',
  settlements: 'specs',
  profile: 'specs',
  configuration: 'schemas',
  fixtures: 'schemas',
  journal: 'schemas',
  waivers: 'schemas',
  results: 'schemas',
  comparison: 'schemas',
} as const satisfies Partial<Record<SchemaName, 'schemas' | 'specs'>>

type TypedSchema = keyof typeof typed

export const typedSchemas = Object.keys(typed) as TypedSchema[]

/** The modules of the types that `x-type` names. */
const namedTypes: Readonly<Record<string, string>> = {
  Level: 'specs/outcomes.ts',
  OpenPointId: 'specs/open-points.ts',
  OperationId: 'specs/operations.ts',
  RequirementId: 'specs/requirements.ts',
  CheckId: 'specs/requirements.ts',
  Subject: 'specs/requirements.ts',
  Target: 'schemas/types/results.ts',
}

type Properties = Readonly<Record<string, JsonSchema>>

/** The module of a schema, from the root of the project. */
export const moduleOf = (name: TypedSchema): string => `${typed[name]}/types/${name}.ts`

/** Writes a module for each of the schemas. The root is that of the sources. */
export function writeTypes(root: URL): void {
  for (const name of typedSchemas) {
    const file = new URL(moduleOf(name), root)
    const text = typesOf(name)
    if (textOf(file) === text) continue
    mkdirSync(new URL('.', file), { recursive: true })
    // A compiler that runs meanwhile must not read half a file.
    const unfinished = new URL(`${file.href}.${process.pid}.tmp`)
    writeFileSync(unfinished, text)
    renameSync(unfinished, file)
  }
}

function textOf(file: URL): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** The text of a module: a type for the root of the schema, and one for each definition that is an object or a list of values. */
export function typesOf(name: TypedSchema): string {
  return new TypeWriter(name).text()
}

const fileOfRef = (ref: string): SchemaName | undefined =>
  schemaNames.find((name) => ref.startsWith(`${name}.schema.json`))

class TypeWriter {
  readonly #name: TypedSchema
  readonly #imports = new Map<string, Set<string>>()
  /** The schemas of the module's types, by name. */
  readonly #exported = new Map<string, JsonSchema>()

  constructor(name: TypedSchema) {
    this.#name = name
  }

  text(): string {
    const root = schemaOf(this.#name)
    this.#exported.set(typeName(this.#name), root)
    for (const [name, schema] of Object.entries(root.$defs ?? {}))
      if (isNamed(schema)) this.#exported.set(typeName(name), schema)
    const declarations: string[] = []
    // Writing one type may append others, which follow in this loop.
    for (const [name, schema] of this.#exported) declarations.push(this.#declaration(name, schema))
    const imports = [...this.#imports].map(
      ([from, names]) => `import type { ${[...names].sort().join(', ')} } from '${from}'\n`,
    )
    const head = `/** Types of ${this.#name}.schema.json. The build writes this file: change the schema. */\n`
    return [head + imports.sort().join(''), ...declarations].join('\n')
  }

  #declaration(name: string, schema: JsonSchema): string {
    const type = this.#typeOf(schema, '')
    const comment = commentOf(schema, '')
    return type.startsWith('{') && !type.includes('} | {')
      ? `${comment}export interface ${name} ${type}\n`
      : `${comment}export type ${name} = ${type}\n`
  }

  #typeOf(schema: JsonSchema, indent: string): string {
    const named = schema['x-type']
    if (named !== undefined) return this.#imported(namedTypes[named] as string, named)
    if (schema.$ref !== undefined) return this.#referred(schema, schema.$ref, indent)
    if (schema.if !== undefined) {
      // Where the last of several cases has no "else", a list of values says that there are no others.
      const cases = [schema.then ?? schema.if, ...(schema.else === undefined ? [] : [schema.else])]
      return cases.map((each) => this.#typeOf(each, indent)).join(' | ')
    }
    if (schema.const !== undefined) return literal(schema.const)
    if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ')
    switch (schema.type) {
      case 'object':
        return this.#objectType(schema, indent)
      case 'array':
        return this.#arrayType(schema, indent)
      case 'integer':
        return 'number'
      case 'string':
        return schema['x-read'] === 'duration' ? 'number' : 'string'
      default:
        return schema.type ?? 'unknown'
    }
  }

  #objectType(schema: JsonSchema, indent: string): string {
    const { properties, additionalProperties: other, required = [] } = schema
    if (properties === undefined) {
      const value = typeof other === 'object' ? this.#typeOf(other, indent) : 'unknown'
      return `Readonly<Record<string, ${value}>>`
    }
    // Only editors read it.
    const { $schema: _, ...keys } = properties
    if (schema.minProperties === 1 && schema.maxProperties === 1)
      return Object.entries(keys)
        .map(([key, property]) => this.#members({ [key]: property }, [key], indent))
        .join(' | ')
    return this.#members(keys, required, indent)
  }

  #members(properties: Properties, required: readonly string[], indent: string): string {
    if (Object.keys(properties).length === 0) return 'Readonly<Record<string, never>>'
    const inner = `${indent}  `
    const members = Object.entries(properties).map(([key, property]) => {
      const always = required.includes(key) || (this.#isRead && 'default' in property)
      const { 'x-read': reading } = withTarget(property, schemaOf(this.#name))
      const name = reading === 'duration' ? `${key}Ms` : key
      const type = this.#typeOf(property, inner)
      return `${commentOf(property, inner)}${inner}readonly ${keyOf(name)}${always ? '' : '?'}: ${type}\n`
    })
    return `{\n${members.join('')}${indent}}`
  }

  #arrayType({ items = {}, minItems, maxItems }: JsonSchema, indent: string): string {
    const item = this.#typeOf(items, indent)
    if (minItems !== undefined && minItems === maxItems)
      return `readonly [${Array(minItems).fill(item).join(', ')}]`
    // Without brackets, readonly and | would apply to the array, not to its items.
    const needsBrackets = item.startsWith('readonly ') || (item.includes(' | ') && !item.startsWith('{'))
    return needsBrackets ? `readonly (${item})[]` : `readonly ${item}[]`
  }

  /** Only configurations are read with defaults. Code sees the other files as they were written. */
  get #isRead(): boolean {
    return this.#name === 'configuration'
  }

  #referred(own: JsonSchema, ref: string, indent: string): string {
    const [, definition] = ref.split('#/$defs/')
    const file = fileOfRef(ref) ?? this.#name
    const root = schemaOf(file)
    const target = definition === undefined ? root : (root.$defs?.[definition] ?? {})
    const name = typeName(definition ?? file)
    if (!isNamed(target)) return this.#typeOf(target, indent)
    if (file === this.#name) return name
    if (this.#isRead && own['x-read'] !== 'as-written') {
      this.#exported.set(name, target)
      return name
    }
    return this.#imported(moduleOf(file as TypedSchema), name)
  }

  #imported(file: string, name: string): string {
    const from = `../../${file}`.replace(`../../${typed[this.#name]}/`, '../').replace('../types/', './')
    this.#imports.set(from, (this.#imports.get(from) ?? new Set()).add(name))
    return name
  }
}

/** Whether the type of a definition has a name: an object, a list of values, or one of several forms. */
const isNamed = ({ properties, enum: values, if: cases, $ref }: JsonSchema): boolean =>
  $ref === undefined && (properties !== undefined || values !== undefined || cases !== undefined)

/** The schema merged with the definition of its own file that it refers to. */
function withTarget({ $ref, ...own }: JsonSchema, root: JsonSchema): JsonSchema {
  const [, definition] = ($ref ?? '').split('#/$defs/')
  return { ...(definition === undefined ? {} : root.$defs?.[definition]), ...own }
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value)

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`)

const commentOf = ({ description }: JsonSchema, indent: string): string =>
  description === undefined ? '' : `${indent}/** ${description.replaceAll('*/', '* /')} */\n`
