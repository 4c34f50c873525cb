/** Runs the trials of a self-test side by side in processes of their own, and collects their rows in one matrix. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import picomatch from 'picomatch'
import { suiteVersion } from '../deployment/suite-version.ts'
import { Lanes } from '../runner/lanes.ts'
import { remembered } from '../runner/remembered.ts'
import { isOk, type Matrix, parts } from './matrix.ts'
import {
  type Alteration,
  brokenBy,
  isClean,
  type Judged,
  type Plan,
  type Row,
  rowOf,
  type Trial,
} from './trial.ts'

interface SelftestPlan extends Plan {
  /** Names of parts. */
  readonly only: readonly string[]
  /** Globs over the ids of faults, variants and other trials. Empty: all. */
  readonly ids: readonly string[]
  /** The number of concurrent runs. */
  readonly jobs: number
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal
  readonly onRow: OnRow
}

/** Called after each trial. */
type OnRow = (row: Row, done: number, all: number) => void

/** Resolves with the matrix even if a trial breaks. Rejects only if the signal is aborted. */
export async function runSelftest(plan: SelftestPlan): Promise<Matrix> {
  const { only, ids, seed, runs, jobs, combinations, signal, onRow } = plan
  const began = performance.now()
  // Trials that are chosen by their ids are tried alone.
  const together = plan.together && ids.length === 0
  const isChosen = ({ name }: Trial) =>
    ids.length === 0 || picomatch.isMatch(name.replace(/^\w+ /, ''), [...ids])
  const trialsOf = parts
    .filter(({ name }) => only.includes(name))
    .map((part) => ({ part, trials: part.trials({ ...plan, together }).filter(isChosen) }))
  const trials = trialsOf.flatMap((each) => each.trials)
  const pool = new JudgingPool(jobs, signal)
  const { rows, again } = await rowsOf(trials, (alteration) => pool.judge(alteration), onRow).finally(() =>
    pool.close(),
  )
  const durationMs = Math.round(performance.now() - began)
  const byPart = Object.fromEntries(
    trialsOf.map(({ part, trials }) => [part.name, trials.map((trial) => rows.get(trial) as Row)]),
  )
  return {
    format: 'portal-conformance/selftest',
    formatVersion: 1,
    suite: { version: suiteVersion },
    run: { seed, runs, jobs, combinations, together, ids, tried: trials.length, again, durationMs },
    rows: byPart,
    ok: isOk(byPart),
  }
}

/** The rows of all trials. Those that may have failed for lack of time are tried again, with nothing beside them. */
export async function rowsOf(
  trials: readonly Trial[],
  judge: (alteration: Alteration) => Promise<Judged>,
  onRow: OnRow,
): Promise<{ rows: ReadonlyMap<Trial, Row>; again: number }> {
  const rows = new Map<Trial, Row>()
  const sharedRuns = new Map<Alteration, Promise<Judged>>()
  const note = (trial: Trial, judged: Judged, isShown = false) => {
    const row = rowOf(trial, judged, isShown)
    rows.set(trial, row)
    onRow(row, rows.size, trials.length)
  }
  const alone = async (trial: Trial) => note(trial, await judge(trial.alteration))
  const inCompany = async (trial: Trial) => {
    const { shared } = trial
    if (shared === undefined) return alone(trial)
    const judged = await remembered(sharedRuns, shared.alteration, () => judge(shared.alteration))
    return shared.shows(judged) ? note(trial, judged, true) : alone(trial)
  }
  await Promise.all(trials.toReversed().map(inCompany))
  const late = trials.filter((trial) => {
    const row = rows.get(trial) as Row
    return !isClean(row) && !row.falseAlarm && trial.once !== true
  })
  for (const trial of late) await alone(trial)
  return { rows, again: late.length }
}

/** Longer than any judgement takes, in ms. */
const patienceMs = 300_000

const script = fileURLToPath(new URL('./judging-process.js', import.meta.url))

/** Processes that judge targets, one at a time each. */
class JudgingPool {
  readonly #lanes: Lanes
  readonly #idle: ChildProcess[] = []
  readonly #signal: AbortSignal

  /** An aborted signal ends all processes, even those that are judging. */
  constructor(jobs: number, signal: AbortSignal) {
    this.#lanes = new Lanes(jobs)
    this.#signal = signal
  }

  /** If the process dies or hangs, the result says that the suite broke. Rejects only if the signal is aborted. */
  judge(alteration: Alteration): Promise<Judged> {
    return this.#lanes.run(async () => {
      this.#signal.throwIfAborted()
      const idle = this.#idle.pop()
      // A process may have ended while it waited.
      const child =
        idle?.connected === true ? idle : fork(script, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
      const judged = await this.#answerOf(child, alteration)
      this.#signal.throwIfAborted()
      if (child.connected) this.#idle.push(child)
      return judged
    })
  }

  close(): void {
    for (const child of this.#idle) child.kill()
  }

  #answerOf(child: ChildProcess, alteration: Alteration): Promise<Judged> {
    return new Promise((resolve) => {
      const settle = (judged: Judged) => {
        clearTimeout(timer)
        this.#signal.removeEventListener('abort', stop)
        child.removeAllListeners('message').removeAllListeners('exit')
        resolve(judged)
      }
      const stop = () => child.kill('SIGKILL')
      const timer = setTimeout(stop, patienceMs)
      this.#signal.addEventListener('abort', stop, { once: true })
      child.once('message', settle)
      child.once('exit', (code, signal) =>
        settle(brokenBy(`the judging process ended (${signal ?? `exit code ${code}`})`)),
      )
      child.send(alteration)
    })
  }
}
