/** Starts the program as users do, in its own process and against a watched portal, and measures it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { startWatchedPortal } from '../reference/portal.ts'
import type { Results } from '../reporters/results.ts'
import { memoryProbe, program } from '../selftest/hostile/command-run.ts'

/** Times in ms since the epoch. */
const now = () => performance.timeOrigin + performance.now()

interface Ended {
  readonly startedAt: number
  readonly wallMs: number
  /** What the process wrote to its fourth pipe. */
  readonly written: string
}

/** Runs Node with these words. Rejects with its errors unless it ends with one of the exit codes. */
export async function runNode(words: readonly string[], codes: readonly number[] = [0]): Promise<Ended> {
  const startedAt = now()
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit').then(([code]) => ({ code: code as number, wallMs: now() - startedAt }))
  const pipes = [2, 3].map((at) => text(child.stdio[at] as Readable))
  const [{ code, wallMs }, errors, written] = await Promise.all([exited, ...pipes])
  if (codes.includes(code)) return { startedAt, wallMs, written: String(written) }
  throw new Error(`${words.at(-1)} ended with ${code}: ${errors}`)
}

/** Duration in ms of the program with those arguments. */
export const wallOf = async (...words: readonly string[]): Promise<number> =>
  (await runNode([program, ...words])).wallMs

interface MeasuredRun extends Omit<Ended, 'written'> {
  /** The largest resident memory of the process. */
  readonly peakMB: number
  /** From the results: the duration of the run, and its requests of operations. */
  readonly durationMs: number
  readonly requests: number
  /** When the portal got the first request of an operation, and when it sent the last answer. */
  readonly firstAt: number
  readonly lastAt: number
}

/** A portal, and runs against it. */
export interface Bench {
  readonly configuration: string
  run(...options: readonly string[]): Promise<MeasuredRun>
  close(): Promise<void>
}

/** Starts a portal that delays every answer by that long. */
export async function startBench(latencyMs: number): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-conformance-benchmark-'))
  let seen: readonly number[] = []
  const portal = await startWatchedPortal(
    { latencyMs },
    {
      watch: ({ arrival, arrivedAt }) => {
        // The only GET asks whether the target is reachable.
        if (arrival.method === 'POST') seen = [seen[0] ?? arrivedAt, Date.now()]
      },
    },
  )
  const configuration = join(folder, 'portal.json')
  await writeFile(configuration, JSON.stringify(portal.configuration))
  return {
    configuration,
    async run(...options) {
      seen = []
      const words = ['run', '--config', configuration, '--seed', '1', '--out', folder, ...options]
      // Non-conformant and incomplete runs count too.
      const { written, ...ended } = await runNode(['--import', memoryProbe, program, ...words], [0, 1, 3])
      const { run, verdict } = JSON.parse(await readFile(join(folder, 'results.json'), 'utf8')) as Results
      if (verdict === 'non-conformant') process.stderr.write('note: a run found the portal non-conformant\n')
      const [firstAt = 0, lastAt = 0] = seen
      const { durationMs, requests } = run
      return { ...ended, peakMB: Number(written) / 2 ** 20, durationMs, requests, firstAt, lastAt }
    },
    async close() {
      await portal.close()
      await rm(folder, { recursive: true })
    },
  }
}
