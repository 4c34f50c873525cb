/** Waiting in a check: for a time, or until an answer is as expected. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isAccepted } from '../../clauses/acceptance.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { isQuick, looks } from '../effort.ts'

const pollMs = 50
/** A page is read again after this part of the time that it was read for. */
const pollShare = 1 / 20

/** The shortest and longest wait for late effects in ms. Quick runs wait no longer than the settle time. */
const shortestLaterMs = 1_500
const longestLaterMs = 2_000

export class Wait {
  readonly #settleMs: number
  /** How long to wait for late effects: a change that is undone, or a refused request that takes effect. */
  readonly laterMs: number

  constructor(run: Pick<Configuration['run'], 'settleMs' | 'runs'>) {
    this.#settleMs = run.settleMs
    this.laterMs = Math.max(Math.min(run.settleMs, longestLaterMs), isQuick(run) ? 0 : shortestLaterMs)
  }

  for(ms: number): Promise<void> {
    return sleep(ms)
  }

  /** Waits a moment before the same page is read again: longer where that has gone on for long. */
  moment(soFarMs = 0): Promise<void> {
    return this.for(Math.max(pollMs, soFarMs * pollShare))
  }

  /** Waits until that time in ms of `performance.now()`. */
  until(time: number): Promise<void> {
    return this.for(Math.max(0, time - performance.now()))
  }

  /** Waits until a change shows everywhere. */
  settle(): Promise<void> {
    return this.for(this.#settleMs)
  }

  /** Waits until late effects would have shown. */
  later(): Promise<void> {
    return this.for(this.laterMs)
  }

  /**
   * Repeats a request until its answer is as wanted, for at most `times` settle times, and at least that often. Returns
   * the last answer.
   */
  async retryUntil(
    ask: () => Promise<Answer>,
    wanted: (answer: Answer) => boolean,
    times = 1,
    least = 1,
  ): Promise<Answer> {
    const forMs = this.#settleMs * times
    const until = performance.now() + forMs
    for (let asked = 1; ; asked += 1) {
      // The last request is sent when the time is over, because an earlier one may have been delayed by others.
      const isLast = asked >= least && performance.now() >= until
      const answer = await ask()
      // If an answer was lost, its request may have been performed; then all later ones are refused.
      const { repeatedAfter, request } = answer
      const mayBeDone = repeatedAfter !== undefined && request.method === 'POST' && !isAccepted(answer)
      if (wanted(answer) || mayBeDone || isLast) return answer
      await this.for(Math.min(pollMs, forMs))
    }
  }

  /** Repeats a request in a row until it is accepted, because one of several servers may answer otherwise. */
  untilAccepted(ask: () => Promise<Answer>, most: number = looks.few): Promise<Answer> {
    return this.retryUntil(ask, isAccepted, 0, most)
  }
}
