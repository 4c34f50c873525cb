/**
 * How long syncs take, in ms: as a fixture promises it ahead, or as the deployment's own page shows it afterwards, where a
 * profile names that page (`reads.syncs`); and the target's own slowness beside them.
 */
import { acceptance, isAccepted } from '../../clauses/acceptance.ts'
import { type LoneSync, type SyncRequest, took, tooSoon } from '../../clauses/timing.ts'
import type { PortalName } from '../../deployment/configuration/actors.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { NotApplicable, NotTested, Unproven } from '../../runner/findings.ts'
import type { Lanes } from '../../runner/lanes.ts'
import { inMode, longestSyncOf, type Mode } from '../../runner/patience/sync-modes.ts'
import { show } from '../../schemas/wording.ts'
import { isRunning, listed, type Page } from '../common/read-back.ts'

type Reader = Pick<CheckContext<never, never>, 'read' | 'wait' | 'parts' | 'configuration' | 'syncs'>

/** What a sync is asked for on. */
export interface SyncPlace {
  readonly collaborationId: string
  readonly workspaceId: string
  /** Under whose portal id; default: the caller's own. */
  readonly portal?: PortalName
}

/** Of any check that asks for syncs, and of one that is given workspaces for them. */
export type Syncing = CheckContext<'syncInitiator', never>
export type SyncContext = CheckContext<'syncInitiator', 'workspace'>

/** Least durations asked of the fixture, one after the other while timing cannot tell; what it really gives counts. */
const askedMs = [300, 700, 1600, 3500] as const

/** The shortest of them. */
export const shortSyncMs = askedMs[0]

/**
 * Least durations to ask for. A sync must be over well before the time-out of a request, or blocking could not be seen.
 * All of them again where it shows meanwhile that syncs hold each other up: what was measured before may be spoilt.
 */
export function* durations({ configuration, syncs }: Pick<Syncing, 'configuration' | 'syncs'>) {
  const { taken } = syncs
  const most = Math.max(shortSyncMs, Math.floor(longestWaitMs(configuration) / 3))
  const asked = [...new Set(askedMs.map((ms) => Math.min(ms, most)))]
  yield* asked
  if (syncs.taken && !taken) yield* asked
}

/** As above, where the run makes the workspaces, and the page says how long syncs took: twice the last, as a look may be late. */
const wishedMs = [300, 1600, 3500, 3500] as const

/** Durations to ask for, one after the other while timing cannot tell. */
export const lengths = (context: Syncing): Iterable<number> =>
  context.configuration.administration !== undefined && areRecorded(context) ? wishedMs : durations(context)

const longestWaitMs = ({ http }: Syncing['configuration']): number => http.headersTimeoutMs ?? http.timeoutMs

/** A lane for each request that may be held up at once: a blocked client takes a place that other checks wait for. */
export const lanes = ({ syncs }: Syncing): Lanes => syncs.lanes

/** A workspace whose syncs take so long at least. */
export interface Timed {
  readonly at: SyncPlace
  readonly leastMs: number
}

