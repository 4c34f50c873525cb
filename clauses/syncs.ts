/** How long syncs take, which syncs met each other, and what the times of answers prove (§3, §4.4). Times are in ms. Pure. */
import type { FixtureAnswers } from '../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../deployment/http/exchange.ts'
import { Recent } from './recent.ts'

/** A scheduled sync. Unix times in ms. */
export interface ScheduledSync {
  /** When its fixture was requested, so it began before that was answered. */
  readonly from: number
  /** It runs at least until then. */
  readonly until: number
}

/** A sync request under way. */
export interface BegunSync {
  readonly workspaceId?: string | undefined
  /** When it was sent, as a Unix time in ms. */
  readonly at: number
  /** Another sync of the workspace was, or may have been, running. */
  metAnother?: boolean
}

interface Syncs {
  readonly underWay: Set<BegunSync>
  /** The shortest and longest duration of each sync in ms. */
  readonly leastMs?: number
  readonly longestMs: number
  readonly scheduled?: ScheduledSync
  /** A sync may be running until then, as a Unix time in ms. */
  busyUntil: number
}

const never = Number.POSITIVE_INFINITY

/** Knows the workspaces that fixtures hand out. */
export class SyncFacts {
  readonly #known = new Recent<Syncs>()

  /** `from`: when the fixture was requested, as a Unix time in ms. */
  handedOut(fixture: FixtureAnswers['workspace'] | FixtureAnswers['scheduledSync'], from: number): void {
    const { workspaceId, minimumSyncMs, maximumSyncMs, remainingMs } = fixture as Partial<
      FixtureAnswers['workspace'] & FixtureAnswers['scheduledSync']
    > & { readonly workspaceId: string }
    this.#known.set(workspaceId, {
      underWay: new Set(),
      longestMs: maximumSyncMs ?? never,
      busyUntil: 0,
      ...(minimumSyncMs ? { leastMs: minimumSyncMs } : {}),
      ...(remainingMs === undefined ? {} : { scheduled: { from, until: from + remainingMs } }),
    })
  }

  leastMs(workspaceId: string): number | undefined {
    return this.#known.get(workspaceId)?.leastMs
  }

  scheduledOf(workspaceId: string): ScheduledSync | undefined {
    return this.#known.get(workspaceId)?.scheduled
  }

  begins(begun: BegunSync): void {
    const syncs = this.#known.get(begun.workspaceId ?? '')
    if (syncs === undefined) return
    begun.metAnother = syncs.underWay.size > 0 || begun.at < syncs.busyUntil
    for (const other of syncs.underWay) other.metAnother = true
    syncs.underWay.add(begun)
  }

  /** The answer came at that time. An asynchronous sync may go on. */
  ends(
    begun: BegunSync,
    { at = never, goesOn }: { readonly at?: number | undefined; readonly goesOn: boolean },
  ): void {
    const syncs = this.#known.get(begun.workspaceId ?? '')
    if (syncs === undefined) return
    syncs.underWay.delete(begun)
    if (goesOn) syncs.busyUntil = Math.max(syncs.busyUntil, at + syncs.longestMs)
  }

  /** No complete answer came, so a sync may have started. */
  broke(begun: BegunSync): void {
    this.ends(begun, { goesOn: true })
  }
}

/** Timers of the target may end this much too early. */
const timerTolerance = (leastMs: number): number => leastMs * 0.02 + 2

/** A duration in words. */
export const ms = (time: number): string => `${Math.round(time)} ms`

/** The duration from the request to the end of its answer. */
export const took = ({ sentAt, answeredAt }: Pick<Answer, 'sentAt' | 'answeredAt'>): number =>
  answeredAt - sentAt

/** Whether an answer came too early for a sync of at least that duration. */
export const tooSoon = (tookMs: number, leastMs: number): boolean =>
  tookMs < leastMs - timerTolerance(leastMs)

/** Whether an answer came so early that it cannot have waited for the sync. */
export const wellBefore = (tookMs: number, leastMs: number): boolean => tookMs < leastMs / 2

/** Whether an answer waited for a sync, and the target is not that slow anyway. */
export const waitedFor = (tookMs: number, leastMs: number, latencyMs: number): boolean =>
  wellBefore(latencyMs, leastMs) && !tooSoon(tookMs, leastMs)

/** The time to the answer of a sync that should not wait, and of one that waits for no sync. */
export interface Wait {
  readonly tookMs: number
  readonly leastMs: number
  readonly latencyMs: number
}

const [manyTimes, fewWaits, sameShare] = [10, 3, 1.5] as const

/**
 * Whether all answers took many times the latency and the same share of syncs of different lengths. A target that needs
 * some time to start a sync takes the same time for all.
 */
export function waitInProportion(waits: readonly Wait[]): boolean {
  const lengths = waits.map(({ leastMs }) => leastMs)
  const shares = waits.map(({ tookMs, leastMs }) => tookMs / leastMs)
  return (
    waits.length >= fewWaits &&
    waits.every(({ tookMs, latencyMs }) => tookMs >= latencyMs * manyTimes) &&
    Math.max(...lengths) >= Math.min(...lengths) * 2 &&
    Math.max(...shares) < Math.min(...shares) * sameShare
  )
}

/** A sync request and its answer. */
export interface SyncRequest {
  readonly sentAt: number
  readonly answeredAt: number
  readonly accepted: boolean
  readonly jobId: string
}

/** A measured sync of the workspace, with no other one beside it. */
export interface LoneSync {
  readonly tookMs: number
  readonly jobId: string
}

export type Overlap =
  | { readonly verdict: 'apart'; readonly how: 'refused' | 'held' | 'answered with the running job' }
  | { readonly verdict: 'overlap' }
  /** The second request may not have met the first sync, or nothing shows whether it waited. */
  | { readonly verdict: 'unknown' }

/** Two consecutive syncs take this many times as long as one; two parallel syncs take as long as one. */
const oneAfterTheOther = 1.75

/**
 * Whether a second, synchronous request started a sync while the first one ran. Two consecutive syncs take at least
 * twice `leastMs`. Only a measured lone sync shows that the second one was held or joined the running job.
 */
export function overlapOf(
  first: SyncRequest,
  second: SyncRequest,
  leastMs: number,
  lone?: LoneSync,
): Overlap {
  if (second.sentAt >= first.sentAt + leastMs) return { verdict: 'unknown' }
  if (!second.accepted) {
    const stillRunning = second.answeredAt < first.sentAt + leastMs
    return stillRunning ? { verdict: 'apart', how: 'refused' } : { verdict: 'unknown' }
  }
  const both = second.answeredAt - first.sentAt
  if (second.jobId === first.jobId) {
    // If all syncs of the workspace have the same id, the id shows nothing.
    const idsChange = lone !== undefined && lone.jobId !== first.jobId
    if (idsChange) return { verdict: 'apart', how: 'answered with the running job' }
  } else if (tooSoon(both, 2 * leastMs)) {
    return { verdict: 'overlap' }
  }
  const held = lone !== undefined && both >= lone.tookMs * oneAfterTheOther
  return held ? { verdict: 'apart', how: 'held' } : { verdict: 'unknown' }
}
