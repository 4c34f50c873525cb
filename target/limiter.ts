/** How many requests are under way at once, and how fast they follow each other. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Hands out slots first come, first served, to the urgent before all others; with a rate, the holders go at even intervals. */
export class Limiter {
  readonly #waiting: (() => void)[] = []
  readonly #urgent: (() => void)[] = []
  readonly #intervalMs: number
  #free: number
  #nextStart = 0

  /** `perSecond` absent: as fast as slots become free. */
  constructor(slots: number, perSecond?: number) {
    this.#free = slots
    this.#intervalMs = perSecond === undefined ? 0 : 1000 / perSecond
  }

  /**
   * Resolves once the caller holds a slot and its turn has come; an aborted signal ends the wait for the turn.
   * Urgent is what measures time: it must not grow old in a queue.
   */
  async acquire(signal: AbortSignal, urgent = false): Promise<void> {
    const queue = urgent ? this.#urgent : this.#waiting
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => queue.push(resolve))
    if (this.#intervalMs > 0) await this.#turn(signal)
  }

  /** Gives the slot to whoever has waited longest, the urgent first. */
  release(): void {
    const next = this.#urgent.shift() ?? this.#waiting.shift()
    if (next) next()
    else this.#free += 1
  }

  async #turn(signal: AbortSignal): Promise<void> {
    const now = performance.now()
    const start = Math.max(now, this.#nextStart)
    this.#nextStart = start + this.#intervalMs
    if (start > now) await sleep(start - now, undefined, { signal }).catch(() => undefined)
  }
}
