/** Lines that are redrawn in place on a terminal. */
import { stripVTControlCharacters } from 'node:util'
import type { Stream } from './sheet.ts'

export interface Size {
  readonly columns: number
  readonly rows: number
}

/** A stream with the size of its window, if it has one. */
export interface ProgressStream extends Stream {
  readonly rows?: number
  write(text: string): unknown
}

/** For a terminal that does not report its size. */
const usual: Size = { columns: 80, rows: 24 }

const everyMs = 100

const control = '\u001b['
const eraseToLineEnd = `${control}K`
const eraseBelow = `${control}J`
// Each write restores both, so that the terminal is in order however the process ends.
const [hideCursor, showCursor] = [`${control}?25l`, `${control}?25h`]
const [wrapOff, wrapOn] = [`${control}?7l`, `${control}?7h`]

export class LiveScreen {
  readonly #stream: ProgressStream
  readonly #render: (size: Size) => readonly string[]
  #drawn: readonly string[] = []
  #drawnIn = 0
  #timer: NodeJS.Timeout | undefined

  /** `render` returns fewer lines than the window has. None reaches the last column. */
  constructor(stream: ProgressStream, render: (size: Size) => readonly string[]) {
    this.#stream = stream
    this.#render = render
  }

  /** Draws now, and up to ten times a second after changes. The timer keeps no process alive. */
  start(): void {
    this.#draw()
    this.#timer ??= setInterval(() => this.#draw(), everyMs).unref()
  }

  /** Whether it is being drawn. */
  get running(): boolean {
    return this.#timer !== undefined
  }

  /** Removes the lines until it is started again. */
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

  /** Moves to the first column of the first drawn line. A window that became narrower may have wrapped the lines. */
  #toStart(): string {
    const { columns, rows } = this.#size()
    const heightOf = (line: string): number =>
      Math.max(1, Math.ceil(stripVTControlCharacters(line).length / columns))
    const height = this.#drawn.reduce((sum, line) => sum + heightOf(line), 0)
    const up = Math.min(height, rows) - 1
    return up > 0 ? `\r${control}${up}A` : '\r'
  }

  #size(): Size {
    const { columns, rows } = this.#stream
    // Some terminals say 0.
    return { columns: columns || usual.columns, rows: rows || usual.rows }
  }
}
