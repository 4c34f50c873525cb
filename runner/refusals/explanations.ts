/**
 * Why a refusal may prove nothing. The run asks in the order of this list, and the first explanation that holds becomes
 * the reason of the check. Before that, `retries.ts` retries requests that may be accepted at once.
 */
import { answerInWords, type Breach } from '../../clauses/clause.ts'
import { isStranger } from '../../clauses/exchange.ts'
import { saysUnknown } from '../../deployment/credentials/credential-keeper.ts'
import { type Answer, errorCodeOf } from '../../deployment/http/exchange.ts'
import { busyOf } from '../../deployment/http/pace.ts'
import { requirementOf } from '../../specs/requirements.ts'
import { type Finding, Unproven } from '../findings.ts'
import { asExchange, type Effect, effectOf, type RunExchange, succeeded } from '../log/run-log.ts'
import type { Session } from '../session.ts'
import { acceptedForAccountOf, portalSpeaks, whyNothingIsAccepted } from './alive.ts'
import { fixtureDoubt, removedWithAnother, whyFixtureUnproved, whyFull } from './fixtures.ts'
import { whyFlaky } from './flakiness.ts'
import { described, isMainCheck, type Refusal, refusedEffect } from './refusal.ts'

/**
 * When the run asks. `first`: a finding was seen once and will be retried. `second`: it was seen twice. `end`: the
 * check ended without a finding, perhaps because of a refusal.
 */
export type Moment = 'first' | 'second' | 'end'

export interface Explanation {
  readonly name: string
  readonly at: readonly Moment[]
  /** Whether the explanation is possible, by what the run already knows. Absent: always. */
  readonly may?: (refusal: Refusal, moment: Moment) => boolean
  /** The explanation in words. Undefined if it does not hold. May send requests. */
  readonly why: (refusal: Refusal, moment: Moment) => Promise<string | undefined>
}

const noPortalAnswers =
  'nothing in this run was accepted or answered like a portal: check the base URL, the portal ids and the credentials'

/** Every credential may be wrong, or may have ended before the run. */
function whyUnknown(answer: Answer): string | undefined {
  const code = errorCodeOf(answer)
  const actor = effectOf(answer)?.actor
  if (!saysUnknown(code) || isStranger(actor)) return undefined
  return `nothing in this run was accepted, and the target does not know the credential of ${actor} (${code}): check the credentials and the portal ids`
}

const isOfOperation = (refusal: Refusal): boolean => refusedEffect(refusal) !== undefined

/** In order. */
export const explanations: readonly Explanation[] = [
  {
    name: 'no portal answers',
    at: ['first', 'end'],
    may: ({ answer }) => !succeeded(answer),
    why: async ({ session, answer }) =>
      (await portalSpeaks(session)) ? undefined : (whyUnknown(answer) ?? noPortalAnswers),
  },
  {
    name: 'the credential of the caller ended',
    at: ['first', 'second', 'end'],
    may: ({ answer }) => !succeeded(answer),
    why: async ({ session, answer }) => session.identities.whyEnded(answer)?.message,
  },
  {
    name: 'the target no longer accepts anything from the caller',
    at: ['first', 'end'],
    may: (refusal, moment) => moment === 'first' || wasAccepted(refusal),
    why: ({ session, answer }) => whyNothingIsAccepted(session, answer),
  },
  {
    name: 'its collaboration disappeared when another one was deleted',
    at: ['first', 'second', 'end'],
    may: isOfOperation,
    why: whyGone,
  },
  {
    name: 'the collaboration or the portal is full',
    at: ['first', 'end'],
    may: (refusal) => refusedEffect(refusal)?.operation === 'add-workspace',
    why: ({ session, answer }) => whyFull(session, answer),
  },
  {
    name: 'the target throttles',
    at: ['first', 'second'],
    may: ({ answer }) => !succeeded(answer) && busyOf(errorCodeOf(answer)) === 'throttled',
    // Requests that measure time are not retried when throttled.
    why: async () => 'the target throttles',
  },
  {
    name: 'the fixture does not exist',
    at: ['second', 'end'],
    may: isOfOperation,
    why: async (refusal, moment) =>
      moment === 'end' ? fixtureDoubt(refusal) : await whyFixtureUnproved(refusal),
  },
  {
    name: 'the operation is flaky',
    at: ['second'],
    may: (refusal) => saysMoreThanRefused(refusal),
    why: ({ session, answer }) => whyFlaky(session, (effectOf(answer) as Effect).operation),
  },
]

