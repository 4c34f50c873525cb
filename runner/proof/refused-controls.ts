/**
 * Controls that are refused again: that breaks the requirement that the check names, or, where only what came before them
 * may be the reason, the first one of their operation.
 */
import { looksFailed } from '../../clauses/acceptance.ts'
import { type RequirementId, requirementOf } from '../../specs/requirements.ts'
import { restsOnTime } from '../check.ts'
import type { AttemptRecord } from '../context/record.ts'
import { ControlRefused, repeatedAmong } from '../findings.ts'
import { asExchange, type RunExchange } from '../log/run-log.ts'
import { explanationOf } from '../refusals/explanations.ts'
import { reportRefused } from '../refusals/flakiness.ts'
import { isAcceptedAlone } from '../refusals/plain-requests.ts'
import { attempt, type Tried } from './attempt.ts'

/**
 * Retries a refused control. If it is refused again, and the same request is accepted on a thing of its own, the watch
 * reports it. Returns the records of the retries.
 */
export async function retryRefusedControl(
  { message, answer, clause }: ControlRefused,
  tried: Tried,
): Promise<readonly AttemptRecord[]> {
  const { definition, session } = tried
  const first = asExchange(answer)
  if (first === undefined || !isWorthRetrying(first, tried, clause)) return []
  if ((await explanationOf({ definition, session, answer }, 'first')) !== undefined) return []
  const { record, end } = await attempt(tried)
  const again = end instanceof ControlRefused && end.message === message ? asExchange(end.answer) : undefined
  if (again === undefined) return [record]
  const why = await explanationOf({ definition, session, answer: again }, 'second')
  if (why !== undefined) return [record]
  // A limit is part of the request, which a request with another text does not show.
  if (clause !== undefined && requirementOf(clause).kind === 'limits')
    reportRefused(session, 'control', again, {
      requirement: clause,
      message: 'a valid request was not accepted',
      counterexample: `an answer to ${definition.id}, seen twice`,
    })
  else if (await isAcceptedAlone(session, again.asked))
    reportRefused(session, 'control', again, {
      ...(clause && { requirement: clause }),
      message: 'a valid request was not accepted after others on the same thing',
      counterexample: `an answer to ${definition.id}, seen twice; the same request is accepted on another thing`,
    })
  return [record]
}

/**
 * Whether it is a proper refusal of a caller who was accepted before, in a check that does not depend on time. A sync may
 * have met another one, unless its check waited until all others were over and names the clause.
 */
function isWorthRetrying(
  exchange: RunExchange,
  { definition, session }: Tried,
  clause: RequirementId | undefined,
): boolean {
  const { operation, actor } = exchange.asked
  // The failure of another operation is that operation's subject.
  if (actor === undefined || operation !== definition.operation) return false
  if (operation === 'sync-workspace' && clause === undefined) return false
  const isRefusal = !exchange.succeeded && !looksFailed(exchange) && repeatedAmong([exchange]) === undefined
  const isKnown = session.ledger.acceptances.of(actor).includes(operation)
  return isRefusal && isKnown && !restsOnTime(definition) && session.input.onlyCase === undefined
}
