/** When a finding stands: what one exchange proves, what must be seen twice, and what a refusal proves nothing of. */
import { acceptanceIfRead, describe } from '../../clauses/acceptance.ts'
import { answersWithSuccess } from '../../clauses/portal-like.ts'
import { type Answer, errorCodeOf } from '../../deployment/http/exchange.ts'
import { busyOf } from '../../deployment/http/pace.ts'
import { type OperationId, operationOf } from '../../specs/operations.ts'
import type { CheckDefinition } from '../check.ts'
import type { Again } from '../context/for-all.ts'
import { Finding, Unproven } from '../findings.ts'
import { asExchange, effectOf, took } from '../log/exchange.ts'
import type { Session } from '../session.ts'
import {
  aliveAfter,
  deleteThatTook,
  fixtureDoubt,
  fixtureProved,
  portalSpeaks,
  refusedElsewhere,
  unsteady,
} from './baseline.ts'
import { amongOthers } from './plain-requests.ts'
import { whyNoRoom } from './room.ts'

const silent =
  'nothing in this run was accepted or answered as by a portal: check the base URL, the portal ids and the credentials'

/**
 * Whether one exchange proves a finding: an answer of success whose content, or that it came at all, breaks the clause.
 * What rests on a refusal or on time must be seen twice: there the world may be to blame.
 */
export function standsAlone({ timed, operation }: CheckDefinition, finding: Finding): boolean {
  if (timed || finding.grounds.indirect) return false
  const answer = lastOf(finding)
  const exchange = asExchange(answer)
  if (exchange !== undefined) return exchange.took
  if (operation !== undefined) return answersWithSuccess(answer, operation)
  return acceptanceIfRead(answer)?.accepted === true
}

/** How a finding of that check is looked for again among its generated cases. */
export const againFor = (definition: CheckDefinition, session: Session): Again => ({
  standsAlone: (finding) => standsAlone(definition, finding),
  before: async (finding) => {
    if (standsAlone(definition, finding)) return
    const why = await whyUnproved(session, finding)
    if (why !== undefined) throw why
    try {
      await aliveAfter(session, lastOf(finding))
    } catch (error) {
      throw error instanceof Unproven ? butOnce(finding, error) : error
    }
  },
  amongOthers: (look) => amongOthers(session, look),
})

/** The target, or what all checks share, is in no state in which a refusal proves anything. */
export async function whyUnproved(session: Session, finding: Finding): Promise<Unproven | undefined> {
  const answer = lastOf(finding)
  const because = (why: string) => new Unproven(`${why} (${described(answer)})`, finding.grounds.answers)
  if (!(await portalSpeaks(session))) return because(silent)
  const room = await whyNoRoom(session, answer)
  return room === undefined ? undefined : because(room)
}

/** What is concluded from deletes themselves. */
const aboutDeletes = /^delete-collaboration\//

/** The end of a check, or that its collaboration went with another one that was deleted; the run is told of that. */
export async function unlessGone(
  { id }: CheckDefinition,
  session: Session,
  end: Error | undefined,
): Promise<Error | undefined> {
  const answer =
    end instanceof Finding ? lastOf(end) : end instanceof Unproven ? end.answers.at(-1) : undefined
  const deleted = answer === undefined ? undefined : await deleteThatTook(session, answer)
  if (answer === undefined || deleted === undefined) return end
  const why = 'its collaboration is gone, although another one was deleted'
  // One that was never used may have been handed out although it was not there.
  if (deleted.wasThere) session.watch.wentWith(answer, deleted.answer)
  if (end instanceof Finding && aboutDeletes.test(id)) return end
  return new Unproven(`${why}: see delete-collaboration/others-unaffected (${described(answer)})`, [
    deleted.answer,
    answer,
  ])
}

/**
 * The end of a check, or the true reason where its last answer was a refusal: since nothing is accepted any more of who
 * asked, or for want of room. `last`: the last answer of all, where the end names none.
 */
export async function withTrueReason(
  session: Session,
  end: Error | undefined,
  last: Answer | undefined,
): Promise<Error | undefined> {
  if (!(end instanceof Unproven)) return end
  const answer = end.answers.at(-1)
  const refused = answer ?? last
  const lost = refused === undefined ? undefined : await lostSince(session, refused)
  if (lost !== undefined)
    return end.message.includes(lost) ? end : new Unproven(`${lost}; ${end.message}`, end.answers)
  const room = answer === undefined ? undefined : await whyNoRoom(session, answer)
  if (answer === undefined || room === undefined) return end
  // Whoever cannot add anything any more finds every collaboration full.
  const since = await lostSince(session, answer, performance.now())
  return new Unproven(since ?? `${room} (${described(answer)})`, end.answers)
}

