/** Collects the chunks of an answer into one buffer, up to a limit. */

export class BodyCollector {
  readonly #limit: number
  #buffer: Buffer = Buffer.alloc(0)
  #length = 0

  /** The limit is in bytes. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Keeps the chunk; false once more than the limit has come. */
  add(chunk: Buffer): boolean {
    const length = this.#length + chunk.length
    if (length > this.#limit) return false
    // Most answers come in one chunk, which needs no copy.
    if (this.#length === 0) this.#buffer = chunk
    else {
      this.#reserve(length)
      chunk.copy(this.#buffer, this.#length)
    }
    this.#length = length
    return true
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  // Doubling: an answer in a million tiny chunks costs no more than its bytes. A borrowed chunk has no room to spare.
  #reserve(length: number): void {
    if (this.#buffer.length >= length) return
    const grown = Buffer.allocUnsafe(Math.max(length, Math.min(2 * length, this.#limit)))
    this.#buffer.copy(grown, 0, 0, this.#length)
    this.#buffer = grown
  }
}
