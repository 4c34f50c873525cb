/** Runs the parts of a self-test in parallel and collects their rows in one matrix. */

import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import picomatch from 'picomatch'
import { suiteVersion } from '../deployment/suite-version.ts'
import { Lanes } from '../runner/lanes.ts'
import type { Alteration } from './judge-portal.ts'
import type { Judged } from './judging-process.ts'
import { isOk, type Matrix, proofsOf } from './matrix.ts'
import { type Part, parts, type RowOf, type Trial, type TrialPlan, trialsByPart } from './trials.ts'

interface SelftestPlan extends TrialPlan {
  readonly only: readonly Part[]
  /** Globs over the ids of faults, variants and other trials. Empty: all. */
  readonly ids: readonly string[]
  /** The number of concurrent trials. */
  readonly jobs: number
  /** Aborted when the user interrupts. Running trials end, and no others start. */
  readonly signal: AbortSignal
  /** Called after each trial. */
  onDone(name: string, problems: readonly string[], done: number, all: number): void
}

/** The rows so far, in the order of the trials. */
type Rows = { readonly [P in Part]: RowOf<P>[] }

/** A trial that puts its row into the matrix and resolves with its problems. */
type Attempted = Omit<Trial, 'run'> & { run(): Promise<readonly string[]> }

/** Resolves with the matrix even if a trial breaks. Rejects only if the signal is aborted. */
export async function conductSelftest(plan: SelftestPlan): Promise<Matrix> {
  const { only, ids, seed, runs, jobs, signal, onDone } = plan
  const began = performance.now()
  const pool = new JudgingPool()
  const rows = Object.fromEntries(parts.map((part) => [part, []])) as unknown as Rows
  const stop = () => pool.close()
  signal.addEventListener('abort', stop, { once: true })

  const wanted = (part: Part): boolean => only.includes(part)
  const trials = <P extends Part>(part: P): Attempted[] =>
    trialsByPart[part](plan, (alteration) => pool.judge(alteration))
      .map((trial, at) => ({
        ...trial,
        run: async () => {
          const row = await trial.run()
          rows[part][trial.place ?? at] = row
          return row.problems
        },
      }))
      .filter(({ name }) => ids.length === 0 || picomatch.isMatch(name.replace(/^\w+ /, ''), [...ids]))
  // Hostile targets run one at a time and first, because the trial also judges time and memory.
  const alone = wanted('hostile') ? trials('hostile') : []
  const sideBySide = parts
    .filter((part) => part !== 'hostile' && wanted(part))
    .flatMap((part) => trials(part))
  const all = alone.length + sideBySide.length
  let again = 0
  try {
    let done = 0
    const onEnd = (name: string, problems: readonly string[]) => onDone(name, problems, ++done, all)
    const late = await tryAll(alone, 1, signal, onEnd)
    const waiting = sideBySide.filter(({ waits }) => waits === true)
    const working = sideBySide.filter(({ waits }) => waits !== true)
    const wrong = await Promise.all([
      tryAll(waiting, Math.ceil(jobs / 2), signal, onEnd),
      tryAll(working, jobs, signal, onEnd),
    ])
    const missed = [...late, ...wrong.flat()].filter((trial) => trial.restsOnTime?.() === true)
    again = missed.length
    await tryAll(missed, 1, signal, (name, problems) => onDone(`${name}, alone`, problems, all, all))
  } finally {
    signal.removeEventListener('abort', stop)
    pool.close()
  }
  // Trials that did not run have no row.
  const tried = (part: Part) => (wanted(part) ? { [part]: rows[part].filter(Boolean) } : {})
  const found = Object.assign({}, ...parts.map(tried)) as Partial<Matrix>
  const proved = wanted('faults') && ids.length === 0 ? { proofs: proofsOf(rows.faults) } : {}
  return {
    format: 'portal-conformance/selftest',
    formatVersion: 1,
    suite: { version: suiteVersion },
    run: {
      seed,
      runs,
      jobs,
      combinations: plan.combinations,
      together: plan.together,
      tried: all,
      again,
      durationMs: Math.round(performance.now() - began),
    },
    ...found,
    ...proved,
    ok: isOk({ ...found, ...proved }),
  }
}

/** Runs the trials in order, with this many at once. Resolves with those that have problems. */
async function tryAll(
  trials: readonly Attempted[],
  atOnce: number,
  signal: AbortSignal,
  onDone: (name: string, problems: readonly string[]) => void,
): Promise<Attempted[]> {
  const wrong: Attempted[] = []
  const tried = async (trial: Attempted): Promise<void> => {
    signal.throwIfAborted()
    const problems = await trial.run()
    signal.throwIfAborted()
    if (problems.length > 0) wrong.push(trial)
    onDone(trial.name, problems)
  }
  const lanes = new Lanes(atOnce)
  await Promise.all(trials.map((trial) => lanes.run(() => tried(trial))))
  return wrong
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
      settle({ broke: `the judging process ended (${signal ?? `exit code ${code}`})` })
    const timer = setTimeout(() => {
      child.disconnect()
      child.kill('SIGKILL')
      settle({ broke: `no judgement within ${patienceMs / 1000} s` })
    }, patienceMs)
    child.on('message', settle)
    child.on('exit', onExit)
    child.send(alteration)
  })
}
