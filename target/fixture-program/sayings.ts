/** What a provider says beside its answers: passed on within bounds, kept until somebody listens. */
import { Lines } from './lines.ts'

type Listener = (line: string) => void

const longestLine = 300
const mostLines = 20

export class Sayings {
  readonly #lines = new Lines(longestLine, (line, whole) => this.#say(whole ? line : `${line}…`))
  readonly #kept: string[] = []
  #listener: Listener | undefined
  #said = 0
  #last: string | undefined

  /** The latest line; undefined where there was none. */
  get last(): string | undefined {
    return this.#last
  }

  /** Takes a part of what is said. */
  push(text: string): void {
    this.#lines.push(text)
  }

  end(): void {
    this.#lines.end()
  }

  /** Tells every line from the first on. */
  hear(listener: Listener): void {
    this.#listener = listener
    for (const line of this.#kept.splice(0)) listener(line)
  }

  #say(line: string): void {
    this.#last = line
    this.#said += 1
    if (this.#said > mostLines + 1) return
    this.#tell(this.#said > mostLines ? 'it says more, which is not shown' : line)
  }

  #tell(line: string): void {
    if (this.#listener === undefined) this.#kept.push(line)
    else this.#listener(line)
  }
}
