/** §4.4 and §3: what depends on the length of a sync, such as its mode and when the next one may start. */
import { isAccepted } from '../../clauses/acceptance.ts'
import { ms, took, type Wait, waitedFor, waitInProportion, wellBefore } from '../../clauses/syncs.ts'
import { ifOffered } from '../../deployment/fixtures/fixture-kinds.ts'
import { type Answer, bodyFields, errorCodeOf } from '../../deployment/http/exchange.ts'
import { retryAfterMs } from '../../deployment/http/pace.ts'
import { type CheckDefinition, suite } from '../../runner/check.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { isQuick } from '../../runner/effort.ts'
import { NotApplicable, NotTested, Unproven } from '../../runner/findings.ts'
import { type Mode, modesOf } from '../../runner/patience/sync-times.ts'
import {
  latencyOf,
  lengths,
  loneSync,
  longOf,
  onTimedWorkspace,
  type SyncContext,
  shortSyncMs,
  sync,
  syncOnce,
  type Timed,
} from './timed-syncs.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

const check = suite(checks, { actors: ['syncInitiator'], fixtures: ['workspace'], traits: ['timed'] })

type ScheduledContext = CheckContext<'syncInitiator', 'workspace' | 'scheduledSync'>

/** A request that takes this many times an answer without a sync may have waited for another sync of the run. */
const timesOrdinary = 1.5

const slow = (latencies: readonly number[]): string =>
  latencies.length === 0
    ? 'timing proves nothing: the syncs were over too soon'
    : `timing proves nothing: the target takes ${latencies.map(ms).join(', ')} for an answer that waits for no sync, and its syncs are not much longer`

/** Sends one sync that must be accepted. */
const accepted = (context: SyncContext, at: Parameters<typeof sync>[1], mode: Mode) => async () => {
  const answer = await syncOnce(context, at, mode)
  context.control(answer)
  return answer
}

check('sync-workspace/synchronous-blocks', {}, async (context) => {
  const judge = (answer: Answer, leastMs: number): void =>
    context.expect(answer).toKeep('sync-workspace/synchronous-blocks', { alone: true, leastMs })
  /** Judges another sync, which may be refused. */
  const judgeNext = async ({ at, sync }: Timed): Promise<void> => {
    const { answer, leastMs } = await sync(() =>
      context.syncs.alone(() => syncOnce(context, at, 'synchronous')),
    )
    if (isAccepted(answer)) judge(answer, leastMs)
  }
  /** How long other answers take. Undefined if the client was seen to wait for its sync. */
  const latencyBeside = async (timed: Timed): Promise<number | undefined> => {
    const { at, sync } = timed
    const { answer, leastMs, recordedMs } = await sync(() =>
      context.syncs.alone(accepted(context, at, 'synchronous')),
    )
    judge(answer, leastMs)
    // This must also hold for a second sync that follows at once.
    await judgeNext(timed)
    // And for one after an asynchronous sync, if its end is known.
    if (context.syncs.knowsLongestOf(at.workspaceId)) {
      const { answeredAt } = await syncOnce(context, at, 'asynchronous')
      await context.syncs.untilOver(at.workspaceId, answeredAt)
      await judgeNext(timed)
    }
    const latency = await latencyOf(context, at)
    return waitedFor(took(answer), recordedMs, latency) ? undefined : latency
  }
  const untilBlocked = async (): Promise<void> => {
    const latencies: number[] = []
    for (const asked of lengths(context)) {
      const latency = await onTimedWorkspace(context, asked, latencyBeside)
      if (latency === undefined) return
      latencies.push(latency)
    }
    throw new Unproven(slow(latencies))
  }
  // One more try: a target may release a blocked client after a while.
  const atLong = async (): Promise<void> => {
    const long = longOf(lengths(context), context)
    if (long !== undefined) await onTimedWorkspace(context, long, judgeNext)
  }
  await Promise.all([atLong, untilBlocked].map((look) => context.syncs.lanes.run(look)))
})

