/** The pace that a throttling target keeps up with: down at once where it turns requests away, up again slowly. */

const windowMs = 1000
/** So many requests turned away, and such a share of all, are the target as a whole and not one thing that must cool down. */
const leastTurnedAway = 3
const leastShare = 0.1
const leastServed = 3
const down = 0.8
const upPerSecond = 1.05
/** It goes faster only where it goes as fast as it may. */
const leastUse = 0.7
/** In requests per second. */
const slowest = 0.5

/** Times are in ms of `performance.now()`. */
export class PaceOfTarget {
  /** When the last requests were served and turned away, as far as the window reaches. */
  readonly #served: number[] = []
  readonly #turned: number[] = []
  #servedSince = 0
  #changedAt = Number.NEGATIVE_INFINITY
  #perSecond: number | undefined

  /** In requests per second; undefined: as fast as it goes. */
  get perSecond(): number | undefined {
    return this.#perSecond
  }

  /** A request was served. True where it may go faster now. */
  served(now: number): boolean {
    this.#servedSince += 1
    this.#served.push(now)
    trim(this.#served, now)
    if (this.#perSecond === undefined || now < this.#changedAt + windowMs) return false
    // What was not asked for was not shown either.
    if (this.#served.length < this.#perSecond * leastUse) return false
    this.#perSecond *= upPerSecond
    this.#changedAt = now
    return true
  }

  /** A request that was sent then was turned away. True where all must go slower now. */
  turnedAway(now: number, sentAt: number): boolean {
    // It was under way when the pace was changed: that it came too fast is known.
    if (sentAt < this.#changedAt && this.#perSecond !== undefined) return false
    this.#turned.push(now)
    trim(this.#turned, now)
    trim(this.#served, now)
    const share = this.#turned.length / (this.#turned.length + this.#served.length)
    // A target that serves next to nothing is not one that is asked too fast.
    if (this.#turned.length < leastTurnedAway || share < leastShare || this.#servedSince < leastServed)
      return false
    this.#perSecond = Math.max(slowest, down * (this.#perSecond ?? Math.max(1, this.#served.length)))
    this.#changedAt = now
    this.#servedSince = 0
    this.#turned.length = 0
    return true
  }
}

function trim(times: number[], now: number): void {
  let old = 0
  while (old < times.length && (times[old] as number) < now - windowMs) old += 1
  if (old > 0) times.splice(0, old)
}
