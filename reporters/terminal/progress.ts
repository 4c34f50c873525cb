/** Progress of a run: a line that is redrawn in place on a terminal, and a line at each quarter elsewhere. */
import type { CheckResult } from '../../runner/check-result.ts'
import type { PlannedCheck } from '../../runner/plan.ts'
import type { Pulse } from '../../runner/run-all.ts'
import { safeText } from '../../schemas/wording.ts'
import { numeral, signed } from '../wording.ts'
import type { Stream } from './sheet.ts'

/** A stream for progress and messages. */
export interface ProgressStream extends Stream {
  write(text: string): unknown
}

/** For a terminal that does not report its size, or says 0. */
const usualColumns = 80
const everyMs = 100
const eraseToLineEnd = '\u001b[K'
const barLength = 20
const mostFailures = 20
const longestFailure = 200
/** Before this much time and this share of all checks, an estimate would be a guess. */
const leastElapsedMs = 1500
const leastShare = 0.1

/** What is counted: the checks, or fixtures that are made or removed. */
interface Count {
  readonly what: string
  readonly done: number
  readonly of: number
}

const shareOf = ({ done, of }: Count): number => (of === 0 ? 1 : Math.min(1, done / of))

export class Progress {
  readonly #stream: ProgressStream
  /** Whether the line is redrawn: it shows pulses. */
  readonly live: boolean
  readonly #pending: Set<string>
  readonly #total: number
  readonly #began = performance.now()
  /** When the last check ended, in ms of `performance.now()`. */
  #lastEnd = 0
  #failed = 0
  #pulse: Pulse | undefined
  #counted: Count | undefined
  /** Without a terminal: the quarters already printed, by what is counted. */
  readonly #quarters = new Map<string, number>()
  /** Requirements with a failure, each after `failed` or `waived`. */
  readonly #failing = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #drawn = ''

  /** `planned`: every check of the suite; those that will not be judged do not count. None: only what is counted shows. */
  constructor(stream: ProgressStream, planned: readonly PlannedCheck[], environment: NodeJS.ProcessEnv = {}) {
    this.#stream = stream
    this.live = canBeLive(stream, environment)
    this.#pending = new Set(planned.filter(({ without }) => without === undefined).map(({ id }) => id))
    this.#total = this.#pending.size
    if (planned.length > 0) this.#start()
  }

  /** Call it once for each check that ended. A failure is shown immediately. */
  checkDone(result: CheckResult): void {
    if (!this.#pending.delete(result.id)) return
    this.#lastEnd = performance.now()
    if (result.outcome === 'failed' || result.outcome === 'waived') this.#tellFailure(result)
    this.#counted = undefined
    this.#printQuarter()
  }

  /** The first failure of each requirement, and the first waived one, up to a limit. The report has them all. */
  #tellFailure({ id, requirement, outcome, failure }: CheckResult): void {
    if (outcome === 'failed') this.#failed += 1
    const subject = `${outcome} ${requirement}`
    if (this.#failing.has(subject) || this.#failing.size > mostFailures) return
    this.#failing.add(subject)
    const { message = '', actual = '' } = failure ?? {}
    if (this.#failing.size > mostFailures) this.note('More checks failed: the report has them all.')
    else this.note(`${signed(outcome)} ${id}: ${cut(`${message}: ${actual}`, longestFailure)}`)
  }

  /** Shows the progress of something else instead of the checks: `Removing 400 of 1,289`. */
  count(what: string, done: number, of: number): void {
    this.#counted = { what, done, of }
    this.#start()
    this.#printQuarter()
  }

  /** Shows the checks again. */
  counted(): void {
    this.#counted = undefined
  }

  /** The reports of running checks. */
  heard(pulse: Pulse): void {
    this.#pulse = pulse
  }

  /** Prints a message in between, on its own lines. */
  note(text: string): void {
    const running = this.#timer !== undefined
    this.close()
    this.#stream.write(`${text.split('\n').map(safeText).join('\n')}\n`)
    if (running) this.#start()
  }

  /** Removes the line. */
  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    if (this.#drawn !== '') this.#stream.write(`\r${eraseToLineEnd}`)
    this.#drawn = ''
  }

  /** Draws now, and up to ten times a second after changes. The timer keeps no process alive. */
  #start(): void {
    if (!this.live) return
    this.#draw()
    this.#timer ??= setInterval(() => this.#draw(), everyMs).unref()
  }

  #draw(): void {
    const bar = '='.repeat(Math.floor(shareOf(this.#count()) * barLength)).padEnd(barLength)
    const running = this.#counted === undefined ? this.#timeLeft() + runningWords(this.#pulse) : ''
    const line = cut(`[${bar}] ${this.#words()}${running}`, (this.#stream.columns || usualColumns) - 1)
    if (line !== this.#drawn) this.#stream.write(`\r${line}${eraseToLineEnd}`)
    this.#drawn = line
  }

  /** An estimate from the checks that ended: `, about 12 s left`. Empty if it is too early, or all ended. */
  #timeLeft(): string {
    const left = this.#pending.size
    const done = this.#total - left
    const elapsedMs = performance.now() - this.#began
    if (left === 0 || done < this.#total * leastShare || elapsedMs < leastElapsedMs) return ''
    // The last checks are the slow ones, which may wait as long again.
    const leftMs = Math.max((elapsedMs * left) / done, performance.now() - this.#lastEnd)
    const seconds = Math.max(1, Math.round(leftMs / 1000))
    return `, about ${seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`} left`
  }

  #printQuarter(): void {
    const { what } = this.#count()
    const quarters = Math.floor(4 * shareOf(this.#count()))
    if (this.live || quarters <= (this.#quarters.get(what) ?? -1)) return
    this.#quarters.set(what, quarters)
    this.#stream.write(`${this.#words()}\n`)
  }

  #count(): Count {
    const checks = { what: 'Checks:', done: this.#total - this.#pending.size, of: this.#total }
    return this.#counted ?? checks
  }

  #words(): string {
    const { what, done, of } = this.#count()
    const failed = this.#counted === undefined && this.#failed > 0 ? `, ${numeral(this.#failed)} failed` : ''
    return `${what} ${numeral(done)} of ${numeral(of)}${failed}`
  }
}

/** `, 1,234 requests, sync-workspace/starts`. */
const runningWords = (pulse: Pulse | undefined): string =>
  pulse === undefined ? '' : [`, ${numeral(pulse.requests)} requests`, ...pulse.current].join(', ')

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`
}

/** Only for a person: not in CI, and not if the terminal cannot move its cursor. */
function canBeLive({ isTTY }: Stream, { CI: ci, TERM: term }: NodeJS.ProcessEnv): boolean {
  const inCi = ci !== undefined && ci !== '' && ci !== 'false' && ci !== '0'
  return isTTY === true && !inCi && term !== 'dumb'
}
