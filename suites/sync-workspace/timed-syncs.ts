/**
 * How long syncs take, in ms: a fixture promises it, or the deployment's page shows it afterwards if a profile names
 * that page (`reads.syncs`). Also measures how slow the target is without syncs.
 */
import { acceptance, isAccepted } from '../../clauses/acceptance.ts'
import { type LoneSync, type SyncRequest, took, tooSoon } from '../../clauses/syncs.ts'
import type { PortalName } from '../../deployment/configuration/actors.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { isQuick, looks } from '../../runner/effort.ts'
import { NotApplicable, NotTested, repeatedAmong, Unproven } from '../../runner/findings.ts'
import { inMode, longestSyncOf, type Mode } from '../../runner/patience/sync-times.ts'
import { show } from '../../schemas/wording.ts'
import { identityOf, isRunning, listed, type Page } from '../common/read-back.ts'

type Reader = Pick<CheckContext<never, never>, 'read' | 'wait' | 'parts' | 'configuration' | 'syncs'>

/** The workspace to sync. */
export interface SyncPlace {
  readonly collaborationId: string
  readonly workspaceId: string
  /** The portal whose id is in the path. Default: the caller's own. */
  readonly portal?: PortalName
}

/** The contexts of checks that sync: any, and those with workspaces of their own. */
export type Syncing = CheckContext<'syncInitiator', never>
export type SyncContext = CheckContext<'syncInitiator', 'workspace'>

/** Minimum durations to request from the fixture in turn, until timing is conclusive. The promised duration counts. */
const askedMs = [300, 700, 1600, 3500] as const

/** The shortest minimum duration. */
export const shortSyncMs = askedMs[0]

/**
 * Minimum durations to request. A sync must end well before requests time out, or blocking would not show. If syncs
 * turn out to delay each other, all durations are tried again, because the earlier measurements may be wrong.
 */
export function* durations({ configuration, syncs }: Pick<Syncing, 'configuration' | 'syncs'>) {
  const { taken } = syncs
  const most = Math.max(shortSyncMs, Math.floor(configuration.http.timeoutMs / 3))
  const asked = [...new Set(askedMs.map((ms) => Math.min(ms, most)))]
  yield* asked
  if (syncs.taken && !taken) yield* asked
}

/** Durations for workspaces that the run makes, measured on a page. The last is tried twice, because a page may lag. */
const wishedMs = [300, 1600, 3500, 3500] as const

/** Durations to request in turn until timing is conclusive. */
export const lengths = (context: Syncing): Iterable<number> =>
  context.configuration.administration !== undefined && areRecorded(context) ? wishedMs : durations(context)

/** A long sync of a quick run, in ms: enough to see a lock or a client that is released after a second. */
const longInQuickRunsMs = 1100

/**
 * The duration of a long sync, during which a target may release a blocked client or start the next sync. Undefined if
 * requests time out before its end.
 */
export function longOf(lengths: Iterable<number>, { configuration: { run } }: Syncing): number | undefined {
  const long = [...lengths][2]
  return long !== undefined && isQuick(run) ? Math.min(long, longInQuickRunsMs) : long
}

/** A workspace whose syncs are long enough to measure. */
export interface Timed {
  readonly at: SyncPlace
  /** Its syncs take at least this long, as the fixture promises. 0: the deployment's page shows it afterwards. */
  readonly leastMs: number
  /** Sends a sync with `ask` and measures it. */
  readonly sync: (ask: () => Promise<Answer>) => Promise<MeasuredSync>
}

/**
 * Uses a workspace whose syncs should take that long, as the fixture promises or the deployment records. `promised`: a
 * record does not suffice. Not tested without either.
 */
export async function onTimedWorkspace<R>(
  context: SyncContext,
  minimumSyncMs: number,
  use: (timed: Timed) => Promise<R>,
  { promised = false } = {},
): Promise<R> {
  const { given, configuration } = context
  // A workspace that the run makes promises no duration.
  const isMade = configuration.fixtures === undefined && configuration.administration !== undefined
  const isShown = !promised && areRecorded(context)
  if (isMade && !isShown) throw unknownLength()
  return given.withWorkspace(
    ({ minimumSyncMs: leastMs, collaborationId, workspaceId }) => {
      const at = { collaborationId, workspaceId }
      if (leastMs === 0 && !isShown) throw unknownLength()
      const sync: Timed['sync'] = async (ask) =>
        leastMs > 0 ? { answer: await ask(), leastMs, recordedMs: leastMs } : recordedSync(context, at, ask)
      return use({ at, leastMs, sync })
    },
    { minimumSyncMs },
  )
}

