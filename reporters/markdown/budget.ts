/** How much room a document with a limit has left, and what had none. */

/** What the sentence about left out parts may need. */
const reserve = 700

export class Budget {
  #left: number
  readonly #leftOut = new Map<string, number>()

  /** `mostBytes`: what the whole document may have, in UTF-8. */
  constructor(mostBytes: number) {
    this.#left = mostBytes - reserve
  }

  /** Whether there is room for the text, and this many bytes more for what follows; it then counts as written. */
  takes(text: string, keeping = 0): boolean {
    const bytes = Buffer.byteLength(text)
    if (bytes > this.#left - keeping) return false
    this.#left -= bytes
    return true
  }

  /** How many things of a kind, in the plural, had no room. */
  leaveOut(kind: string, count: number): void {
    if (count > 0) this.#leftOut.set(kind, (this.#leftOut.get(kind) ?? 0) + count)
  }

  /** What was left out, such as `12 failed checks, 3 observations`; undefined where all is there. */
  leftOut(): string | undefined {
    if (this.#leftOut.size === 0) return undefined
    return [...this.#leftOut].map(([kind, count]) => `${count} ${kind}`).join(', ')
  }
}
