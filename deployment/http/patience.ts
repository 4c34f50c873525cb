/** How long a run waits for what does not come, for each thing that is asked for: what fails again and again is waited for less. */
import type { HttpSettings } from '../configuration/configuration.ts'
import { formatDuration } from '../configuration/duration.ts'

/** Longest wait for a service that does not say when it is back, in milliseconds: it may be restarting. */
const longestUnaskedMs = 7000
/** How long one thing may be waited for in all, in milliseconds; requests that wait at the same time wait once. */
const mostUnaskedMs = 120_000
/** After so many time-outs a request waits no longer than others needed, by a good measure; in milliseconds where it is one. */
const timeoutsUntilShort = 3
const leastTimeoutMs = 500
const timesLongest = 4
/** After so many time-outs, and where they are at least such a share of all requests, nothing more is sent. */
const timeoutsUntilNone = 10
const shareUntilNone = 0.02

/** What to do about time-outs. */
export const timeoutAdvice = 'a target that may take longer needs a longer http.timeout'

interface Known {
  requests: number
  timeouts: number
  /** The longest wait for an answer that came, in milliseconds. */
  longestMs: number
  /** Requests in a row that were given up after they were put off. */
  givenUp: number
  unaskedMs: number
  /** Until then it is waited for, in ms of `performance.now()`. */
  waitingUntil: number
}

export class Patience {
  readonly #askedMs: number
  readonly #known = new Map<string, Known>()

  /** `throttleWaitMs`: how long one request is put off at most. */
  constructor({ throttleWaitMs }: Pick<HttpSettings, 'throttleWaitMs'>) {
    this.#askedMs = throttleWaitMs
  }

  /** An answer that can be judged came after so many milliseconds. */
  answered(about: string, tookMs: number): void {
    const known = this.#of(about)
    known.requests += 1
    known.givenUp = 0
    known.longestMs = Math.max(known.longestMs, tookMs)
  }

  timedOut(about: string): void {
    const known = this.#of(about)
    known.requests += 1
    known.timeouts += 1
  }

  /** A request was put off, and was not waited for any longer. */
  gaveUp(about: string): void {
    this.#of(about).givenUp += 1
  }

  /** The time-out of the next answer in milliseconds where it is shorter than the usual one of `usualMs`. */
  timeout(about: string, usualMs: number): number | undefined {
    const { timeouts, longestMs } = this.#of(about)
    if (timeouts < timeoutsUntilShort) return undefined
    const enough = Math.ceil(timesLongest * longestMs + leastTimeoutMs)
    return enough < usualMs ? enough : undefined
  }

  /** Why no more of it is sent, in one line; undefined where it is. */
  over(about: string): string | undefined {
    const { timeouts, requests } = this.#of(about)
    if (timeouts < timeoutsUntilNone || timeouts < requests * shareUntilNone) return undefined
    return `not sent: ${timeouts} of ${requests} requests of ${about} had no answer in time (${timeoutAdvice})`
  }

  /**
   * Whether a request that was put off for `waitedMs` is put off once more, for so long; notes it. `asked`: the target
   * said how long. Where requests were given up one after the other, the next is put off for less.
   */
  waits(
    about: string,
    { waitedMs, ms, asked }: { waitedMs: number; ms: number; asked: boolean },
    now = performance.now(),
  ): boolean {
    const known = this.#of(about)
    const longest = asked ? this.#askedMs : Math.min(longestUnaskedMs, this.#askedMs)
    if (waitedMs + ms > longest / 2 ** known.givenUp) return false
    if (asked) return true
    const moreMs = Math.max(0, now + ms - Math.max(now, known.waitingUntil))
    if (known.unaskedMs + moreMs > mostUnaskedMs) return false
    known.unaskedMs += moreMs
    known.waitingUntil = Math.max(known.waitingUntil, now + ms)
    return true
  }

  /** Why a request was waited for less than the usual time-out of `usualMs`. */
  shortened(about: string, usualMs: number): string {
    const { timeouts } = this.#of(about)
    return `waited for no longer, since ${timeouts} requests of ${about} had no answer within ${formatDuration(usualMs)} or less (${timeoutAdvice})`
  }

  #of(about: string): Known {
    const nothing = { requests: 0, timeouts: 0, longestMs: 0, givenUp: 0, unaskedMs: 0, waitingUntil: 0 }
    const known = this.#known.get(about) ?? nothing
    this.#known.set(about, known)
    return known
  }
}