/** That the credential of who asked has ended, or nothing of him is accepted any more since this refusal, or since then; else undefined. */
async function lostSince(
  session: Session,
  answer: Answer,
  since: number = answer.answeredAt,
): Promise<string | undefined> {
  const { acceptances } = session.ledger
  const ended = session.credentialEnded(answer)
  if (ended !== undefined) return ended.message
  const actor = took(answer) ? undefined : effectOf(answer)?.actor
  if (actor === undefined || acceptances.of(actor).length === 0) return undefined
  try {
    await aliveAfter(session, answer, since)
    return undefined
  } catch (error) {
    if (error instanceof Unproven) return error.message
    throw error
  }
}

/** Why a finding that was seen twice proves nothing after all. */
export async function whyNot(
  definition: CheckDefinition,
  session: Session,
  finding: Finding,
): Promise<Unproven | undefined> {
  const doubt = await proved(session, finding)
  if (doubt !== undefined || !isRefused(finding) || isMain(definition)) return doubt
  const effect = effectOf(lastOf(finding))
  if (effect === undefined) return undefined
  const thoroughly = isAskedThoroughly(finding, effect.operation)
  const why =
    (await unsteady(session, effect, { bare: saysWhoMay.test(definition.id), thoroughly })) ??
    (isOfAnother(definition, effect.operation) ? await refusedElsewhere(session, effect) : undefined)
  if (why === undefined) return undefined
  return new Unproven(`${why}: ${finding.message} (${described(lastOf(finding))})`, finding.grounds.answers)
}

/** Says who may ask, or what a refusal leaves as it was: which parameters a request needs is said elsewhere. */
const saysWhoMay = /\/(?:allows-|ineligible-target-keeps-owner)/

const isOfAnother = ({ operation: about }: CheckDefinition, operation: OperationId): boolean =>
  about !== undefined && operation !== about

/**
 * Whether plain requests after refusals are asked for, too, before more is concluded than that such a request is refused:
 * not where that is all that a finding says, and not where it says what a refusal led to and an empty request may do the same.
 */
function isAskedThoroughly(finding: Finding, operation: OperationId): boolean {
  const before = finding.grounds.answers.slice(0, -1)
  const needsMore = operationOf(operation).parameters.some(({ presence }) => presence === 'required')
  return (
    before.length > 0 && (before.every(took) || (needsMore && finding.grounds.namesSituation === undefined))
  )
}

/** Whether a check says no more than that valid requests of its operation are accepted: there any refusal counts. */
export const isMain = ({ id, operation }: CheckDefinition): boolean =>
  operation !== undefined &&
  (id === `protocol/form-post:${operation}` || id === operationOf(operation).requirements[0].id)

/** Whether the answer that it rests on is none of success. */
export const isRefused = (finding: Finding): boolean => !took(lastOf(finding))

/** Why the refusal that a finding rests on proves nothing after all; undefined where its fixture is there. */
export async function proved(session: Session, finding: Finding): Promise<Unproven | undefined> {
  if (!isRefused(finding)) return undefined
  const answer = lastOf(finding)
  // What measures time is not asked again for it.
  if (busyOf(errorCodeOf(answer)) === 'throttled')
    return new Unproven(
      `the target says that it is asked too often (${described(answer)})`,
      finding.grounds.answers,
    )
  try {
    await fixtureProved(session, answer)
    return undefined
  } catch (error) {
    if (error instanceof Unproven) return new Unproven(error.message, finding.grounds.answers)
    throw error
  }
}

/** What may be wrong with the fixture of an answer. */
export function doubtOf(session: Session, answer: Answer | undefined): string | undefined {
  const effect = effectOf(answer)
  return effect === undefined ? undefined : fixtureDoubt(session, effect)
}

/** The answer that it rests on. */
export const lastOf = ({ grounds }: Finding): Answer => grounds.answers.at(-1) as Answer

/** An answer in one line. */
export const described = (answer: Answer | undefined): string =>
  answer === undefined ? 'nothing' : describe(answer)

/** It was looked for again in vain. */
export const seenOnce = (finding: Finding, after: string): Unproven =>
  new Unproven(
    `found once, but not when tried again: ${finding.message} (first ${finding.grounds.actual}; ${after})`,
    finding.grounds.answers,
  )

/** It could not be looked for again. */
export const butOnce = (finding: Finding, { message }: Unproven): Unproven =>
  new Unproven(`found once, and the target could not be asked again: ${finding.message}; ${message}`, [
    ...finding.grounds.answers,
  ])
