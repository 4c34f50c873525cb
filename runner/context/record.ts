/** What one attempt of a check did. */

import type { Answer } from '../../deployment/http/exchange.ts'
import { type OpenPointId, openPoints } from '../../specs/open-points.ts'
import type { CheckDefinition } from '../check.ts'
import type { Observation } from '../check-result.ts'
import type { RoleNotes } from '../role-observations.ts'

/** For the result, and so that a check that looked at nothing cannot pass. */
export interface AttemptRecord {
  requests: number
  /** Exchanges that other checks had and this one looks at as well. */
  adopted: number
  /** Expectations that were really looked at. */
  judged: number
  /** Cases that proved nothing, the first of them. */
  unproven?: Error
  /** Its time is over: nothing more is sent for it. */
  ended: boolean
  /** What ended generated cases early: the budget of requests, or syncs that take turns. */
  cutShort?: 'requests' | 'syncs'
  /** What was not looked at, in words. */
  without?: string
  /** The last answers. */
  readonly answers: Answer[]
  readonly observations: Observation[]
  readonly roles: RoleNotes
}

/** How many of the last exchanges are kept as evidence of a check that passed. */
const keptAnswers = 2

/** Keeps the answer as evidence, and gives it back. A large one is not kept: each of some hundred checks would hold it. */
export function keepAnswer<A extends Answer>({ answers }: AttemptRecord, answer: A): A {
  if (answer.isLarge) return answer
  answers.push(answer)
  if (answers.length > keptAnswers) answers.shift()
  return answer
}

/** The record of an attempt that is about to begin. */
export function emptyRecord(roles: RoleNotes): AttemptRecord {
  return { requests: 0, adopted: 0, judged: 0, ended: false, answers: [], observations: [], roles }
}

/** What a check saw of an open point. */
export function observation(
  { operation }: Pick<CheckDefinition, 'operation'>,
  id: OpenPointId,
  observed: string,
): Observation {
  const question = openPoints.find((point) => point.id === id)?.question as string
  return { id, operation: operation ?? 'lifecycle', question, observed }
}
