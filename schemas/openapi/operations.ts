/** The operations as path items: what they take and answer, who may call them, and which requirements speak of them. */
import { openPoints } from '../../specs/open-points.ts'
import type { Operation } from '../../specs/operation.ts'
import { type OperationId, operations } from '../../specs/operations.ts'
import type { Subject } from '../../specs/requirement.ts'
import { requirements } from '../../specs/requirements.ts'
import { type Alternatives, securityOf } from './identification.ts'
import { parametersOf } from './path-parameters.ts'
import { type RequestBody, requestBodyOf } from './request-body.ts'
import { type Responses, responsesOf } from './responses.ts'

/** What the operations are about (§1); each has one tag. */
export const tags: readonly { readonly name: Operation['subject']; readonly description: string }[] = [
  { name: 'Collaborations', description: 'Collaborations of portals, their workspaces and participants.' },
  { name: 'Tasks', description: 'Scheduled tasks of users and their runs.' },
  { name: 'Content', description: 'Who owns content items.' },
  { name: 'Identity', description: 'Enterprise login through a federation of identity providers.' },
]

/** What our catalogues hold of an operation, or of what all have in common. */
export interface Clauses {
  readonly 'x-requirements': readonly { readonly id: string; readonly level: string }[]
  readonly 'x-open-points': readonly { readonly id: string; readonly question: string }[]
}

export interface DescribedOperation extends Clauses {
  readonly operationId: OperationId
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters: readonly { readonly $ref: string }[]
  readonly requestBody: RequestBody
  readonly responses: Responses
  readonly security?: Alternatives
  /** The section of the contract. */
  readonly 'x-section': string
}

/** The paths of the document, in the order of the contract. */
export function paths(): Readonly<Record<string, { readonly post: DescribedOperation }>> {
  return Object.fromEntries(operations.map((operation) => [operation.path, { post: described(operation) }]))
}

function described(operation: Operation & { readonly id: OperationId }): DescribedOperation {
  const { id, title, section, subject, path } = operation
  return {
    operationId: id,
    summary: title,
    description: descriptionOf(operation),
    tags: [subject],
    parameters: parametersOf(path).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: requestBodyOf(id),
    responses: responsesOf(id),
    ...securityOf(id),
    'x-section': section,
    ...clausesOf(id),
  }
}

/** What our catalogues hold of some subjects: their requirements, and what the contract leaves open. */
export function clausesOf(...subjects: readonly Subject[]): Clauses {
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
