/** The form of an operation: its schema, how its fields are written, and examples (§4). */
import type { OperationId } from '../../specs/operations.ts'
import { schemaOf } from '../catalogue.ts'
import type { JsonSchema } from '../json-schema.ts'
import { reference } from './component-schemas.ts'

/** How a notation of ours is said in an encoding object. */
const encodings: Readonly<Record<NonNullable<JsonSchema['x-form']>, object>> = {
  // A comma and %2C are the same form (§4), so both are allowed.
  comma: { style: 'form', explode: false, allowReserved: true },
  repeated: { style: 'form', explode: true },
  json: { contentType: 'application/json' },
}

/** What a body of one media type holds. */
export interface Content {
  readonly schema: object
  /** How single fields of a form are written. */
  readonly encoding?: Readonly<Record<string, object>>
  readonly examples: NamedExamples
}

type NamedExamples = Readonly<Record<string, { readonly value: unknown }>>

export interface RequestBody {
  readonly required: true
  readonly description: string
  readonly content: { readonly 'application/x-www-form-urlencoded': Content }
}

/** The body of a request. Examples are decoded forms: arrays are arrays, and numbers are numbers. */
export function requestBodyOf(id: OperationId): RequestBody {
  const schema = schemaOf(`${id}.request`)
  return {
    required: true,
    description: schema.description ?? '',
    content: {
      'application/x-www-form-urlencoded': {
        schema: reference(`${id}.request`),
        ...encodingOf(schema),
        examples: namedExamples('request', schema),
      },
    },
  }
}

/** The examples of a schema under names of their own: `request`, `request-2`, and so on. */
export function namedExamples(prefix: string, { examples = [] }: JsonSchema): NamedExamples {
  return Object.fromEntries(
    examples.map((value, at) => [at === 0 ? prefix : `${prefix}-${at + 1}`, { value }]),
  )
}

function encodingOf({ properties = {} }: JsonSchema): Pick<Content, 'encoding'> {
  const encoding = Object.entries(properties).flatMap(([name, { 'x-form': notation }]) =>
    notation === undefined ? [] : [[name, encodings[notation]] as const],
  )
  return encoding.length === 0 ? {} : { encoding: Object.fromEntries(encoding) }
}
