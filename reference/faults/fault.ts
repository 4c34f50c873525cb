/** What a fault is, and the lists of requirements and the conditions that faults share. */
import { type OperationId, operationOf } from '../../specs/operations.ts'
import { type RequirementId, requirementOf, requirements, type Subject } from '../../specs/requirements.ts'
import type { ConfigurationFile } from '../configuration.ts'
import type { Alter, Call } from '../parts.ts'

/** What decides, besides a request itself, whether the portal treats the request wrongly. */
export type Dependence =
  /** What was asked, accepted or refused before, or what that left in a collaboration or a user. */
  | 'earlier requests'
  /** What goes on at the same time: other requests, or a sync. */
  | 'simultaneous requests'
  /** How many requests came: one in some number, or all from some number on. */
  | 'number of requests'
  /** What is wrong happens a while after the answer. */
  | 'time'

/** One way of breaking the contract, as a table writes it. `index.ts` adds the kind, which is that of the table. */
export interface WrittenFault {
  /** In kebab-case. */
  readonly id: string
  /** What the portal does wrong. */
  readonly sentence: string
  /**
   * The requirements that fail, and the advice that the fault is about. `lifecycle/consistent` is always left out,
   * because a random sequence of steps meets a fault only by chance.
   */
  readonly breaks: readonly RequirementId[]
  /** Requirements that may fail as well, depending on the requests that the suite sends. */
  readonly mayBreak?: readonly RequirementId[]
  /** Absent: nothing. A single request shows the fault, whatever comes before or beside it. */
  readonly dependsOn?: Dependence | undefined
  /** It concerns paths at which no request is accepted otherwise. Requirements about unknown ids imply that. */
  readonly misplaced?: true
  readonly alter: Alter
  /** What the configuration of a run must state about the portal with the fault. */
  configure?(configuration: ConfigurationFile): void
}

/** What a fault breaks, and what else decides whether it shows. */
export type Broken = Pick<WrittenFault, 'breaks' | 'mayBreak' | 'dependsOn' | 'misplaced'>

/** Turns a table by id into a list of faults. */
export const faultsOf = (
  faults: Readonly<Record<string, Omit<WrittenFault, 'id'>>>,
): readonly WrittenFault[] => Object.entries(faults).map(([id, fault]) => ({ id, ...fault }))

/** Faults that all depend on the same besides the request. */
export const dependingOn = (
  dependsOn: Dependence,
  faults: readonly WrittenFault[],
): readonly WrittenFault[] => faults.map((fault) => ({ ...fault, dependsOn }))

/** What a fault breaks, in short where that is all: one requirement or several. */
export type Breaks = RequirementId | readonly RequirementId[] | Broken

export const brokenOf = (breaks: Breaks): Broken =>
  typeof breaks === 'string' || 'length' in breaks ? { breaks: [breaks].flat() } : breaks

/** The faults of one rule at several places. Their ids say where, so that `sentence` is that of the rule. */
export const placesOf = <Argument>(
  rule: (argument: Argument) => Alter,
  sentence: string,
  breaks: Breaks,
  places: Readonly<Record<string, readonly [argument: NoInfer<Argument>, breaks?: Breaks]>>,
): readonly WrittenFault[] =>
  Object.entries(places).map(([id, [argument, others = breaks]]) => ({
    id,
    sentence: `${sentence}: ${words(id)}.`,
    ...brokenOf(others),
    alter: rule(argument),
  }))

/** All requirements of these operations or of the common rules. */
export function requirementsOf(...subjects: Subject[]): RequirementId[] {
  return requirements.filter(({ operation }) => subjects.includes(operation)).map(({ id }) => id)
}

/** The requirements that any valid request of the operation is about. */
export const anyRequestOf = (operation: OperationId): RequirementId[] => requirementsOf(operation, 'protocol')

/** Breaks one requirement, and may break those of these operations or of the common rules. */
export const metBy = (requirement: RequirementId, ...subjects: Subject[]): Broken => ({
  breaks: [requirement],
  mayBreak: requirementsOf(...subjects),
})

/** Breaks a requirement of an operation, and may break others because any valid request may meet the fault. */
export const metByAny = (requirement: RequirementId): Broken =>
  metBy(requirement, requirementOf(requirement).operation, 'protocol')

/** The first requirement of an operation: a valid request is accepted. */
export const firstOf = (operation: OperationId): RequirementId =>
  operationOf(operation).requirements[0].id as RequirementId

/** The requirements of these operations that name callers to refuse. */
export function refusalsOf(...subjects: Subject[]): RequirementId[] {
  return requirementsOf(...subjects).filter((id) => requirementOf(id).refuses !== undefined)
}

export const textsKept = ['add-workspace/name-kept', 'add-workspace/description-kept'] as const

export const limitsAccept = [
  'add-workspace/name-limit-accepts',
  'add-workspace/description-limit-accepts',
] as const

/** Every requirement that something is accepted. */
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

/** The requirements that something is accepted, for one operation. */
export function acceptancesOf(operation: Subject): RequirementId[] {
  return requirementsOf(operation).filter((id) => acceptances.includes(id))
}

/** A part of an id as words of a sentence. */
export const words = (id: string): string => id.replaceAll('-', ' ')

/** Whether the caller has a custom role with administrative privileges. */
export const isCustom = ({ user }: Call): boolean => user?.role === 'custom'

/** Whether a reassignment names a folder. */
export const namesFolder = ({ form }: Call): boolean => form.get('targetFoldername') !== undefined

/** Whether a workspace is to be added without a description. */
export const hasNoDescription = ({ form }: Call): boolean =>
  form.get('collaborationWorkspaceDescription') === undefined

/** Whether an update of a run has no result. */
export const hasNoResult = ({ form }: Call): boolean => form.get('result') === undefined

/** The parameters of the form besides the credential and the format, in any order, as a key. */
export const formOf = ({ form }: Call): string =>
  JSON.stringify(form.pairs.filter(([name]) => name !== 'token' && name !== 'f').toSorted())

/** Whether the request names the synchronous mode, which is also the default. */
export const namesSynchronous = ({ form, parts }: Call): boolean =>
  form.get(parts.sync.parameter) === parts.sync.synchronous

/** A delay within the settle time of the embedded portal, and one beyond it. */
export const soonMs = 150
export const lateMs = 1200