check('sync-workspace/asynchronous-returns', {}, async (context) => {
  const waits: Wait[] = []
  const latencies: number[] = []
  const { syncs } = context
  let late = false
  let inTime = false
  let last: Answer | undefined
  const comesInTime = async ({ at, sync }: Timed, ask: () => Promise<Answer>): Promise<boolean> => {
    const { answer, leastMs, recordedMs } = await sync(() => (late ? syncs.inQuiet(ask) : syncs.alone(ask)))
    last = answer
    if (wellBefore(took(answer), recordedMs)) return true
    // The sync ended too soon to be conclusive.
    if (leastMs === 0) return false
    const latencyMs = await latencyOf(context, at)
    latencies.push(latencyMs)
    // Another sync of the run may have delayed it. The next ones show whether its own did.
    if (late) waits.push({ tookMs: took(answer), leastMs, latencyMs })
    late ||= took(answer) > latencyMs * timesOrdinary
    return false
  }
  for (const asked of lengths(context)) {
    inTime = await onTimedWorkspace(context, asked, async (measured) => {
      const { at } = measured
      if (!(await comesInTime(measured, accepted(context, at, 'asynchronous')))) return false
      if (!syncs.knowsLongestOf(at.workspaceId)) return true
      // After a sync of the same mode, and of the other one if the mode can be chosen.
      const modes = modesOf(context.configuration).toReversed()
      for (const before of isQuick(context.configuration.run) ? modes.slice(0, 1) : modes) {
        const first = last as Answer
        await syncs.untilOver(at.workspaceId, first.sentAt)
        if (before === 'synchronous') await syncOnce(context, at, before)
        let refused = false
        const again = await comesInTime(measured, async () => {
          const answer = await syncOnce(context, at, 'asynchronous')
          refused = !isAccepted(answer)
          return answer
        })
        // Another requirement says whether the next sync is accepted.
        if (refused) last = first
        else if (!again) return false
      }
      return true
    })
    if (inTime) break
  }
  const blocked = inTime ? undefined : howBlocked(waits)
  if (last === undefined || (!inTime && blocked === undefined))
    throw new Unproven(waits.length === 0 ? slow(latencies) : unclear(waits, latencies))
  context.expect(last).toShow(inTime, 'the client was blocked although it asked for asynchronous mode', {
    expected: 'an answer well before the sync can end',
    actual: `the answers came after ${timesOf(waits)}, ${blocked}`,
    indirect: true,
  })
})

const timesOf = (waits: readonly Wait[]): string => waits.map(({ tookMs }) => ms(tookMs)).join(', ')
const lengthsOf = (waits: readonly Wait[]): string => waits.map(({ leastMs }) => ms(leastMs)).join(', ')

/** How the answers waited for their syncs, in words. Undefined if something else may be the reason. */
function howBlocked(waits: readonly Wait[]): string | undefined {
  if (waits.length === 0) return undefined
  if (waits.every(({ tookMs, leastMs, latencyMs }) => waitedFor(tookMs, leastMs, latencyMs)))
    return 'each only once its sync was over'
  if (!waitInProportion(waits)) return undefined
  return `each after the same part of its sync or later: the syncs take at least ${lengthsOf(waits)}`
}

/** Why late answers prove nothing. */
function unclear(waits: readonly Wait[], latencies: readonly number[]): string {
  const came = `the answers came after ${timesOf(waits)}`
  if (!waits.every(({ leastMs, latencyMs }) => wellBefore(latencyMs, leastMs)))
    return `${slow(latencies)}; ${came}`
  return `timing proves nothing: ${came}, and the syncs take at least ${lengthsOf(waits)}; starting a sync may take the target that long`
}