/** Requests a sync: urgent, so that it meets what runs, and once, so that the first answer counts. */
export const syncOnce = (context: Syncing, at: SyncPlace, mode: Mode): Promise<Answer> =>
  context.as.syncInitiator('sync-workspace', at, inMode(context, mode), { urgent: true, once: true })

/** Requests a sync and retries while other syncs of the run are in its way. */
export const sync = (context: Syncing, at: SyncPlace, mode: Mode): Promise<Answer> =>
  context.as.syncInitiator('sync-workspace', at, inMode(context, mode), { urgent: true })

/** How long an answer takes that waits for no sync: the refusal for a workspace that does not exist. */
export async function latencyOf(context: Syncing, at: SyncPlace): Promise<number> {
  const nowhere = { ...at, workspaceId: context.given.ids.unknownLike(at.workspaceId) }
  return took(await syncOnce(context, nowhere, 'asynchronous'))
}

/** What timing needs to know about a sync request. */
export function requestOf(answer: Answer): SyncRequest {
  const { sentAt, answeredAt } = answer
  const read = acceptance(answer)
  if (!read.accepted) return { sentAt, answeredAt, accepted: false, jobId: '' }
  const { jobId } = read.body
  if (typeof jobId !== 'string')
    throw new Unproven(`jobId is no string (${show(jobId)}), so it does not identify a sync`, [answer])
  return { sentAt, answeredAt, accepted: true, jobId }
}

/** A synchronous sync with no other beside it. Undefined if it was refused or did not block its client. */
export async function loneSync(
  context: Syncing,
  at: SyncPlace,
  leastMs: number,
): Promise<LoneSync | undefined> {
  const answer = await context.syncs.alone(() => syncOnce(context, at, 'synchronous'))
  const { accepted, jobId } = requestOf(answer)
  return accepted && !tooSoon(took(answer), leastMs) ? { tookMs: took(answer), jobId } : undefined
}

/** Whether the profile names a page of syncs. */
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

/** Neither a fixture nor a page says how long syncs take. */
const unknownLength = (): NotTested =>
  new NotTested('the fixture workspace has no minimumSyncMs, so timing proves nothing', [
    'fixtures.workspace.minimumSyncMs',
  ])

/** The syncs of a workspace, as its page shows them over time. */
export class RecordedSyncs {
  readonly #context: Reader
  readonly #at: SyncPlace
  #togetherSince: number | undefined
  /** The scheduled syncs that had begun when the page was read first. */
  #begun: ReadonlySet<unknown> | undefined
  /** For how long the page showed two syncs at once that had begun, in ms. */
  togetherMs = 0
  /**
   * For how long a scheduled sync ran on after a later one had ended, in ms, by the times on the page. Negative: each
   * later one ended after it. -Infinity: the page shows no later one with its times.
   */
  outlastedMs = Number.NEGATIVE_INFINITY
  /** Only if `outlastedMs` is more than this do the syncs certainly overlap: pages may round times, and clocks differ. */
  clearlyMs = clockSkewMs

  constructor(context: Reader, at: SyncPlace) {
    this.#context = context
    this.#at = at
  }

  /** Whether the page shows the times of a scheduled sync and of a later one. */
  get areCompared(): boolean {
    return Number.isFinite(this.outlastedMs)
  }

  /** Whether no later sync ended before the scheduled one, nor in the same moment. */
  get mayHaveWaited(): boolean {
    return this.outlastedMs < 0
  }

  /** Whether a scheduled sync is running. */
  async scheduledRuns(): Promise<boolean> {
    const syncs = await this.#read()
    return syncs.some((sync) => isScheduled(sync) && isRunning(sync))
  }

