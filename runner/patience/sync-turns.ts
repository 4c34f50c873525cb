/**
 * Syncs that are refused or delayed only because of other syncs of this run. The contract leaves that open, so it is
 * not held against the target: a refused permitted sync is retried until no other one can be the reason, and if that
 * helps with syncs of different workspaces, they take turns.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { retryAfterMs } from '../../deployment/http/pace.ts'
import { attemptsWithoutSuccess } from '../effort.ts'
import { Finding, isOfTheTarget, NothingSent } from '../findings.ts'
import { Lanes } from '../lanes.ts'
import { asExchange, type RunExchange } from '../log/run-log.ts'
import { type SyncTimes, type SyncUnderWay, wasStarted } from './sync-times.ts'

/** The first retry comes soon, later ones when something may have changed. */
const firstPauseMs = 20
const mostPauseMs = 250
/** The pauses if no end is known: a twentieth of the longest sync, within these limits. */
const [leastPauseMs, longestPauseMs] = [50, 1000] as const
const pauseShare = 1 / 20

/** How long a sync may be over before a refusal counts: a busy machine may notice the end late. */
const leastGraceMs = 500
const leastOwnGraceMs = 1500
const mostGraceMs = 10_000

/** After this many refusals that ended with other syncs, syncs take turns. One may be flaky. */
const helpedNeeded = 2

/** More than ever run beside each other. Who takes all lanes is alone. */
const allLanes = 10_000

type Send = () => Promise<RunExchange>

export interface SyncAsked {
  readonly workspaceId: string
  /** Whether a refusal is retried if other syncs may be the reason. */
  readonly patient: boolean
}

/** Which syncs a refused one waits for: those of its own workspace, or those of any. */
type Before = 'own' | 'any'

export class SyncTurns {
  readonly #times: SyncTimes
  /** How often waiting helped and failed. */
  readonly #waits: Readonly<Record<Before, { helped: number; failed: number }>> = {
    own: { helped: 0, failed: 0 },
    any: { helped: 0, failed: 0 },
  }
  /** Syncs and scenarios take one lane each, so that they run beside each other, or all of them. */
  readonly #lanes = new Lanes(allLanes)
  /** Why the run no longer learns when syncs end. */
  #blind: NothingSent | undefined

  constructor(times: SyncTimes) {
    this.#times = times
  }

  /** Whether syncs of different workspaces block each other, so that they take turns. */
  get taken(): boolean {
    return this.#waits.any.helped >= helpedNeeded
  }

  /** The answer to a sync. If other syncs may be the reason of a refusal, it is retried, and the last answer counts. */
  async of({ workspaceId, patient }: SyncAsked, send: Send): Promise<RunExchange> {
    if (!patient) return send()
    const behindAny = () => this.#lanes.run(() => this.#untilAccepted(workspaceId, send, 'any'), allLanes)
    if (this.taken) return behindAny()
    const answer = await this.#lanes.run(send)
    if (wasStarted(answer)) return answer
    if (this.#times.wasSynced(workspaceId))
      return this.#mayHelpToWait('own') ? this.#untilAccepted(workspaceId, send, 'own') : answer
    return answer.asked.syncs?.others && this.#mayHelpToWait('any') ? behindAny() : answer
  }

  /**
   * Runs a scenario that measures syncs, or requests one while another runs. If another sync may have been in its way,
   * it runs again in quiet. The scenario must send its syncs with `once`.
   */
  async alone<T>(scenario: () => Promise<T>): Promise<T> {
    const isBeside = () => this.#times.underWay().length > 0
    const before = isBeside()
    if (!this.taken)
      try {
        return await this.#lanes.run(scenario)
      } catch (error) {
        this.#unlessDueToOthers(error, before || isBeside())
      }
    try {
      return await this.inQuiet(scenario)
    } catch (error) {
      // A sync that was on its way when the quiet began may have been in the way as well.
      this.#unlessDueToOthers(error, true)
      return this.inQuiet(scenario)
    }
  }

  /** Runs a scenario while no other sync of the run is running: for what would be a finding. */
  inQuiet<T>(scenario: () => Promise<T>): Promise<T> {
    return this.#lanes.run(async () => {
      for (let last = this.#times.underWay(); last.length > 0; last = this.#times.underWay()) {
        if (this.#blind !== undefined) throw this.#blind
        await sleep(Math.min(untilLast(last), mostPauseMs))
      }
      return scenario()
    }, allLanes)
  }

  /** Throws the error unless other syncs may be its reason. If nothing more is sent, their ends stay unknown. */
  #unlessDueToOthers(error: unknown, beside: boolean): void {
    if (error instanceof NothingSent) this.#blind = error
    else if (mayBeDueToOthers(error, beside)) return
    throw error
  }

  /** Retries a sync until it is accepted, or nothing else can be the reason. */
  async #untilAccepted(workspaceId: string, send: Send, before: Before): Promise<RunExchange> {
    const waits = this.#waits[before]
    const inTheWay = () => this.#times.underWay(before === 'own' ? workspaceId : undefined)
    let quietSince: number | undefined
    for (let time = 0; ; time += 1) {
      quietSince = inTheWay().length > 0 ? undefined : (quietSince ?? performance.now())
      const answer = await send()
      if (wasStarted(answer)) {
        if (time > 0 || before === 'own') waits.helped += 1
        return answer
      }
      if (!this.#mayHelpToWait(before)) return answer
      const grace = Math.min(retryAfterMs(answer) ?? this.#graceMs(workspaceId), mostGraceMs)
      if (quietSince !== undefined && performance.now() - quietSince >= grace) {
        waits.failed += 1
        return answer
      }
      await sleep(time === 0 ? firstPauseMs : untilChange(inTheWay(), this.#times.longestOf(workspaceId)))
    }
  }

  #mayHelpToWait(before: Before): boolean {
    const { helped, failed } = this.#waits[before]
    return helped > 0 || failed < attemptsWithoutSuccess
  }

  /** How long a refusal may go on after all other syncs are over. */
  #graceMs(workspaceId: string): number {
    if (!this.#times.wasSynced(workspaceId)) return leastGraceMs
    return Math.max(leastOwnGraceMs, 3 * this.#times.longestOf(workspaceId))
  }
}

/** Whether another sync may be the reason of the error. A wrong acceptance has no other reason than the target. */
function mayBeDueToOthers(error: unknown, beside: boolean): boolean {
  if (!(error instanceof Finding)) return beside && isOfTheTarget(error)
  const last = asExchange(error.grounds.answers.at(-1))
  return last?.asked.syncs !== undefined && (beside || last.asked.syncs.others) && !wasStarted(last)
}

/** How long until all of these syncs must be over, in ms. */
const untilLast = (syncs: readonly SyncUnderWay[]): number =>
  Math.max(...syncs.map(({ mostUntil }) => mostUntil)) - performance.now()

/** How long to wait until the next sync may be over, in ms. `longestMs`: how long a sync takes at most. */
function untilChange(syncs: readonly SyncUnderWay[], longestMs: number): number {
  const ends = syncs.map(({ leastUntil }) => leastUntil - performance.now()).filter((left) => left > 0)
  if (ends.length === 0) return Math.min(longestPauseMs, Math.max(leastPauseMs, longestMs * pauseShare))
  return Math.max(firstPauseMs, Math.min(mostPauseMs, ...ends))
}