check('sync-workspace/after-finish', {}, async (context) => {
  const { configuration, openPoints, syncs } = context
  const { minimumSyncMs, ...at } = await context.given.workspace({ minimumSyncMs: shortSyncMs })
  const hasModes = configuration.contract.sync !== undefined
  if (!syncs.knowsLongestOf(at.workspaceId) && hasModes) await loneSync(context, at, minimumSyncMs)
  const first = await sync(context, at, 'asynchronous')
  context.control(first)
  const meanwhile = await syncOnce(context, at, 'asynchronous')
  // A sync accepted meanwhile joins the first, waits for it, or overlaps it. Its end counts.
  let before = isAccepted(meanwhile) ? meanwhile : first
  // After a sync of either mode, and in either mode, if they are known.
  const modes = ['synchronous', 'synchronous', 'asynchronous'] as const
  for (const mode of hasModes ? modes : modes.slice(2)) {
    await syncs.untilOver(at.workspaceId, before.answeredAt)
    const next = await sync(context, at, mode)
    expectNext(context, at.workspaceId, next, before)
    before = next
  }
  const jobs = [first, before].map((answer) => bodyFields(answer).jobId)
  if (jobs.every((job) => typeof job === 'string'))
    openPoints.observe(
      'sync-job',
      jobs[0] === jobs[1] ? 'syncs of a workspace share a jobId' : 'each sync has a jobId of its own',
    )
  if (syncs.taken) openPoints.observe('sync-isolation', 'a running sync holds up other workspaces')
})

check(
  'sync-workspace/after-finish:scheduled',
  {
    whereThere: { fixtures: ['scheduledSync'] },
    title: 'After a scheduled sync, a requested sync is accepted.',
  },
  async (context) => {
    await afterScheduled(context, false)
    // A request that is refused meanwhile must not leave a lock behind.
    await ifOffered(afterScheduled(context, true))
  },
)

/** Expects a sync well after a scheduled one. `asksMeanwhile`: only if another request is refused before its end. */
async function afterScheduled(context: ScheduledContext, asksMeanwhile: boolean): Promise<void> {
  const { as, given, control, expect, configuration } = context
  const { remainingMs, ...at } = await given.scheduledSync({ remainingMs: shortSyncMs })
  if (remainingMs === 0) throw new NotApplicable('the remaining time of the scheduled sync is unknown')
  const meanwhile = asksMeanwhile ? await syncOnce(context, at, 'asynchronous') : undefined
  // A sync that started may take longer than the scheduled one.
  if (meanwhile !== undefined && (isAccepted(meanwhile) || errorCodeOf(meanwhile) >= 500)) return
  const afterwards = async (): Promise<Answer> => {
    await context.wait.for(2 * remainingMs + configuration.run.settleMs)
    return sync(context, at, 'asynchronous')
  }
  let next = await afterwards()
  // Retry after twice the time, because the sync may have begun late.
  if (!isAccepted(next)) next = await afterwards()
  const before = await given.withWorkspace((workspace) => as.syncInitiator('sync-workspace', workspace))
  control(before)
  expect(next, before, ...(meanwhile === undefined ? [] : [meanwhile])).toBeAccepted(
    meanwhile === undefined
      ? 'a sync well after the scheduled one must have been over'
      : 'a sync that was refused during the scheduled one, well after that must have been over',
  )
}

/** Expects the next sync to be accepted at the latest well after the previous one must be over. */
function expectNext({ expect, syncs }: SyncContext, workspaceId: string, next: Answer, before: Answer): void {
  if (!isAccepted(next)) {
    if (!syncs.knowsLongestOf(workspaceId)) {
      throw new NotTested(
        'the duration of a sync is unknown, so the one before may still run: add maximumSyncMs to the fixture workspace',
        ['fixtures.workspace.maximumSyncMs'],
      )
    }
    const asksToWait = retryAfterMs(next)
    if (asksToWait !== undefined)
      throw new Unproven(`the target asks to wait ${ms(asksToWait)} before the next sync`, [before, next])
  }
  expect(next, before).toBeAccepted(
    `the next sync, asked for until ${ms(next.sentAt - before.sentAt)} after the one before it, which takes ${ms(syncs.longestOf(workspaceId))} at most`,
  )
}
