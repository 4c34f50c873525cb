/** What a run says while it goes on: a live view on a terminal, one line per operation elsewhere. */
import type { CheckResult } from '../../runner/check-result.ts'
import type { PlannedCheck } from '../../runner/plan.ts'
import type { Pulse } from '../../runner/pulse.ts'
import { outcomes as outcomesFromWorst } from '../../specs/outcomes.ts'
import { safeText } from '../safe-text.ts'
import { countOf, outcomeWords, titleOf } from '../wording.ts'
import { liveLines } from './live-lines.ts'
import { LiveScreen, type LiveStream } from './live-screen.ts'
import { RunState, type SubjectState } from './run-state.ts'
import { paintFor, type Stream } from './style.ts'

export interface ProgressStream extends Stream, LiveStream {}

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
