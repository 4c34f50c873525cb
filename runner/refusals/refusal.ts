/** Refusals: the last one of a check, and those of valid requests without a known reason. Sends no requests. */
import { acceptanceIfRead, describe, isMalformed } from '../../clauses/acceptance.ts'
import { type Answer, errorCodeOf } from '../../deployment/http/exchange.ts'
import { busyOf } from '../../deployment/http/pace.ts'
import { operationOf } from '../../specs/operations.ts'
import type { CheckDefinition } from '../check.ts'
import { type Finding, repeatedAmong } from '../findings.ts'
import { mayCallSome } from '../log/acceptances.ts'
import { asExchange, type Effect, effectOf, type RunExchange, succeeded } from '../log/run-log.ts'
import { saysBusy } from '../patience/patience.ts'
import type { Session } from '../session.ts'

/** The last answer that the end of a check rests on: a refusal, or an answer at the wrong time. */
export interface Refusal {
  readonly definition: CheckDefinition
  readonly session: Session
  readonly answer: Answer
}

/** The refused call. Undefined if the answer is a success or a page. */
export const refusedEffect = ({ answer }: Refusal): Effect | undefined =>
  succeeded(answer) ? undefined : effectOf(answer)

/** Whether it is the check of the first requirement of its operation. */
export const isFirstCheck = ({ id, operation }: Pick<CheckDefinition, 'id' | 'operation'>): boolean =>
  operation !== undefined && id === operationOf(operation).requirements[0].id

/** Whether the check says only that valid requests of its operation are accepted, so that any refusal counts. */
export const isMainCheck = (check: Pick<CheckDefinition, 'id' | 'requirement' | 'operation'>): boolean =>
  isFirstCheck(check) || (check.operation !== undefined && check.requirement === 'protocol/form-post')

/** Whether the finding rests on a refusal. */
export const restsOnRefusal = (finding: Finding): boolean => !succeeded(lastAnswerOf(finding))

/** The answer that the finding rests on. */
export const lastAnswerOf = ({ grounds }: Finding): Answer => grounds.answers.at(-1) as Answer

/** The answer in one line. */
export const described = (answer: Answer | undefined): string =>
  answer === undefined ? 'nothing' : describe(answer)

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
