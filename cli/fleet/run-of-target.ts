/** The run on one target of a fleet, in a process of its own. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exitCodes } from '../../reporters/exit-codes.ts'
import type { FleetTarget } from './fleet-targets.ts'

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

export interface FleetFolder {
  /** Each target has a folder of its own in it. */
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}
