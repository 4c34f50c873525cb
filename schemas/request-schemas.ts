/** The parts of a request schema that cases are derived from. */

import type { OperationId } from '../specs/operations.ts'
import { type JsonSchema, type SchemaName, schemaOf } from './catalogue.ts'

export interface RequestSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

/** The request schema of an operation. */
export const requestSchema = (operation: OperationId): RequestSchema =>
  schemaOf(`${operation}.request` as SchemaName) as RequestSchema

/** A limit of one field: at most so many characters or entries. */
export interface Limit {
  readonly field: string
  readonly keyword: 'maxLength' | 'maxItems'
  readonly most: number
}

/** Every upper limit that a request schema states, in the order of its fields. */
export function limitsOf(schema: RequestSchema): Limit[] {
  return Object.entries(schema.properties).flatMap(([field, property]): Limit[] => [
    ...(property.maxLength === undefined
      ? []
      : [{ field, keyword: 'maxLength' as const, most: property.maxLength }]),
    ...(property.maxItems === undefined
      ? []
      : [{ field, keyword: 'maxItems' as const, most: property.maxItems }]),
  ])
}
