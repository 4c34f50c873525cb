/**
 * Syncs that are refused or delayed only because of other syncs of this run. The contract leaves that open, so it is
 * not held against the target: a refused permitted sync is retried, and if syncs of different workspaces block each
 * other, they take turns.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { took } from '../../clauses/syncs.ts'
import { retryAfterMs } from '../../deployment/http/pace.ts'
import { attemptsWithoutSuccess } from '../effort.ts'
import { Finding, isOfTheTarget, NothingSent, NotTested, Unproven } from '../findings.ts'
import { Lanes } from '../lanes.ts'
import { asExchange, type RunExchange } from '../log/run-log.ts'
import { type SyncTimes, type SyncUnderWay, wasStarted } from './sync-times.ts'

/** The first retry comes soon, later ones when something may have changed. */
const firstPauseMs = 20
const mostPauseMs = 250

/** How long a sync may be over before a refusal counts: a busy machine may notice the end late. */
const leastGraceMs = 500
const leastOwnGraceMs = 1500
const mostGraceMs = 10_000

/** A larger delay is more than the noise of a busy machine. */
const noticeableDelayMs = 200

/** Two delays are no accident. */
const delaysNeeded = 2

/** After this many syncs side by side in a row, syncs do not block each other. */
const besidesNeeded = 4

/** The time that a run spends on turns: this many ms, or this many times the longest sync if that is more. */
const budgetMs = 30_000
const budgetSyncs = 30

type Send = () => Promise<RunExchange>

export interface SyncAsked {
  readonly workspaceId: string
  /** Whether the sync should be accepted, so that a refusal needs a reason. */
  readonly permitted: boolean
  /** Whether a refusal is retried if other syncs may be the reason. */
  readonly patient: boolean
}

/** How often waiting helped and failed. */
interface Outcomes {
  helped: number
  failed: number
}

export class SyncTurns {
  readonly #times: SyncTimes
  /** For a sync behind one of its own workspace, and behind those of others. */
  readonly #own: Outcomes = { helped: 0, failed: 0 }
  readonly #others: Outcomes = { helped: 0, failed: 0 }
  readonly #lane = new Lanes(1)
  #taken = false
  /** How many callers of `inQuiet` there are now. */
  #inQuiet = 0
  #refused = 0
  #heldUp = 0
  #beside = 0
  /**
   * How many refusals beside other syncs it takes until syncs take turns. Doubled each time that turns were
   * unnecessary.
   */
  #refusalsNeeded = 1
  #quickestMs = Number.POSITIVE_INFINITY
  #spentMs = 0
  /** Why the run no longer learns when syncs end. */
  #blind: NothingSent | undefined

  constructor(times: SyncTimes) {
    this.#times = times
  }

  /** Whether syncs of different workspaces block each other. */
  get holdUp(): boolean {
    return this.#taken && this.#others.helped + this.#heldUp >= delaysNeeded
  }

  /** Whether syncs take turns now. */
  get taken(): boolean {
    return this.#taken
  }

  /**
   * The answer to a sync. If other syncs may be the reason of a refusal, it is retried, and the last answer counts.
   * Rejects with `NotTested` if the time for turns is used up.
   */
  async of(asked: SyncAsked, send: Send): Promise<RunExchange> {
    if (!asked.patient) return this.#send(asked, send)
    if (this.#takesTurns) return this.#inTurn(() => this.#untilAccepted(asked, send, 'any'))
    const answer = await this.#send(asked, send)
    if (wasStarted(answer)) return answer
    if (this.#times.wasSynced(asked.workspaceId))
      return this.#mayHelpToWait(this.#own) ? this.#untilAccepted(asked, send, 'own') : answer
    if (!answer.asked.syncs?.others || !this.#mayHelpToWait(this.#others)) return answer
    const again = () => this.#untilAccepted(asked, send, 'any')
    return this.#takesTurns ? this.#inTurn(again) : again()
  }

  /**
   * Runs a scenario that measures syncs, or requests one while another runs. With turns, no other sync runs meanwhile.
   * The scenario must send its syncs with `once`.
   */
  async alone<T>(scenario: () => Promise<T>): Promise<T> {
    if (!this.#takesTurns) {
      const beside = this.#times.underWay().length > 0
      try {
        return await scenario()
      } catch (error) {
        this.#unlessBlind(error)
        // Only now do we know that another sync may have been in the way.
        const met = beside || this.#times.underWay().length > 0
        if (isRefusedSync(error, met)) return this.inQuiet(scenario)
        const inTheWay = met && error instanceof Unproven && this.#mayHelpToWait(this.#others)
        if (!inTheWay && !(this.#taken && isOfTheTarget(error))) throw error
      }
    }
    return this.#inTurn(async () => {
      const waited = this.#times.underWay().length > 0
      await this.#quiet(({ likelyUntil }) => likelyUntil)
      const sure = !waited && this.#times.underWay().length === 0
      try {
        return await scenario()
      } catch (error) {
        this.#unlessBlind(error)
        if (sure || !isOfTheTarget(error)) throw error
      }
      // A sync may end a moment late.
      await sleep(mostPauseMs)
      await this.#quiet(({ mostUntil }) => mostUntil)
      return scenario()
    })
  }

  /** Runs a scenario while no other sync of the run is running: for what would be a finding. */
  async inQuiet<T>(scenario: () => Promise<T>): Promise<T> {
    this.#inQuiet += 1
    try {
      return await this.#inTurn(async () => {
        await this.#quiet(({ mostUntil }) => mostUntil)
        return scenario()
      })
    } finally {
      this.#inQuiet -= 1
    }
  }

  /** Throws the error if nothing more is sent: other syncs are not the reason, and the end of theirs stays unknown. */
  #unlessBlind(error: unknown): void {
    if (!(error instanceof NothingSent)) return
    this.#blind = error
    throw error
  }

