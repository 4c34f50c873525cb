/** Progress of a run: a live view on a terminal, one line per operation elsewhere. */
import type { CheckResult } from '../../runner/check-result.ts'
import type { PlannedCheck } from '../../runner/plan.ts'
import type { Pulse } from '../../runner/run-all.ts'
import { safeText } from '../../schemas/wording.ts'
import type { Outcome } from '../../specs/outcomes.ts'
import { requirementOf, type Subject } from '../../specs/requirements.ts'
import { byKey, gistOf } from '../grouping.ts'
import { countOf, countsInWords, numeral, signed, titleOf } from '../wording.ts'
import { LiveScreen, type ProgressStream, type Size } from './live-screen.ts'
import { type Format, type Paint, paintFor, type Stream } from './sheet.ts'

interface SubjectState {
  readonly subject: Subject
  readonly total: number
  done: number
  readonly outcomes: Partial<Record<Outcome, number>>
}

const failedOf = ({ outcomes }: SubjectState): number => outcomes.failed ?? 0

/** The rate of requests is measured over this many ms. */
const rateWindowMs = 3000
/** Before this much time and this share of all checks, an estimate would be a guess. */
const leastElapsedMs = 1500
const leastShare = 0.1

/** The progress of a run. Times are in ms of one clock. */
export class RunState {
  readonly subjects: readonly SubjectState[]
  requests = 0
  readonly #pending: Map<string, SubjectState>
  #pulse: Pulse | undefined
  #samples: { readonly at: number; readonly requests: number }[] = []
  #began: number | undefined
  /** The end of the last check. */
  #lastEnd = 0

  /** `planned`: all checks of the suite. Those that will not be judged do not count. */
  constructor(planned: readonly PlannedCheck[]) {
    const judged = planned.filter(({ without }) => without === undefined)
    const states = [...byKey(judged, ({ requirement }) => requirementOf(requirement).operation)].map(
      ([subject, plans]) => ({ plans, state: { subject, total: plans.length, done: 0, outcomes: {} } }),
    )
    this.subjects = states.map(({ state }) => state)
    this.#pending = new Map(states.flatMap(({ plans, state }) => plans.map(({ id }) => [id, state])))
  }

  /** The sum over all subjects. */
  sum(count: (state: SubjectState) => number): number {
    return this.subjects.reduce((sum, state) => sum + count(state), 0)
  }

  /** Whether any check has reported yet. */
  get underWay(): boolean {
    return this.#began !== undefined
  }

