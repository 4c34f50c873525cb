/** A clause with what it speaks of. */
import type { OperationId } from './operations.ts'
import type { Level } from './outcomes.ts'

/** What a requirement speaks of: one operation, what all have in common, their interplay, or what a profile adds. */
export type Subject = OperationId | 'protocol' | 'lifecycle' | 'profile'

export interface Requirement extends Clause {
  readonly operation: Subject
}

/** The kinds of rule; a report draws its matrix by them. */
export const ruleKinds = ['shape', 'limits', 'roles', 'relations', 'order', 'consequences', 'races'] as const

export type RuleKind = (typeof ruleKinds)[number]

/** One clause of the contract. Its id is a stable name: it stands in reports, waivers and command lines. */
export interface Clause {
  readonly id: string
  readonly level: Level
  readonly section: string
  readonly kind: RuleKind
  /** What must hold, as a sentence. */
  readonly text: string
  /** For an implied clause: what the contract says that cannot hold without it. */
  readonly follows?: string
  /** The open point that must be settled before the clause can be judged. */
  readonly settledBy?: string
}
