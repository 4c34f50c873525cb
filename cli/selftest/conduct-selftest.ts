/** Runs the parts of a self-test side by side and puts what came of them into one matrix. */
import { faults } from '../../reference/faults/index.ts'
import { variants } from '../../reference/variants/index.ts'
import { Lanes } from '../../suites/lanes.ts'
import { suiteVersion } from '../../target/suite-version.ts'
import { combinations } from './combinations.ts'
import { runAgainst } from './hostile/command-run.ts'
import type { HostileTarget } from './hostile/hostile-target.ts'
import { hostileTargets } from './hostile/index.ts'
import { problemsOf } from './hostile/judge-run.ts'
import { JudgingPool } from './judging-pool.ts'
import {
  type FaultRow,
  faultRow,
  type HostileRow,
  isOk,
  type Matrix,
  proofsOf,
  type VariantRow,
  variantRow,
} from './matrix.ts'

export const parts = ['faults', 'variants', 'hostile'] as const

export type Part = (typeof parts)[number]

export interface SelftestPlan {
  readonly only: readonly Part[]
  readonly seed: number
  /** Cases of each generated check. */
  readonly runs: number
  /** How much is tried at once. */
  readonly jobs: number
  /** Aborted where the user interrupts: what is under way ends, and nothing further starts. */
  readonly signal: AbortSignal
  /** Called after each trial. */
  onDone(name: string, problems: readonly string[], done: number, all: number): void
}

/** Hostile targets are judged by what happens to a run, for which a few cases are enough. */
const runsOnHostile = 5

/** Resolves with the matrix, whatever broke; rejects only where the signal is aborted. */
export async function conductSelftest(plan: SelftestPlan): Promise<Matrix> {
  const { only, seed, runs, jobs, signal, onDone } = plan
  const began = performance.now()
  const pool = new JudgingPool()
  const rows = { faults: [] as FaultRow[], variants: [] as VariantRow[], hostile: [] as HostileRow[] }
  const stop = () => pool.close()
  signal.addEventListener('abort', stop, { once: true })

  const onHostile = hostileTargets.map((target, at) => ({
    name: `target ${target.id}`,
    async run() {
      rows.hostile[at] = await hostileRow(target, seed, signal)
      return rows.hostile[at].problems
    },
  }))
  const onFaults = faults.map((fault, at) => ({
    name: `fault ${fault.id}`,
    async run() {
      rows.faults[at] = faultRow(fault, await pool.judge({ faults: [fault.id], seed, runs }))
      return rows.faults[at].problems
    },
  }))
  const ids = variants.map(({ id }) => id)
  const combined = variants.filter(({ takesLong }) => takesLong !== true).map(({ id }) => id)
  const onVariants = [...ids.map((id) => [id]), ...combinations(combined, seed)].map((together, at) => ({
    name: `variant ${together.join(' + ')}`,
    async run() {
      const judged = await pool.judge({ variants: together, seed, runs })
      rows.variants[at] = variantRow(together, sentenceOf(together), judged)
      return rows.variants[at].problems
    },
  }))
  const wanted = (part: Part): boolean => only.includes(part)
  // One at a time, and before all else: how long they take and what they need is part of the judgement.
  const alone = wanted('hostile') ? onHostile : []
  const sideBySide = [...(wanted('variants') ? onVariants : []), ...(wanted('faults') ? onFaults : [])]
  const all = alone.length + sideBySide.length
  try {
    await tryAll(alone, 1, signal, (name, problems, done) => onDone(name, problems, done, all))
    await tryAll(sideBySide, jobs, signal, (name, problems, done) =>
      onDone(name, problems, alone.length + done, all),
    )
  } finally {
    signal.removeEventListener('abort', stop)
    pool.close()
  }
  const proved = wanted('faults') ? { proofs: proofsOf(rows.faults) } : {}
  return {
    format: 'portal-conformance/selftest',
    formatVersion: 1,
    suite: { version: suiteVersion },
    run: { seed, runs, jobs, durationMs: Math.round(performance.now() - began) },
    ...(wanted('faults') ? { faults: rows.faults } : {}),
    ...(wanted('variants') ? { variants: rows.variants } : {}),
    ...(wanted('hostile') ? { hostile: rows.hostile } : {}),
    ...proved,
    ok: isOk({ ...rows, ...proved }),
  }
}

interface Trial {
  readonly name: string
  /** Resolves with what is wrong. */
  run(): Promise<readonly string[]>
}

/** Tries them in their order, so many at once. */
async function tryAll(
  trials: readonly Trial[],
  atOnce: number,
  signal: AbortSignal,
  onDone: (name: string, problems: readonly string[], done: number) => void,
): Promise<void> {
  let done = 0
  const tried = async ({ name, run }: Trial): Promise<void> => {
    signal.throwIfAborted()
    const problems = await run()
    signal.throwIfAborted()
    onDone(name, problems, ++done)
  }
  const lanes = new Lanes(atOnce)
  await Promise.all(trials.map((trial) => lanes.run(() => tried(trial))))
}

async function hostileRow(target: HostileTarget, seed: number, signal: AbortSignal): Promise<HostileRow> {
  const { id, sentence, expect } = target
  const run = await runAgainst(target, { seed, runs: runsOnHostile, signal })
  const { exitCode, durationMs, peakBytes } = run
  const problems = problemsOf(expect, run)
  return {
    id,
    sentence,
    handled: problems.length === 0,
    problems,
    exitCode,
    durationMs,
    ...(peakBytes === undefined ? {} : { peakMiB: Math.round(peakBytes / 1024 / 1024) }),
  }
}

const sentenceOf = (ids: readonly string[]): string =>
  ids.length > 1 ? 'All of these together.' : (variants.find(({ id }) => id === ids[0])?.sentence ?? '')
