/** What a run says while it goes on: a live view on a terminal, one line per operation elsewhere. */

import { stripVTControlCharacters } from 'node:util'
import type { CheckResult } from '../../runner/check-result.ts'
import type { PlannedCheck } from '../../runner/plan.ts'
import type { Pulse } from '../../runner/run-news.ts'
import { outcomes as outcomesFromWorst } from '../../specs/outcomes.ts'
import { safeText } from '../safe-text.ts'
import { countOf, outcomeWords, titleOf } from '../wording.ts'
import { liveLines, RunState, type Size, type SubjectState } from './run-state.ts'
import { paintFor, type Stream } from './sheet.ts'

/** A stream that says how large its window is, where it has one. */
export interface ProgressStream extends Stream {
  readonly rows?: number
  write(text: string): unknown
}

export class Progress {
  readonly #stream: ProgressStream
  readonly #state: RunState
  readonly #screen: LiveScreen | undefined

  /** `planned`: every check of the suite; those that will not be judged do not count. */
  constructor(stream: ProgressStream, planned: readonly PlannedCheck[], environment: NodeJS.ProcessEnv = {}) {
    this.#stream = stream
    this.#state = new RunState(planned)
    if (!canBeLive(stream, environment)) return
    const paint = paintFor(stream, environment)
    this.#screen = new LiveScreen(stream, (size) => liveLines(this.#state, size, paint, performance.now()))
    this.#screen.start()
  }

  /** Whether it shows what pulses tell. */
  get live(): boolean {
    return this.#screen !== undefined
  }

  /** To be called once for each check when it is over. */
  checkDone(result: CheckResult): void {
    const state = this.#state.checkDone(result, performance.now())
    if (state === undefined || this.live || state.done < state.total) return
    this.#stream.write(`${subjectLine(state)}\n`)
  }

  /** What the checks that are under way tell of themselves. */
  heard(pulse: Pulse): void {
    this.#state.heard(pulse, performance.now())
  }

  /** Says something else in between, on lines of its own. */
  note(text: string): void {
    const running = this.#screen?.running ?? false
    this.close()
    this.#stream.write(`${text.split('\n').map(safeText).join('\n')}\n`)
    if (running) this.#screen?.start()
  }

  /** Takes the live view away. */
  close(): void {
    this.#screen?.stop()
  }
}

/** Only where somebody looks on: not in CI, and not where the terminal cannot move its cursor. */
function canBeLive({ isTTY }: Stream, { CI: ci, TERM: term }: NodeJS.ProcessEnv): boolean {
  const inCi = ci !== undefined && ci !== '' && ci !== 'false' && ci !== '0'
  return isTTY === true && !inCi && term !== 'dumb'
}

function subjectLine({ subject, total, outcomes }: SubjectState): string {
  const told = outcomesFromWorst.flatMap((outcome) => {
    const count = outcomes[outcome] ?? 0
    return count === 0 ? [] : [[count, outcomeWords[outcome].word] as const]
  })
  const words =
    told.length === 1 && total > 1
      ? `all ${told[0]?.[1]}`
      : told.map(([count, word]) => `${count} ${word}`).join(', ')
  return `${titleOf(subject)}: ${countOf(total, 'check')}: ${words}`
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
  readonly #stream: ProgressStream
  readonly #render: (size: Size) => readonly string[]
  #drawn: readonly string[] = []
  #drawnIn = 0
  #timer: NodeJS.Timeout | undefined

  /** `render` gives fewer lines than the window has, none of which reaches its last column. */
  constructor(stream: ProgressStream, render: (size: Size) => readonly string[]) {
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
