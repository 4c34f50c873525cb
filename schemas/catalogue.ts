/** The schemas that ship with the project, by name. */
import { readFileSync } from 'node:fs'
import { type OperationId, operationIds } from '../specs/operations.ts'
import type { JsonSchema } from './json-schema.ts'

/** A schema file beside this one, without `.schema.json`. */
export type SchemaName =
  | `${OperationId}.request`
  | `${OperationId}.response`
  | 'workspace'
  | 'workspace-config'
  | 'error'
  | 'reassign-items.error'
  | 'authentication'
  | 'settlements'
  | 'operation'
  | 'configuration'
  | 'profile'
  | 'waivers'
  | 'results'
  | 'comparison'
  | 'journal'

/** All schemas: requests and answers in the order of the contract, then what they share, then our own files. */
export const schemaNames: readonly SchemaName[] = [
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
  'waivers',
  'results',
  'comparison',
  'journal',
]

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
