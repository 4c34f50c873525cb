/** Whether the target answers like a portal and still accepts anything. Otherwise no refusal proves anything. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, isOutOfForm } from '../../clauses/acceptance.ts'
import type { ActorName } from '../../deployment/configuration/actors.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { type OperationId, operationIds, operationOf } from '../../specs/operations.ts'
import { usesUp } from '../check.ts'
import { attemptsWithoutSuccess } from '../effort.ts'
import { effectOf } from '../log/run-log.ts'
import { remembered } from '../remembered.ts'
import type { Session } from '../session.ts'
import { sendPlainRequest } from './plain-requests.ts'

/** The longest pause between two sightings, in ms. The settle time, if that is shorter. */
const longestPauseMs = 1000

/** Operations that use nothing up come first, so that signs of life cost as little as possible. */
const cheapestFirst: readonly OperationId[] = [...operationIds].sort(
  (one, other) => usedUpBy(one) - usedUpBy(other),
)

function usedUpBy(id: OperationId): number {
  if (usesUp(id)) return 2
  return operationOf(id).on === 'collaboration' ? 1 : 0
}

/**
 * Whether any answer of the run was a portal's. If not, each allowed operation is tried once with a valid request. If
 * still none answers, wrong credentials, a wrong address and a broken portal cannot be distinguished.
 */
export async function portalSpeaks(session: Session): Promise<boolean> {
  if (session.channel.spoken) return true
  const { sideQuestions } = session
  sideQuestions.portalAnswers ??= tryOperations(session, () => session.channel.spoken)
  await sideQuestions.portalAnswers
  return session.channel.spoken
}

/**
 * Waits, then says why nothing is accepted any more. Undefined if a request sent after this answer is accepted, of the
 * same actor if that actor was ever accepted. `ofAnyone`: the refusal is not about the actor.
 */
export async function whyNothingIsAccepted(
  session: Session,
  answer: Answer,
  { ofAnyone = false } = {},
): Promise<string | undefined> {
  const by = ofAnyone ? undefined : knownSender(session, answer)
  const isAlive = () => session.ledger.acceptances.since(answer.answeredAt, by)
  const pause = Math.min(longestPauseMs, session.configuration.run.settleMs)
  for (let round = 0; round < attemptsWithoutSuccess; round += 1) {
    await sleep(pause)
    if (!isAlive()) await sharedSignOfLife(session, by)
    if (isAlive()) return undefined
  }
  const what = by === undefined ? 'no more requests' : `no more requests of ${by}`
  return `the target accepted ${what} after one that was ${describe(answer)}${whatMayRefuse(answer, by)}`
}

function whatMayRefuse(answer: Answer, by: ActorName | undefined): string {
  if (isOutOfForm(answer))
    return '; something in front of the target may have refused it, since the answer is no JSON of the contract'
  return by === undefined ? '' : `; the credential of ${by} may have ended`
}

/**
 * Why a refusal on which a check rests may not be the target's own: it is out of the contract's form, and nothing is
 * accepted any more, as behind a firewall that shut the run out. Undefined if it is the target's own.
 */
export async function whyForeign(session: Session, refusal: Answer): Promise<string | undefined> {
  const by = knownSender(session, refusal)
  if (session.ledger.acceptances.since(refusal.answeredAt, by)) return undefined
  return whyNothingIsAccepted(session, refusal)
}

/** The actor who sent the request, if that actor was ever accepted. */
function knownSender(session: Session, answer: Answer): ActorName | undefined {
  const actor = effectOf(answer)?.actor
  return isKnown(session, actor) && session.ledger.acceptances.of(actor).length > 0 ? actor : undefined
}

const isKnown = ({ configuration }: Session, actor: string | undefined): actor is ActorName =>
  actor !== undefined && Object.hasOwn(configuration.actors, actor)

/** All who wait share one round of requests. */
function sharedSignOfLife(session: Session, by: ActorName | undefined): Promise<void> {
  const { signsOfLife } = session.sideQuestions
  const began = performance.now()
  const { acceptances } = session.ledger
  return remembered(signsOfLife, by, () =>
    tryOperations(session, () => acceptances.since(began, by), by).finally(() => signsOfLife.delete(by)),
  )
}

/** Sends valid requests of each allowed operation until `enough`; with `by`, those that this actor may call. */
async function tryOperations(session: Session, enough: () => boolean, by?: ActorName): Promise<void> {
  const allowed = by === undefined ? [] : session.ledger.acceptances.of(by)
  for (const operation of cheapestFirst) {
    if (enough()) return
    if (by === undefined || allowed.includes(operation) || operationOf(operation).calledBy === by)
      await sendPlainRequest(session, operation, by)
  }
}
