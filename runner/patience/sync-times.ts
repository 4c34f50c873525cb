/** The syncs of a run: which of them may still run, and how long syncs of each workspace take. Times in ms of `performance.now()`. */

import { isAccepted } from '../../clauses/acceptance.ts'
import { took, tooSoon } from '../../clauses/timing.ts'
import type { FixtureAnswers, FixtureKind } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Answer, SyncLimit } from '../../deployment/http/exchange.ts'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import { withinLimits } from '../acceptances.ts'
import type { Mode } from './sync-modes.ts'

interface Lengths {
  readonly leastMs: number
  /** As its fixture says it. */
  readonly mostMs?: number
}

/** A sync that was asked for, or that a fixture says is running. */
export interface SyncUnderWay {
  readonly workspaceId: string
  /** It runs until then at least; 0: not known. */
  readonly leastUntil: number
  /** It is over by then if it takes as long as others did; that and the next without end while nothing was answered. */
  readonly likelyUntil: number
  readonly mostUntil: number
}

export class SyncTimes {
  readonly #settleMs: number
  readonly #mayTakeMs: number
  readonly #workspaces = new Map<string, Lengths>()
  /** By how much the longest lone sync that was measured exceeded what its fixture promises at least, in ms. */
  #excessMs: number | undefined
  /** The longest that one waited for the answer to a sync, in ms. */
  #longestWaitMs = 0
  /** When those were asked for whose answers have yet to come, and may come only at the end of the sync. */
  readonly #waitingSince = new Set<{ readonly at: number }>()
  #syncs: SyncUnderWay[] = []
  readonly #synced = new Set<string>()
  #accepted = false
  /** Their next sync says nothing of others, and may go on for long. */
  readonly #likelyLong = new Set<string>()

  /**
   * `settleMs`: granted beyond the longest that was measured, where no fixture says how long syncs take at most;
   * `mayTakeMs`: given to a sync that was made to be long, until the deployment says that it is over.
   */
  constructor(settleMs: number, mayTakeMs = 60_000) {
    this.#settleMs = settleMs
    this.#mayTakeMs = mayTakeMs
  }

  handedOut<Kind extends FixtureKind>(kind: Kind, fixture: FixtureAnswers[Kind]): void {
    if (kind === 'scheduledSync') {
      const { workspaceId, remainingMs } = fixture as FixtureAnswers['scheduledSync']
      const until = performance.now() + remainingMs
      this.#workspaces.set(workspaceId, { leastMs: 0 })
      this.#synced.add(workspaceId)
      this.#syncs.push({ workspaceId, leastUntil: until, likelyUntil: until, mostUntil: until })
    }
    if (kind === 'workspace') {
      const { workspaceId, minimumSyncMs, maximumSyncMs } = fixture as FixtureAnswers['workspace']
      this.#workspaces.set(workspaceId, withoutUndefined({ leastMs: minimumSyncMs, mostMs: maximumSyncMs }))
    }
  }

  /** Whether any sync of the run was accepted so far. */
  get accepted(): boolean {
    return this.#accepted
  }

  /** Whether that workspace was synced before, by the run or on schedule, or more than one sync of it was asked for. */
  wasSynced(workspaceId: string): boolean {
    return this.#synced.has(workspaceId)
  }

  /** The least that a sync of that workspace takes, in ms; 0: not known. */
  leastOf(workspaceId: string): number {
    return this.#workspaces.get(workspaceId)?.leastMs ?? 0
  }

  /** What is known of how long that workspace is busy at least, once a sync is asked for; undefined: nothing. */
  limitOf(workspaceId: string): SyncLimit | undefined {
    const leastMs = this.leastOf(workspaceId)
    const busyUntil = Math.max(0, ...this.underWay(workspaceId).map(({ leastUntil }) => leastUntil))
    if (leastMs === 0 && busyUntil === 0) return undefined
    return { leastMs, ...(busyUntil === 0 ? {} : { busyUntil }) }
  }

