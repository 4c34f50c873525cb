/** One attempt of a check: what it works with, and what it did. */
import type { Answer } from '../../deployment/http/exchange.ts'
import { type OpenPointId, openPoints } from '../../specs/open-points.ts'
import type { CheckDefinition } from '../check.ts'
import type { Observation } from '../check-result.ts'
import type { Finding } from '../findings.ts'
import type { Loan } from '../pool/loan.ts'
import type { RoleNotes } from '../role-observations.ts'
import type { Session } from '../session.ts'
import type { SituationOfAttempt } from './situations.ts'

/** An attempt that is under way. */
export interface OngoingAttempt {
  readonly definition: CheckDefinition
  readonly session: Session
  readonly record: AttemptRecord
  readonly loan: Loan
  readonly again: FindingRetries
  readonly situation: SituationOfAttempt
}

/** How a finding among generated cases is retried. */
export interface FindingRetries {
  /** Whether one exchange proves the finding. Then retries only show how often it occurs. */
  readonly isProvedAtOnce: (finding: Finding) => boolean
  /** Awaited before a case is retried. If it throws, that ends the check. */
  readonly beforeRetry: (finding: Finding) => Promise<void>
}

/** For the result, and to find checks that judged nothing. */
export interface AttemptRecord {
  requests: number
  /** Exchanges of other checks that this one judges as well. */
  adopted: number
  /** Expectations that were checked. */
  judged: number
  /** The first inconclusive case. */
  unproven?: Error
  /** The check's time is over, so it sends nothing more. */
  ended: boolean
  /** How many sync turns it holds now. */
  syncTurns: number
  /** The last refusal out of the contract's form: something in front of the target may have sent it. */
  outOfForm?: Answer
  /** What ended the generated cases early: the request budget, or sync turns. */
  cutShort?: 'requests' | 'syncs'
  /** What was not judged, in words. */
  without?: string
  /** The last answers. */
  readonly answers: Answer[]
  readonly observations: Observation[]
  readonly roles: RoleNotes
}

/** This many of the last exchanges are the evidence of a passed check. */
const keptAnswers = 2

/**
 * Keeps the answer as evidence and returns it. Large answers are not kept, because hundreds of checks would hold them.
 */
export function keepAnswer<A extends Answer>({ answers }: AttemptRecord, answer: A): A {
  if (answer.isLarge) return answer
  answers.push(answer)
  if (answers.length > keptAnswers) answers.shift()
  return answer
}

/** Records what a check observed at an open point. */
export function keepObservation(
  { definition: { operation }, record }: Pick<OngoingAttempt, 'definition' | 'record'>,
  id: OpenPointId,
  observed: string,
): void {
  const question = openPoints.find((point) => point.id === id)?.question as string
  record.observations.push({ id, operation: operation ?? 'lifecycle', question, observed })
}
