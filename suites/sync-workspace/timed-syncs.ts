/** Syncs of which a fixture says how long they take at least, and the target's own slowness beside them. In ms. */
import { setTimeout as sleep } from 'node:timers/promises'
import { acceptance } from '../../clauses/acceptance.ts'
import { type LoneSync, type SyncRequest, took, tooSoon } from '../../clauses/timing.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { Unproven } from '../../runner/findings.ts'
import { type Lanes, lanesOf } from '../../runner/lanes.ts'
import { inMode, type Mode } from '../../runner/sync-modes.ts'
import { show } from '../../schemas/wording.ts'
import {
  areRecorded,
  type MeasuredSync,
  type SyncPlace as Place,
  recordedSync,
  unknownLength,
} from './recorded-syncs.ts'

/** Of any check that asks for syncs, and of one that is given workspaces for them. */
export type Syncing = CheckContext<'syncInitiator', never>
export type SyncContext = CheckContext<'syncInitiator', 'workspace'>

/** Least durations asked of the fixture, one after the other while timing cannot tell; what it really gives counts. */
const askedMs = [300, 700, 1600, 3500] as const

/** The shortest of them. */
export const shortSyncMs = askedMs[0]

/**
 * Least durations to ask for. A sync must be over well before the time-out of a request, or blocking could not be seen.
 * All of them once more where it shows meanwhile that syncs hold each other up: what was measured before may be spoilt.
 */
export function* durations({ configuration, syncTurns }: Pick<Syncing, 'configuration' | 'syncTurns'>) {
  const { taken } = syncTurns
  const asked = askedMs.filter((ms, at) => at === 0 || ms <= longestWaitMs(configuration) / 3)
  yield* asked
  if (syncTurns.taken && !taken) yield* asked
}

/** The same where the run makes the workspaces, and the page tells how long syncs took: twice the last, as a look may be late. */
const wishedMs = [300, 1600, 3500, 3500] as const

/** Durations to ask for, one after the other while timing cannot tell. */
export const lengths = (context: Syncing): Iterable<number> =>
  context.configuration.administration !== undefined && areRecorded(context) ? wishedMs : durations(context)

const longestWaitMs = ({ http }: Syncing['configuration']): number => http.headersTimeoutMs ?? http.timeoutMs

/** How many scenarios may hold requests up at once: a blocked client takes a place that other checks wait for. */
export const lanes = ({ configuration }: Syncing): Lanes =>
  lanesOf(configuration, Math.floor(configuration.http.concurrency / 4))

/** A workspace whose syncs take so long at least. */
export interface Timed {
  readonly at: Place
  readonly leastMs: number
}

/** Uses a workspace whose syncs take that long. Not tested where the fixture promises no least duration. */
export async function onTimedWorkspace<R>(
  { given, configuration }: SyncContext,
  minimumSyncMs: number,
  use: (timed: Timed) => Promise<R>,
): Promise<R> {
  // What the run makes itself keeps no promise, and a workspace with much to copy would be made in vain.
  if (configuration.fixtures === undefined && configuration.administration !== undefined)
    throw unknownLength()
  return given.withWorkspace(
    ({ minimumSyncMs: leastMs, collaborationId, workspaceId }) => {
      if (leastMs > 0) return use({ at: { collaborationId, workspaceId }, leastMs })
      throw unknownLength()
    },
    { minimumSyncMs },
  )
}

/** A workspace of which it is known, or told afterwards, how long each sync takes. */
export interface Measured {
  readonly at: Place
  /** The answer to a sync that is asked for so, and how long that takes. */
  sync(ask: () => Promise<Answer>): Promise<MeasuredSync>
}

/** Uses a workspace whose syncs should take that long: as the fixture promises it, or as the deployment records it. */
export function onMeasuredWorkspace<R>(
  context: SyncContext,
  minimumSyncMs: number,
  use: (measured: Measured) => Promise<R>,
): Promise<R> {
  return context.given.withWorkspace(
    ({ minimumSyncMs: leastMs, collaborationId, workspaceId }) => {
      const at = { collaborationId, workspaceId }
      if (leastMs > 0)
        return use({ at, sync: async (ask) => ({ answer: await ask(), leastMs, recordedMs: leastMs }) })
      if (areRecorded(context)) return use({ at, sync: (ask) => recordedSync(context, at, ask) })
      throw unknownLength()
    },
    { minimumSyncMs },
  )
}

/** Asks for a sync; urgent, so that it meets what runs, and once, so that the first answer counts. */
export const syncOnce = (context: Syncing, at: Place, mode: Mode): Promise<Answer> =>
  context.as.syncInitiator('sync-workspace', at, inMode(context, mode), { urgent: true, once: true })

/** Asks for a sync that is to be accepted, as often as other syncs of the run are in its way. */
export const sync = (context: Syncing, at: Place, mode: Mode): Promise<Answer> =>
  context.as.syncInitiator('sync-workspace', at, inMode(context, mode), { urgent: true })

/** How long the target takes for an answer that waits for no sync: that to a workspace which does not exist. */
export async function latencyOf(context: Syncing, at: Place): Promise<number> {
  const nowhere = { ...at, workspaceId: context.unknownLike(at.workspaceId) }
  return took(await syncOnce(context, nowhere, 'asynchronous'))
}

/** What timing needs to know of a request for a sync. */
export function requestOf(answer: Answer): SyncRequest {
  const { sentAt, answeredAt } = answer
  const read = acceptance(answer)
  if (!read.accepted) return { sentAt, answeredAt, accepted: false, jobId: '' }
  const { jobId } = read.body
  if (typeof jobId !== 'string')
    throw new Unproven(`jobId is no string (${show(jobId)}), so it tells no sync from another`, [answer])
  return { sentAt, answeredAt, accepted: true, jobId }
}

/** A sync of the workspace alone, in synchronous mode; undefined where it was refused or did not block its client. */
export async function loneSync(context: Syncing, at: Place, leastMs: number): Promise<LoneSync | undefined> {
  const answer = await context.syncTurns.alone(() => syncOnce(context, at, 'synchronous'))
  const { accepted, jobId } = requestOf(answer)
  return accepted && !tooSoon(took(answer), leastMs) ? { tookMs: took(answer), jobId } : undefined
}

/** Waits until a sync of that workspace that was answered so must be over. */
export const untilOver = (
  { syncTimes }: Pick<Syncing, 'syncTimes'>,
  { workspaceId }: Place,
  { answeredAt }: Answer,
): Promise<void> => sleep(Math.max(0, answeredAt + syncTimes.longestOf(workspaceId) - performance.now()))

/** In words. */
export const ms = (time: number): string => `${Math.round(time)} ms`
