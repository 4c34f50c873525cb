/** Valid requests on which probes rest: where one is refused again and again, that breaks a clause of its own. */
import { isAccepted } from '../../clauses/acceptance.ts'
import { looksFailed } from '../../clauses/portal-like.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { requirementOf } from '../../specs/requirements.ts'
import { type CheckDefinition, restsOnTime } from '../check.ts'
import { acceptedOutcome } from '../context/expectations.ts'
import type { AttemptRecord } from '../context/record.ts'
import { ControlRefused, Finding, repeatedAmong, Unproven } from '../findings.ts'
import { effectOf, took } from '../log/exchange.ts'
import { whyUnproved } from '../refusals/explanations.ts'
import { amongOthers, askPlainly, takesAlone } from '../refusals/plain-requests.ts'
import { described, lastOf } from '../refusals/refusal.ts'
import { policies, seen } from '../seen.ts'
import type { Session } from '../session.ts'
import { attempt, type Tried } from './attempt.ts'
import { settledAtOnce } from './confirmation.ts'

/** So many refused controls of an operation are looked at: where more are refused, other checks tell why. */
const mostOfOperation = 4

/**
 * Looks again for a control that was refused. It is told to the watch where the check ends with it again and again, while
 * a plain request of the same user is accepted in between. Gives the records of these attempts.
 */
export async function controlLookedForAgain(
  first: ControlRefused,
  tried: Tried,
): Promise<readonly AttemptRecord[]> {
  const { definition, session } = tried
  const effect = effectOf(first.answer)
  if (effect === undefined || !lendsItself(first, definition, session)) return []
  const { operation, actor } = effect
  const { controls } = session.asked
  const counted = () => controls.get(operation) ?? 0
  const isEnough = () => counted() >= mostOfOperation
  // Others may have been looked at while this one was found to lend itself.
  if (isEnough() || (await settledAtOnce(asFinding(first.answer), tried)) !== undefined || isEnough())
    return []
  controls.set(operation, counted() + 1)
  const records: AttemptRecord[] = []
  const { finding, times, tries } = await seen(
    policies.nowAndThen,
    async (situation) => {
      const plain = await askPlainly(session, operation, { by: actor, without: [] })
      if (plain === undefined || !isAccepted(plain)) throw new Unproven('plain requests are refused as well')
      const { record, end } = await attempt({ ...tried, situation })
      records.push(record)
      if (!(end instanceof ControlRefused)) return
      if (!isTheSame(end, first) || !lendsItself(end, definition, session)) throw end
      throw asFinding(end.answer)
    },
    (look) => amongOthers(session, look),
  )
  if (finding === undefined || (await whyUnproved(tried, finding, 'second')) !== undefined) return records
  const { clause, what } = first
  const answer = lastOf(finding)
  // Which values are taken is another rule: where it is not named, the refusal must be for what went before or beside.
  const isOfValues = clause !== undefined && requirementOf(clause).kind === 'limits'
  if (isOfValues || (await takesAlone(session, effectOf(answer) ?? effect)))
    session.watch.controlRefused({ answer, what, clause }, { times: times + 1, tries: tries + 1 })
  return records
}

/** A refusal in the way of a portal, of who was accepted before, where neither time nor company plays a part. */
function lendsItself(
  { answer }: ControlRefused,
  definition: CheckDefinition,
  { ledger: { acceptances }, input }: Session,
): boolean {
  const effect = effectOf(answer)
  // What another operation leads to is that one's affair.
  if (
    effect?.actor === undefined ||
    effect.operation !== definition.operation ||
    effect.operation === 'sync-workspace'
  )
    return false
  const isRefusal = !looksFailed(answer) && !took(answer) && repeatedAmong([answer]) === undefined
  const known = acceptances.of(effect.actor).includes(effect.operation)
  return isRefusal && known && !restsOnTime(definition) && input.onlyCase === undefined
}

function isTheSame(one: ControlRefused, other: ControlRefused): boolean {
  const [effect, before] = [one, other].map(({ answer }) => effectOf(answer))
  const alike = effect?.operation === before?.operation && effect?.actor === before?.actor
  return alike && one.what === other.what && one.clause === other.clause
}

const asFinding = (answer: Answer): Finding =>
  new Finding('a valid request was not accepted', {
    expected: [acceptedOutcome],
    actual: described(answer),
    answers: [answer],
  })
