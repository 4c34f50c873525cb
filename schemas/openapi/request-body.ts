/** The form of an operation: its schema, how its fields are written, and examples (§4). */
import type { OperationId } from '../../specs/operations.ts'
import { schemaOf } from '../catalogue.ts'
import type { JsonSchema } from '../json-schema.ts'
import { reference } from './component-schemas.ts'

/** How a notation of ours is said in an encoding object. */
const encodings: Readonly<Record<NonNullable<JsonSchema['x-form']>, object>> = {
  comma: { style: 'form', explode: false },
  repeated: { style: 'form', explode: true },
  json: { contentType: 'application/json' },
}

/** The body of a request. Examples are decoded forms: arrays are arrays, and numbers are numbers. */
export function requestBodyOf(id: OperationId): object {
  const schema = schemaOf(`${id}.request`)
  return {
    required: true,
    description: schema.description,
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
export function namedExamples(prefix: string, { examples = [] }: JsonSchema): Record<string, object> {
  return Object.fromEntries(
    examples.map((value, at) => [at === 0 ? prefix : `${prefix}-${at + 1}`, { value }]),
  )
}

function encodingOf({ properties = {} }: JsonSchema): { readonly encoding?: object } {
  const encoding = Object.entries(properties).flatMap(([name, { 'x-form': notation }]) =>
    notation === undefined ? [] : [[name, encodings[notation]] as const],
  )
  return encoding.length === 0 ? {} : { encoding: Object.fromEntries(encoding) }
}
