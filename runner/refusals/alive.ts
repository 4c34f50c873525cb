/** Whether the target answers like a portal and still accepts anything. Otherwise no refusal proves anything. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, isOutOfForm } from '../../clauses/acceptance.ts'
import type { Part } from '../../clauses/exchange.ts'
import { type ActorName, ofActors } from '../../deployment/configuration/actors.ts'
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
 * same account if that account was ever accepted. `ofAnyone`: the refusal is not about the account.
 */
export async function whyNothingIsAccepted(
  session: Session,
  answer: Answer,
  { ofAnyone = false } = {},
): Promise<string | undefined> {
  const account = ofAnyone ? undefined : knownSender(session, answer)
  const isAlive = () => wasAcceptedSince(session, answer.answeredAt, account)
  const pause = Math.min(longestPauseMs, session.configuration.run.settleMs)
  for (let round = 0; round < attemptsWithoutSuccess; round += 1) {
    await sleep(pause)
    if (!isAlive()) await sharedSignOfLife(session, account)
    if (isAlive()) return undefined
  }
  const by = account && effectOf(answer)?.actor
  const what = by === undefined ? 'no more requests' : `no more requests of ${by}`
  return `the target accepted ${what} after one that was ${describe(answer)}${whatMayRefuse(answer, by)}`
}

function whatMayRefuse(answer: Answer, by: string | undefined): string {
  if (isOutOfForm(answer))
    return '; something in front of the target may have refused it, since the answer is no JSON of the contract'
  return by === undefined ? '' : `; the credential of ${by} may have ended`
}

/**
 * Why a refusal on which a check rests may not be the target's own: it is out of the contract's form, and nothing is
 * accepted any more, as behind a firewall that shut the run out. Undefined if it is the target's own.
 */
export async function whyForeign(session: Session, refusal: Answer): Promise<string | undefined> {
  if (wasAcceptedSince(session, refusal.answeredAt, knownSender(session, refusal))) return undefined
  return whyNothingIsAccepted(session, refusal)
}

/** The actors of one account, who have the same credential: one login may call as several. */
type Account = readonly ActorName[]

/** The operations that were accepted for the account of that actor. */
export function acceptedForAccountOf(session: Session, actor: Part | undefined): readonly OperationId[] {
  const account = accountOf(session, actor)
  return [...new Set(account.flatMap((name) => session.ledger.acceptances.of(name)))]
}

/** Empty for strangers. */
function accountOf({ configuration: { actors } }: Session, actor: Part | undefined): Account {
  const own = ofActors(actors).find(([name]) => name === actor)?.[1]
  if (own === undefined) return []
  return ofActors(actors).flatMap(([name, { credential }]) => (credential === own.credential ? [name] : []))
}

/** The account that sent the request, if it was ever accepted. */
function knownSender(session: Session, answer: Answer): Account | undefined {
  const actor = effectOf(answer)?.actor
  return acceptedForAccountOf(session, actor).length > 0 ? accountOf(session, actor) : undefined
}

/** Whether a request sent since then was accepted, of that account if given. */
function wasAcceptedSince(
  { ledger: { acceptances } }: Session,
  time: number,
  account: Account | undefined,
): boolean {
  return account === undefined ? acceptances.since(time) : account.some((by) => acceptances.since(time, by))
}

/** All who wait share one round of requests. */
function sharedSignOfLife(session: Session, account: Account | undefined): Promise<void> {
  const { signsOfLife } = session.sideQuestions
  const key = account?.join()
  const began = performance.now()
  return remembered(signsOfLife, key, () =>
    tryOperations(session, () => wasAcceptedSince(session, began, account), account).finally(() =>
      signsOfLife.delete(key),
    ),
  )
}

/** Sends valid requests of each allowed operation until `enough`; of an account, those that its actors may call. */
async function tryOperations(session: Session, enough: () => boolean, account?: Account): Promise<void> {
  const { acceptances } = session.ledger
  for (const operation of cheapestFirst) {
    const by = account?.find(
      (name) => operationOf(operation).calledBy === name || acceptances.of(name).includes(operation),
    )
    if (enough()) return
    if (account === undefined || by !== undefined) await sendPlainRequest(session, operation, by)
  }
}
