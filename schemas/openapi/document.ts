/** The contract as an OpenAPI 3.1 document, made of the catalogues and our schemas. */
import { operationIds } from '../../specs/operations.ts'
import type { SchemaName } from '../catalogue.ts'
import type { JsonSchema } from '../json-schema.ts'
import { schemaComponents } from './component-schemas.ts'
import { type Alternatives, anyScheme, securitySchemes } from './identification.ts'
import { type Clauses, clausesOf, paths, tags } from './operations.ts'
import { parameterComponents } from './path-parameters.ts'
import { responseComponents } from './responses.ts'

export interface OpenapiDocument extends Clauses {
  readonly openapi: string
  readonly info: Readonly<Record<'title' | 'version' | 'summary' | 'description', string>>
  readonly servers: readonly object[]
  readonly security: Alternatives
  readonly tags: readonly object[]
  readonly paths: ReturnType<typeof paths>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly parameters: ReturnType<typeof parameterComponents>
    readonly responses: ReturnType<typeof responseComponents>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
}

const description = `Seven operations of a portal-style web API: collaborations, content ownership, task runs and identity federation.

Every operation is a POST with a form-encoded body. Section numbers (§) are those of the contract. What it leaves open is listed under \`x-open-points\`; \`x-presence\` says whether it asks for a parameter (\`required\`, \`optional\`) or does not say (\`open\`); \`x-requirements\` names the clauses that portal-conformance judges.

A request is accepted where the answer is HTTP 2xx with a JSON object whose \`success\` is true and that holds no \`error\`. Any other complete answer is a refusal.

How a request proves its identity is open: the security schemes are ways in use. A field \`token\` of the form is another one, which no security scheme can express.`

/** The document, ready to be written as JSON or YAML. `version` is that of the suite: the contract has none. */
export function openapiDocument(version: string): OpenapiDocument {
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
      schemas: schemaComponents(contractSchemas()),
      parameters: parameterComponents(),
      responses: responseComponents(),
      securitySchemes,
    },
    ...clausesOf('protocol', 'lifecycle'),
  }
}

function contractSchemas(): SchemaName[] {
  return [
    ...operationIds.flatMap((id) => [`${id}.request`, `${id}.response`] as const),
    'reassign-items.error',
    'error',
  ]
}
