/** Our OpenAPI document as peers can use it: OpenAPI 3.0, with ids and examples of fixtures. */

import { suiteVersion } from '../../deployment/suite-version.ts'
import { openapiDocument } from '../../schemas/openapi/document.ts'
import type { Case } from './cases.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }

/** Form fields that must name something that exists, or whose values are settled by the deployment. */
const settledFields = [
  'portalGroupId',
  'targetUsername',
  'status',
  'discoveryServiceUrl',
  'metadataServiceUrl',
  'certificate',
  'userCreditAssignment',
  'groups',
  'signUpMode',
  'userType',
]

/**
 * `examples`: for tools that send each example once. The ids stand in the paths, so that there can be many cases of an
 * operation; every field is required, so that none is left out. `generation`: for tools that make requests of their
 * own. Paths, parameters and what is required are as in our document, the ids of the one case the only ones allowed.
 */
export type Use = 'examples' | 'generation'

/** Left out for generation: the answers are described as JSON, and what else `f` may ask for is open. */
const formatField = 'f'

const formType = 'application/x-www-form-urlencoded'

/** Under 200 there is only the answer of success: the portal that the peers meet refuses with other statuses. */
export function documentFor(cases: readonly Case[], baseUrl: string, use: Use): JsonObject {
  const { components, paths, tags, info } = asOpenapi30(
    openapiDocument(suiteVersion) as unknown as Json,
  ) as Record<string, JsonObject>
  const templates = Object.entries(paths as JsonObject).map(
    ([path, item]) => [path, (item as JsonObject).post] as [string, JsonObject],
  )
  const schemas = components?.schemas as JsonObject
  const filled = cases.map((each): [string, Json] => {
    const [template, ours] = templates.find(([, { operationId }]) => operationId === each.operation) as [
      string,
      JsonObject,
    ]
    const post = operationFor(each, ours, { schemas, use })
    if (use === 'examples') return [each.path, { post }]
    const parameters = Object.entries(each.ids).map(([name, id]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string', enum: [id] },
      example: id,
    }))
    return [template, { post: { ...post, parameters } }]
  })
  const { summary: _, ...title } = info as JsonObject
  return {
    openapi: '3.0.3',
    info: title,
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    tags: tags as Json,
    paths: Object.fromEntries(filled),
    components: { schemas, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  }
}

function operationFor(
  { operation, copy, form }: Case,
  ours: JsonObject,
  { schemas, use }: { schemas: JsonObject; use: Use },
): JsonObject {
  const media = mediaOf((ours.responses as JsonObject)['200'] as JsonObject, 'application/json')
  const [success] = (media.schema as { anyOf: Json[] }).anyOf
  const accepted = ((media.examples as JsonObject).accepted as JsonObject).value as Json
  const request = mediaOf(ours.requestBody as JsonObject, formType)
  const name = String((request.schema as JsonObject).$ref)
    .split('/')
    .at(-1) as string
  const { properties, ...schema } = schemas[name] as JsonObject
  const example = { ...(form as JsonObject) }
  if (use === 'generation') delete example[formatField]
  const fields = Object.entries(properties as JsonObject).filter(([field]) => field in example)
  const requestBody = {
    required: use === 'examples' || schema.required !== undefined,
    content: {
      [formType]: {
        ...(request.encoding === undefined ? {} : { encoding: request.encoding }),
        schema: {
          ...schema,
          ...(use === 'examples' ? { required: Object.keys(example) } : {}),
          properties: Object.fromEntries(
            fields.map(([field, property]) => [field, narrowed(field, property, form)]),
          ),
          example,
        },
        example,
      },
    },
  }
  return {
    operationId: `${operation}-${copy}`,
    summary: `${ours.summary} ${copy}`,
    ...(fields.length === 0 ? {} : { requestBody }),
    responses: {
      '200': {
        description: 'Accepted.',
        content: { 'application/json': { schema: success as Json, example: accepted } },
      },
      // What a refusal looks like is open in the contract.
      ...(use === 'generation' ? { default: { description: 'Refused.' } } : {}),
    },
  }
}

function narrowed(field: string, property: Json, form: Case['form']): Json {
  const value = form[field] as string | number | string[]
  const plain: JsonObject = { ...(property as JsonObject), example: value }
  // What an empty description means is open; the portal takes it.
  if (field === 'collaborationWorkspaceDescription') delete plain.minLength
  if (!settledFields.includes(field)) return plain
  if (!Array.isArray(value)) return { ...plain, enum: [value] }
  return { ...plain, items: { type: 'string', enum: value } }
}

function mediaOf({ content }: JsonObject, type: string): JsonObject {
  return (content as JsonObject)[type] as JsonObject
}

/** What our document uses of OpenAPI 3.1, said in 3.0; clauses of our own are left out. */
export function asOpenapi30(value: Json): Json {
  if (Array.isArray(value)) return value.map(asOpenapi30)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).flatMap(([key, inner]): [string, Json][] => {
    if (key.startsWith('x-')) return []
    if (key === 'openapi') return [[key, '3.0.3']]
    if (key === 'const')
      return [
        ['type', typeof inner],
        ['enum', [inner]],
      ]
    // A list of examples is one of a schema; the examples of a body are an object.
    if (key === 'examples' && Array.isArray(inner))
      return inner.length === 0 ? [] : [['example', asOpenapi30(inner[0] as Json)]]
    return [[key, asOpenapi30(inner)]]
  })
  return Object.fromEntries(entries)
}
