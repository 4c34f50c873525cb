/**
 * Syncs that were refused, or held, for no other reason than syncs of this run: what the contract leaves open there is
 * not held against the target. A permitted sync that is refused while one of them may be why is asked for again; where
 * syncs of different workspaces hold each other up, they take turns.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { took } from '../../clauses/timing.ts'
import { retryAfterMs } from '../../deployment/http/pace.ts'
import { vainOften } from '../effort.ts'
import { isOfTheTarget, NotTested, Unproven } from '../findings.ts'
import { Lanes } from '../lanes.ts'
import type { RunExchange } from '../log/exchange.ts'
import { type SyncTimes, type SyncUnderWay, wasStarted } from './sync-times.ts'

/** The first repetition comes soon, all others when something may have changed; in ms. */
const firstPauseMs = 20
const mostPauseMs = 250

/** For an end that a busy machine is late with; in ms. */
const leastGraceMs = 500
const leastOwnGraceMs = 1500
const mostGraceMs = 10_000

/** An answer is late by more than the unrest of a busy machine, in ms. */
const noticeablyMs = 200

/** Held up so often: no accident. */
const heldOften = 2

/** Went on beside each other so often in a row: they do not hold each other up after all. */
const besideOften = 4

/** What a run spends on taking turns: so many ms, or so many times the longest sync where that is more. */
const budgetMs = 30_000
const budgetSyncs = 30

type Send = () => Promise<RunExchange>

export interface SyncAsked {
  readonly workspaceId: string
  /** Whether it is a sync that may be expected to be accepted, so that a refusal asks for a reason. */
  readonly permitted: boolean
  /** Whether it is asked for again where other syncs of the run may be why it was refused. */
  readonly patient: boolean
}

/** What waiting was good for. */
interface Experience {
  helped: number
  vain: number
}

export class SyncTurns {
  readonly #times: SyncTimes
  /** Of a sync behind another of its own workspace, and behind those of others. */
  readonly #own: Experience = { helped: 0, vain: 0 }
  readonly #others: Experience = { helped: 0, vain: 0 }
  readonly #lane = new Lanes(1)
  #taken = false
  /** So many want quiet now. */
  #quieted = 0
  #refused = 0
  #heldUp = 0
  #beside = 0
  /** So often one must be refused beside others before turns are taken; twice as often each time that was wrong. */
  #doubt = 1
  #quickestMs = Number.POSITIVE_INFINITY
  #spentMs = 0

  constructor(times: SyncTimes) {
    this.#times = times
  }

  /** Whether syncs are seen to be accepted, or answered, only once others of other workspaces are over. */
  get holdUp(): boolean {
    return this.#taken && this.#others.helped + this.#heldUp >= heldOften
  }

  /** Whether turns are taken now. */
  get taken(): boolean {
    return this.#taken
  }

  /**
   * The answer to a sync. Where other syncs of the run may be why it was refused it is asked for again; the last
   * answer counts. Rejects with `NotTested` where all the time for waiting is used up.
   */
  async of(asked: SyncAsked, send: Send): Promise<RunExchange> {
    if (!asked.patient) return this.#send(asked, send)
    if (this.#inTurns) return this.#inTurn(() => this.#untilAccepted(asked, send, 'any'))
    const answer = await this.#send(asked, send)
    if (wasStarted(answer)) return answer
    if (this.#times.wasSynced(asked.workspaceId))
      return this.#mayHelp(this.#own) ? this.#untilAccepted(asked, send, 'own') : answer
    if (!answer.asked.syncs?.others || !this.#mayHelp(this.#others)) return answer
    const again = () => this.#untilAccepted(asked, send, 'any')
    return this.#inTurns ? this.#inTurn(again) : again()
  }

  /**
   * What measures syncs, or asks for one while another runs: where turns are taken it has all to itself. Whatever it
   * syncs it asks for `once`.
   */
  async alone<T>(scenario: () => Promise<T>): Promise<T> {
    if (!this.#inTurns) {
      const beside = this.#times.underWay().length > 0
      try {
        return await scenario()
      } catch (error) {
        // Only now it shows that another sync may have been in the way.
        const met = beside || this.#times.underWay().length > 0
        const inTheWay = met && error instanceof Unproven && this.#mayHelp(this.#others)
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
        if (sure || !isOfTheTarget(error)) throw error
      }
      // A sync may end a moment after it should have.
      await sleep(mostPauseMs)
      await this.#quiet(({ mostUntil }) => mostUntil)
      return scenario()
    })
  }

  /** The same, and nothing of the run syncs beside it: for what would be a finding. */
  async inQuiet<T>(scenario: () => Promise<T>): Promise<T> {
    this.#quieted += 1
    try {
      return await this.#inTurn(async () => {
        await this.#quiet(({ mostUntil }) => mostUntil)
        return scenario()
      })
    } finally {
      this.#quieted -= 1
    }
  }

