/** The benchmark: `npm run bench`. It measures and never judges. Goals are part of the names of figures. */
import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { dirname } from 'node:path'
import { Command, Option } from 'commander'
import { wholeNumber } from '../cli/arguments/option-values.ts'
import { onTerminal } from '../reporters/terminal/paint.ts'
import { pageFor } from '../reporters/terminal/sheet.ts'
import { type Bench, runNode, startBench, wallOf } from './runs.ts'

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
