/** Bounded memory for judges and facts, so that a long run does not fill the memory. */

/** The limit for small values, such as ids. */
const mostKept = 10_000

/** The limit for whole exchanges of about ten KiB each. */
export const mostExchanges = 1000

/** A map that forgets the oldest entries. Forgetting never makes a judge find more. */
export class Recent<Value> extends Map<string, Value> {
  readonly #most: number

  constructor(most = mostKept) {
    super()
    this.#most = most
  }

  override set(key: string, value: Value): this {
    this.delete(key)
    super.set(key, value)
    if (this.size > this.#most) this.#forget()
    return this
  }

  /** Removes a tenth at once, because finding the first key of a full map is slow. */
  #forget(): void {
    let left = Math.ceil(this.#most / 10)
    for (const key of this.keys()) {
      if (left === 0) return
      this.delete(key)
      left -= 1
    }
  }
}