  /** Waits until no sync is running. */
  async allOver(): Promise<void> {
    const { configuration, syncs, wait } = this.#context
    const longestMs = longestSyncOf(configuration)
    const began = performance.now()
    while ((await this.#read()).some(isRunning)) {
      const soFarMs = performance.now() - began
      if (soFarMs >= longestMs) throw new Unproven(`a sync has not ended after ${longestMs / 1000} s`)
      await wait.moment(soFarMs)
    }
    syncs.over(this.#at.workspaceId)
  }

  async #read(): Promise<Page[]> {
    const syncs = await recorded(this.#context, this.#at)
    const now = performance.now()
    this.#togetherSince = syncs.filter(hasBegun).length > 1 ? (this.#togetherSince ?? now) : undefined
    this.togetherMs = Math.max(this.togetherMs, now - (this.#togetherSince ?? now))
    this.#begun ??= new Set(syncs.filter((sync) => isScheduled(sync) && hasBegun(sync)).map(identityOf))
    this.#compare(syncs.filter(isCompleted))
    return syncs
  }

  /** A sync that waits for its turn may show when it was requested, so that it is compared only if it had begun. */
  #compare(completed: readonly Page[]): void {
    const times = completed.flatMap(({ startTime, endTime }) => [timeOf(startTime), timeOf(endTime)])
    const unitMs = times.every((time) => time % 1000 === 0) ? 1000 : 0
    this.clearlyMs = Math.max(clockSkewMs, unitMs)
    for (const scheduled of completed.filter((sync) => this.#begun?.has(identityOf(sync))))
      for (const sync of completed) {
        if (sync === scheduled || timeOf(sync.startTime) < timeOf(scheduled.startTime)) continue
        const outlastedMs = timeOf(scheduled.endTime) - timeOf(sync.endTime)
        this.outlastedMs = Math.max(this.outlastedMs, outlastedMs)
      }
  }
}

/** Two nodes of a deployment may differ by this much in the times of syncs, in ms. */
const clockSkewMs = 250

const isScheduled = ({ syncExecType }: Page): boolean => syncExecType === 'scheduled'

/** Whether the sync was done, and the page shows when. A sync that failed may have been listed because another one ran. */
const isCompleted = ({ status, startTime, endTime }: Page): boolean =>
  String(status).toLowerCase().startsWith('completed') && timeOf(endTime) >= timeOf(startTime)

/** Whether the page says that the sync has begun and not ended. One that waits for another is only submitted. */
const hasBegun = ({ status }: Page): boolean =>
  ['started', 'in_progress'].includes(String(status).toLowerCase())

/** The answer to a sync request, and the duration of the sync in ms. 0: unknown, or no sync started. */
interface MeasuredSync {
  readonly answer: Answer
  /** The sync took at least this long. */
  readonly leastMs: number
  /** The recorded duration, which may be off by the settle time. */
  readonly recordedMs: number
}

/** Sends a sync and reads its duration from the page, which may lag by the settle time. */
async function recordedSync(
  context: Reader,
  at: SyncPlace,
  ask: () => Promise<Answer>,
): Promise<MeasuredSync> {
  const before = new Set((await recorded(context, at)).map(identityOf))
  const answer = await ask()
  if (!isAccepted(answer)) return { answer, leastMs: 0, recordedMs: 0 }
  try {
    const recordedMs = await lengthOf(context, at, before, answer)
    return { answer, leastMs: Math.max(0, recordedMs - context.configuration.run.settleMs), recordedMs }
  } catch (error) {
    // Other checks wait for its end.
    await new RecordedSyncs(context, at).allOver().catch(() => undefined)
    throw error
  }
}

/** A time of the page as Unix time in ms, also if it is written as text. NaN if there is none. */
const timeOf = (shown: unknown): number => (typeof shown === 'string' ? Date.parse(shown) : Number(shown))

/** Waits for the end of the newly recorded sync. Returns its duration. */
async function lengthOf(
  context: Reader,
  at: SyncPlace,
  before: ReadonlySet<unknown>,
  answer: Answer,
): Promise<number> {
  const { settleMs } = context.configuration.run
  const longestMs = longestSyncOf(context.configuration)
  const began = performance.now()
  for (let read = 1; ; read += 1) {
    const [sync, other] = (await recorded(context, at)).filter((each) => !before.has(identityOf(each)))
    if (other !== undefined) {
      const met = repeatedAmong([answer])
      const why = met === undefined ? '' : `; the request was retried after ${met}`
      throw new Unproven(`several syncs were recorded, and one was asked for${why}`, [answer])
    }
    if (sync !== undefined && !isRunning(sync)) {
      const tookMs = timeOf(sync.endTime) - timeOf(sync.startTime)
      if (!(tookMs >= 0)) throw unknownLength()
      context.syncs.over(at.workspaceId)
      return tookMs
    }
    const waitedMs = performance.now() - began
    if (sync === undefined && waitedMs >= settleMs && read > looks.few)
      throw new Unproven('the sync is not recorded', [answer])
    if (waitedMs >= longestMs)
      throw new Unproven(`the sync has not ended after ${longestMs / 1000} s`, [answer])
    await context.wait.moment(waitedMs)
  }
}
