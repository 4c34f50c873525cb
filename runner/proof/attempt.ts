/** Attempts at a check: its body, run with a context of its own, and once more where that proves nothing by no fault of the target. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isAccepted } from '../../clauses/acceptance.ts'
import { FixtureNotOffered } from '../../deployment/fixtures/fixture-kinds.ts'
import type { CheckDefinition } from '../check.ts'
import { buildContext } from '../context/build-context.ts'
import { type AttemptRecord, observation } from '../context/record.ts'
import { inSituation, type Situation } from '../context/situations.ts'
import { Finding, isOfTheTarget, NotTested, Unproven } from '../findings.ts'
import type { Session } from '../session.ts'
import { Shares } from '../sharing/sharing.ts'
import { triesAgain, withinItsTime } from './patience-with-checks.ts'
import { againFor, wantsRoom } from './standing.ts'

/** How often a check is tried again at most, since others find out beside it how many workspaces there is room for. */
const mostForRoom = 3

/** How long after a connection broke its check is tried again, in milliseconds. */
const pauseMs = 500

export interface Attempt {
  readonly record: AttemptRecord
  /** Absent: the check holds. */
  readonly end?: Error
}

/** What is tried, and when. */
export interface Tried {
  readonly definition: CheckDefinition
  readonly session: Session
  /** What each of its requests comes in. */
  readonly situation: Situation
}

/**
 * One attempt; once more with fixtures of its own where a connection broke, which proves nothing, since the target may
 * have been away; and where its collaboration took no more workspaces, now that it is known how many one takes.
 */
export async function attempt(tried: Tried): Promise<Attempt> {
  const { definition, session } = tried
  let last = await attemptOnce(tried)
  if (triesAgain(last.end, session)) {
    await sleep(pauseMs)
    return anew(tried, last)
  }
  for (let time = 0; time < mostForRoom; time += 1) {
    const room = await roomFound(session, last)
    if (room === undefined) break
    last = await anew(tried, last)
    const takes = `a collaboration takes ${room} workspaces: more were added to others`
    last.record.observations.push(observation(definition, 'workspace-quota', takes))
  }
  return last
}

/** Another attempt in the place of that one, whose requests count as well. */
async function anew(tried: Tried, { record: { requests } }: Attempt): Promise<Attempt> {
  const next = await attemptOnce(tried)
  next.record.requests += requests
  return next
}

/** How many workspaces a collaboration takes, where the attempt ended for want of that. */
async function roomFound(session: Session, { end, record }: Attempt): Promise<number | undefined> {
  const answers = end instanceof Finding ? end.grounds.answers : end instanceof Unproven ? end.answers : []
  const last = end === undefined ? undefined : (answers.at(-1) ?? record.answers.at(-1))
  return (await wantsRoom(session, last)) ? session.collaborations.room : undefined
}

/**
 * What goes wrong on a fixture that others have used may be their doing: it is tried again on fixtures that nobody has
 * had. A later attempt shares nothing from the start.
 */
async function attemptOnce(tried: Tried): Promise<Attempt> {
  const { sharing } = tried.session
  const attempted = `${tried.definition.id} ${tried.situation}`
  const shares = new Shares(sharing, { alone: sharing.hadAttempt(attempted) })
  const first = await attemptInTime(shares, tried)
  if (!shares.secondHand || !isTheirDoing(first.end)) return first
  const second = await attemptInTime(new Shares(sharing, { alone: true }), tried)
  if (second.end instanceof FixtureNotOffered)
    return first.end instanceof Finding ? { ...first, end: onUsed(first.end) } : first
  second.record.requests += first.record.requests
  return second
}

async function attemptInTime(shares: Shares, { definition, session, situation }: Tried): Promise<Attempt> {
  const { context, record } = buildContext(definition, session, {
    shares,
    again: againFor(definition, session),
  })
  try {
    await withinItsTime(() => inSituation(situation, () => definition.body(context)), {
      session,
      onEnd: () => (record.ended = true),
    })
  } catch (error) {
    if (isOfTheTarget(error)) return { record, end: unlessCredentialEnded(error, session) }
    throw error
  } finally {
    session.workspaces.end(record)
  }
  if (record.unproven !== undefined) return { record, end: record.unproven }
  if (record.requests + record.adopted === 0 || record.judged === 0) {
    throw new Error(
      `${definition.id} looked at nothing: ${record.requests} requests, ${record.judged} expectations`,
    )
  }
  return { record }
}

/** Whether what ended an attempt may be for what others did with its fixtures: not an acceptance that should not have been. */
function isTheirDoing(end: Error | undefined): boolean {
  if (end instanceof Finding) {
    const last = end.grounds.answers.at(-1)
    return last === undefined || !isAccepted(last)
  }
  return end instanceof Unproven || end instanceof NotTested
}

/** What is found on a fixture that others have used, where there is no other one to find it on. */
const onUsed = ({ message, grounds }: Finding): Unproven =>
  new Unproven(
    `found on a fixture that other checks had used, and there is no other to try it on: ${message}; offer more fixtures`,
    grounds.answers,
  )

/** A refusal by who does not know the caller any more is no finding. */
function unlessCredentialEnded(end: Error, session: Session): Error {
  const last = end instanceof Finding ? end.grounds.answers.at(-1) : undefined
  return (last === undefined ? undefined : session.credentialEnded(last)) ?? end
}
