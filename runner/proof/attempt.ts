/** An attempt at a check: runs its body with a new context, and again if the end may not be the target's fault. */
import { setTimeout as sleep } from 'node:timers/promises'
import { acceptanceIfRead, answersWithSuccess, isAccepted } from '../../clauses/acceptance.ts'
import { FixtureNotOffered } from '../../deployment/fixtures/fixture-kinds.ts'
import { TransportError, type TransportFault } from '../../deployment/http/exchange.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import type { CheckDefinition } from '../check.ts'
import { buildContext } from '../context/build-context.ts'
import type { AttemptRecord, FindingRetries } from '../context/record.ts'
import type { Situation } from '../context/situations.ts'
import { Finding, isOfTheTarget, NotTested, Unproven } from '../findings.ts'
import { asExchange } from '../log/run-log.ts'
import { whyRefused } from '../refusals/explanations.ts'
import { isMadeByRun } from '../refusals/fixtures.ts'
import { lastAnswerOf } from '../refusals/refusal.ts'
import { checkTime } from '../run-time.ts'
import type { Session } from '../session.ts'

/**
 * Whether one exchange proves the finding: a success that breaks the requirement by its content or by coming at all.
 * Findings that rest on a refusal or on time must be seen twice, because the environment may be the reason.
 */
export function isProvedAtOnce({ traits, operation }: CheckDefinition, finding: Finding): boolean {
  if (finding.grounds.proved) return true
  if (traits.includes('timed') || finding.grounds.indirect) return false
  const answer = lastAnswerOf(finding)
  const exchange = asExchange(answer)
  if (exchange !== undefined) return exchange.succeeded
  if (operation !== undefined) return answersWithSuccess(answer, operation)
  return acceptanceIfRead(answer)?.accepted === true
}

/** How a finding among generated cases is retried. */
const retriesFor = (definition: CheckDefinition, session: Session): FindingRetries => ({
  isProvedAtOnce: (finding) => isProvedAtOnce(definition, finding),
  beforeRetry: async (finding) => {
    if (isProvedAtOnce(definition, finding)) return
    const why = await whyRefused({ definition, session }, finding, 'first')
    if (why !== undefined) throw why
  },
})

/** The end of a check whose finding did not show again. */
export const notSeenAgain = (finding: Finding, after: string): Unproven =>
  new Unproven(
    `seen once, but not when tried again: ${finding.message} (first ${finding.grounds.actual}; ${after})`,
    finding.grounds.answers,
  )

/** How long to wait before a check with a broken connection runs again, in ms. */
const pauseMs = 500

export interface Attempt {
  readonly record: AttemptRecord
  /** Absent: the check holds. */
  readonly end?: Error
}

/** What to run, and in which situation. */
export interface Tried {
  readonly definition: CheckDefinition
  readonly session: Session
  /** The situation of each request. */
  readonly situation: Situation
}

/**
 * Runs the body. If it fails on a fixture that others used, it runs again on fresh fixtures, because they may be the
 * reason. If a connection broke, it runs again after a pause. Later attempts never share fixtures.
 */
export async function attempt({ definition, session, situation: wanted }: Tried): Promise<Attempt> {
  let alone = session.pool.attempted(`${definition.id} ${wanted}`)
  /** The attempt on shared fixtures. */
  let shared: Attempt | undefined
  let [requests, paused] = [0, false]
  for (;;) {
    const again = retriesFor(definition, session)
    const { context, record, loan, situation } = buildContext(definition, session, { alone, again })
    const time = checkTime(session, record)
    let end: Error | undefined
    try {
      await Promise.race([situation.during(wanted, () => definition.body(context)), time.over])
      end = record.unproven
      if (end === undefined) refuseWithoutJudging(definition, record)
    } catch (error) {
      if (!isOfTheTarget(error)) throw error
      end = error
    } finally {
      time.stop()
      loan.end()
    }
    if (end instanceof FixtureNotOffered && shared !== undefined)
      return unconfirmedOnShared(shared, isMadeByRun(session) ? end.message : 'offer more fixtures')
    requests += record.requests
    record.requests = requests
    const made: Attempt = withoutUndefined({ record, end })
    const mayBeTheirs = shared === undefined && loan.usedByOthers && mayBeCausedByOthers(end)
    if (!mayBeTheirs && (paused || !isBroken(end, session))) return made
    shared = mayBeTheirs ? made : undefined
    if (!mayBeTheirs) await sleep(pauseMs)
    paused ||= !mayBeTheirs
    alone = true
  }
}

/** Throws an error of the suite if a check holds without having judged anything. */
function refuseWithoutJudging({ id }: CheckDefinition, { requests, adopted, judged }: AttemptRecord): void {
  if (requests + adopted > 0 && judged > 0) return
  throw new Error(`${id} judged nothing: ${requests} requests, ${judged} expectations`)
}

/** Whether others may have caused this end by using the fixtures. They cannot cause a wrong acceptance. */
function mayBeCausedByOthers(end: Error | undefined): boolean {
  if (end instanceof Finding) {
    const last = end.grounds.answers.at(-1)
    return last === undefined || !isAccepted(last)
  }
  return end instanceof Unproven || end instanceof NotTested
}

/** Faults that a restart of the target, or a closed connection, causes. */
const passingFaults: readonly TransportFault[] = ['broken', 'truncated', 'unreachable', 'unavailable']

const isBroken = (end: Error | undefined, { channel }: Session): boolean =>
  end instanceof TransportError && passingFaults.includes(end.fault) && !channel.gone

/** A finding on shared fixtures without fresh ones to confirm it. `what`: the reason, or the remedy. */
function unconfirmedOnShared({ record, end }: Attempt, what: string): Attempt {
  if (!(end instanceof Finding)) return withoutUndefined({ record, end })
  const why = `seen once, on a shared fixture, with no fresh fixture left to confirm it: ${end.message}; ${what}`
  return { record, end: new Unproven(why, end.grounds.answers) }
}
