/** Starts a script of this package in its own process and waits for it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Results } from '../reporters/results.ts'
import type { Watched } from './watch.ts'

/** The program as users start it. */
const program = fileURLToPath(new URL('../cli/main.js', import.meta.url))

/** The compiled script of that name in this folder. */
const scriptOf = (name: string): string => fileURLToPath(new URL(`${name}.js`, import.meta.url))

interface Started {
  readonly child: ChildProcess
  /** Start time in ms since the epoch, comparable between processes. */
  readonly startedAt: number
  /** Resolves when the process has ended, with any exit code. */
  readonly ended: Promise<Ended>
}

interface Ended {
  readonly wallMs: number
  readonly code: number | null
  readonly stderr: string
}

/** Milliseconds since the epoch, with fractions, by the clock that all processes of this machine share. */
const now = (): number => performance.timeOrigin + performance.now()

/** Starts the script with a message channel. Its output does not mix with ours. */
function start(words: readonly string[]): Started {
  const startedAt = now()
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  const ended = new Promise<Ended>((resolve, reject) => {
    let stderr = ''
    let wallMs = 0
    child.stderr?.on('data', (chunk) => {
      stderr += chunk
    })
    child.once('error', reject)
    child.once('exit', () => {
      wallMs = now() - startedAt
    })
    child.once('close', (code) => resolve({ wallMs, code, stderr }))
  })
  return { child, startedAt, ended }
}

/** The first message of a script of this folder. Rejects with its errors if it ends without one. */
export async function reported<Message>(script: string, words: readonly string[]): Promise<Message> {
  const { child, ended } = start([scriptOf(script), ...words])
  const failed = ended.then(({ stderr }) => {
    throw new Error(`${script} broke: ${stderr}`)
  })
  const [first] = await Promise.race([once(child, 'message'), failed])
  await ended
  return first as Message
}

/** Starts the program as users do, with the watcher loaded. */
const startWatched = (words: readonly string[]): Started =>
  start(['--import', pathToFileURL(scriptOf('watch')).href, program, ...words])

/** Duration in ms of the program with those arguments, or of an empty Node process. */
export async function wallOf(words: readonly string[] | 'nothing'): Promise<number> {
  const { ended } = start(words === 'nothing' ? ['-e', '0'] : [program, ...words])
  const { wallMs, code, stderr } = await ended
  if (code !== 0) throw new Error(`${String(words)} ended with ${code}: ${stderr}`)
  return wallMs
}

interface MeasuredRun {
  /** In ms since the epoch. */
  readonly startedAt: number
  /** Duration of the process. */
  readonly wallMs: number
  /** The largest resident memory of the process, in bytes. */
  readonly peakBytes: number
  /** From the results: the duration of the run, and its requests of operations. */
  readonly durationMs: number
  readonly requests: number
}

/** Runs with those options. The report goes into a temporary folder below `folder`. Rejects if the run broke. */
export async function measureRun(folder: string, options: readonly string[]): Promise<MeasuredRun> {
  const out = await mkdtemp(join(folder, 'run-'))
  const { child, startedAt, ended } = startWatched(['run', '--out', out, ...options])
  let peakBytes = 0
  child.on('message', (bytes) => {
    peakBytes = bytes as number
  })
  const { wallMs, code, stderr } = await ended
  // Non-conformant and incomplete runs count too.
  if (code !== 0 && code !== 1 && code !== 3) throw new Error(`run ended with ${code}: ${stderr}`)
  const { run, verdict } = JSON.parse(await readFile(join(out, 'results.json'), 'utf8')) as Results
  if (verdict === 'non-conformant') process.stderr.write('note: a run found the portal non-conformant\n')
  await rm(out, { recursive: true })
  return { startedAt, wallMs, peakBytes, durationMs: run.durationMs, requests: run.requests }
}

export interface PortalProcess {
  /** A configuration file for it. */
  readonly configuration: string
  /** Scheme, host and port. */
  readonly origin: string
  /** The requests since the last call. */
  watched(): Promise<Watched>
  close(): Promise<void>
}

/** Starts the portal and writes its configuration into that folder. Rejects if the portal ends. */
export async function startPortalProcess(folder: string, latencyMs = 0): Promise<PortalProcess> {
  const configuration = join(folder, `portal-${process.hrtime.bigint()}.yaml`)
  const serving = ['serve', '--write', configuration, '--latency', String(latencyMs)]
  const { child, ended } = startWatched(serving)
  const text = await Promise.race([written(configuration), ended.then(({ stderr }) => stderr)])
  const origin = /baseUrl: (https?:\/\/[^/\s]+)/.exec(text)?.[1]
  if (origin === undefined) throw new Error(`the portal did not start: ${text}`)
  return {
    configuration,
    origin,
    watched: async () => {
      const answer = once(child, 'message')
      child.send('what came?')
      return (await answer)[0] as Watched
    },
    close: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** The text of a configuration once it is complete: its last key is `run`. */
async function written(file: string): Promise<string> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (/^run:\n(?: {2}\w+: .*\n)+$/m.test(text)) return text
    await sleep(20)
  }
}
