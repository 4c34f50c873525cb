/** How long syncs of a workspace take, and which syncs met each other. Pure. */
import type { FixtureAnswers } from '../deployment/fixtures/fixture-kinds.ts'
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
