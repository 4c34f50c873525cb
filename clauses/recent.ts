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
    if (this.size > this.#most) this.delete(this.keys().next().value as string)
    return this
  }
}
