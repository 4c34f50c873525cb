/** The parts of a request schema that cases are derived from. */

import type { Presence } from '../specs/operation.ts'
import type { OperationId } from '../specs/operations.ts'
import { type SchemaName, schemaOf } from './catalogue.ts'

/** One parameter as a request schema describes it. */
export interface Property {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Property
  readonly examples?: readonly unknown[]
  readonly 'x-presence'?: Presence
  /** What its values are like; `settled`: they are open, and it is sent only where the deployment settles one. */
  readonly 'x-realistic'?: string
  readonly 'x-fixture'?: string
  readonly 'x-form'?: string
}

export interface RequestSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, Property>>
  readonly required?: readonly string[]
}

/** The request schema of an operation. */
export const requestSchema = (operation: OperationId): RequestSchema =>
  schemaOf(`${operation}.request` as SchemaName) as unknown as RequestSchema

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
