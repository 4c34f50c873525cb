/** The catalogue of requirements: those of the contract in its order, then what a profile can add. */

import type { Clause } from './clause.ts'
import { type KnownOperation, type OperationId, operations } from './operations.ts'

/** What a requirement speaks of: one operation, what all have in common, their interplay, or what a profile adds. */
export type Subject = OperationId | 'protocol' | 'lifecycle' | 'profile'

export interface Requirement extends Clause {
  readonly operation: Subject
}

/** The interplay of all operations. */
const lifecycleClauses = [
  {
    id: 'lifecycle/consistent',
    level: 'implied',
    section: '4',
    kind: 'consequences',
    text: 'In any sequence of operations every answer agrees with a simple model of the portal, once settle time and guest refresh are allowed for.',
    follows: 'Each operation has the effect that its section names (§4), also after any other.',
  },
] as const satisfies readonly Clause[]

/** What a profile can add; judged only where it does, and apart from the contract. */
const profileClauses = [
  {
    id: 'profile/no-credential-code',
    level: 'must (profile)',
    section: '5',
    kind: 'roles',
    text: 'A request without credentials is refused with an error code that the profile lists for it.',
  },
  {
    id: 'profile/invalid-credential-code',
    level: 'must (profile)',
    section: '5',
    kind: 'roles',
    text: 'A credential that nobody was given is refused with an error code that the profile lists for it.',
  },
  {
    id: 'profile/not-permitted-code',
    level: 'must (profile)',
    section: '5',
    kind: 'roles',
    text: 'A caller who may not perform the operation is refused with an error code that the profile lists for it.',
  },
  {
    id: 'profile/sign-up-modes-closed',
    level: 'must (profile)',
    section: '4.7',
    kind: 'limits',
    text: 'A signUpMode that the profile does not list is refused.',
  },
  {
    id: 'profile/user-types-closed',
    level: 'must (profile)',
    section: '4.7',
    kind: 'limits',
    text: 'A userType that the profile does not list is refused.',
  },
  {
    id: 'profile/own-syncs-one-at-a-time',
    level: 'must (profile)',
    section: '4.4',
    kind: 'order',
    text: 'Where the profile says that syncs do not overlap: while a sync that somebody asked for is in progress a new one of that workspace is not started until it has finished.',
  },
] as const satisfies readonly Clause[]

/** §4, common rules: judged on every operation, one check an operation. */
const protocolClauses = [
  {
    id: 'protocol/form-post',
    level: 'must',
    section: '4',
    kind: 'shape',
    text: 'The operation is an HTTP POST and takes a body of type application/x-www-form-urlencoded.',
  },
  {
    id: 'protocol/json-format',
    level: 'must',
    section: '4',
    kind: 'shape',
    text: 'With f=pjson the success answer is one JSON object in UTF-8.',
  },
  {
    id: 'protocol/success-boolean',
    level: 'must',
    section: '4',
    kind: 'shape',
    text: 'A success answer carries the field success, and it is a boolean.',
  },
  {
    id: 'protocol/encoding',
    level: 'implied',
    section: '4',
    kind: 'shape',
    text: 'Equivalent form encodings of one request have the same outcome: order of parameters, + or %20 for a space, case of percent-escapes, safe characters escaped or not, a charset on the content type.',
    follows: 'The body is form-encoded (§4), and these are the same form.',
  },
  {
    id: 'protocol/unknown-parameter',
    level: 'advice',
    section: '4',
    kind: 'shape',
    text: 'A parameter that nobody defined does not break a valid request.',
  },
  {
    id: 'protocol/post-only',
    level: 'advice',
    section: '4',
    kind: 'shape',
    text: 'The same request sent as GET is refused and has no effect.',
  },
  {
    id: 'protocol/no-server-error',
    level: 'advice',
    section: '4',
    kind: 'shape',
    text: 'Bad input is not answered with HTTP 5xx, and the service goes on serving.',
  },
  {
    id: 'protocol/refusal-json',
    level: 'advice',
    section: '7',
    kind: 'shape',
    text: 'A refusal is a JSON object with error.code and error.message.',
  },
  {
    id: 'protocol/content-type',
    level: 'advice',
    section: '4',
    kind: 'shape',
    text: 'An answer that is JSON says so in its Content-Type.',
  },
] as const satisfies readonly Clause[]

/** The id of a requirement: a check that names another does not compile. */
export type RequirementId = (
  | KnownOperation['requirements']
  | typeof protocolClauses
  | typeof lifecycleClauses
  | typeof profileClauses
)[number]['id']

type Known<Rule extends Clause> = Rule & { readonly id: RequirementId }

const speakingOf = (operation: Subject, clauses: readonly Known<Clause>[]): Known<Requirement>[] =>
  clauses.map((clause) => ({ ...clause, operation }))

export const requirements: readonly Known<Requirement>[] = [
  ...speakingOf('protocol', protocolClauses),
  ...operations.flatMap((operation) => speakingOf(operation.id, operation.requirements)),
  ...speakingOf('lifecycle', lifecycleClauses),
  ...speakingOf('profile', profileClauses),
]

const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]))

/** The requirement of that id. */
export function requirementOf(id: RequirementId): Requirement {
  return byId.get(id) as Requirement
}

/** What is judged on a target of that profile: without one, only what the contract says. */
export function requirementsFor(profile: string): typeof requirements {
  return profile === 'none' ? requirements.filter(({ level }) => level !== 'must (profile)') : requirements
}
