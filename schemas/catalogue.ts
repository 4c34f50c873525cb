/** The schemas that ship with the project, by name. */
import { readFileSync } from 'node:fs'
import type { Presence } from '../specs/operation.ts'
import { type OperationId, operationIds } from '../specs/operations.ts'

/** All schemas: requests and answers in the order of the contract, then what they share, then our own files. */
export const schemaNames = [
  ...operationIds.map((id) => `${id}.request` as const),
  ...operationIds.map((id) => `${id}.response` as const),
  'workspace',
  'workspace-config',
  'error',
  'reassign-items.error',
  'authentication',
  'settlements',
  'operation',
  'configuration',
  'profile',
  'fixtures',
  'waivers',
  'results',
  'comparison',
  'journal',
] as const

/** A schema file beside this one, without `.schema.json`. */
export type SchemaName = (typeof schemaNames)[number]

/** A name in code: `AddWorkspaceRequest` for `add-workspace.request`, `ClientFinding` for `clientFinding`. */
export const typeName = (name: string): string =>
  name.replace(/(?:^|[-.])([a-z])/g, (_, letter: string) => letter.toUpperCase())

const loaded = new Map<SchemaName, JsonSchema>()

/** The schema of that name, as its file holds it; read once, at the first call. */
export function schemaOf(name: SchemaName): JsonSchema {
  let schema = loaded.get(name)
  if (schema === undefined) {
    schema = JSON.parse(readFileSync(new URL(`./${name}.schema.json`, import.meta.url), 'utf8')) as JsonSchema
    loaded.set(name, schema)
  }
  return schema
}

/** The name of a schema that `schemaOf` returned. */
export const nameOf = (schema: object): SchemaName | undefined =>
  [...loaded].find(([, each]) => each === schema)?.[0]

/** What free text should look like when realistic values are wanted. */
type Realistic =
  | 'title'
  | 'sentence'
  | 'first-name'
  | 'last-name'
  | 'email'
  | 'url'
  | 'certificate'
  | 'entity-id'
  | 'folder-name'
  | 'result'
  | 'integer-credits'
  /** Values are an open point: the suite sends one only if the deployment settles it. */
  | 'settled'

/** How an array is written into a form: joined by commas, or as JSON text. */
type FormNotation = 'comma' | 'json'

export interface JsonSchema {
  readonly $schema?: string
  readonly $id?: string
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly writeOnly?: boolean
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly contentEncoding?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly if?: JsonSchema
  readonly then?: JsonSchema
  readonly else?: JsonSchema
  /** Whether a request must carry the parameter. */
  readonly 'x-presence'?: Presence
  /** How an array is written into a form; other values are written literally. */
  readonly 'x-form'?: FormNotation
  /** The fixture that the value comes from: it cannot be made up. */
  readonly 'x-fixture'?: 'group' | 'items' | 'eligibleUser'
  readonly 'x-realistic'?: Realistic
  /** What messages call expected, if the keywords alone would be unclear. */
  readonly 'x-expected'?: string
  /**
   * How a configuration is read there: a duration in milliseconds, a path relative to its folder, an address without a
   * slash at the end, or as written, without defaults.
   */
  readonly 'x-read'?: 'duration' | 'path' | 'address' | 'as-written'
  /** The type in code, if it is narrower than the schema. */
  readonly 'x-type'?: string
}

/** The annotations, for validators that refuse unknown keywords. */
export const annotations = [
  'x-presence',
  'x-form',
  'x-fixture',
  'x-realistic',
  'x-expected',
  'x-read',
  'x-type',
] as const

export interface RequestSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

/** The request schema of an operation. */
export const requestSchema = (operation: OperationId): RequestSchema =>
  schemaOf(`${operation}.request` as SchemaName) as RequestSchema

/** A limit of one field: at most this many characters or entries. */
export interface Limit {
  readonly field: string
  readonly keyword: 'maxLength' | 'maxItems'
  readonly most: number
}

/** Every upper limit that a request schema states, in the order of its fields. */
export function limitsOf(schema: RequestSchema): Limit[] {
  return Object.entries(schema.properties).flatMap(([field, property]) =>
    (['maxLength', 'maxItems'] as const).flatMap((keyword) => {
      const most = property[keyword]
      return most === undefined ? [] : [{ field, keyword, most }]
    }),
  )
}