  get #inTurns(): boolean {
    return this.#taken || this.#quieted > 0
  }

  /** Until all are over, by that reckoning. */
  async #quiet(end: (sync: SyncUnderWay) => number): Promise<void> {
    const ends = () => this.#times.underWay().map(end)
    for (let left = 1; left > 0; ) {
      left = Math.max(0, ...ends()) - performance.now()
      if (left > 0) await this.#wait(Math.min(left, mostPauseMs))
    }
  }

  #inTurn<T>(what: () => Promise<T>): Promise<T> {
    return this.#lane.run(() => {
      const budget = Math.max(budgetMs, budgetSyncs * this.#times.longest)
      if (this.#spentMs < budget) return what()
      const spent = `${Math.round(this.#spentMs / 1000)} s`
      throw new NotTested(
        `left untested: syncs hold each other up here, and the time of a run for taking turns (${spent}) is used up; offer workspaces whose syncs are short`,
        ['fixtures.workspace'],
      )
    })
  }

  /** Asks until it is accepted, or nothing is in the way any more. */
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
      if (!this.#mayHelp(experience)) return answer
      const grace = Math.min(retryAfterMs(answer) ?? this.#graceMs(asked), mostGraceMs)
      if (quietSince !== undefined && performance.now() - quietSince >= grace) {
        experience.vain += 1
        if (!this.#mayHelp(experience) && by === 'any') this.#goFreely()
        return answer
      }
      const pauseMs = time === 0 ? firstPauseMs : untilChange(inTheWay())
      await (by === 'own' ? sleep(pauseMs) : this.#wait(pauseMs))
    }
  }

  #goFreely(): void {
    this.#taken = false
    this.#doubt *= 2
    this.#refused = 0
    this.#heldUp = 0
    this.#beside = 0
  }

  #mayHelp({ helped, vain }: Experience): boolean {
    return helped > 0 || vain < vainOften
  }

  /** How long a refusal may go on after all syncs are over. */
  #graceMs({ workspaceId }: SyncAsked): number {
    // Where none was ever accepted, those of the run are hardly the reason.
    if (this.#times.accepted && this.#times.wasSynced(workspaceId))
      return Math.max(leastOwnGraceMs, 3 * this.#times.longestOf(workspaceId))
    return leastGraceMs
  }

  /** Waits at the cost of what the run may spend on it. */
  async #wait(forMs: number): Promise<void> {
    this.#spentMs += forMs
    await sleep(forMs)
  }

  async #send({ permitted }: SyncAsked, send: Send): Promise<RunExchange> {
    const exchange = await send()
    // Behind another sync of its own workspace it may be refused or held for that.
    if (permitted && exchange.asked.syncs?.first) this.#learn(exchange, exchange.asked.syncs.others)
    return exchange
  }

  /** From a sync that was asked for while others, of other workspaces, may have been running. */
  #learn(answer: RunExchange, beside: boolean): void {
    const { workspaceId = '' } = answer.asked.at
    const isAsynchronous = this.#times.modeOf(answer) === 'asynchronous'
    if (!wasStarted(answer)) {
      this.#beside = 0
      if (beside) this.#refused += 1
      if (this.#refused >= this.#doubt && this.#mayHelp(this.#others)) this.#taken = true
      return
    }
    // Held up by them, unless all answers take as long, or as long as their own sync.
    const ownMs = this.#times.leastOf(workspaceId) + 3 * this.#quickestMs
    if (isAsynchronous && beside && took(answer) > ownMs + noticeablyMs) {
      this.#beside = 0
      this.#heldUp += 1
      if (this.#heldUp >= heldOften) this.#taken = true
    } else if (this.#taken && beside) {
      this.#beside += 1
      if (this.#beside >= besideOften) this.#goFreely()
    }
    if (isAsynchronous) this.#quickestMs = Math.min(this.#quickestMs, took(answer))
  }
}

/** Until the first of them can be over, or else a little while; in ms. */
function untilChange(syncs: readonly SyncUnderWay[]): number {
  const ends = syncs.map(({ leastUntil }) => leastUntil - performance.now()).filter((left) => left > 0)
  return Math.max(firstPauseMs, Math.min(mostPauseMs, ...(ends.length > 0 ? ends : [mostPauseMs / 5])))
}
