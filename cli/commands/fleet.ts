/** `fleet`: judges many targets, a few at a time, and compares them. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { resultsFile } from '../../reporters/results-json.ts'
import { safeLines } from '../../reporters/safe-text.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { fleetTargets } from '../fleet/fleet-targets.ts'
import { runOfTarget, type TargetRun } from '../fleet/run-of-target.ts'
import { listenForInterrupt } from '../process/interrupt.ts'
import type { Surroundings } from '../process/surroundings.ts'
import { compare } from './compare.ts'

export interface FleetOptions {
  readonly out: string
  readonly jobs: number
  readonly list?: boolean
  /** Reports of each run, as `run --reporter` takes them. */
  readonly reporter?: string
  readonly seed?: number
  readonly runs?: number
  readonly allowIncomplete?: boolean
}

// The first of these that any run ended with is what the fleet ends with.
const worstFirst = [130, 4, 2, 1, 3, 0] as const

/** Resolves with the worst exit code of all runs. Throws a CommandError where it cannot begin. */
export async function fleet(
  paths: readonly string[],
  options: FleetOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { stdout, stderr, environment } = surroundings
  const targets = await fleetTargets(paths)
  if (options.list === true) {
    stdout.write(`${JSON.stringify(targets)}\n`)
    return exitCodes.conformant
  }
  const interrupt = listenForInterrupt(surroundings, () => stderr.write('Interrupted: ending the runs\n'))
  try {
    const folder = { folder: options.out, environment, signal: interrupt.signal }
    const words = runOptionsOf(options)
    const runs = await inTurns(targets, options.jobs, async (target) => {
      if (interrupt.signal.aborted) return undefined
      const run = await runOfTarget(target, words, folder)
      stderr.write(`${safeLines(lineOf(run)).join('\n')}\n`)
      return run
    })
    const files = targets
      .map(({ name }) => resultsFile(join(options.out, name)))
      .filter((file) => existsSync(file))
    if (files.length > 1) {
      const documents = { html: join(options.out, 'matrix.html'), markdown: join(options.out, 'matrix.md') }
      await compare(files, { matrix: true, ...documents }, surroundings)
    }
    if (interrupt.signal.aborted) return exitCodes.interrupted
    const codes = runs.map((run) => run?.code ?? exitCodes.interrupted)
    return worstFirst.find((code) => codes.includes(code)) ?? exitCodes.broken
  } finally {
    interrupt.dispose()
  }
}

function runOptionsOf({ reporter = 'json,html,junit', seed, runs, allowIncomplete }: FleetOptions): string[] {
  return [
    '--reporter',
    reporter,
    ...(seed === undefined ? [] : ['--seed', String(seed)]),
    ...(runs === undefined ? [] : ['--runs', String(runs)]),
    ...(allowIncomplete === true ? ['--allow-incomplete'] : []),
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
  return code === 2 || code === 4 ? `${line}\n${said.trim().replace(/^/gm, '  ')}` : line
}

/** Takes the next as soon as one is done, so many at once; results in the order of the items. */
async function inTurns<T, R>(items: readonly T[], width: number, act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const at = next++
      results[at] = await act(items[at] as T)
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker))
  return results
}
