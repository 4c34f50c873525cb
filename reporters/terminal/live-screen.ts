/** Lines that are redrawn in place at the bottom of a terminal, and taken away without a trace. */
import { stripVTControlCharacters } from 'node:util'
import type { Size } from './live-lines.ts'

export interface LiveStream {
  readonly columns?: number
  readonly rows?: number
  write(text: string): unknown
}

/** Of a terminal that does not tell. */
const usual: Size = { columns: 80, rows: 24 }

const everyMs = 100

const control = '\u001b['
const eraseToLineEnd = `${control}K`
const eraseBelow = `${control}J`
// Every write ends with both as they were: whatever ends the process, the terminal is left in order.
const [hideCursor, showCursor] = [`${control}?25l`, `${control}?25h`]
const [wrapOff, wrapOn] = [`${control}?7l`, `${control}?7h`]

export class LiveScreen {
  readonly #stream: LiveStream
  readonly #render: (size: Size) => readonly string[]
  #drawn: readonly string[] = []
  #drawnIn = 0
  #timer: NodeJS.Timeout | undefined

  /** `render` gives fewer lines than the window has, none of which reaches its last column. */
  constructor(stream: LiveStream, render: (size: Size) => readonly string[]) {
    this.#stream = stream
    this.#render = render
  }

  /** Draws now, and again where something changed, ten times a second; the timer keeps no process alive. */
  start(): void {
    this.#draw()
    this.#timer ??= setInterval(() => this.#draw(), everyMs).unref()
  }

  /** Whether it is being drawn. */
  get running(): boolean {
    return this.#timer !== undefined
  }

  /** Takes the lines away, for good unless it is started again. */
  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    if (this.#drawn.length > 0) this.#stream.write(`${this.#toStart()}${eraseBelow}`)
    this.#drawn = []
  }

  #draw(): void {
    const size = this.#size()
    const lines = this.#render(size)
    const same = lines.length === this.#drawn.length && lines.every((line, at) => line === this.#drawn[at])
    if (same && size.columns === this.#drawnIn) return
    const frame = lines.map((line) => `${line}${eraseToLineEnd}`).join('\r\n')
    this.#stream.write(`${hideCursor}${wrapOff}${this.#toStart()}${frame}${eraseBelow}${wrapOn}${showCursor}`)
    this.#drawn = lines
    this.#drawnIn = size.columns
  }

  /** To the first column of the first line that was drawn; a window that became narrower has broken the lines since. */
  #toStart(): string {
    const { columns, rows } = this.#size()
    const heights = this.#drawn.map((line) =>
      Math.max(1, Math.ceil(stripVTControlCharacters(line).length / columns)),
    )
    const up =
      Math.min(
        heights.reduce((sum, height) => sum + height, 0),
        rows,
      ) - 1
    return up > 0 ? `\r${control}${up}A` : '\r'
  }

  #size(): Size {
    const { columns, rows } = this.#stream
    // Some terminals say 0.
    return { columns: columns || usual.columns, rows: rows || usual.rows }
  }
}
