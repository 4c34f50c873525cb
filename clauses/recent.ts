/** What judges and facts remember of a run, so that a long one does not fill the memory. */

/** So many things are remembered that are as light as an id. */
const mostKept = 10_000

/** So many where whole exchanges are kept, at some ten KiB each. */
export const mostExchanges = 1000

/** A map that forgets what was set longest ago; to forget never makes a judge say more than it would have said. */
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

  /** A tenth at once: to come to the first of a full map takes as long as to come to all of them. */
  #forget(): void {
    let left = Math.ceil(this.#most / 10)
    for (const key of this.keys()) {
      if (left === 0) return
      this.delete(key)
      left -= 1
    }
  }
}
