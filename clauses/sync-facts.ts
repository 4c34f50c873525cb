/** What is known of the syncs of workspaces: how long they take, and which of them met each other. Pure. */
import type { FixtureAnswers } from '../deployment/fixtures/fixture-kinds.ts'
import { Recent } from './recent.ts'

/** A scheduled sync, with times as Unix times in ms. */
export interface ScheduledSync {
  /** Before it was asked for. */
  readonly from: number
  /** It runs until then at least. */
  readonly until: number
}

/** A request for a sync that is on its way. */
export interface BegunSync {
  readonly workspaceId?: string | undefined
  /** A Unix time in ms. */
  readonly at: number
  /** Another sync of the workspace was or may have been running beside it. */
  crowded?: boolean
}

interface Syncs {
  readonly under: Set<BegunSync>
  /** What each takes at least and at most, in ms. */
  readonly leastMs?: number
  readonly longestMs: number
  readonly scheduled?: ScheduledSync
  /** Until then one may be running, as a Unix time in ms. */
  busyUntil: number
}

const never = Number.POSITIVE_INFINITY

/** Of the workspaces that fixtures hand out. */
export class SyncFacts {
  readonly #known = new Recent<Syncs>()

  /** `from`: when it was asked for, as a Unix time in ms. */
  handedOut(fixture: FixtureAnswers['workspace'] | FixtureAnswers['scheduledSync'], from: number): void {
    const { workspaceId, minimumSyncMs, maximumSyncMs, remainingMs } = fixture as Partial<
      FixtureAnswers['workspace'] & FixtureAnswers['scheduledSync']
    > & { readonly workspaceId: string }
    this.#known.set(workspaceId, {
      under: new Set(),
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
    begun.crowded = syncs.under.size > 0 || begun.at < syncs.busyUntil
    for (const other of syncs.under) other.crowded = true
    syncs.under.add(begun)
  }

  /** Its answer came at that time; what it started may go on, unless it was refused or waited for. */
  ends(
    begun: BegunSync,
    { at = never, goesOn }: { readonly at?: number | undefined; readonly goesOn: boolean },
  ): void {
    const syncs = this.#known.get(begun.workspaceId ?? '')
    if (syncs === undefined) return
    syncs.under.delete(begun)
    if (goesOn) syncs.busyUntil = Math.max(syncs.busyUntil, at + syncs.longestMs)
  }

  /** No complete answer came: whether one was started is not known. */
  broke(begun: BegunSync): void {
    this.ends(begun, { goesOn: true })
  }
}