/** The first explanation that holds, in words. Undefined: the refusal counts. */
export async function explanationOf(refusal: Refusal, moment: Moment): Promise<string | undefined> {
  for (const { at, may, why } of explanations) {
    if (!at.includes(moment) || may?.(refusal, moment) === false) continue
    const words = await why(refusal, moment)
    if (words !== undefined) return words
  }
  return undefined
}

/** Explains the refusal that a finding rests on, as the end of the check. Undefined: the finding counts. */
export async function whyRefused(
  { definition, session }: Pick<Refusal, 'definition' | 'session'>,
  { message, grounds }: Finding,
  moment: 'first' | 'second',
): Promise<Unproven | undefined> {
  const answer = grounds.answers.at(-1) as Answer
  const words = await explanationOf({ definition, session, answer }, moment)
  if (words === undefined) return undefined
  const seen = moment === 'first' ? 'once' : 'twice'
  return new Unproven(withAnswer(`${words}; seen ${seen}: ${message}`, answer), grounds.answers)
}

/** The reason with the answer in one line, unless it quotes the answer already. */
function withAnswer(reason: string, answer: Answer): string {
  const line = described(answer)
  return reason.includes(line) ? reason : `${reason} (${line})`
}

/** An explanation before the reason that a check ended with. Neither the explanation nor the answer is said twice. */
export const explained = (words: string, reason: string, answer: Answer): string =>
  reason.includes(words) ? reason : withAnswer(`${words}; ${reason}`, answer)

/** Whether the refused caller was accepted before. */
function wasAccepted(refusal: Refusal): boolean {
  return acceptedForAccountOf(refusal.session, refusedEffect(refusal)?.actor).length > 0
}

/** Reports the requirement that is broken if the collaboration disappeared. */
async function whyGone(
  { session, answer, definition }: Refusal,
  moment: Moment,
): Promise<string | undefined> {
  const deleted = await removedWithAnother(session, answer)
  if (deleted === undefined) return undefined
  // A collaboration that was never used may not have existed.
  if (deleted.wasThere) reportDisappeared(session, answer, deleted.answer)
  if (moment !== 'end' && requirementOf(definition.requirement).operation === 'delete-collaboration')
    return undefined
  const gone = 'its collaboration is gone, although another one was deleted'
  return deleted.wasThere
    ? `${gone}: see delete-collaboration/others-unaffected`
    : `${gone}, but nothing had been accepted in it before`
}

/** Nothing is accepted any more in the collaboration of that answer, since another one was deleted. */
function reportDisappeared({ watch }: Session, answer: Answer, { judged: before }: RunExchange): void {
  const gone = asExchange(answer)
  if (gone === undefined) return
  const requirement = 'delete-collaboration/others-unaffected'
  const { judged: exchange, situations } = gone
  const { operation } = exchange
  const breach: Breach = {
    message: 'a collaboration was gone after another one was deleted',
    expected: 'requests that were accepted in it before are still accepted',
    actual: answerInWords(exchange),
    before: [before],
  }
  if (watch.report('answer', { requirement, breach, exchange, operation }))
    watch.looks.count({ requirement, operation }, breach, situations)
}

/**
 * Whether the finding rests on a refusal and says more than "valid requests of the operation are accepted".
 * protocol/form-post says only that as well.
 */
const saysMoreThanRefused = (refusal: Refusal): boolean =>
  isOfOperation(refusal) &&
  (!isMainCheck(refusal.definition) || refusal.definition.requirement === 'protocol/form-post')
