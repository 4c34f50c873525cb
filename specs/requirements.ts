/** The catalogue of requirements: those of the contract in its order, then what a profile can add; and the conformance classes that they make. */
import { advice, type Clause, clausesOf, implied, must, type Operation, type RuleKind } from './operation.ts'
import { type KnownOperation, type OperationId, operationIds, operations } from './operations.ts'

/** What a requirement speaks of: one operation, what all have in common, their interplay, or what a profile adds. */
export type Subject = OperationId | 'protocol' | 'lifecycle' | 'profile'

export interface Requirement extends Clause {
  readonly operation: Subject
}

/** The interplay of all operations. */
const lifecycleClauses = clausesOf({
  'lifecycle/consistent': {
    ...implied('4', 'consequences'),
    text: 'In any sequence of operations every answer agrees with a simple model of the portal, once settle time and guest refresh are allowed for.',
    follows: 'Each operation has the effect that its section names (§4), also after any other.',
  },
})

const mustByProfile = (section: string, kind: RuleKind) =>
  ({ level: 'must (profile)', section, kind }) as const

/** What a profile can add; judged only where it does, and apart from the contract. */
const profileClauses = clausesOf({
  'profile/no-credential-code': {
    ...mustByProfile('5', 'roles'),
    text: 'A request without credentials is refused with an error code that the profile lists for it.',
  },
  'profile/invalid-credential-code': {
    ...mustByProfile('5', 'roles'),
    text: 'An invalid credential is refused with an error code that the profile lists for it.',
  },
  'profile/not-permitted-code': {
    ...mustByProfile('5', 'roles'),
    text: 'A caller who may not perform the operation is refused with an error code that the profile lists for it.',
  },
  'profile/sign-up-modes-closed': {
    ...mustByProfile('4.7', 'limits'),
    text: 'A signUpMode that the profile does not list is refused.',
  },
  'profile/user-types-closed': {
    ...mustByProfile('4.7', 'limits'),
    text: 'A userType that the profile does not list is refused.',
  },
  'profile/own-syncs-one-at-a-time': {
    ...mustByProfile('4.4', 'order'),
    text: 'Where the profile says that syncs do not overlap: while a sync that somebody asked for is in progress a new one of that workspace is not started until it has finished.',
  },
})

/** §4, common rules: judged on every operation, one check an operation. */
const protocolClauses = clausesOf({
  'protocol/form-post': {
    ...must('4', 'shape'),
    text: 'The operation is an HTTP POST and takes a body of type application/x-www-form-urlencoded.',
  },
  'protocol/json-format': {
    ...must('4', 'shape'),
    text: 'With f=pjson the success answer is one JSON object in UTF-8.',
  },
  'protocol/success-boolean': {
    ...must('4', 'shape'),
    text: 'A success answer carries the field success, and it is a boolean.',
  },
  'protocol/encoding': {
    ...implied('4', 'shape'),
    text: 'Equivalent form encodings of one request have the same outcome: order of parameters, + or %20 for a space, case of percent-escapes, safe characters escaped or not, a charset on the content type.',
    follows: 'The body is form-encoded (§4), and these are the same form.',
  },
  'protocol/unknown-parameter': {
    ...advice('4', 'shape'),
    text: 'An unknown parameter does not break a valid request.',
  },
  'protocol/post-only': {
    ...advice('4', 'shape'),
    text: 'The same request sent as GET is refused and has no effect.',
  },
  'protocol/no-server-error': {
    ...advice('4', 'shape'),
    text: 'Bad input is not answered with HTTP 5xx, and the service goes on serving.',
  },
  'protocol/refusal-json': {
    ...advice('7', 'shape'),
    text: 'A refusal is a JSON object with error.code and error.message.',
  },
  'protocol/content-type': {
    ...advice('4', 'shape'),
    text: 'An answer that is JSON says so in its Content-Type.',
  },
})

/** The id of a requirement: a check that names another does not compile. */
export type RequirementId = (
  | KnownOperation['requirements']
  | typeof protocolClauses
  | typeof lifecycleClauses
  | typeof profileClauses
)[number]['id']

/** A requirement id, with `:variant` where several checks prove one requirement. */
export type CheckId = RequirementId | `${RequirementId}:${string}`

/** The requirement that a check proves. */
export const requirementIdOf = (check: string): RequirementId => check.split(':')[0] as RequirementId

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

type ConformanceClassId = Operation['conformanceClass']

export interface ConformanceClass {
  readonly id: ConformanceClassId
  readonly title: string
  /** What a deployment of this class does, as a sentence. */
  readonly text: string
  readonly operations: readonly OperationId[]
}

const described: Readonly<Record<ConformanceClassId, Pick<ConformanceClass, 'title' | 'text'>>> = {
  host: {
    title: 'Host',
    text: 'A portal that hosts collaborations: its administrators add workspaces, update participants and delete collaborations, and no one else does (§4.1, §4.5, §4.6).',
  },
  guest: {
    title: 'Guest',
    text: 'A portal that takes part in a collaboration: the participant designated to initiate syncs starts them, one at a time (§4.4).',
  },
  content: {
    title: 'Content',
    text: 'A portal whose content items change owner: as a whole, within the limit, and only by those who may (§4.3, §7).',
  },
  tasks: {
    title: 'Tasks',
    text: 'A portal with scheduled tasks: their existing runs take a status and an optional result (§4.2).',
  },
  federation: {
    title: 'Federation',
    text: 'A portal whose organization administrators configure enterprise login with a SAML federation (§4.7).',
  },
}

/** The parts of the contract that a deployment can keep, and be said to keep, by themselves. */
export const conformanceClasses: readonly ConformanceClass[] = Object.entries(described).map(
  ([id, words]) => ({
    id: id as ConformanceClassId,
    ...words,
    operations: operations.filter(({ conformanceClass }) => conformanceClass === id).map((each) => each.id),
  }),
)

/** The classes that a requirement belongs to: those that use its operation, or all where it speaks of no single one. */
export function classesOf({ operation }: Pick<Requirement, 'operation'>): readonly ConformanceClass[] {
  if (!isOperation(operation)) return conformanceClasses
  return conformanceClasses.filter(({ operations }) => operations.includes(operation))
}

/**
 * What a check of the requirement judges: the operation that the requirement names, or else the one that the check is
 * about. A rule that all operations have in common is proved by one check an operation.
 */
export function judgedBy(requirement: RequirementId, operation: OperationId | undefined): Subject {
  const { operation: subject } = requirementOf(requirement)
  return isOperation(subject) ? subject : (operation ?? subject)
}

/** The operation that a requirement of one operation judges. Throws for a requirement about several. */
export function operationJudgedBy(id: RequirementId): OperationId {
  const { operation } = requirementOf(id)
  if (isOperation(operation)) return operation
  throw new Error(`${id} is about several operations`)
}

/** Whether a check counts for a class: not where it judges an operation of another one. */
export function countsFor({ operations }: ConformanceClass, judged: Subject): boolean {
  return !isOperation(judged) || operations.includes(judged)
}

const isOperation = (name: Subject): name is OperationId => operationIds.some((id) => id === name)
