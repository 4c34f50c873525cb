/** The targets of a fleet, their runs (made here, each in a process of its own, or collected from elsewhere), and their columns of the matrix. */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readSource } from '../../deployment/configuration/configuration-source.ts'
import { targetNames } from '../../deployment/configuration/load-configuration.ts'
import { withoutEvidence } from '../../reporters/compare/compare.ts'
import type { ComparedResults } from '../../reporters/compare/comparison.ts'
import { exitCodeOf, exitCodes, wasInterrupted } from '../../reporters/exit-codes.ts'
import type { Results } from '../../reporters/results.ts'
import { ResultsError, readResults, resultsFile } from '../../reporters/results-json.ts'
import { countsByOutcome } from '../../specs/outcomes.ts'
import type { GateOptions } from '../arguments/option-values.ts'
import { usageError } from '../command-error.ts'

/** One target: its name in the fleet, which is that of its folder too, and the options of `run` that choose it. */
export interface FleetTarget {
  readonly name: string
  readonly config: string
  /** Where the configuration has several. */
  readonly target?: string
}

const endings = ['.yaml', '.yml', '.json']

/** Also what GitHub takes as a part of the name of an artefact. */
const fitName = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]*$/u

/**
 * The targets of those files and folders, in their order. Throws a usage error where a path cannot be read, a folder
 * has no configuration, two targets have one name, or one that no folder can have; a ConfigurationError where a file is
 * no YAML.
 */
export async function fleetTargets(paths: readonly string[]): Promise<FleetTarget[]> {
  const files = (await Promise.all(paths.map(configurationsIn))).flat()
  const targets = files.flatMap((config): FleetTarget[] => {
    const name = basename(config, extname(config))
    const names = targetNames(readSource({ file: config }))
    return names.length === 0 ? [{ name, config }] : names.map((target) => ({ name: target, config, target }))
  })
  const unfit = targets.find(({ name }) => !fitName.test(name))
  if (unfit !== undefined) {
    const { config, name } = unfit
    throw usageError(
      `${config}: the target ${JSON.stringify(name)}: its name is that of a folder too: letters, digits, spaces and ._- are expected, the first one a letter or a digit`,
    )
  }
  const doubled = targets.find(({ name }, at) => targets.findIndex((other) => other.name === name) !== at)
  if (doubled !== undefined) {
    const where = targets.filter(({ name }) => name === doubled.name).map(({ config }) => config)
    throw usageError(`two targets are called ${doubled.name}: ${where.join(', ')}; rename one`)
  }
  return targets
}

async function configurationsIn(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => {
    throw usageError(`${path}: cannot be read: there is no such file or folder`)
  })
  if (!found.isDirectory()) return [path]
  const entries = await readdir(path, { withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && endings.includes(extname(entry.name)))
    .map((entry) => join(path, entry.name))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  if (files.length === 0) throw usageError(`${path}: there is no configuration in it (${endings.join(', ')})`)
  return files
}

/** How the run on a target ended. */
export interface TargetRun {
  readonly target: FleetTarget
  readonly code: number
  /** Where its reports are. */
  readonly out: string
  /** What it said, the last lines of it. */
  readonly said: string
}

// Sources run under the project's own tests, compiled files everywhere else.
const main = fileURLToPath(
  import.meta.url.endsWith('.ts')
    ? new URL('../../dist/cli/main.js', import.meta.url)
    : new URL('../main.js', import.meta.url),
)

const mostSaid = 4000

/**
 * Runs with those further options of `run`; an aborted signal interrupts it, and it still writes its report. After that
 * no further one begins.
 */
export function runOfTarget(
  target: FleetTarget,
  options: readonly string[],
  { folder, environment, signal }: FleetFolder,
): Promise<TargetRun> {
  const out = join(folder, target.name)
  const words = ['run', '--config', target.config, '--out', out, ...options]
  if (target.target !== undefined) words.push('--target', target.target)
  if (signal.aborted) return Promise.resolve({ target, code: exitCodes.interrupted, out, said: '' })
  return new Promise((done) => {
    const child = spawn(process.execPath, [main, ...words], {
      env: { ...environment, CI: environment.CI ?? '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
      // A Ctrl-C must reach it once, from here: the second one would make it leave without its report.
      detached: true,
    })
    const interrupt = () => void child.kill('SIGINT')
    signal.addEventListener('abort', interrupt, { once: true })
    let said = ''
    child.stderr.on('data', (chunk) => {
      said = (said + chunk).slice(-mostSaid)
    })
    child.on('close', (code) => {
      signal.removeEventListener('abort', interrupt)
      done({ target, code: code ?? 4, out, said })
    })
  })
}

interface FleetFolder {
  /** Each target has a folder of its own in it. */
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

/** The run whose results were collected in the folder; one that broke where there are none that can be read. */
export async function collectedRun(
  target: FleetTarget,
  folder: string,
  gate: GateOptions,
): Promise<TargetRun> {
  const out = join(folder, target.name)
  const file = resultsFile(out)
  const broke = (said: string): TargetRun => ({ target, code: exitCodes.broken, out, said })
  if (!existsSync(file)) return broke(`${file} is not there: was it judged, and were its results collected?`)
  try {
    const results = await readResults(file)
    const code = exitCodeOf(results, { ...gate, interrupted: wasInterrupted(results) })
    return { target, code, out, said: results.errors?.join('\n') ?? '' }
  } catch (error) {
    if (!(error instanceof ResultsError)) throw error
    return broke(error.message)
  }
}

/** In the order of the runs; none where no run has results, since what was to be judged is not known then. */
export async function matrixColumns(runs: readonly TargetRun[]): Promise<ComparedResults[]> {
  const columns: { run: TargetRun; results: Results | undefined }[] = []
  for (const run of runs) columns.push({ run, results: await resultsOf(run) })
  const judged = columns.find(({ results }) => results !== undefined)?.results
  if (judged === undefined) return []
  return columns.map(({ run: { target, out }, results }) => ({
    file: resultsFile(out),
    ...(results === undefined
      ? { name: `${target.name}, not judged`, judged: false as const, results: nothingOf(judged) }
      : { name: target.name, results }),
  }))
}

/** The results of that run, without evidence; undefined where there are none that can be read. */
export async function resultsOf({ out }: TargetRun): Promise<Results | undefined> {
  try {
    return withoutEvidence(await readResults(resultsFile(out)))
  } catch (error) {
    if (error instanceof ResultsError) return undefined
    throw error
  }
}

const notJudged = 'the target was not judged'

/** What results say where nothing was tested of what those others tested. */
function nothingOf({ roles: _, ...judged }: Results): Results {
  const requirements = judged.requirements.map(({ reason: _, ...requirement }) => ({
    ...requirement,
    outcome: 'not-tested' as const,
    reason: notJudged,
    checks: [],
  }))
  return {
    ...judged,
    target: { ...judged.target, baseUrl: 'unknown' },
    verdict: 'incomplete',
    totals: countsByOutcome(requirements),
    requirements,
    observations: [],
    errors: [notJudged],
    complete: true,
  }
}
