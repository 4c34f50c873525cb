/** The conformance classes: the parts of the contract that a deployment can keep, and be said to keep, by themselves. */
import type { Operation } from './operation.ts'
import { type OperationId, operationIds, operations } from './operations.ts'
import type { Requirement } from './requirements.ts'

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
    text: 'A portal that hosts collaborations: its administrators add workspaces, update participants and delete collaborations, and nobody else does (§4.1, §4.5, §4.6).',
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
 * Whether a check counts for a class. A rule that all operations have in common is proved by one check an operation,
 * which its id names after the colon: of those only the ones of the class count.
 */
export function countsFor({ operations }: ConformanceClass, checkId: string): boolean {
  const variant = checkId.split(':')[1]
  return variant === undefined || !isOperation(variant) || operations.includes(variant)
}

const isOperation = (name: string): name is OperationId => operationIds.some((id) => id === name)
