/** Cuts what a program prints into lines, none of which is kept beyond a bound. */

/** `whole` is false where the line went on beyond the bound; the rest of it is dropped. */
export type OnLine = (line: string, whole: boolean) => void

export class Lines {
  readonly #longest: number
  readonly #onLine: OnLine
  #begun = ''
  #dropping = false

  /** `longest` in characters. */
  constructor(longest: number, onLine: OnLine) {
    this.#longest = longest
    this.#onLine = onLine
  }

  push(text: string): void {
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#add(text.slice(from, end))
      this.end()
      from = end + 1
    }
    this.#add(text.slice(from))
  }

  /** The line ends here, as at the end of all. */
  end(): void {
    const line = this.#begun.replace(/\r$/, '')
    if (!this.#dropping && line !== '') this.#onLine(line, true)
    this.#begun = ''
    this.#dropping = false
  }

  #add(part: string): void {
    if (this.#dropping) return
    this.#begun += part
    if (this.#begun.length <= this.#longest) return
    this.#dropping = true
    this.#onLine(this.#begun.slice(0, this.#longest), false)
  }
}