/** Uses a workspace whose syncs take that long. Not tested where the fixture promises no least duration. */
export async function onTimedWorkspace<R>(
  { given, configuration }: SyncContext,
  minimumSyncMs: number,
  use: (timed: Timed) => Promise<R>,
): Promise<R> {
  // What the run makes itself keeps no promise, and a workspace with much to copy would be made without success.
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

/** A workspace whose syncs have a known duration, known before or after. */
export interface Measured {
  readonly at: SyncPlace
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
export const syncOnce = (context: Syncing, at: SyncPlace, mode: Mode): Promise<Answer> =>
  context.as.syncInitiator('sync-workspace', at, inMode(context, mode), { urgent: true, once: true })

/** Asks for a sync that is to be accepted, as often as other syncs of the run are in its way. */
export const sync = (context: Syncing, at: SyncPlace, mode: Mode): Promise<Answer> =>
  context.as.syncInitiator('sync-workspace', at, inMode(context, mode), { urgent: true })

/** How long the target takes for an answer that waits for no sync: that to a workspace which does not exist. */
export async function latencyOf(context: Syncing, at: SyncPlace): Promise<number> {
  const nowhere = { ...at, workspaceId: context.given.ids.unknownLike(at.workspaceId) }
  return took(await syncOnce(context, nowhere, 'asynchronous'))
}

/** What timing needs to know of a request for a sync. */
export function requestOf(answer: Answer): SyncRequest {
  const { sentAt, answeredAt } = answer
  const read = acceptance(answer)
  if (!read.accepted) return { sentAt, answeredAt, accepted: false, jobId: '' }
  const { jobId } = read.body
  if (typeof jobId !== 'string')
    throw new Unproven(`jobId is no string (${show(jobId)}), so it does not identify a sync`, [answer])
  return { sentAt, answeredAt, accepted: true, jobId }
}

/** A sync of the workspace alone, in synchronous mode; undefined where it was refused or did not block its client. */
export async function loneSync(
  context: Syncing,
  at: SyncPlace,
  leastMs: number,
): Promise<LoneSync | undefined> {
  const answer = await context.syncs.alone(() => syncOnce(context, at, 'synchronous'))
  const { accepted, jobId } = requestOf(answer)
  return accepted && !tooSoon(took(answer), leastMs) ? { tookMs: took(answer), jobId } : undefined
}

/** Waits until a sync of that workspace that was answered so must be over. */
export const untilOver = (
  { syncs, wait }: Pick<Syncing, 'syncs' | 'wait'>,
  { workspaceId }: SyncPlace,
  { answeredAt }: Answer,
): Promise<void> => wait.until(answeredAt + syncs.longestOf(workspaceId))

/** So often the page is checked before it counts as silent. */
const leastLooks = 5

/** Whether the page is there. */
export const areRecorded = ({ configuration }: Reader): boolean =>
  configuration.profile?.reads?.syncs !== undefined

async function recorded(context: Reader, at: SyncPlace): Promise<Page[]> {
  try {
    return (await listed(context, 'syncs', { ...at }, 'status')).entries
  } catch (error) {
    if (error instanceof NotApplicable) throw unknownLength()
    throw error
  }
}

/** How long syncs take is neither promised nor shown. */
const unknownLength = (): NotTested =>
  new NotTested('the fixture workspace has no minimumSyncMs, so timing proves nothing', [
    'fixtures.workspace.minimumSyncMs',
  ])

/** Whether a sync on schedule runs. */
export async function scheduledRuns(context: Reader, at: SyncPlace): Promise<boolean> {
  return (await recorded(context, at)).some((sync) => sync.syncExecType === 'scheduled' && isRunning(sync))
}

/** Waits until no sync runs any more. */
export async function allOver(context: Reader, at: SyncPlace): Promise<void> {
  const longestMs = longestSyncOf(context.configuration)
  const end = performance.now() + longestMs
  while ((await recorded(context, at)).some(isRunning)) {
    if (performance.now() >= end) throw new Unproven(`a sync has not ended after ${longestMs / 1000} s`)
    await context.wait.moment()
  }
  context.syncs.over(at.workspaceId)
}

/** The answer to a request for a sync, and how long that sync took, in ms; 0: not known, or nothing was started. */
interface MeasuredSync {
  readonly answer: Answer
  /** No caller waits less for it. */
  readonly leastMs: number
  /** As it is recorded, which may be off by the settle time. */
  readonly recordedMs: number
}

/** A sync from its recorded start to its recorded end. It takes at least that less the settle time: a page may be late. */
async function recordedSync(
  context: Reader,
  at: SyncPlace,
  ask: () => Promise<Answer>,
): Promise<MeasuredSync> {
  const before = new Set((await recorded(context, at)).map(identityOf))
  context.syncs.maybeLong(at.workspaceId)
  const answer = await ask()
  if (!isAccepted(answer)) return { answer, leastMs: 0, recordedMs: 0 }
  try {
    const recordedMs = await lengthOf(context, at, before, answer)
    return { answer, leastMs: Math.max(0, recordedMs - context.configuration.run.settleMs), recordedMs }
  } catch (error) {
    // Others wait for its end.
    await allOver(context, at).catch(() => undefined)
    throw error
  }
}

/** Some pages show no ids. */
const identityOf = ({ syncId, startTime }: Page): unknown => syncId ?? startTime

/** In ms since 1970, also of a time that is written out; NaN where none is shown. */
const timeOf = (shown: unknown): number => (typeof shown === 'string' ? Date.parse(shown) : Number(shown))

/** How long the sync took that is recorded and was not there before. Waits for its end. */
async function lengthOf(
  context: Reader,
  at: SyncPlace,
  before: ReadonlySet<unknown>,
  answer: Answer,
): Promise<number> {
  const { settleMs } = context.configuration.run
  const longestMs = longestSyncOf(context.configuration)
  const began = performance.now()
  for (let looks = 1; ; looks += 1) {
    const [sync, other] = (await recorded(context, at)).filter((each) => !before.has(identityOf(each)))
    if (other !== undefined)
      throw new Unproven('several syncs were recorded, and one was asked for', [answer])
    if (sync !== undefined && !isRunning(sync)) {
      const tookMs = timeOf(sync.endTime) - timeOf(sync.startTime)
      if (!(tookMs >= 0)) throw unknownLength()
      context.syncs.over(at.workspaceId)
      return tookMs
    }
    const waitedMs = performance.now() - began
    if (sync === undefined && waitedMs >= settleMs && looks >= leastLooks)
      throw new Unproven('the sync is not recorded', [answer])
    if (waitedMs >= longestMs)
      throw new Unproven(`the sync has not ended after ${longestMs / 1000} s`, [answer])
    await context.wait.moment()
  }
}