  /**
   * The longest that a sync of that workspace takes, in ms: as its fixture says it, or the settle time beyond the
   * longest that a lone sync was measured to take.
   */
  longestOf(workspaceId: string): number {
    const { leastMs = 0, mostMs } = this.#workspaces.get(workspaceId) ?? {}
    return mostMs ?? leastMs + (this.#excessMs ?? 0) + this.#settleMs
  }

  /** Whether that longest rests on a fixture or a measurement. */
  knowsLongestOf(workspaceId: string): boolean {
    return this.#excessMs !== undefined || this.#workspaces.get(workspaceId)?.mostMs !== undefined
  }

  /** The longest that a sync of any workspace takes, in ms. */
  get longest(): number {
    return Math.max(0, ...[...this.#workspaces.keys()].map((id) => this.longestOf(id)))
  }

  /** The longest that a sync was waited for, up to now, in ms. */
  get longestWait(): number {
    const now = performance.now()
    return Math.max(this.#longestWaitMs, ...[...this.#waitingSince].map(({ at }) => now - at))
  }

  /** A sync was asked for; to be told that the exchange is over, and of the answer where one came. */
  asked(workspaceId: string, mode: Mode | undefined): { ended(): void; answered(answer: Answer): void } {
    const lone = !this.#syncs.some((sync) => sync.workspaceId === workspaceId && mayRun(sync))
    if (!lone) this.#synced.add(workspaceId)
    const endless = Number.POSITIVE_INFINITY
    const request = { workspaceId, leastUntil: 0, likelyUntil: endless, mostUntil: endless }
    this.#syncs.push(request)
    const waiting = { at: performance.now() }
    if (mode !== 'asynchronous') this.#waitingSince.add(waiting)
    return {
      ended: () => {
        this.#waitingSince.delete(waiting)
        this.#syncs = this.#syncs.filter((sync) => sync !== request && mayRun(sync))
      },
      answered: (answer) => {
        const isLong = this.#likelyLong.delete(workspaceId)
        if (!wasStarted(answer)) return
        this.#accepted = true
        this.#synced.add(workspaceId)
        this.#longestWaitMs = Math.max(this.#longestWaitMs, took(answer))
        const leastMs = this.leastOf(workspaceId)
        const blocked = mode === 'synchronous' && !tooSoon(took(answer), leastMs)
        if (blocked && lone && !isLong) this.#excessMs = Math.max(this.#excessMs ?? 0, took(answer) - leastMs)
        // A synchronous answer that came in time says that the sync is over.
        if (blocked && leastMs > 0) return
        const mostUntil = answer.answeredAt + (isLong ? this.#mayTakeMs : this.longestOf(workspaceId))
        const likelyMs = leastMs + ((isLong ? undefined : this.#excessMs) ?? Number.POSITIVE_INFINITY)
        this.#syncs.push({
          workspaceId,
          leastUntil: lone ? answer.sentAt + leastMs : 0,
          likelyUntil: Math.min(answer.answeredAt + likelyMs, mostUntil),
          mostUntil,
        })
      },
    }
  }

  /** The next sync of that workspace has much to do, until it is told that it is over. */
  maybeLong(workspaceId: string): void {
    this.#likelyLong.add(workspaceId)
  }

  /** The deployment says that no sync of that workspace runs any more. */
  over(workspaceId: string): void {
    this.#likelyLong.delete(workspaceId)
    this.#syncs = this.#syncs.filter((sync) => sync.workspaceId !== workspaceId)
  }

  /** Syncs that may still run, of that workspace or of any. */
  underWay(workspaceId?: string): SyncUnderWay[] {
    return this.#syncs.filter(
      (sync) => (workspaceId === undefined || sync.workspaceId === workspaceId) && mayRun(sync),
    )
  }
}

const mayRun = ({ mostUntil }: SyncUnderWay): boolean => mostUntil > performance.now()

/** Whether a sync was accepted; one with an answer that is nested deeper than is read was not. */
export const wasStarted = (answer: Answer): boolean => withinLimits(() => isAccepted(answer)) === true
