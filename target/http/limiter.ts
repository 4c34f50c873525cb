/** How many requests are under way at once, and how fast they follow each other. */
import type { HttpSettings } from '../configuration/configuration.ts'
import { Pace } from './pace.ts'

/** A place among the requests under way. */
export interface Slot {
  /** To be called when the request is handed to its connection, with the time of `performance.now()`. */
  sent(at: number): void
  /** To be called once, when the request is over. */
  release(): void
}

const limiters = new WeakMap<HttpSettings, Limiter>()

/** The limiter of these settings: one for all clients that have them, so that logins and checks keep them together. */
export function limiterOf(http: HttpSettings): Limiter {
  const known = limiters.get(http) ?? new Limiter(http.concurrency, http.requestsPerSecond)
  limiters.set(http, known)
  return known
}

/** Hands out slots first come, first served, to the urgent before all others; with a rate, the holders go at its pace. */
export class Limiter {
  readonly #waiting: (() => void)[] = []
  readonly #urgent: (() => void)[] = []
  readonly #pace: Pace | undefined
  #free: number

  /** Gives a slot to whoever has waited longest, the urgent first. */
  readonly #next = (): void => {
    const next = this.#urgent.shift() ?? this.#waiting.shift()
    if (next) next()
    else this.#free += 1
  }

  /** `perSecond` absent: as fast as slots become free. */
  constructor(slots: number, perSecond?: number) {
    this.#free = slots
    this.#pace = perSecond === undefined ? undefined : new Pace(perSecond)
  }

  /**
   * Resolves once the caller holds a slot and its turn has come; an aborted signal ends the wait for the turn.
   * Urgent is what measures time: it must not grow old in a queue.
   */
  async acquire(signal: AbortSignal, urgent = false): Promise<Slot> {
    const queue = urgent ? this.#urgent : this.#waiting
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => queue.push(resolve))
    const pace = this.#pace
    if (pace === undefined || !(await pace.turn(signal))) return new Place(this.#next)
    return new Place(this.#next, pace)
  }
}

class Place implements Slot {
  readonly #next: () => void
  #pace: Pace | undefined

  /** `pace`: there where a turn is to be given back. */
  constructor(next: () => void, pace?: Pace) {
    this.#next = next
    this.#pace = pace
  }

  sent(at: number): void {
    this.#pace?.over(at)
    this.#pace = undefined
  }

  release(): void {
    this.#pace?.over()
    this.#pace = undefined
    this.#next()
  }
}
