/** One `run` in a process of its own, started as users start it. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Results } from '../reporters/results.ts'
import { ended, program, scriptOf, start } from './child.ts'

export interface MeasuredRun {
  /** In milliseconds since the epoch. */
  readonly startedAt: number
  /** From the start of the process to its end. */
  readonly wallMs: number
  /** The largest resident memory of the process with its worker, in bytes. */
  readonly peakBytes: number
  /** As the results say: from the start of Vitest to its end, and requests of operations. */
  readonly durationMs: number
  readonly requests: number
}

/** Runs with those options; the report goes into a folder below `folder` that is removed. Rejects where it broke. */
export async function measureRun(folder: string, options: readonly string[]): Promise<MeasuredRun> {
  const out = await mkdtemp(join(folder, 'run-'))
  const watch = pathToFileURL(scriptOf('memory-watch')).href
  const started = start(['--import', watch, program, 'run', '--out', out, ...options])
  let peakBytes = 0
  started.child.on('message', (bytes) => {
    peakBytes = bytes as number
  })
  const { startedAt, wallMs, code, stderr } = await ended(started)
  // Non-conformant and incomplete runs have been measured as well.
  if (code !== 0 && code !== 1 && code !== 3) throw new Error(`run ended with ${code}: ${stderr}`)
  const { run, verdict } = JSON.parse(await readFile(join(out, 'results.json'), 'utf8')) as Results
  if (verdict === 'non-conformant') process.stderr.write('note: a run found the portal non-conformant\n')
  await rm(out, { recursive: true })
  return { startedAt, wallMs, peakBytes, durationMs: run.durationMs, requests: run.requests }
}
