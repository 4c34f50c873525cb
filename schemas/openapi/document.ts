/** The contract as an OpenAPI 3.1 document, made of the catalogues and our schemas. */
import { operationIds } from '../../specs/operations.ts'
import { annotations, type JsonSchema, type SchemaName, schemaNames, schemaOf } from '../catalogue.ts'
import {
  anyScheme,
  clausesOf,
  componentName,
  parameterComponents,
  paths,
  reference,
  responseComponents,
  securitySchemes,
  tags,
} from './operations.ts'

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
    tags,
    paths: paths(),
    components: {
      schemas: schemaComponents(),
      parameters: parameterComponents(),
      responses: responseComponents(),
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
  // A set is walked in the order in which it grows, so that what a referred schema refers to is met too.
  for (const name of needed) for (const referred of referredIn(schemaOf(name))) needed.add(referred)
  return Object.fromEntries(
    [...needed].map((name) => [componentName(name), rewritten(schemaOf(name)) as JsonSchema]),
  )
}

/** Keywords that name a file of its own, and annotations that nobody outside the suite can use. */
const dropped = new Set<string>([
  '$schema',
  '$id',
  // How an array is written stands in the encoding of the body; whether a parameter is required is nowhere else told.
  ...annotations.filter((name) => name !== 'x-presence'),
])

function rewritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewritten)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key]) => !dropped.has(key))
  return Object.fromEntries(
    entries.map(([key, inner]) => {
      if (key === '$ref') return [key, reference(nameOf(inner as string)).$ref]
      return [key, isExample(key) ? inner : rewritten(inner)]
    }),
  )
}

/** Values that are examples may have keys that look like keywords. */
const isExample = (key: string): boolean => key === 'examples' || key === 'default' || key === 'const'

function referredIn(value: unknown): SchemaName[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (isExample(key)) return []
    return key === '$ref' ? [nameOf(inner as string)] : referredIn(inner)
  })
}

/** The schema that a `$ref` names. Throws where it is none of ours: the contract's schemas refer to whole files only. */
function nameOf(ref: string): SchemaName {
  const name = schemaNames.find((known) => ref === `${known}.schema.json`)
  if (name === undefined) throw new Error(`cannot be put into an OpenAPI document: a schema refers to ${ref}`)
  return name
}
