/**
 * The benchmark: `npm run bench`. It starts the program as users do, in its own process and against a watched portal. It
 * measures and never judges. Goals are part of the names of figures.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Command, Option } from 'commander'
import { wholeNumber } from '../cli/arguments/option-values.ts'
import { startWatchedPortal } from '../reference/portal.ts'
import type { Results } from '../reporters/results.ts'
import { onTerminal } from '../reporters/terminal/paint.ts'
import { pageFor } from '../reporters/terminal/sheet.ts'
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
async function runNode(words: readonly string[], codes: readonly number[] = [0]): Promise<Ended> {
  const startedAt = now()
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit').then(([code]) => ({ code: code as number, wallMs: now() - startedAt }))
  const pipes = [2, 3].map((at) => text(child.stdio[at] as Readable))
  const [{ code, wallMs }, errors, written] = await Promise.all([exited, ...pipes])
  if (codes.includes(code)) return { startedAt, wallMs, written: String(written) }
  throw new Error(`${words.at(-1)} ended with ${code}: ${errors}`)
}

/** Duration in ms of the program with those arguments. */
const wallOf = async (...words: readonly string[]): Promise<number> =>
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
interface Bench {
  readonly configuration: string
  run(...options: readonly string[]): Promise<MeasuredRun>
  close(): Promise<void>
}

/** Starts a portal that delays every answer by that long. */
async function startBench(latencyMs: number): Promise<Bench> {
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

/** A question of the benchmark. */
interface Measurement {
  /** The delay of every answer of the portal. */
  readonly latencyMs?: number
  /** Values by their names, which hold the unit and the goal. */
  measure(bench: Bench): Promise<Readonly<Record<string, number>>>
}

/** Globs for --requirement: without the checks that wait for syncs. */
const withoutTimedChecks =
  '!{sync-workspace/{synchronous-blocks,asynchronous-returns,one-at-a-time,after-finish}*,delete-collaboration/sharing-stops*}'

/** Eight concurrent requests, one case of each generated check. */
const fewRequests = ['--requirement', 'update-federation/updates', '--runs', '1']

const measurements: Readonly<Record<string, Measurement>> = {
  throughput: {
    async measure({ run }) {
      const options = ['--runs', '100', '--requirement', withoutTimedChecks]
      const { requests, firstAt, lastAt, durationMs } = await run(...options)
      return {
        'requests/s, first request to last answer': (requests / (lastAt - firstAt)) * 1000,
        'requests/s, from the start of the run to its end': (requests / durationMs) * 1000,
      }
    },
  },
  /** On a slow target, the share of time that is not spent waiting for it. The whole suite, timed checks included. */
  latency: {
    latencyMs: 50,
    async measure({ run }) {
      const { requests, firstAt, lastAt, durationMs } = await run('--runs', '25', '--concurrency', '8')
      const leastMs = (requests * 50) / 8
      return {
        'ms, run with 50 ms of latency': durationMs,
        'run over least possible (requests × 50 / 8; wanted: <= 1.3)': durationMs / leastMs,
        'first request to last answer, over least possible': (lastAt - firstAt) / leastMs,
      }
    },
  },
  /** How the memory of a run grows with its requests, without the portal's own memory. */
  memory: {
    async measure({ run }) {
      const few = await run('--runs', '1')
      const many = await run('--runs', '1500')
      return {
        'requests with --runs 1': few.requests,
        'MB, peak with --runs 1': few.peakMB,
        'requests with --runs 1500': many.requests,
        'MB, peak with --runs 1500': many.peakMB,
        'memory with many requests over that with few (wanted: <= 1.25)': many.peakMB / few.peakMB,
      }
    },
  },
  start: {
    async measure({ run }) {
      const { startedAt, firstAt, wallMs } = await run('--runs', '1')
      return {
        'ms, process start to the first request (wanted: <= 800)': firstAt - startedAt,
        'ms, shortest whole run, process start to end (wanted: <= 1800)': wallMs,
      }
    },
  },
  /** Frequent commands: those that send nothing, compared with an empty Node process, and a run of few requests. */
  commands: {
    async measure({ configuration, run }) {
      const { wallMs: nothing } = await runNode(['-e', '0'])
      const beyond = async (...words: string[]) => (await wallOf(...words)) - nothing
      return {
        'ms, node -e 0': nothing,
        'ms, --help, beyond node -e 0 (wanted: <= 250)': await beyond('--help'),
        'ms, requirements, beyond node -e 0 (wanted: <= 250)': await beyond('requirements'),
        'ms, run --dry-run, beyond node -e 0 (wanted: <= 250)': await beyond(
          ...['run', '--dry-run', '--config', configuration],
        ),
        'ms, run of few requests, process start to end (wanted: <= 800)': (await run(...fewRequests)).wallMs,
      }
    },
  },
}

interface Options {
  readonly out: string
  readonly times: number
  readonly only?: readonly string[]
}

const options = new Command('bench')
  .description('Measures the suite against the embedded portal; nothing else should run beside it.')
  .option('--out <FILE>', 'where the figures go as JSON', 'portal-conformance-report/benchmark.json')
  .option('--times <N>', 'how often each figure is measured', wholeNumber(1), 5)
  .addOption(new Option('--only <NAME...>', 'only these figures').choices(Object.keys(measurements)))
  .parse()
  .opts<Options>()

/** The values of each measured time. One after the other, because concurrent measurements would disturb each other. */
async function figures(): Promise<Map<string, number[]>> {
  const values = new Map<string, number[]>()
  for (const [name, { latencyMs = 0, measure }] of Object.entries(measurements)) {
    if (options.only?.includes(name) === false) continue
    const bench = await startBench(latencyMs)
    try {
      for (let time = 1; time <= options.times; time += 1) {
        process.stderr.write(`${name}, ${time} of ${options.times}\n`)
        for (const [figure, value] of Object.entries(await measure(bench)))
          values.set(figure, [...(values.get(figure) ?? []), value])
      }
    } finally {
      await bench.close()
    }
  }
  return values
}

/** The machine, on which all figures depend, and the commit, marked if files differ from it. */
const context = () => ({
  measuredAt: new Date().toISOString(),
  commit: execFileSync('git', ['describe', '--always', '--dirty', '--exclude', '*'], {
    encoding: 'utf8',
  }).trim(),
  node: process.version,
  platform: process.platform,
  processor: `${cpus()[0]?.model ?? 'unknown'} × ${availableParallelism()}`,
  memoryMB: Math.round(totalmem() / 2 ** 20),
})

const shown = (value = 0): string => value.toFixed(value >= 100 ? 0 : 2)

const measured = await figures()
const rows = [...measured].map(([figure, values]) => {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted[Math.floor(sorted.length / 2)]
  return [figure, ...[sorted[0], middle, sorted.at(-1)].map(shown)]
})
const table = {
  kind: 'table',
  label: 'Figures',
  heads: ['figure', 'minimum', 'median', 'maximum'],
  rows,
} as const
process.stdout.write(onTerminal([table], { ...pageFor(process.stdout, process.env), width: 160 }))
await mkdir(dirname(options.out), { recursive: true })
const document = { ...context(), figures: Object.fromEntries(measured) }
await writeFile(options.out, `${JSON.stringify(document, null, 2)}\n`)
process.stdout.write(`${options.out}\n`)
