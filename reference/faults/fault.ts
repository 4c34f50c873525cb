/** What a fault is, and how a rule and the places where it applies become faults. */
import type { RuleKind } from '../../specs/operation.ts'
import { type OperationId, operationIds } from '../../specs/operations.ts'
import { type RequirementId, requirementOf, requirements, type Subject } from '../../specs/requirements.ts'
import type { ConfigurationFile } from '../configuration.ts'
import type { Alter } from '../parts.ts'

/** One way of breaking the contract. */
export interface Fault {
  /** In kebab-case. */
  readonly id: string
  /** What the portal does wrong. */
  readonly sentence: string
  /** The kind of rule that it breaks first. */
  readonly kind: RuleKind
  /** Whether it shows only after, or beside, other requests: no single request shows it. */
  readonly stateful: boolean
  /** The product that it is from; absent: a story of its own. */
  readonly rule?: string
  /** The only operation that it touches; absent: it touches several. */
  readonly operation?: OperationId
  /**
   * The requirements that fail, of advice those that the fault is about. `lifecycle/consistent` is left out everywhere:
   * whether a random sequence of steps meets a fault is a matter of luck.
   */
  readonly breaks: readonly RequirementId[]
  /** Others that fail or not, depending on the requests that a suite happens to send. */
  readonly mayBreak?: readonly RequirementId[]
  readonly alter: Alter
  /** What a run must be told of the portal that the fault is in. */
  configure?(configuration: ConfigurationFile): void
}

/** A fault as it is written: the rest follows. */
export type Written = Omit<Fault, 'id' | 'kind' | 'stateful' | 'rule'>

type Told = Pick<Fault, 'id' | 'stateful' | 'rule'>

function completed(told: Told, written: Written): Fault {
  const [first] = written.breaks
  const { kind } = requirementOf(first as RequirementId)
  return { ...operationTouchedBy(written), ...told, ...written, kind }
}

/** Known where all requirements that it can break are of one operation, or common rules. */
function operationTouchedBy({ breaks, mayBreak = [] }: Written): Pick<Fault, 'operation'> {
  const subjects = new Set([...breaks, ...mayBreak].map((id) => requirementOf(id).operation))
  const [operation, ...others] = operationIds.filter((id) => subjects.has(id))
  return operation === undefined || others.length > 0 ? {} : { operation }
}

type Writings = Readonly<Record<string, Written>>

/** Faults by their ids, each of which a single request can show. */
export const faultsOf = (faults: Writings): readonly Fault[] =>
  Object.entries(faults).map(([id, fault]) => completed({ id, stateful: false }, fault))

/** Faults by their ids that show only after, or beside, other requests. */
export const storiesOf = (faults: Writings): readonly Fault[] =>
  Object.entries(faults).map(([id, fault]) => completed({ id, stateful: true }, fault))

/** One rule, applied to every place where the contract forbids what it does. */
export interface Product {
  readonly rule: string
  readonly faults: readonly Fault[]
  /**
   * Ids of the faults that are left out, and why: equivalent to another, left open by the contract, or not found, where
   * the suite has a gap.
   */
  readonly leftOut: Readonly<Record<string, string>>
  /** Ids of all faults that the rule and its places give. */
  readonly offered: readonly string[]
}

/** The products of one subject, and the stories that are told by hand. */
export interface Chapter {
  readonly products?: readonly Product[]
  readonly faults?: readonly Fault[]
}

/** What a rule does at one place. */
export interface Applied extends Written {
  readonly id: string
}

interface ProductOptions {
  readonly leftOut?: Product['leftOut']
  readonly stateful?: boolean
}

/** The faults that a rule gives at the places where it applies. */
export function product(
  rule: string,
  applied: readonly Applied[],
  { leftOut = {}, stateful = false }: ProductOptions = {},
): Product {
  const kept = applied.filter(({ id }) => !Object.hasOwn(leftOut, id))
  return {
    rule,
    faults: kept.map(({ id, ...fault }) => completed({ id, stateful, rule }, fault)),
    leftOut,
    offered: applied.map(({ id }) => id),
  }
}

/** Every requirement of those operations, or of the common rules. */
export function requirementsOf(...subjects: Subject[]): RequirementId[] {
  return requirements.filter(({ operation }) => subjects.includes(operation)).map(({ id }) => id)
}

/** Those of them that say who is refused. */
export function refusalsOf(...subjects: Subject[]): RequirementId[] {
  return requirements
    .filter(({ operation, refuses }) => subjects.includes(operation) && refuses !== undefined)
    .map(({ id }) => id)
}

/** The requirements by which such a caller is refused: an actor, `anonymous` or `impostor`. */
const refusing = (caller: string) =>
  requirements.filter(({ level, refuses = [] }) => level !== 'advice' && refuses.includes(caller))

/** Wherever the contract says that a credential must be valid. */
export const invalidCredentials = refusing('impostor').map(({ id }) => id)

/** Wherever an administrator of the host is asked for; syncs are the guest's. */
export const anonymousAsHost = refusing('anonymous')
  .filter(({ operation }) => operation !== 'sync-workspace')
  .map(({ id }) => id)

export const textsKept = ['add-workspace/name-kept', 'add-workspace/description-kept'] as const

export const limitsAccept = [
  'add-workspace/name-limit-accepts',
  'add-workspace/description-limit-accepts',
] as const

/** Whatever says that something is accepted. */
export const acceptances: readonly RequirementId[] = [
  'protocol/form-post',
  'add-workspace/creates',
  'add-workspace/name-limit-accepts',
  'add-workspace/description-limit-accepts',
  'update-task-run/updates',
  'update-task-run/result-optional',
  'update-task-run/result-empty',
  'update-task-run/result-text',
  'update-task-run/statuses',
  'reassign-items/reassigns',
  'reassign-items/folder-optional',
  'reassign-items/folder-created',
  'reassign-items/items-limit-accepts',
  'reassign-items/allows-default-administrator',
  'reassign-items/allows-custom-administrator',
  'reassign-items/allows-owner',
  'sync-workspace/starts',
  'update-participant/updates',
  'update-participant/contact-text',
  'delete-collaboration/deletes',
  'update-federation/updates',
  'update-federation/groups-array',
  'update-federation/sign-up-mode',
  'update-federation/user-type',
  'update-federation/certificate',
]

/** The first requirement of an operation: that a valid request is accepted. */
export function firstOf(operation: OperationId): RequirementId {
  return requirementsOf(operation)[0] as RequirementId
}

/** What the name of a fault says, as the rest of a sentence. */
export const inWords = (id: string): string => id.replaceAll('-', ' ')

/** The name of a parameter or a field, as a part of ids. */
export const kebab = (name: string): string =>
  name
    .replace(/ID$/, 'Id')
    .replace(/(?<=[a-z])([A-Z])/g, '-$1')
    .toLowerCase()
