/** An attempt at a check: its body, run with a context of its own, and again where that proves nothing by no fault of the target. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isAccepted } from '../../clauses/acceptance.ts'
import { FixtureNotOffered } from '../../deployment/fixtures/fixture-kinds.ts'
import { TransportError, type TransportFault } from '../../deployment/http/exchange.ts'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import type { CheckDefinition } from '../check.ts'
import { buildContext } from '../context/build-context.ts'
import type { AttemptRecord } from '../context/record.ts'
import type { Situation } from '../context/situations.ts'
import { Finding, isOfTheTarget, NotTested, Unproven } from '../findings.ts'
import type { Session } from '../session.ts'
import { checkTime } from './check-time.ts'
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

/**
 * What goes wrong on a fixture that others have used may be their doing: the body runs again on fixtures that nobody has had.
 * Where a connection broke, which proves nothing, it runs again after a pause. A later attempt shares nothing from the start.
 */
export async function attempt({ definition, session, situation: wanted }: Tried): Promise<Attempt> {
  let alone = session.pool.attempted(`${definition.id} ${wanted}`)
  /** On fixtures of others. */
  let shared: Attempt | undefined
  let [requests, paused] = [0, false]
  for (;;) {
    const again = againFor(definition, session)
    const { context, record, loan, situation } = buildContext(definition, session, { alone, again })
    const time = checkTime(session, record)
    let end: Error | undefined
    try {
      await Promise.race([situation.during(wanted, () => definition.body(context)), time.over])
      end = record.unproven
      if (end === undefined) refuseEmpty(definition, record)
    } catch (error) {
      if (!isOfTheTarget(error)) throw error
      end = error
    } finally {
      time.stop()
      loan.end()
    }
    if (end instanceof FixtureNotOffered && shared !== undefined) return onUsed(shared)
    requests += record.requests
    record.requests = requests
    const made: Attempt = withoutUndefined({ record, end })
    const mayBeTheirs = shared === undefined && loan.secondHand && isTheirDoing(end)
    if (!mayBeTheirs && (paused || !isBroken(end, session))) return made
    shared = mayBeTheirs ? made : undefined
    if (!mayBeTheirs) await sleep(pauseMs)
    paused ||= !mayBeTheirs
    alone = true
  }
}

/** Throws an error of the suite where a check that holds looked at nothing. */
function refuseEmpty({ id }: CheckDefinition, { requests, adopted, judged }: AttemptRecord): void {
  if (requests + adopted > 0 && judged > 0) return
  throw new Error(`${id} looked at nothing: ${requests} requests, ${judged} expectations`)
}

/** Whether what ended an attempt may be for what others did with its fixtures: not an acceptance that should not have been. */
function isTheirDoing(end: Error | undefined): boolean {
  if (end instanceof Finding) {
    const last = end.grounds.answers.at(-1)
    return last === undefined || !isAccepted(last)
  }
  return end instanceof Unproven || end instanceof NotTested
}

/** What a target that is away for a moment, or a connection that it closed, makes of an exchange. */
const passing: readonly TransportFault[] = ['broken', 'truncated', 'unreachable', 'unavailable']

const isBroken = (end: Error | undefined, { channel }: Session): boolean =>
  end instanceof TransportError && passing.includes(end.fault) && !channel.gone

/** What was found on fixtures that others have used, where there are no other ones to find it on. */
function onUsed({ record, end }: Attempt): Attempt {
  if (!(end instanceof Finding)) return withoutUndefined({ record, end })
  const why = `found on a fixture that other checks had used, and there is no other to try it on: ${end.message}; offer more fixtures`
  return { record, end: new Unproven(why, end.grounds.answers) }
}
