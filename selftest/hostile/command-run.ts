/** Runs the real command against a hostile target, in a process of its own, and keeps all that it leaves behind. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Results } from '../../reporters/results.ts'
import { readResults, resultsFile } from '../../reporters/results-json.ts'
import type { HostileTarget } from './hostile-target.ts'

export interface CommandRun {
  /** Null: ended by a signal. */
  readonly exitCode: number | null
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly files: readonly { readonly name: string; readonly bytes: Buffer }[]
  /** Absent: there is no results.json, or it is not valid; `resultsProblem` then says why. */
  readonly results?: Results
  readonly resultsProblem?: string
  readonly durationMs: number
  /** Resident memory at its highest, in bytes; absent where the process did not end by itself. */
  readonly peakBytes?: number
  readonly secrets: readonly string[]
  readonly wrongs: readonly string[]
}

const main = fileURLToPath(
  import.meta.url.endsWith('.ts')
    ? new URL('../../dist/cli/main.js', import.meta.url)
    : new URL('../../cli/main.js', import.meta.url),
)

/** Loaded into the command before it starts: says on its way out how much memory it took, on a pipe of its own. */
const memoryProbe = `data:text/javascript,${encodeURIComponent(`
import { writeSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
if (isMainThread) process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS * 1024)))`)}`

/** So much longer than it should a run may take before it is ended. */
const patienceMs = 30_000

/** Starts the target, runs the command on it, stops it. */
export async function runAgainst(
  target: HostileTarget,
  { seed, runs, signal }: { seed: number; runs: number; signal?: AbortSignal },
): Promise<CommandRun> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-conformance-hostile-'))
  const running = await target.start()
  try {
    const out = join(folder, 'report')
    const config = join(folder, 'target.json')
    await writeFile(config, JSON.stringify(running.configuration))
    const words = ['run', '--config', config, '--out', out, '--seed', `${seed}`, '--runs', `${runs}`]
    const began = performance.now()
    const child = spawn(process.execPath, ['--import', memoryProbe, main, ...words], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env: {
        ...process.env,
        NO_COLOR: '1',
        FORCE_COLOR: undefined,
        // The step that runs the selftest wants no summary of the target.
        GITHUB_STEP_SUMMARY: undefined,
        GITHUB_ACTIONS: undefined,
      },
      timeout: target.expect.timeoutsMs + patienceMs,
      killSignal: 'SIGKILL',
      signal,
    })
    const { exitCode, streams } = await ended(child)
    const durationMs = Math.round(performance.now() - began)
    const [stdout, stderr, memory] = streams as [Buffer, Buffer, Buffer]
    return {
      exitCode,
      stdout,
      stderr,
      files: await filesIn(out),
      ...(await resultsIn(out)),
      durationMs,
      ...(memory.length === 0 ? {} : { peakBytes: Number(memory.toString()) }),
      secrets: running.secrets,
      wrongs: running.wrongs?.() ?? [],
    }
  } finally {
    await running.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function ended(child: ChildProcess): Promise<{ exitCode: number | null; streams: Buffer[] }> {
  const chunks = [1, 2, 3].map((at) => {
    const collected: Buffer[] = []
    ;(child.stdio[at] as NodeJS.ReadableStream).on('data', (chunk: Buffer) => collected.push(chunk))
    return collected
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode) =>
      resolve({ exitCode, streams: chunks.map((collected) => Buffer.concat(collected)) }),
    )
  })
}

async function filesIn(folder: string): Promise<CommandRun['files']> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(
    files.map(async ({ name, parentPath }) => ({ name, bytes: await readFile(join(parentPath, name)) })),
  )
}

async function resultsIn(folder: string): Promise<Pick<CommandRun, 'results' | 'resultsProblem'>> {
  try {
    return { results: await readResults(resultsFile(folder)) }
  } catch (error) {
    return { resultsProblem: (error as Error).message }
  }
}
