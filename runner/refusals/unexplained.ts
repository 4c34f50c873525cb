/** Refused valid requests and malformed answers for which no reason is known, recorded for the end of the run. */
import { acceptanceIfRead, isMalformed } from '../../clauses/acceptance.ts'
import { type Answer, errorCodeOf } from '../../deployment/http/exchange.ts'
import { busyOf } from '../../deployment/http/pace.ts'
import { repeatedAmong } from '../findings.ts'
import { mayCallSome } from '../log/acceptances.ts'
import { asExchange, type RunExchange, succeeded } from '../log/run-log.ts'
import { saysBusy } from '../patience/patience.ts'
import type { Session } from '../session.ts'

/** Whether the refusal is unexplained: the caller may call, and the target does not say that it is busy. */
export function isUnexplained({ identities, watch }: Session, answer: Answer): answer is RunExchange {
  const exchange = asExchange(answer)
  if (exchange === undefined || succeeded(answer)) return false
  const { operation, actor, at, sent } = exchange.asked
  if (!mayCallSome(operation, actor) || sent.method === 'GET' || watch.hasDeleted(at)) return false
  const isBusy = saysBusy(answer) || busyOf(errorCodeOf(answer)) !== undefined
  return !isBusy && repeatedAmong([answer]) === undefined && identities.whyEnded(answer) === undefined
}

/** Records that a refusal made a check inconclusive. */
export function noteDoubt(session: Session, answers: readonly Answer[]): void {
  const refused = answers.findLast((answer) => !succeeded(answer) && asExchange(answer) !== undefined)
  if (refused === undefined || !isUnexplained(session, refused)) return
  session.sideQuestions.doubts.add(refused.asked.operation)
}

/** Records that a permitted caller got a malformed answer, whether the request was valid or not. */
export function noteMalformed(session: Session, answer: RunExchange): void {
  const { malformed } = session.sideQuestions
  // The cached class first, because parsing a large answer is slow.
  if (acceptanceIfRead(answer)?.accepted !== false) return
  if (malformed.has(answer.asked.operation) || !isMalformed(answer)) return
  if (succeeded(answer) || isUnexplained(session, answer)) malformed.add(answer.asked.operation)
}
