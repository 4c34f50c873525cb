/** Runs the parts of a self-test side by side and puts what came of them into one matrix. */

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
  /** Globs over the ids of faults, variants and all else that is tried; empty: everything. */
  readonly ids: readonly string[]
  /** How much is tried at once. */
  readonly jobs: number
  /** Aborted where the user interrupts: what is under way ends, and nothing further starts. */
  readonly signal: AbortSignal
  /** Called after each trial. */
  onDone(name: string, problems: readonly string[], done: number, all: number): void
}

/** What was found so far, in the order of the trials. */
type Rows = { readonly [P in Part]: RowOf<P>[] }

/** A trial that puts its row into the matrix, and resolves with what is wrong. */
type Attempted = Omit<Trial, 'run'> & { run(): Promise<readonly string[]> }

/** Resolves with the matrix, whatever broke; rejects only where the signal is aborted. */
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
  // One at a time, and before all else: how long they take and what they need is part of the judgement.
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
  // What was not tried has no row.
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

/** Tries them in their order, this many at once. Resolves with those that did not end as they should. */
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

/** Longer than any judgement takes, in milliseconds. */
const patienceMs = 300_000

const script = fileURLToPath(new URL('./judging-process.js', import.meta.url))

/** Each of its users has one process at a time; the processes are used again. */
class JudgingPool {
  readonly #idle: ChildProcess[] = []
  readonly #all = new Set<ChildProcess>()

  /** Never rejects: a process that dies or hangs is reported as a suite that broke. */
  async judge(alteration: Alteration): Promise<Judged> {
    const child = this.#idle.pop() ?? this.#start()
    const judged = await answerOf(child, alteration)
    if (child.connected) this.#idle.push(child)
    return judged
  }

  /** Ends the processes, also those that are judging. */
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
