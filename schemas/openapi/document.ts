/** The contract as an OpenAPI 3.1 document, made of the catalogues and our schemas. */
import { openPoints } from '../../specs/open-points.ts'
import type { Operation } from '../../specs/operation.ts'
import { type OperationId, operationIds, operations } from '../../specs/operations.ts'
import { isGating } from '../../specs/outcomes.ts'
import { conformanceClasses, requirements, type Subject } from '../../specs/requirements.ts'
import {
  annotations,
  type JsonSchema,
  type SchemaName,
  schemaNames,
  schemaOf,
  typeName,
} from '../catalogue.ts'

/** What our catalogues hold of an operation, or of what all have in common. */
export interface Clauses {
  readonly 'x-requirements': readonly { readonly id: string; readonly level: string }[]
  readonly 'x-open-points': readonly { readonly id: string; readonly question: string }[]
}

function described(operation: Operation & { readonly id: OperationId }) {
  const { id, title, section, conformanceClass, path } = operation
  return {
    operationId: id,
    summary: title,
    description: descriptionOf(operation),
    tags: conformanceClasses.filter((each) => each.id === conformanceClass).map((each) => each.title),
    parameters: [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    requestBody: requestBodyOf(id),
    responses: responsesOf(id),
    ...securityOf(operation),
    'x-section': section,
    ...clausesOf(id),
  }
}

/** What our catalogues hold of some subjects: their requirements, and what the contract leaves open. */
function clausesOf(...subjects: readonly Subject[]): Clauses {
  return {
    'x-requirements': requirements
      .filter(({ operation }) => subjects.includes(operation))
      .map(({ id, level }) => ({ id, level })),
    'x-open-points': openPoints
      .filter(({ operation }) => subjects.includes(operation))
      .map(({ id, question }) => ({ id, question })),
  }
}

function descriptionOf({ section, callers, introduced }: Operation): string {
  return [
    `§${section} of the contract.`,
    `Who may call it (§5): ${callers}.`,
    introduced === undefined
      ? 'Since when it exists is not shown (§9).'
      : `Since release ${introduced.release}${editionsIn(introduced.editions)} (§9).`,
  ].join(' ')
}

const editionsIn = (editions: readonly string[] | undefined): string =>
  editions === undefined ? '' : ` of the ${editions.join(' and ')} edition`

/** Descriptions and examples, by the names that the paths of the operations give them. */
const pathParameters: Readonly<Record<string, readonly [description: string, example: string]>> = {
  portalID: [
    'ID of a portal (§2). The operation says who may call under which portal (§5).',
    '0123456789ABCDEF',
  ],
  collaborationID: ['ID of a collaboration (§2).', 'b1c2d3e4f5a647b8a9c0d1e2f3a4b5c6'],
  workspaceID: ['ID of a workspace of the collaboration (§2).', '0a1b2c3d4e5f46978899aabbccddeeff'],
  participantPortalID: [
    'ID of the portal that takes part (§2), as the answer returns it in portalId.',
    'guest0123456789a',
  ],
  userName: ['Name of the user to whom the items or the task belong (§2, §4.3).', 'former.owner'],
  taskID: ['ID of a scheduled task of the user (§2).', 'c0ffee00c0ffee00'],
  runID: ['ID of a run of the task (§2).', '1f2e3d4c5b6a7988'],
  federationID: ['ID of a federation of identity providers (§2).', 'Fed0123456789abc'],
}

/** The path parameters as components; all are required text. */
function parameterComponents() {
  return Object.fromEntries(
    Object.entries(pathParameters).map(([name, [description, example]]) => [
      name,
      { name, in: 'path', required: true, description, schema: { type: 'string' }, example },
    ]),
  )
}

/** How a notation of ours is said in an encoding object. */
const encodings: Readonly<Record<NonNullable<JsonSchema['x-form']>, object>> = {
  // A comma and %2C are the same form (§4), so both are allowed.
  comma: { style: 'form', explode: false, allowReserved: true },
  json: { contentType: 'application/json' },
}

type NamedExamples = Readonly<Record<string, { readonly value: unknown }>>

/** The body of a request. Examples are decoded forms: arrays are arrays, and numbers are numbers. */
function requestBodyOf(id: OperationId) {
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
function namedExamples(prefix: string, { examples = [] }: JsonSchema): NamedExamples {
  return Object.fromEntries(
    examples.map((value, at) => [at === 0 ? prefix : `${prefix}-${at + 1}`, { value }]),
  )
}

/** How single fields of a form are written. */
function encodingOf({ properties = {} }: JsonSchema): {
  readonly encoding?: Readonly<Record<string, object>>
} {
  const encoding = Object.entries(properties).flatMap(([name, { 'x-form': notation }]) =>
    notation === undefined ? [] : [[name, encodings[notation]] as const],
  )
  return encoding.length === 0 ? {} : { encoding: Object.fromEntries(encoding) }
}

/** Only reassign items has an error of a shown shape; what other refusals hold is advice. */
const ownErrorOf = (id: OperationId): SchemaName | undefined =>
  schemaNames.find((name) => name === `${id}.error`)

const statusIsOpen =
  'The contract shows neither the status nor, but for reassign items, the body of a refusal'

/** The answers of an operation. `anyOf`: a refusal may well say `success: false` beside its error. */
function responsesOf(id: OperationId) {
  const error = ownErrorOf(id)
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

function refusalOf(errors: readonly SchemaName[]) {
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

function refusals(errors: readonly SchemaName[]): NamedExamples {
  return namedExamples('refused', { examples: errors.flatMap((name) => schemaOf(name).examples ?? []) })
}

/** Refers to a schema of ours from anywhere in the document. */
function reference(name: SchemaName): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${typeName(name)}` }
}

/** A token in the form has no scheme: OpenAPI knows none for fields of a body. */
const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token in the header Authorization, after Bearer and a space.',
  },
  portalHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Esri-Authorization',
    description:
      'Bearer, a space and the token: for deployments behind something that uses the header Authorization itself.',
  },
  queryToken: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'The token in the query. Addresses are logged in many places: prefer a header or the form.',
  },
} as const

/** One of them is enough; an empty one asks for no credential. */
type Alternatives = readonly Readonly<Record<string, readonly string[]>>[]

/** The schemes, each by itself. */
const anyScheme: Alternatives = Object.keys(securitySchemes).map((name) => ({ [name]: [] }))

/**
 * What an operation asks for where that is not what all ask for. Who may update a task run is not shown (§5), so that
 * calling without a credential is not excluded.
 */
function securityOf({ requirements }: Operation): { readonly security?: Alternatives } {
  const isClosed = requirements.some(
    ({ level, refuses = [] }) => isGating(level) && refuses.includes('anonymous'),
  )
  return isClosed ? {} : { security: [...anyScheme, {}] }
}

const description = `Seven operations of a portal-style web API: collaborations, content ownership, task runs and identity federation.

Every operation is a POST with a form-encoded body. Section numbers (§) are those of the contract. What it leaves open is listed under \`x-open-points\`; \`x-presence\` says whether it asks for a parameter (\`required\`, \`optional\`) or does not say (\`open\`); \`x-requirements\` names the clauses that portal-conformance judges.

A request is accepted where the answer is HTTP 2xx with a JSON object whose \`success\` is true and that holds no \`error\`. Any other complete answer is a refusal.

How a request proves its identity is open: the security schemes are ways in use. A field \`token\` of the form is another one, which no security scheme can express.`

/** The document, ready to be written as JSON or YAML. `version` is that of the suite: the contract has none. */
export function openapiDocument(version: string) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portal operations',
      version,
      summary: 'The contract that portal-conformance judges deployments by',
      description,
    },
    servers: [
      {
        url: '{baseUrl}',
        description: 'A deployment',
        variables: {
          baseUrl: {
            default: 'https://portal.example/sharing/rest',
            description: 'Base URL of the deployment, without a slash at its end.',
          },
        },
      },
    ],
    security: anyScheme,
    tags: conformanceClasses.map(({ title, text }) => ({ name: title, description: text })),
    paths: Object.fromEntries(
      operations.map((operation) => [operation.path, { post: described(operation) }]),
    ),
    components: {
      schemas: schemaComponents(),
      parameters: parameterComponents(),
      responses: { Refusal: refusalOf(['error']) },
      securitySchemes,
    },
    ...clausesOf('protocol', 'lifecycle'),
  }
}

/** The schemas of the contract and all that they refer to, as components. */
function schemaComponents(): Record<string, JsonSchema> {
  const needed = new Set<SchemaName>([
    ...operationIds.flatMap((id) => [`${id}.request`, `${id}.response`] as const),
    'reassign-items.error',
    'error',
  ])
  const components: Record<string, JsonSchema> = {}
  const rewritten = (key: string, value: unknown): unknown => {
    if (dropped.has(key)) return undefined
    if (key !== '$ref') return value
    const name = nameOf(value as string)
    needed.add(name)
    return reference(name).$ref
  }
  // A set is walked in the order in which it grows, so that what a referred schema refers to is met too.
  for (const name of needed)
    components[typeName(name)] = JSON.parse(JSON.stringify(schemaOf(name), rewritten)) as JsonSchema
  return components
}

/** Keywords that name a file of its own, and annotations that no one outside the suite can use. */
const dropped = new Set<string>([
  '$schema',
  '$id',
  // How an array is written stands in the encoding of the body; whether a parameter is required is nowhere else reported.
  ...annotations.filter((name) => name !== 'x-presence'),
])

/** The schema that a `$ref` names. Throws where it is none of ours: the contract's schemas refer to whole files only. */
function nameOf(ref: string): SchemaName {
  const name = schemaNames.find((known) => ref === `${known}.schema.json`)
  if (name === undefined) throw new Error(`cannot be put into an OpenAPI document: a schema refers to ${ref}`)
  return name
}
