/** Attempts at a check: its body, run with a context of its own, and once more where that proves nothing by no fault of the target. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isAccepted } from '../../clauses/acceptance.ts'
import { FixtureNotOffered } from '../../deployment/fixtures/fixture-kinds.ts'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import type { CheckDefinition } from '../check.ts'
import { buildContext } from '../context/build-context.ts'
import type { AttemptRecord } from '../context/record.ts'
import type { Situation } from '../context/situations.ts'
import { Finding, isOfTheTarget, NotTested, Unproven } from '../findings.ts'
import { factsOf } from '../run-facts.ts'
import type { Session } from '../session.ts'
import { triesAgain, withinItsTime } from './patience-with-checks.ts'
import { againFor } from './standing.ts'

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

/** One attempt; a second one where a connection broke, which proves nothing: the target may have been away. */
export async function attempt(tried: Tried): Promise<Attempt> {
  const first = await attemptOnce(tried)
  if (!triesAgain(first.end, tried.session)) return first
  await sleep(pauseMs)
  const second = await attemptOnce(tried)
  second.record.requests += first.record.requests
  return second
}

/**
 * What goes wrong on a fixture that others have used may be their doing: it is tried again on fixtures that nobody has
 * had. A later attempt shares nothing from the start.
 */
async function attemptOnce(tried: Tried): Promise<Attempt> {
  const alone = tried.session.pool.attempted(`${tried.definition.id} ${tried.situation}`)
  const first = await attemptInTime(tried, alone)
  if (!first.secondHand || !isTheirDoing(first.end)) return first
  const second = await attemptInTime(tried, true)
  if (second.end instanceof FixtureNotOffered)
    return first.end instanceof Finding ? { ...first, end: onUsed(first.end) } : first
  second.record.requests += first.record.requests
  return second
}

interface FirstAttempt extends Attempt {
  /** Whether it used fixtures that other attempts have used as well. */
  readonly secondHand: boolean
}

async function attemptInTime(
  { definition, session, situation: wanted }: Tried,
  alone: boolean,
): Promise<FirstAttempt> {
  const { context, record, loan, situation } = buildContext(definition, session, {
    alone,
    again: againFor(definition, session),
  })
  const ended = (end?: Error): FirstAttempt => withoutUndefined({ record, end, secondHand: loan.secondHand })
  try {
    await withinItsTime(() => situation.during(wanted, () => definition.body(context)), {
      configuration: session.configuration,
      facts: () => factsOf(session),
      onEnd: () => (record.ended = true),
    })
  } catch (error) {
    if (isOfTheTarget(error)) return ended(error)
    throw error
  } finally {
    loan.end()
  }
  if (record.unproven !== undefined) return ended(record.unproven)
  if (record.requests + record.adopted === 0 || record.judged === 0) {
    throw new Error(
      `${definition.id} looked at nothing: ${record.requests} requests, ${record.judged} expectations`,
    )
  }
  return ended()
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
