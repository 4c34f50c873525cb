/** Runs the parts of a self-test in parallel and collects their rows in one matrix. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import picomatch from 'picomatch'
import { suiteVersion } from '../deployment/suite-version.ts'
import { Lanes } from '../runner/lanes.ts'
import { type Alteration, brokenBy, type Judged } from './judgement.ts'
import { isOk, type Matrix, type NamedRow, parts } from './matrix.ts'
import { isClean, type Part, type Trial, type TrialPlan } from './parts/part.ts'

interface SelftestPlan extends TrialPlan {
  /** Names of parts. */
  readonly only: readonly string[]
  /** Globs over the ids of faults, variants and other trials. Empty: all. */
  readonly ids: readonly string[]
  /** The number of concurrent trials. */
  readonly jobs: number
  /** Called after each trial. */
  onDone(name: string, problems: readonly string[], done: number, all: number): void
}

/** A trial of a part, and its row once it has run. */
interface Attempt {
  readonly part: Part
  readonly trial: Trial
  row?: NamedRow | undefined
}

/** Resolves with the matrix even if a trial breaks. Rejects only if the signal is aborted. */
export async function conductSelftest(plan: SelftestPlan): Promise<Matrix> {
  const { only, ids, seed, runs, jobs, combinations, together, signal } = plan
  const began = performance.now()
  const pool = new JudgingPool()
  const stop = () => pool.close()
  signal.addEventListener('abort', stop, { once: true })

  const chosen = parts.filter(({ name }) => only.includes(name))
  const attempts = chosen.flatMap((part) =>
    part
      .trials(plan, (alteration) => pool.judge(alteration))
      .filter(({ name }) => ids.length === 0 || picomatch.isMatch(name.replace(/^\w+ /, ''), [...ids]))
      .map((trial): Attempt => ({ part, trial })),
  )
  let again = 0
  try {
    again = await tryAll(attempts, plan)
  } finally {
    signal.removeEventListener('abort', stop)
    pool.close()
  }
  const rowsOf = (part: Part) =>
    attempts.flatMap((attempt) => (attempt.part === part ? (attempt.row ?? []) : []))
  const found = {
    run: {
      seed,
      runs,
      jobs,
      combinations,
      together,
      ids,
      tried: attempts.length,
      again,
      durationMs: Math.round(performance.now() - began),
    },
    rows: Object.fromEntries(chosen.map((part) => [part.name, rowsOf(part)])),
  }
  return {
    format: 'portal-conformance/selftest',
    formatVersion: 1,
    suite: { version: suiteVersion },
    ...found,
    ok: isOk(found),
  }
}

/** Runs all trials, and again those that may have failed for lack of time. Resolves with the number of the latter. */
export async function tryAll(
  attempts: readonly Attempt[],
  { jobs, signal, onDone }: Pick<SelftestPlan, 'jobs' | 'signal' | 'onDone'>,
): Promise<number> {
  let done = 0
  const all = attempts.length
  const run = (those: readonly Attempt[], atOnce: number) =>
    trySome(those, atOnce, signal, ({ name, problems }) => onDone(name, problems, ++done, all))
  await run(
    attempts.filter(({ part }) => part.alone === true),
    1,
  )
  const sideBySide = attempts.filter(({ part }) => part.alone !== true)
  await Promise.all([
    run(
      sideBySide.filter(({ trial }) => trial.waits === true),
      Math.ceil(jobs / 2),
    ),
    run(
      sideBySide.filter(({ trial }) => trial.waits !== true),
      jobs,
    ),
  ])
  const late = attempts.filter(
    ({ part, row }) => row !== undefined && !isClean(row) && part.restsOnTime?.(row) === true,
  )
  await trySome(late, 1, signal, ({ name, problems }) => onDone(`${name}, alone`, problems, all, all))
  return late.length
}

/** Runs the trials part by part and turn by turn, with this many at once. */
async function trySome(
  attempts: readonly Attempt[],
  atOnce: number,
  signal: AbortSignal,
  onDone: (row: NamedRow) => void,
): Promise<void> {
  const lanes = new Lanes(atOnce)
  const inTurn = attempts.toSorted(
    (one, other) =>
      parts.indexOf(one.part) - parts.indexOf(other.part) || (one.trial.turn ?? 0) - (other.trial.turn ?? 0),
  )
  await Promise.all(
    inTurn.map((attempt) =>
      lanes.run(async () => {
        signal.throwIfAborted()
        const { trial, row: before } = attempt
        // A repeated trial has a run of its own.
        const inCompany = before === undefined ? await trial.company?.() : undefined
        const row = { name: trial.name, ...(inCompany ?? (await trial.run())) }
        signal.throwIfAborted()
        attempt.row = row
        onDone(row)
      }),
    ),
  )
}

/** Longer than any judgement takes, in ms. */
const patienceMs = 300_000

const script = fileURLToPath(new URL('./judging-process.js', import.meta.url))

/** Processes that judge portals, one judgement at a time. Idle processes are reused. */
class JudgingPool {
  readonly #idle: ChildProcess[] = []
  readonly #all = new Set<ChildProcess>()

  /** Never rejects. If the process dies or hangs, the result says that the suite broke. */
  async judge(alteration: Alteration): Promise<Judged> {
    const child = this.#idle.pop() ?? this.#start()
    const judged = await answerOf(child, alteration)
    if (child.connected) this.#idle.push(child)
    return judged
  }

  /** Ends all processes, even those that are judging. */
  close(): void {
    for (const child of this.#all) child.kill()
  }

  #start(): ChildProcess {
    const child = fork(script, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    this.#all.add(child)
    child.once('exit', () => this.#all.delete(child))
    return child
  }
}

function answerOf(child: ChildProcess, alteration: Alteration): Promise<Judged> {
  return new Promise((resolve) => {
    const settle = (judged: Judged) => {
      clearTimeout(timer)
      child.off('message', settle)
      child.off('exit', onExit)
      resolve(judged)
    }
    const onExit = (code: number | null, signal: string | null) =>
      settle(brokenBy(`the judging process ended (${signal ?? `exit code ${code}`})`))
    const timer = setTimeout(() => {
      child.disconnect()
      child.kill('SIGKILL')
      settle(brokenBy(`no judgement within ${patienceMs / 1000} s`))
    }, patienceMs)
    child.on('message', settle)
    child.on('exit', onExit)
    child.send(alteration)
  })
}
