/**
 * The modes of syncs, which syncs of the run may still be running, and how long they take. Times in ms of
 * `performance.now()`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { acceptanceIfRead } from '../../clauses/acceptance.ts'
import { took, tooSoon } from '../../clauses/syncs.ts'
import { type Configuration, longestOf } from '../../deployment/configuration/configuration.ts'
import type { FixtureAnswers, FixtureKind } from '../../deployment/fixtures/fixture-kinds.ts'
import {
  type Answer,
  errorCodeOf,
  type SyncLimit,
  TransportError,
  type TransportFault,
} from '../../deployment/http/exchange.ts'
import { busyIn, isLost } from '../../deployment/http/pace.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import type { RequestFields } from '../context/calls.ts'
import type { Asked, Fold, RunExchange } from '../log/run-log.ts'

const leastLongestMs = 60_000

/** The longest time that a sync may take, in ms. Longer ones prove nothing. */
export const longestSyncOf = (configuration: Configuration): number =>
  Math.max(leastLongestMs, longestOf(configuration, 'synchronousSync'))

export type Mode = 'synchronous' | 'asynchronous'

/** The parameter that asks for a mode. Empty if not settled. */
export function inMode(
  { configuration }: { readonly configuration: Configuration },
  mode: Mode,
): RequestFields {
  const { sync } = configuration.contract
  return sync === undefined ? {} : { [sync.parameter]: sync[mode] }
}

/** Every mode that can be requested. If not settled, one request stands for both. */
export const modesOf = ({ contract }: Configuration): readonly Mode[] =>
  contract.sync === undefined ? ['asynchronous'] : ['synchronous', 'asynchronous']

/** The mode that a request asks for, or the default one. Undefined if not settled. */
function modeOf({ sync }: Pick<Configuration['contract'], 'sync'>, request: RequestFields): Mode | undefined {
  if (sync === undefined) return undefined
  return request[sync.parameter] === sync.synchronous ? 'synchronous' : 'asynchronous'
}

interface Lengths {
  readonly leastMs: number
  /** As its fixture says. */
  readonly mostMs?: number
}

/** A sync that was requested, or that a fixture says is running. */
export interface SyncUnderWay {
  readonly workspaceId: string
  /** It runs at least until then. 0: unknown. */
  readonly leastUntil: number
  /** Infinite until the request is answered. */
  readonly mostUntil: number
  /** The request, until its answer comes. */
  readonly asked?: Asked
}

const endless = Number.POSITIVE_INFINITY

export class SyncTimes implements Fold {
  readonly #settleMs: number
  readonly #settled: Pick<Configuration['contract'], 'sync'>
  readonly #workspaces = new Map<string, Lengths>()
  /** By how much the longest measured lone sync exceeded its fixture's minimum, in ms. */
  #excessMs: number | undefined
  /** The longest wait for the answer to a sync, in ms. */
  #longestWaitMs = 0
  #syncs: SyncUnderWay[] = []
  readonly #synced = new Set<string>()

  /**
   * `settleMs`: added to the longest measured sync if no fixture gives a maximum. `settled`: how a request names the
   * mode.
   */
  constructor(settleMs: number, settled: Pick<Configuration['contract'], 'sync'> = {}) {
    this.#settleMs = settleMs
    this.#settled = settled
  }

  handedOut<Kind extends FixtureKind>(kind: Kind, fixture: FixtureAnswers[Kind]): void {
    if (kind === 'scheduledSync') {
      const { workspaceId, remainingMs } = fixture as FixtureAnswers['scheduledSync']
      const until = performance.now() + remainingMs
      this.#workspaces.set(workspaceId, { leastMs: 0 })
      this.#synced.add(workspaceId)
      this.#syncs.push({ workspaceId, leastUntil: until, mostUntil: until })
    }
    if (kind === 'workspace') {
      const { workspaceId, minimumSyncMs, maximumSyncMs } = fixture as FixtureAnswers['workspace']
      this.#workspaces.set(workspaceId, withoutUndefined({ leastMs: minimumSyncMs, mostMs: maximumSyncMs }))
    }
  }

  /** Whether the workspace was synced before, by the run or on schedule, or several syncs of it were requested. */
  wasSynced(workspaceId: string): boolean {
    return this.#synced.has(workspaceId)
  }

  /** The shortest duration of a sync of that workspace in ms. 0: unknown. */
  leastOf(workspaceId: string): number {
    return this.#workspaces.get(workspaceId)?.leastMs ?? 0
  }

  /** How long that workspace will be busy at least once a sync is requested. Undefined: unknown. */
  limitOf(workspaceId: string): SyncLimit | undefined {
    const leastMs = this.leastOf(workspaceId)
    const busyUntil = Math.max(0, ...this.underWay(workspaceId).map(({ leastUntil }) => leastUntil))
    if (leastMs === 0 && busyUntil === 0) return undefined
    return { leastMs, ...(busyUntil === 0 ? {} : { busyUntil }) }
  }

