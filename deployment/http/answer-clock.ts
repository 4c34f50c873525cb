/** The time-outs of one exchange: one for the whole, and one for each phase that has one of its own. */
import type { HttpSettings } from '../configuration/configuration.ts'
import { formatDuration } from '../configuration/duration.ts'

export type ClockLimits = Pick<
  HttpSettings,
  'timeoutMs' | 'connectTimeoutMs' | 'headersTimeoutMs' | 'bodyTimeoutMs'
> & {
  /** Why the time-out is not the configured one. */
  readonly whyTimeout?: string
}

/** `gate`: the request waits for others before it is written, and only the time-out of the whole counts. */
type Phase = 'connect' | 'gate' | 'headers' | 'body'

const whatEnded = {
  connect: (limit: string) => `no connection within ${limit} (http.connectTimeout)`,
  headers: (limit: string) => `no answer had begun ${limit} after the request (http.headersTimeout)`,
  body: (limit: string) => `the answer stood still for ${limit} (http.bodyTimeout)`,
}

/** One timer in all: it is set for what may end first, and looks again when it fires. */
export class AnswerClock {
  readonly #limits: ClockLimits
  readonly #onEnd: (what: string) => void
  #phase: Phase = 'connect'
  #wholeEndsAt = 0
  #phaseEndsAt = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #firesAt = 0

  /** `onEnd` hears once, in one line, which time-out ended the exchange. */
  constructor(limits: ClockLimits, onEnd: (what: string) => void) {
    this.#limits = limits
    this.#onEnd = onEnd
  }

  /** Begins the time-out of the whole, anew where it ran already. */
  begin(phase: Phase): void {
    this.#wholeEndsAt = performance.now() + this.#limits.timeoutMs
    this.enter(phase)
  }

  /** Begins a phase; its time-out begins anew with each part of an answer. */
  enter(phase: Phase): void {
    this.#phase = phase
    const limit = this.#limitOf(phase)
    this.#phaseEndsAt = limit === undefined ? Number.POSITIVE_INFINITY : performance.now() + limit
    this.#set()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #limitOf(phase: Phase): number | undefined {
    return phase === 'gate' ? undefined : this.#limits[`${phase}TimeoutMs`]
  }

  #set(): void {
    const endsAt = Math.min(this.#wholeEndsAt, this.#phaseEndsAt)
    // A timer that fires earlier looks again: setting one for each part would cost more.
    if (this.#timer !== undefined && this.#firesAt <= endsAt) return
    clearTimeout(this.#timer)
    this.#firesAt = endsAt
    this.#timer = setTimeout(() => this.#look(), Math.ceil(endsAt - performance.now()))
  }

  #look(): void {
    this.#timer = undefined
    const now = performance.now()
    const limit = this.#limitOf(this.#phase)
    if (now >= this.#phaseEndsAt && limit !== undefined && this.#phase !== 'gate') {
      this.#onEnd(whatEnded[this.#phase](formatDuration(limit)))
    } else if (now >= this.#wholeEndsAt) this.#onEnd(this.#wholeEnded())
    else this.#set()
  }

  #wholeEnded(): string {
    const limit = formatDuration(this.#limits.timeoutMs)
    if (this.#phase === 'connect') return `no connection within ${limit} (http.timeout)`
    if (this.#limits.whyTimeout !== undefined)
      return `no complete answer within ${limit}, and it was ${this.#limits.whyTimeout}`
    return `no complete answer within ${limit} (a target that may take longer needs a longer http.timeout)`
  }
}
