/** How long a run waits for answers. It waits less for kinds of requests that keep failing. */
import type { HttpSettings } from '../configuration/configuration.ts'

/** Longest wait for a service that may be restarting and does not say how long, in milliseconds. */
const longestUnaskedMs = 7000
/** After this many time-outs, if they are at least this share of all requests, no more requests of the kind are sent. */
const timeoutsUntilNone = 10
const shareUntilNone = 0.02

/** Advice about time-outs. */
export const timeoutAdvice = 'a target that may take longer needs a longer http.timeout'

interface Known {
  requests: number
  timeouts: number
  /** Consecutive requests that were given up because of throttling. */
  givenUp: number
}

export class Patience {
  readonly #askedMs: number
  readonly #known = new Map<string, Known>()

  /** `throttleWaitMs`: the longest total wait for one throttled request. */
  constructor({ throttleWaitMs }: Pick<HttpSettings, 'throttleWaitMs'>) {
    this.#askedMs = throttleWaitMs
  }

  answered(about: string): void {
    const known = this.#of(about)
    known.requests += 1
    known.givenUp = 0
  }

  timedOut(about: string): void {
    const known = this.#of(about)
    known.requests += 1
    known.timeouts += 1
  }

  /** Notes a request that the run gave up waiting for. */
  gaveUp(about: string): void {
    this.#of(about).givenUp += 1
  }

  /** Why no more requests of the kind are sent, in one line. Undefined: they are. */
  over(about: string): string | undefined {
    const { timeouts, requests } = this.#of(about)
    if (timeouts < timeoutsUntilNone || timeouts < requests * shareUntilNone) return undefined
    return `not sent: ${timeouts} of ${requests} requests of ${about} had no answer in time (${timeoutAdvice})`
  }

  /**
   * Whether a request that has waited for `waitedMs` may wait for `ms` more. `asked`: the target said how long. Each
   * request that was given up halves the wait of the next.
   */
  waits(about: string, { waitedMs, ms, asked }: { waitedMs: number; ms: number; asked: boolean }): boolean {
    const longest = asked ? this.#askedMs : Math.min(longestUnaskedMs, this.#askedMs)
    return waitedMs + ms <= longest / 2 ** this.#of(about).givenUp
  }

  #of(about: string): Known {
    const nothing = { requests: 0, timeouts: 0, givenUp: 0 }
    const known = this.#known.get(about) ?? nothing
    this.#known.set(about, known)
    return known
  }
}
