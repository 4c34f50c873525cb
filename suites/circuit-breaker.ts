/** Ends a run whose target has gone: after many broken exchanges in a row nothing more is sent. */
import type { CheckResult } from './check-result.ts'

/** After so many exchanges in a row that broke, the target counts as gone. */
const mostInARow = 20

const why = `nothing more is sent after ${mostInARow} broken exchanges in a row`

export class CircuitBreaker {
  readonly #gone = new AbortController()
  #broken = 0
  #lastFault = ''
  #heldAt = Number.NEGATIVE_INFINITY

  /** Aborted once the target counts as gone. */
  get signal(): AbortSignal {
    return this.#gone.signal
  }

  /** Why nothing more is sent, in one line. */
  get reason(): string {
    return `${why}; the last: ${this.#lastFault}`
  }

  /** An answer came, whatever it says. */
  held(): void {
    this.#broken = 0
    this.#heldAt = performance.now()
  }

  /** An exchange broke; `since`: counted only where nothing was answered from then on, in ms of `performance.now()`. */
  broke(fault: string, since = Number.POSITIVE_INFINITY): void {
    if (this.#heldAt > since) return
    this.#broken += 1
    this.#lastFault = fault
    if (this.#broken >= mostInARow) this.#gone.abort()
  }
}

/** Why nothing more was sent, where that kept any of these checks from being judged. */
export function stopOf(checks: readonly Pick<CheckResult, 'reason'>[]): string | undefined {
  return checks.find(({ reason }) => reason?.startsWith(why))?.reason
}