  /** The subject of the check that ended. Undefined if it ended before or does not count. */
  checkDone({ id, outcome, requests }: CheckResult, now: number): SubjectState | undefined {
    const state = this.#pending.get(id)
    if (state === undefined) return undefined
    this.#pending.delete(id)
    this.#began ??= now
    // Pulses also count the requests of running checks.
    if (this.#pulse === undefined) this.requests += requests
    this.#lastEnd = now
    state.done += 1
    state.outcomes[outcome] = (state.outcomes[outcome] ?? 0) + 1
    return state
  }

  heard(pulse: Pulse, now: number): void {
    this.#began ??= now
    this.#pulse = pulse
    this.requests = pulse.requests
    this.#samples.push({ at: now, requests: pulse.requests })
    this.#samples = this.#samples.filter(({ at }) => now - at <= rateWindowMs)
  }

  /** Running checks: the names of some, and the number of the others. */
  current(): { readonly names: readonly string[]; readonly others: number } {
    const { current = [], others = 0 } = this.#pulse ?? {}
    return { names: current.filter((id) => this.#pending.has(id)), others }
  }

  /** Recent requests per second. Undefined: not known yet. */
  get rate(): number | undefined {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)]
    if (first === undefined || last === undefined || last.at === first.at) return undefined
    return ((last.requests - first.requests) * 1000) / (last.at - first.at)
  }

  /** An estimate from the checks that ended. Undefined: too early, or all ended. */
  timeLeft(now: number): number | undefined {
    const [done, total] = [this.sum((state) => state.done), this.sum((state) => state.total)]
    if (this.#began === undefined || done < total * leastShare || done === total) return undefined
    const elapsed = now - this.#began
    if (elapsed < leastElapsedMs) return undefined
    // The last checks are the slow ones, which may wait as long again.
    return Math.max((elapsed * (total - done)) / done, now - this.#lastEnd)
  }
}

/** From this many columns on operations are shown by title, below by id. */
const wide = 70
const mostBar = 24
const leastBar = 8

/** Operations, running checks and totals, in fewer and shorter lines than the window allows. */
export function liveLines(state: RunState, { columns, rows }: Size, paint: Paint, now: number): string[] {
  const width = columns - 1
  const totals = packed(totalsOf(state, width, now), width)
  const room = rows - 1 - totals.length
  if (room <= 0) return totals.slice(0, Math.max(1, rows - 1))
  const { subjects } = state
  const current = currentLine(state, width)
  const beside = current === undefined ? [] : [paint('dim', current)]
  if (subjects.length + beside.length <= room)
    return [...subjectLines(subjects, width, paint), ...beside, ...totals]
  const open = subjects.filter(({ done, total }) => done < total)
  if (open.length <= room) return [...subjectLines(open, width, paint), ...totals]
  return totals
}

function subjectLines(subjects: readonly SubjectState[], width: number, paint: Paint): string[] {
  const nameOf = ({ subject }: SubjectState): string => (width >= wide ? titleOf(subject) : subject)
  const longest = Math.max(...subjects.map((state) => nameOf(state).length))
  const digits = Math.max(...subjects.map(({ total }) => String(total).length))
  return subjects.map((state) => {
    const { done, total } = state
    const failed = failedOf(state)
    const count = `${String(done).padStart(digits)}/${String(total).padEnd(digits)}`
    const [sign, format] = lookOf(state)
    const line = `${sign} ${nameOf(state).padEnd(longest)}  ${count}${failed > 0 ? `  ${failed} failed` : ''}`
    const short = cut(line.trimEnd(), width)
    return format === undefined ? short : paint(format, short)
  })
}

function lookOf(state: SubjectState): [sign: string, format?: Format] {
  if (failedOf(state) > 0) return ['✗', 'red']
  return state.done === state.total ? ['✓', 'green'] : [' ']
}

function currentLine(state: RunState, width: number): string | undefined {
  const { names, others } = state.current()
  if (names.length === 0) return undefined
  const indent = '  '
  for (let count = names.length; count > 0; count -= 1) {
    const left = others + names.length - count
    const line = `${indent}${names.slice(0, count).join(', ')}${left > 0 ? ` and ${left} more` : ''}`
    if (line.length <= width) return line
  }
  return cut(indent + names[0], width)
}

function totalsOf(state: RunState, width: number, now: number): string[] {
  const { requests, rate, underWay } = state
  const [done, total, failed] = [
    state.sum((each) => each.done),
    state.sum((each) => each.total),
    state.sum(failedOf),
  ]
  const share = total === 0 ? 1 : done / total
  const left = state.timeLeft(now)
  return [
    `${barOf(share, width)} ${Math.floor(share * 100)}%`,
    `${done}/${total} checks`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(underWay ? [`${requests} requests`] : ['starting']),
    ...(rate === undefined ? [] : [`${Math.round(rate)}/s`]),
    ...(left === undefined ? [] : [`about ${inWords(left)} left`]),
  ]
}

function barOf(share: number, width: number): string {
  const length = Math.max(leastBar, Math.min(mostBar, Math.floor(width / 4)))
  return `[${'='.repeat(Math.floor(share * length)).padEnd(length)}]`
}

function inWords(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

/** The parts in as few lines as possible. */
function packed(parts: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const part of parts) {
    const last = lines.at(-1)
    const joined = `${last}, ${part}`
    if (last !== undefined && joined.length <= width) lines[lines.length - 1] = joined
    else lines.push(cut(part, width))
  }
  return lines
}

function cut(text: string, width: number): string {
  if (text.length <= width) return text
  return width < 1 ? '' : `${text.slice(0, width - 1)}…`
}

/** Things counted beside the checks: fixtures made for them, and removed after them. */
interface Counted {
  readonly what: string
  readonly words: string
  readonly share: number
}

const heading = 'Checks of each operation, as it ends:'
const mostFailures = 20
const longestFailure = 200

export class Progress {
  readonly #stream: ProgressStream
  readonly #state: RunState
  readonly #screen: LiveScreen | undefined
  #counted: Counted | undefined
  /** Without a terminal: the quarters already printed. */
  #quarters = -1
  /** Without a terminal: whether the heading of the operations was printed. */
  #hasHeading = false
  /** Requirements with a failure, and the words of failures of an operation. */
  readonly #failing = new Set<string>()
  /** The number of failures shown. */
  #failures = 0

  /** `planned`: every check of the suite; those that will not be judged do not count. None: only what is counted shows. */
  constructor(stream: ProgressStream, planned: readonly PlannedCheck[], environment: NodeJS.ProcessEnv = {}) {
    this.#stream = stream
    this.#state = new RunState(planned)
    if (!canBeLive(stream, environment)) return
    const paint = paintFor(stream, environment)
    this.#screen = new LiveScreen(stream, (size) => {
      if (this.#counted === undefined) return liveLines(this.#state, size, paint, performance.now())
      const { words, share } = this.#counted
      const width = size.columns - 1
      return [cut(`${barOf(share, width)} ${words}`, width)]
    })
    if (planned.length > 0) this.#screen.start()
  }

  /** Whether it shows pulses. */
  get live(): boolean {
    return this.#screen !== undefined
  }

  /** Call it once for each check that ended. A failure is shown immediately. */
  checkDone(result: CheckResult): void {
    const state = this.#state.checkDone(result, performance.now())
    if (state === undefined) return
    if (result.outcome === 'failed') this.#tellFailure(result)
    if (this.live || state.done < state.total) return
    if (!this.#hasHeading) this.#stream.write(`${heading}\n`)
    this.#hasHeading = true
    this.#stream.write(`${subjectLine(state)}\n`)
  }

  /** The first failure of each requirement and of each message, up to a limit. The report has them all. */
  #tellFailure({ id, requirement, operation, failure }: CheckResult): void {
    const { message = '', actual = '' } = failure ?? {}
    const words = `${operation}: ${gistOf(`${message}: ${actual}`)}`
    const isKnown = this.#failing.has(requirement) || this.#failing.has(words)
    this.#failing.add(requirement).add(words)
    if (isKnown || this.#failures > mostFailures) return
    this.#failures += 1
    if (this.#failures > mostFailures) this.note('More checks failed: the report has them all.')
    else this.note(`${signed('failed')} ${id}: ${cut(`${message}: ${actual}`, longestFailure)}`)
  }

  /** Shows the progress of something else instead of the checks: `Removing 400 of 1,289`. */
  count(what: string, done: number, of: number): void {
    if (what !== this.#counted?.what) this.#quarters = -1
    const share = of === 0 ? 1 : Math.min(1, done / of)
    const words = `${what} ${numeral(done)} of ${numeral(of)}`
    this.#counted = { what, words, share }
    this.#screen?.start()
    const quarters = Math.floor(4 * share)
    if (this.live || quarters <= this.#quarters) return
    this.#quarters = quarters
    this.#stream.write(`${words}\n`)
  }

  /** Shows the checks again. */
  counted(): void {
    this.#counted = undefined
  }

  /** The reports of running checks. */
  heard(pulse: Pulse): void {
    this.#state.heard(pulse, performance.now())
  }

  /** Prints a message in between, on its own lines. */
  note(text: string): void {
    const running = this.#screen?.running ?? false
    this.close()
    this.#stream.write(`${text.split('\n').map(safeText).join('\n')}\n`)
    if (running) this.#screen?.start()
  }

  /** Removes the live view. */
  close(): void {
    this.#screen?.stop()
  }
}

/** Only for a person: not in CI, and not if the terminal cannot move its cursor. */
function canBeLive({ isTTY }: Stream, { CI: ci, TERM: term }: NodeJS.ProcessEnv): boolean {
  const inCi = ci !== undefined && ci !== '' && ci !== 'false' && ci !== '0'
  return isTTY === true && !inCi && term !== 'dumb'
}

function subjectLine({ subject, total, outcomes }: SubjectState): string {
  const words = countsInWords(outcomes)
  const isOne = Object.keys(outcomes).length === 1 && total > 1
  return `${titleOf(subject)}: ${countOf(total, 'check')}: ${isOne ? words.replace(/^\d+/, 'all') : words}`
}