  get #takesTurns(): boolean {
    return this.#taken || this.#inQuiet > 0
  }

  /** Waits until all syncs are over by that estimate. */
  async #quiet(end: (sync: SyncUnderWay) => number): Promise<void> {
    const ends = () => this.#times.underWay().map(end)
    for (let left = 1; left > 0; ) {
      left = Math.max(0, ...ends()) - performance.now()
      if (left > 0 && this.#blind !== undefined) throw this.#blind
      if (left > 0) await this.#wait(Math.min(left, mostPauseMs))
    }
  }

  #inTurn<T>(what: () => Promise<T>): Promise<T> {
    return this.#lane.run(() => {
      const budget = Math.max(budgetMs, budgetSyncs * this.#times.longest)
      if (this.#spentMs < budget) return what()
      const spent = `${Math.round(this.#spentMs / 1000)} s`
      throw new NotTested(
        `syncs were refused or answered later while other syncs were running, and the time for one sync at a time (${spent}) is used up: offer workspaces with short syncs`,
        ['fixtures.workspace'],
      )
    })
  }

  /** Retries a sync until it is accepted, or nothing else can be the reason. */
  async #untilAccepted(asked: SyncAsked, send: Send, by: 'own' | 'any'): Promise<RunExchange> {
    const experience = by === 'own' ? this.#own : this.#others
    const inTheWay = () => this.#times.underWay(by === 'own' ? asked.workspaceId : undefined)
    let quietSince: number | undefined
    for (let time = 0; ; time += 1) {
      quietSince = inTheWay().length > 0 ? undefined : (quietSince ?? performance.now())
      const answer = await this.#send(asked, send)
      if (wasStarted(answer)) {
        if (time > 0 || by === 'own') experience.helped += 1
        return answer
      }
      if (!this.#mayHelpToWait(experience)) return answer
      const grace = Math.min(retryAfterMs(answer) ?? this.#graceMs(asked), mostGraceMs)
      if (quietSince !== undefined && performance.now() - quietSince >= grace) {
        experience.failed += 1
        if (!this.#mayHelpToWait(experience) && by === 'any') this.#endTurns()
        return answer
      }
      const pauseMs = time === 0 ? firstPauseMs : untilChange(inTheWay())
      await (by === 'own' ? sleep(pauseMs) : this.#wait(pauseMs))
    }
  }

  #endTurns(): void {
    this.#taken = false
    this.#refusalsNeeded *= 2
    this.#refused = 0
    this.#heldUp = 0
    this.#beside = 0
  }

  #mayHelpToWait({ helped, failed }: Outcomes): boolean {
    return helped > 0 || failed < attemptsWithoutSuccess
  }

  /** How long a refusal may go on after all other syncs are over. */
  #graceMs({ workspaceId }: SyncAsked): number {
    // If none was ever accepted, other syncs are hardly the reason.
    if (this.#times.accepted && this.#times.wasSynced(workspaceId))
      return Math.max(leastOwnGraceMs, 3 * this.#times.longestOf(workspaceId))
    return leastGraceMs
  }

  /** Waits, and counts the time against the budget. */
  async #wait(forMs: number): Promise<void> {
    this.#spentMs += forMs
    await sleep(forMs)
  }

  async #send({ permitted }: SyncAsked, send: Send): Promise<RunExchange> {
    const exchange = await send()
    // Only a first sync: another sync of the same workspace may be the reason otherwise.
    if (permitted && exchange.asked.syncs?.first) this.#learn(exchange, exchange.asked.syncs.others)
    return exchange
  }

  /** Learns from a sync that was sent while syncs of other workspaces may have been running. */
  #learn(answer: RunExchange, beside: boolean): void {
    const { workspaceId = '' } = answer.asked.at
    const isAsynchronous = this.#times.modeOf(answer) === 'asynchronous'
    if (!wasStarted(answer)) {
      this.#beside = 0
      if (beside) this.#refused += 1
      if (this.#refused >= this.#refusalsNeeded && this.#mayHelpToWait(this.#others)) this.#taken = true
      return
    }
    // Delayed by others, unless all answers take that long.
    const ownMs = this.#times.leastOf(workspaceId) + 3 * this.#quickestMs
    if (isAsynchronous && beside && took(answer) > ownMs + noticeableDelayMs) {
      this.#beside = 0
      this.#heldUp += 1
      if (this.#heldUp >= delaysNeeded) this.#taken = true
    } else if (this.#taken && beside) {
      this.#beside += 1
      if (this.#beside >= besidesNeeded) this.#endTurns()
    }
    if (isAsynchronous) this.#quickestMs = Math.min(this.#quickestMs, took(answer))
  }
}

/** Whether the finding rests on a refused permitted sync, and another sync may be the reason. */
function isRefusedSync(error: unknown, met: boolean): boolean {
  const last = error instanceof Finding ? asExchange(error.grounds.answers.at(-1)) : undefined
  return last?.asked.syncs !== undefined && (met || last.asked.syncs.others) && !wasStarted(last)
}

/** How long to wait until the next sync may be over, in ms. */
function untilChange(syncs: readonly SyncUnderWay[]): number {
  const ends = syncs.map(({ leastUntil }) => leastUntil - performance.now()).filter((left) => left > 0)
  return Math.max(firstPauseMs, Math.min(mostPauseMs, ...(ends.length > 0 ? ends : [mostPauseMs / 5])))
}
