/** The parts of the document, made of blocks that are written whole or not at all, and the room there is for them. */

export interface Block {
  readonly text: string
  /** How many of its kind it tells of. */
  readonly count: number
}

export interface Section {
  readonly title: string
  /** What its blocks tell of, in the plural. */
  readonly kind: string
  /** Made one at a time. */
  readonly blocks: Iterable<Block>
}

/** What the sentence about left out parts may need. */
const reserve = 700

export class Budget {
  #left: number
  readonly #leftOut = new Map<string, number>()

  /** `mostBytes`: what the whole document may have, in UTF-8. */
  constructor(mostBytes: number) {
    this.#left = mostBytes - reserve
  }

  /** Whether there is room for the text, and so many bytes more for what follows; it then counts as written. */
  takes(text: string, keeping = 0): boolean {
    const bytes = Buffer.byteLength(text)
    if (bytes > this.#left - keeping) return false
    this.#left -= bytes
    return true
  }

  /** So many things of a kind, told in the plural, had no room. */
  leaveOut(kind: string, count: number): void {
    this.#leftOut.set(kind, (this.#leftOut.get(kind) ?? 0) + count)
  }

  /** What was left out, such as `12 failed checks, 3 observations`; undefined where all is there. */
  leftOut(): string | undefined {
    if (this.#leftOut.size === 0) return undefined
    return [...this.#leftOut].map(([kind, count]) => `${count} ${kind}`).join(', ')
  }
}