  /**
   * The longest duration of a sync of that workspace in ms: as its fixture says, or the longest measured one plus the
   * settle time. Before anything was measured, it grows while a sync keeps its client waiting.
   */
  longestOf(workspaceId: string): number {
    const { leastMs = 0, mostMs } = this.#workspaces.get(workspaceId) ?? {}
    return mostMs ?? leastMs + (this.#excessMs ?? Math.max(0, this.#waitNow - leastMs)) + this.#settleMs
  }

  /** Waits until a sync of that workspace that ran at that time must be over, by what the run knows then. */
  async untilOver(workspaceId: string, ranAt = performance.now()): Promise<void> {
    const leftMs = (): number => ranAt + this.longestOf(workspaceId) - performance.now()
    for (let left = leftMs(); left > 0; left = leftMs()) await sleep(left)
  }

  /** Whether that longest duration is from a fixture or a measurement. */
  knowsLongestOf(workspaceId: string): boolean {
    return this.#excessMs !== undefined || this.#workspaces.get(workspaceId)?.mostMs !== undefined
  }

  /** The longest wait for a sync so far, in ms. */
  get longestWait(): number {
    return Math.max(this.#longestWaitMs, this.#waitNow)
  }

  /** How long the sync without an answer that was asked first has kept its client waiting, in ms. */
  get #waitNow(): number {
    const now = performance.timeOrigin + performance.now()
    const waiting = this.#syncs.flatMap(({ asked }) =>
      asked === undefined || modeOf(this.#settled, asked.request) === 'asynchronous'
        ? []
        : [now - asked.begun.at],
    )
    return Math.max(0, ...waiting)
  }

  begins(asked: Asked): void {
    const { workspaceId } = asked.at
    if (workspaceId === undefined || !mayStart(asked)) return
    const others = this.underWay()
    const lone = !others.some((sync) => sync.workspaceId === workspaceId)
    asked.syncs = { lone, others: others.length > 0 }
    for (const { asked: other } of others) if (other?.syncs !== undefined) other.syncs.others = true
    if (!lone) this.#synced.add(workspaceId)
    this.#syncs.push({ workspaceId, leastUntil: 0, mostUntil: endless, asked })
  }

  broke(asked: Asked, error: unknown): void {
    this.#answered(asked)
    if (asked.syncs !== undefined && mayHaveArrived(error)) this.#mayRunFrom(performance.now(), asked)
  }

  came(exchange: RunExchange): void {
    const { asked, sentAt, answeredAt } = exchange
    const { workspaceId = '' } = asked.at
    const { syncs } = asked
    if (syncs === undefined) return
    this.#answered(asked)
    if (this.#syncs.length > 0) syncs.others = true
    if (mayHaveStarted(exchange)) this.#mayRunFrom(answeredAt, asked)
    if (!wasStarted(exchange)) return
    this.#synced.add(workspaceId)
    this.#longestWaitMs = Math.max(this.#longestWaitMs, took(exchange))
    const leastMs = this.leastOf(workspaceId)
    const waits = modeOf(this.#settled, asked.request) === 'synchronous' && !tooSoon(took(exchange), leastMs)
    if (waits && syncs.lone) this.#excessMs = Math.max(this.#excessMs ?? 0, took(exchange) - leastMs)
    // A synchronous answer that did not come too early means that the sync is over.
    if (waits && leastMs > 0) return
    const mostUntil = answeredAt + this.longestOf(workspaceId)
    this.#syncs.push({ workspaceId, leastUntil: syncs.lone ? sentAt + leastMs : 0, mostUntil })
  }

  #answered(asked: Asked): void {
    this.#syncs = this.#syncs.filter((sync) => sync.asked !== asked && mayRun(sync))
  }

  /** The answer to a sync was lost at that time, and the sync may be running. */
  #mayRunFrom(lostAt: number, { at: { workspaceId = '' } }: Asked): void {
    this.#synced.add(workspaceId)
    this.#syncs.push({ workspaceId, leastUntil: 0, mostUntil: lostAt + this.longestOf(workspaceId) })
  }

  /** The deployment says that no sync of that workspace is running. */
  over(workspaceId: string): void {
    this.#syncs = this.#syncs.filter((sync) => sync.workspaceId !== workspaceId)
  }

  /** Syncs of that workspace, or of any, that may still be running. */
  underWay(workspaceId?: string): SyncUnderWay[] {
    return this.#syncs.filter(
      (sync) => (workspaceId === undefined || sync.workspaceId === workspaceId) && mayRun(sync),
    )
  }
}

const mayRun = ({ mostUntil }: SyncUnderWay): boolean => mostUntil > performance.now()

/** Whether a request may start a sync: only by the initiator, and not with GET. */
const mayStart = ({ operation, actor, sent }: Asked): boolean =>
  operation === 'sync-workspace' && actor === 'syncInitiator' && sent.method !== 'GET'

/** Whether a sync was accepted. An answer larger than we read does not count. */
export const wasStarted = (answer: Answer): boolean => acceptanceIfRead(answer)?.accepted === true

/** Whether a gateway lost the answer to this request or to an earlier attempt, so that a sync may be running. */
const mayHaveStarted = (answer: Answer): boolean =>
  !wasStarted(answer) &&
  (answer.repeatedAfter !== undefined ||
    (busyIn(answer) !== undefined && [answer.status, errorCodeOf(answer)].some(isLost)))

/** Faults with which a request may have reached the target. */
const afterArrival: readonly TransportFault[] = ['timeout', 'broken', 'truncated', 'too-large', 'unavailable']

const mayHaveArrived = (error: unknown): boolean =>
  error instanceof TransportError && error.sentAt !== undefined && afterArrival.includes(error.fault)
