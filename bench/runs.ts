/** Starts the program as users do, in its own process, and measures it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Results } from '../reporters/results.ts'
import { memoryProbe, program } from '../selftest/hostile/command-run.ts'

interface Ended {
  /** Start time in ms since the epoch, comparable between processes. */
  readonly startedAt: number
  readonly wallMs: number
  /** What the process wrote to its fourth pipe. */
  readonly written: string
}

/** Runs Node with these words. Rejects with its errors unless it ends with one of the exit codes. */
export async function runNode(words: readonly string[], codes: readonly number[] = [0]): Promise<Ended> {
  const startedAt = performance.timeOrigin + performance.now()
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit').then(([code]) => ({
    code: code as number,
    wallMs: performance.timeOrigin + performance.now() - startedAt,
  }))
  const pipes = [2, 3].map((at) => text(child.stdio[at] as Readable))
  const [{ code, wallMs }, errors, written] = await Promise.all([exited, ...pipes])
  if (codes.includes(code)) return { startedAt, wallMs, written: String(written) }
  throw new Error(`${words.at(-1)} ended with ${code}: ${errors}`)
}

/** Duration in ms of the program with those arguments. */
export const wallOf = async (...words: readonly string[]): Promise<number> =>
  (await runNode([program, ...words])).wallMs

interface MeasuredRun extends Pick<Ended, 'startedAt' | 'wallMs'> {
  /** The largest resident memory of the process, in bytes. */
  readonly peakBytes: number
  /** From the results: the duration of the run, and its requests of operations. */
  readonly durationMs: number
  readonly requests: number
}

/** Runs with those options. The report goes into a temporary folder below `folder`. Rejects if the run broke. */
export async function measureRun(folder: string, options: readonly string[]): Promise<MeasuredRun> {
  const out = await mkdtemp(join(folder, 'run-'))
  const words = ['--import', memoryProbe, program, 'run', '--out', out, ...options]
  // Non-conformant and incomplete runs count too.
  const { written, ...measured } = await runNode(words, [0, 1, 3])
  const { run, verdict } = JSON.parse(await readFile(join(out, 'results.json'), 'utf8')) as Results
  if (verdict === 'non-conformant') process.stderr.write('note: a run found the portal non-conformant\n')
  await rm(out, { recursive: true })
  return { ...measured, peakBytes: Number(written), durationMs: run.durationMs, requests: run.requests }
}
