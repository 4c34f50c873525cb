/** `fleet`: judges many targets, a few at a time, and compares them. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { resultsFile } from '../../reporters/results-json.ts'
import { safeLines } from '../../reporters/safe-text.ts'
import { Lanes } from '../../suites/lanes.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { collectedRun } from '../fleet/collected-run.ts'
import { type FleetTarget, fleetTargets } from '../fleet/fleet-targets.ts'
import { matrixColumns } from '../fleet/matrix-columns.ts'
import { runOfTarget, type TargetRun } from '../fleet/run-of-target.ts'
import { listenForInterrupt } from '../process/interrupt.ts'
import type { Surroundings } from '../process/surroundings.ts'
import { showComparison } from './compare.ts'

export interface FleetOptions {
  readonly out: string
  readonly jobs: number
  readonly list?: boolean
  /** Nothing is run: the results are in their places already. */
  readonly collected?: boolean
  /** Reports of each run, as `run --reporter` takes them. */
  readonly reporter?: string
  readonly seed?: number
  readonly runs?: number
  readonly allowIncomplete?: boolean
  readonly allowInconclusive?: boolean
}

// The first of these that any run ended with is what the fleet ends with.
const worstFirst = [130, 4, 2, 1, 3, 0] as const

/** Resolves with the worst exit code of all runs. Throws a CommandError where it cannot begin. */
export async function fleet(
  paths: readonly string[],
  options: FleetOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const targets = await fleetTargets(paths)
  if (options.list === true) {
    surroundings.stdout.write(`${JSON.stringify(targets)}\n`)
    return exitCodes.conformant
  }
  const take = options.collected === true ? collectedRuns : runsOn
  const runs = await take(targets, options, surroundings)
  const columns = await matrixColumns(runs)
  if (columns.length > 0) {
    const documents = { html: join(options.out, 'matrix.html'), markdown: join(options.out, 'matrix.md') }
    await showComparison(columns, { matrix: true, ...documents }, surroundings)
  }
  const codes = runs.map(({ code }) => code)
  return worstFirst.find((code) => codes.includes(code)) ?? exitCodes.broken
}

async function collectedRuns(
  targets: readonly FleetTarget[],
  { out, allowIncomplete = false, allowInconclusive = false }: FleetOptions,
  { stderr }: Surroundings,
): Promise<TargetRun[]> {
  const runs: TargetRun[] = []
  for (const target of targets) {
    const run = await collectedRun(target, { folder: out, allowIncomplete, allowInconclusive })
    stderr.write(`${safeLines(lineOf(run)).join('\n')}\n`)
    runs.push(run)
  }
  return runs
}

async function runsOn(
  targets: readonly FleetTarget[],
  options: FleetOptions,
  surroundings: Surroundings,
): Promise<TargetRun[]> {
  const { stderr, environment } = surroundings
  const interrupt = listenForInterrupt(surroundings, () => stderr.write('Interrupted: ending the runs\n'))
  const folder = { folder: options.out, environment, signal: interrupt.signal }
  const words = runOptionsOf(options)
  const lanes = new Lanes(options.jobs)
  // Results of an earlier fleet must not pass for those of this one.
  for (const { name } of targets) rmSync(resultsFile(join(options.out, name)), { force: true })
  const runOn = async (target: FleetTarget): Promise<TargetRun> => {
    const run = await runOfTarget(target, words, folder)
    stderr.write(`${safeLines(lineOf(run)).join('\n')}\n`)
    return run
  }
  try {
    return await Promise.all(targets.map((target) => lanes.run(() => runOn(target))))
  } finally {
    interrupt.dispose()
  }
}

function runOptionsOf({
  reporter = 'json,html,junit',
  seed,
  runs,
  allowIncomplete,
  allowInconclusive,
}: FleetOptions): string[] {
  return [
    '--reporter',
    reporter,
    ...(seed === undefined ? [] : ['--seed', String(seed)]),
    ...(runs === undefined ? [] : ['--runs', String(runs)]),
    ...(allowIncomplete === true ? ['--allow-incomplete'] : []),
    ...(allowInconclusive === true ? ['--allow-inconclusive'] : []),
  ]
}

const meanings: Readonly<Record<number, string>> = {
  0: 'conformant',
  1: 'non-conformant',
  2: 'usage or configuration',
  3: 'incomplete',
  4: 'not reached, or the suite broke',
  130: 'interrupted',
}

/** What broke is told with its own words. */
function lineOf({ target, code, out, said }: TargetRun): string {
  const line = `${target.name}: ${meanings[code] ?? 'broke'} (exit ${code}), reports in ${out}`
  return (code === 2 || code === 4) && said !== '' ? `${line}\n${said.trim().replace(/^/gm, '  ')}` : line
}
