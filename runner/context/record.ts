/** What one attempt of a check did. */

import type { Answer } from '../../deployment/http/exchange.ts'
import { type OpenPointId, openPoints } from '../../specs/open-points.ts'
import type { CheckDefinition } from '../check.ts'
import type { Observation } from '../check-result.ts'
import type { RoleNotes } from '../role-observations.ts'

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

/** The record of a new attempt. */
export function emptyRecord(roles: RoleNotes): AttemptRecord {
  return { requests: 0, adopted: 0, judged: 0, ended: false, answers: [], observations: [], roles }
}

/** What a check observed at an open point. */
export function observation(
  { operation }: Pick<CheckDefinition, 'operation'>,
  id: OpenPointId,
  observed: string,
): Observation {
  const question = openPoints.find((point) => point.id === id)?.question as string
  return { id, operation: operation ?? 'lifecycle', question, observed }
}
