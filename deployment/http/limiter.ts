/** How many requests are under way at once, and how fast they follow each other. */
import type { HttpSettings } from '../configuration/configuration.ts'
import { Pace, PaceOfTarget } from './pace.ts'

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

/**
 * Hands out slots first come, first served, to the urgent before all others; with a rate, the holders go at its pace,
 * and at that of the target where it is slower.
 */
export class Limiter {
  readonly #waiting: (() => void)[] = []
  readonly #urgent: (() => void)[] = []
  readonly #mostPerSecond: number
  readonly #target = new PaceOfTarget()
  #pace: Pace | undefined
  #free: number

  /** `perSecond` absent: as fast as slots become free. */
  constructor(slots: number, perSecond?: number) {
    this.#free = slots
    this.#mostPerSecond = perSecond ?? Number.POSITIVE_INFINITY
    this.#pace = perSecond === undefined ? undefined : new Pace(perSecond)
  }

  /** The pace that the target keeps up with, in requests per second; undefined: it never said that it was too fast. */
  get found(): number | undefined {
    return this.#target.perSecond
  }

  /** The target served a request. */
  served(now: number): void {
    if (this.#target.served(now)) this.#follow()
  }

  /** The target turned a request away that was sent then, and is not asked for so long where it asked that of all. */
  turnedAway(sentAt: number, waitMs: number): void {
    const now = performance.now()
    if (!this.#target.turnedAway(now, sentAt)) return
    this.#follow()
    this.#pace?.holdUntil(now + waitMs)
  }

  #follow(): void {
    const perSecond = Math.min(this.#mostPerSecond, this.#target.perSecond ?? Number.POSITIVE_INFINITY)
    if (this.#pace === undefined) this.#pace = new Pace(perSecond)
    else this.#pace.change(perSecond)
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
    // Whose turn is to be given back.
    let turn = (await pace?.turn(signal)) === true ? pace : undefined
    return {
      sent: (at) => {
        turn?.over(at)
        turn = undefined
      },
      release: () => {
        turn?.over()
        this.#next()
      },
    }
  }

  /** Gives a slot to whoever has waited longest, the urgent first. */
  #next(): void {
    const next = this.#urgent.shift() ?? this.#waiting.shift()
    if (next) next()
    else this.#free += 1
  }
}
