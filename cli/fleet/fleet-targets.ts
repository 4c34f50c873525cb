/** The targets of a fleet, their runs (each in its own process, or collected from other machines) and columns of the matrix. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readSource } from '../../deployment/configuration/configuration-source.ts'
import { targetNames } from '../../deployment/configuration/load-configuration.ts'
import { type ComparedResults, withoutEvidence } from '../../reporters/compare/compare.ts'
import { documentFile } from '../../reporters/document.ts'
import { exitCodeOf, exitCodes, wasInterrupted } from '../../reporters/exit-codes.ts'
import type { Results } from '../../reporters/results.ts'
import { ResultsError, readResults, resultsFile } from '../../reporters/results-json.ts'
import { countsByOutcome } from '../../specs/outcomes.ts'
import type { GateOptions } from '../arguments/option-values.ts'
import { usageError } from '../command-error.ts'

/** A target: its name, which is also the name of its folder, and the options of `run` that select it. */
export interface FleetTarget {
  readonly name: string
  readonly config: string
  /** If the configuration has several. */
  readonly target?: string
}

const endings = ['.yaml', '.yml', '.json']

/** Also fits into the name of an artefact on GitHub. */
const fitName = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]*$/u

/**
 * The targets of the files and folders, in their order. Throws a usage error if a path cannot be read, a folder has no
 * configuration, two targets have one name, or a name fits no folder; a ConfigurationError if a file is no YAML.
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
      `${config}: the target ${JSON.stringify(name)}: the name is also the name of a folder: letters, digits, spaces and ._- are expected, first a letter or a digit`,
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
  /** The end of its stderr. */
  readonly said: string
  /** Without evidence; absent: there are none, or they cannot be read. */
  readonly results?: Results | undefined
}

const main = fileURLToPath(new URL('../main.js', import.meta.url))

const mostSaid = 4000

/**
 * Runs one target with further options of `run`. An aborted signal interrupts the run, which still writes its report;
 * later runs do not begin.
 */
export async function runOfTarget(
  target: FleetTarget,
  options: readonly string[],
  { folder, environment, signal }: FleetFolder,
): Promise<TargetRun> {
  const out = join(folder, target.name)
  if (signal.aborted)
    return { target, code: exitCodes.interrupted, out, said: 'interrupted before its run began' }
  const words = ['run', '--config', target.config, '--out', out, ...options]
  if (target.target !== undefined) words.push('--target', target.target)
  const child = spawn(process.execPath, [main, ...words], {
    env: { ...environment, CI: environment.CI ?? '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
    // Ctrl-C must reach the run once, from here: a second one would end it without its report.
    detached: true,
  })
  const interrupt = () => void child.kill('SIGINT')
  signal.addEventListener('abort', interrupt, { once: true })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said = (said + chunk).slice(-mostSaid)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  signal.removeEventListener('abort', interrupt)
  const results = await resultsIn(out)
  const ended = { target, code: code ?? exitCodes.broken, out, said }
  return typeof results === 'string' ? ended : { ...ended, results }
}

interface FleetFolder {
  /** Each target has a folder of its own in it. */
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

/** The run whose results were collected in the folder; a broken run if they cannot be read. */
export async function collectedRun(
  target: FleetTarget,
  folder: string,
  gate: GateOptions,
): Promise<TargetRun> {
  const out = join(folder, target.name)
  const results = await resultsIn(out)
  if (typeof results === 'string') return { target, code: exitCodes.broken, out, said: results }
  const code = exitCodeOf(results, { ...gate, interrupted: wasInterrupted(results) })
  return { target, code, out, said: results.errors?.join('\n') ?? '', results }
}

/** A column for each run, in their order; no column if no run has results, because the requirements are unknown then. */
export function matrixColumns(runs: readonly TargetRun[]): ComparedResults[] {
  const judged = runs.find(({ results }) => results !== undefined)?.results
  if (judged === undefined) return []
  return runs.map(({ target, out, said, results }) => ({
    file: resultsFile(out),
    // The matrix stands beside the folders of the targets.
    ...(existsSync(documentFile(out, 'html')) && { report: documentFile(target.name, 'html') }),
    ...(results === undefined
      ? { name: target.name, judged: false as const, results: nothingOf(judged, said) }
      : { name: target.name, results }),
  }))
}

/** Without evidence, or why they cannot be read. */
async function resultsIn(out: string): Promise<Results | string> {
  const file = resultsFile(out)
  if (!existsSync(file)) return `${file} is missing: its job wrote no results, or they were not collected`
  try {
    return withoutEvidence(await readResults(file))
  } catch (error) {
    if (error instanceof ResultsError) return error.message
    throw error
  }
}

/** Results for a target that was not judged, with why as their error, and with the requirements of another target. */
function nothingOf({ roles: _, ...judged }: Results, said: string): Results {
  const requirements = judged.requirements.map(({ reason: _, ...requirement }) => ({
    ...requirement,
    outcome: 'not-tested' as const,
    reason: 'the target was not judged',
    checks: [],
  }))
  return {
    ...judged,
    target: { ...judged.target, baseUrl: 'unknown' },
    verdict: 'incomplete',
    totals: countsByOutcome(requirements),
    requirements,
    observations: [],
    errors: [said.trim().replace(/\s*\n\s*/g, '; ') || 'the run wrote no results'],
    complete: true,
  }
}
