/** Controls that are refused again and again: that breaks a requirement of its own. */
import { isAccepted, looksFailed } from '../../clauses/acceptance.ts'
import { answerInWords } from '../../clauses/clause.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { operationOf } from '../../specs/operations.ts'
import { requirementOf } from '../../specs/requirements.ts'
import { type CheckDefinition, restsOnTime } from '../check.ts'
import type { Sightings } from '../check-result.ts'
import { acceptedOutcome } from '../context/expectations.ts'
import type { AttemptRecord } from '../context/record.ts'
import { looks } from '../effort.ts'
import { ControlRefused, Finding, repeatedAmong, Unproven } from '../findings.ts'
import { asExchange, effectOf, succeeded } from '../log/run-log.ts'
import { whyUnproved } from '../refusals/explanations.ts'
import { amongOthers, isAcceptedAlone, sendPlainRequest } from '../refusals/plain-requests.ts'
import { described, lastAnswerOf } from '../refusals/refusal.ts'
import { retryFinding, retryPolicies } from '../retry-finding.ts'
import type { Session } from '../session.ts'
import { attempt, type Tried } from './attempt.ts'
import { endWithoutRetry } from './confirmation.ts'

/**
 * Retries a refused control. If it is refused again while plain requests of the same user are accepted in between, the
 * watch reports it. Returns the records of the retries.
 */
export async function retryRefusedControl(
  first: ControlRefused,
  tried: Tried,
): Promise<readonly AttemptRecord[]> {
  const { definition, session } = tried
  const effect = effectOf(first.answer)
  if (effect === undefined || !isWorthRetrying(first, definition, session)) return []
  const { operation, actor } = effect
  const { retriedControls } = session.sideQuestions
  const counted = () => retriedControls.get(operation) ?? 0
  // With more of them, other checks report the reason.
  const isEnough = () => counted() >= looks.few
  // Other checks may have retried theirs while this one waited.
  if (isEnough() || (await endWithoutRetry(asFinding(first.answer), tried)) !== undefined || isEnough())
    return []
  retriedControls.set(operation, counted() + 1)
  const records: AttemptRecord[] = []
  const { finding, times, tries } = await retryFinding(
    retryPolicies.nowAndThen,
    async (situation) => {
      const plain = await sendPlainRequest(session, operation, { by: actor, without: [] })
      if (plain === undefined || !isAccepted(plain)) throw new Unproven('plain requests are refused as well')
      const { record, end } = await attempt({ ...tried, situation })
      records.push(record)
      if (!(end instanceof ControlRefused)) return
      if (!isTheSame(end, first) || !isWorthRetrying(end, definition, session)) throw end
      throw asFinding(end.answer)
    },
    (look) => amongOthers(session, look),
  )
  if (finding === undefined || (await whyUnproved(tried, finding, 'second')) !== undefined) return records
  const { clause } = first
  const answer = lastAnswerOf(finding)
  // Which values are accepted is another requirement. Unless the check names it, the refusal must depend on the
  // situation.
  const isOfValues = clause !== undefined && requirementOf(clause).kind === 'limits'
  if (isOfValues || (await isAcceptedAlone(session, effectOf(answer) ?? effect)))
    reportRefusedControl(session, first, answer, { times: times + 1, tries: tries + 1 })
  return records
}

/** Reports the requirement that the check of the control names, or else the first one of its operation. */
function reportRefusedControl(
  { watch }: Session,
  { what, clause }: ControlRefused,
  answer: Answer,
  { times, tries }: Sightings,
): void {
  const exchange = asExchange(answer)?.judged
  if (exchange === undefined) return
  const { operation } = exchange
  watch.report('control', {
    requirement: clause ?? operationOf(operation).requirements[0].id,
    breach: {
      message: `a valid request was not accepted: ${what.replace(/,$/, '')}`,
      expected: 'it is accepted, as are plain requests of the same user',
      actual: answerInWords(exchange),
    },
    exchange,
    operation,
    counterexample: `an answer to ${exchange.recorded.place}, which stopped ${times} of ${tries} tries`,
    isNamed: clause !== undefined,
  })
}

/**
 * Whether retrying makes sense: a proper refusal, of a caller who was accepted before, in a check that does not depend
 * on time.
 */
function isWorthRetrying(
  { answer }: ControlRefused,
  definition: CheckDefinition,
  { ledger: { acceptances }, input }: Session,
): boolean {
  const effect = effectOf(answer)
  // The failure of another operation is that operation's subject.
  if (
    effect?.actor === undefined ||
    effect.operation !== definition.operation ||
    effect.operation === 'sync-workspace'
  )
    return false
  const isRefusal = !looksFailed(answer) && !succeeded(answer) && repeatedAmong([answer]) === undefined
  const known = acceptances.of(effect.actor).includes(effect.operation)
  return isRefusal && known && !restsOnTime(definition) && input.onlyCase === undefined
}

function isTheSame(one: ControlRefused, other: ControlRefused): boolean {
  const [effect, before] = [one, other].map(({ answer }) => effectOf(answer))
  const isComparable = effect?.operation === before?.operation && effect?.actor === before?.actor
  return isComparable && one.what === other.what && one.clause === other.clause
}

const asFinding = (answer: Answer): Finding =>
  new Finding('a valid request was not accepted', {
    expected: [acceptedOutcome],
    actual: described(answer),
    answers: [answer],
  })
