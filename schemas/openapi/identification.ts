/** How requests prove their identity: open in the contract (§5), so the ways in use stand side by side. */
import type { OperationId } from '../../specs/operations.ts'

/** A token in the form has no scheme: OpenAPI knows none for fields of a body. */
export const securitySchemes = {
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
export type Alternatives = readonly Readonly<Record<string, readonly string[]>>[]

/** The schemes, each by itself. */
export const anyScheme: Alternatives = Object.keys(securitySchemes).map((name) => ({ [name]: [] }))

/** Who may update a task run is not shown (§5), so that calling without a credential is not excluded. */
const openCallers: readonly OperationId[] = ['update-task-run']

/** What an operation asks for where that is not what all ask for. */
export function securityOf(id: OperationId): { readonly security?: Alternatives } {
  return openCallers.includes(id) ? { security: [...anyScheme, {}] } : {}
}
