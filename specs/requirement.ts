/** A clause with what it speaks of. */
import type { Clause } from './clause.ts'
import type { OperationId } from './operations.ts'

/** What a requirement speaks of: one operation, what all have in common, their interplay, or what a profile adds. */
export type Subject = OperationId | 'protocol' | 'lifecycle' | 'profile'

export interface Requirement extends Clause {
  readonly operation: Subject
}
