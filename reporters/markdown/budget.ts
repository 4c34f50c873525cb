/** The space left in a document with a limit, and the parts that did not fit. */

/** Reserved for the sentence about omitted parts. */
const reserve = 700

export class Budget {
  #left: number
  readonly #leftOut = new Map<string, number>()

  /** `mostBytes`: the limit of the whole document, in UTF-8. */
  constructor(mostBytes: number) {
    this.#left = mostBytes - reserve
  }

  /** Whether the text fits, with this many bytes left for the rest. If so, it counts as written. */
  takes(text: string, keeping = 0): boolean {
    const bytes = Buffer.byteLength(text)
    if (bytes > this.#left - keeping) return false
    this.#left -= bytes
    return true
  }

  /** Counts things of a kind (in the plural) that did not fit. */
  leaveOut(kind: string, count: number): void {
    if (count > 0) this.#leftOut.set(kind, (this.#leftOut.get(kind) ?? 0) + count)
  }

  /** The omitted parts, such as `12 failed checks, 3 observations`. Undefined if nothing was omitted. */
  leftOut(): string | undefined {
    if (this.#leftOut.size === 0) return undefined
    return [...this.#leftOut].map(([kind, count]) => `${count} ${kind}`).join(', ')
  }
}
