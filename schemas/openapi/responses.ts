/** What an operation answers: accepted and refused under 200, refused under any other status (§4, §7). */
import type { OperationId } from '../../specs/operations.ts'
import { type SchemaName, schemaOf } from '../catalogue.ts'
import { reference } from './component-schemas.ts'
import { type Content, namedExamples } from './request-body.ts'

export interface Response {
  readonly description: string
  readonly content: { readonly 'application/json': Content }
}

export interface Responses {
  readonly 200: Response
  readonly default: Response | { readonly $ref: string }
}

/** Only reassign items has an error of a shown shape; what other refusals hold is advice. */
const ownErrors: Readonly<Partial<Record<OperationId, SchemaName>>> = {
  'reassign-items': 'reassign-items.error',
}

const statusIsOpen =
  'The contract shows neither the status nor, but for reassign items, the body of a refusal'

/** The answers of an operation. `anyOf`: a refusal may well say `success: false` beside its error. */
export function responsesOf(id: OperationId): Responses {
  const error = ownErrors[id]
  const errors: readonly SchemaName[] = error === undefined ? ['error'] : [error, 'error']
  return {
    200: {
      description: `${schemaOf(`${id}.response`).description} A refusal may come under this status too.`,
      content: {
        'application/json': {
          schema: { anyOf: [`${id}.response` as const, ...errors].map(reference) },
          examples: { ...namedExamples('accepted', schemaOf(`${id}.response`)), ...refusals(errors) },
        },
      },
    },
    default: error === undefined ? { $ref: '#/components/responses/Refusal' } : refusalOf(errors),
  }
}

/** The refusal that most operations share. */
export function responseComponents(): Readonly<Record<string, Response>> {
  return { Refusal: refusalOf(['error']) }
}

function refusalOf(errors: readonly SchemaName[]): Response {
  const schemas = errors.map(reference)
  return {
    description: `A refusal. ${statusIsOpen} (§7); that it is JSON with an error is advice.`,
    content: {
      'application/json': {
        schema: schemas.length === 1 ? (schemas[0] as object) : { anyOf: schemas },
        examples: refusals(errors),
      },
    },
  }
}

function refusals(errors: readonly SchemaName[]): Content['examples'] {
  return namedExamples('refused', { examples: errors.flatMap((name) => schemaOf(name).examples ?? []) })
}
