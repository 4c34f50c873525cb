/** The benchmark: `npm run bench`. It measures and never judges. Goals are printed beside the figures. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { wholeNumber } from '../cli/arguments/option-values.ts'
import {
  documentOf,
  type Figure,
  type FigureId,
  figureIds,
  figuresOf,
  type Measuring,
  measuredCommit,
  repeated,
  tableOf,
} from './figures.ts'
import { type MeasuredPortal, startMeasuredPortal } from './portal.ts'
import { measureRun, runNode, wallOf } from './runs.ts'
import { throughput } from './throughput.ts'

const parts: Readonly<Record<FigureId, (measuring: Measuring) => Promise<Figure[]>>> = {
  a: throughput,
  b: latency,
  c: memory,
  d: startUp,
  e: shortRun,
  f: commands,
}

interface Options {
  readonly out: string
  readonly times: number
  readonly only: readonly FigureId[]
}

/** Eight concurrent requests, one case of each generated check. */
const fewRequests = ['--requirement', 'update-federation/updates']

const options = new Command('bench')
  .description('Measures the suite against the embedded portal; nothing else should run beside it.')
  .option('--out <FILE>', 'where the figures go as JSON', 'portal-conformance-report/benchmark.json')
  .option('--times <N>', 'how often each figure is measured', wholeNumber(1), 5)
  .option('--only <LIST>', 'some of the figures a to f, such as a,c', chosen, [...figureIds])
  .parse()
  .opts<Options>()

await mkdir(dirname(options.out), { recursive: true })
const folder = await mkdtemp(join(tmpdir(), 'portal-conformance-benchmark-'))
try {
  const figures: Figure[] = []
  const note = (text: string) => void process.stderr.write(`${text}\n`)
  for (const id of figureIds) {
    if (options.only.includes(id)) figures.push(...(await parts[id]({ folder, times: options.times, note })))
  }
  const commit = measuredCommit()
  process.stdout.write(`commit ${commit ?? 'unknown'}\n${tableOf(figures)}`)
  await writeFile(options.out, `${JSON.stringify(documentOf(figures, options.times, commit), null, 2)}\n`)
  process.stdout.write(`${options.out}\n`)
} catch (error) {
  process.stderr.write(`the benchmark broke: ${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  await rm(folder, { recursive: true })
}

function chosen(text: string): FigureId[] {
  const ids = text.split(',').map((part) => part.trim())
  const unknown = ids.find((id) => !figureIds.some((each) => each === id))
  if (unknown === undefined) return ids as FigureId[]
  throw new InvalidArgumentError(`There is no figure "${unknown}". Known are ${figureIds.join(', ')}.`)
}

async function onPortal<T>(
  { folder }: Measuring,
  measure: (portal: MeasuredPortal) => Promise<T>,
  latencyMs = 0,
): Promise<T> {
  const portal = await startMeasuredPortal(folder, { latencyMs })
  try {
    return await measure(portal)
  } finally {
    await portal.close()
  }
}

/** (b) On a slow target, the share of time that is not spent waiting for it. The whole suite, timed checks included. */
async function latency(measuring: Measuring): Promise<Figure[]> {
  const [latencyMs, concurrency, runs] = [50, 8, 25]
  const measure = async (portal: MeasuredPortal) => {
    portal.watched()
    const options = ['--seed', '1', '--runs', String(runs), '--concurrency', String(concurrency)]
    const { durationMs } = await measureRun(measuring.folder, ['--config', portal.configuration, ...options])
    const { operations, firstAt, lastAt } = portal.watched()
    return { durationMs, leastMs: (operations * latencyMs) / concurrency, sendingMs: lastAt - firstAt }
  }
  const rounds = await onPortal(
    measuring,
    (portal) => repeated(measuring, '(b) latency', () => measure(portal)),
    latencyMs,
  )
  const least = `least possible (requests × ${latencyMs} / ${concurrency})`
  return figuresOf('b', rounds, [
    { name: `run with ${latencyMs} ms of latency`, unit: 'ms', of: (r) => r.durationMs },
    { name: least, unit: 'ms', of: (r) => r.leastMs },
    { name: 'run over least possible', unit: 'ratio', of: (r) => r.durationMs / r.leastMs, wanted: '<= 1.3' },
    { name: 'ratio, first request to last answer', unit: 'ratio', of: (r) => r.sendingMs / r.leastMs },
  ])
}

/** (c) How the memory of a run grows with its requests, without the portal's own memory. */
function memory(measuring: Measuring): Promise<Figure[]> {
  return onPortal(measuring, async (portal) => {
    const run = (runs: number) =>
      measureRun(measuring.folder, ['--config', portal.configuration, '--seed', '1', '--runs', String(runs)])
    measuring.note('(c) learning how many requests a case costs')
    const [few, many] = [(await run(20)).requests, (await run(100)).requests]
    const figures: Figure[] = []
    const peaks: number[][] = []
    for (const wanted of [1_000, 10_000, 50_000]) {
      const runs = Math.max(1, Math.round(20 + ((wanted - few) / (many - few)) * 80))
      const rounds = await repeated(measuring, `(c) memory at ${wanted} requests`, () => run(runs))
      const megabytes = ({ peakBytes }: (typeof rounds)[number]) => peakBytes / 2 ** 20
      const requests = { name: `requests with --runs ${runs}`, unit: 'requests' } as const
      figures.push(
        ...figuresOf('c', rounds, [
          { ...requests, of: (r) => r.requests },
          { name: `peak memory at about ${wanted} requests`, unit: 'MB', of: megabytes },
        ]),
      )
      peaks.push(rounds.map(megabytes))
    }
    const [fewest = [], most = []] = [peaks[0], peaks.at(-1)]
    const values = most.map((peak, at) => peak / (fewest[at] as number))
    const name = 'memory at the most requests over that at the fewest'
    return [...figures, { id: 'c', name, unit: 'ratio', values, wanted: '<= 1.25' }]
  })
}

/** (d) Time from the start of the process to the first request. */
function startUp(measuring: Measuring): Promise<Figure[]> {
  return onPortal(measuring, async (portal) => {
    const rounds = await repeated(measuring, '(d) start-up', async () => {
      portal.watched()
      const options = ['--config', portal.configuration, '--seed', '1', '--runs', '1']
      const run = await measureRun(measuring.folder, options)
      const { firstAt } = portal.watched()
      return firstAt - run.startedAt
    })
    const name = 'process start to the first request'
    return figuresOf('d', rounds, [{ name, unit: 'ms', of: (ms) => ms, wanted: '<= 800' }])
  })
}

/** (e) `run --reference --runs 1`, the shortest whole run. */
async function shortRun(measuring: Measuring): Promise<Figure[]> {
  const rounds = await repeated(measuring, '(e) short run', () =>
    measureRun(measuring.folder, ['--reference', '--seed', '1', '--runs', '1']),
  )
  const name = 'run --reference --runs 1, start to end of the process'
  return figuresOf('e', rounds, [{ name, unit: 'ms', of: (r) => r.wallMs, wanted: '<= 1800' }])
}

/** (f) Frequent commands: those that send nothing, compared with an empty Node process, and a run of few requests. */
function commands(measuring: Measuring): Promise<Figure[]> {
  return onPortal(measuring, async ({ configuration }) => {
    const rounds = await repeated(measuring, '(f) commands', async () => {
      const { wallMs: nothing } = await runNode(['-e', '0'])
      const beyond = async (...words: string[]) => (await wallOf(...words)) - nothing
      const help = await beyond('--help')
      const requirements = await beyond('requirements')
      const dryRun = await beyond('run', '--dry-run', '--config', configuration)
      const few = ['--reference', '--seed', '1', '--runs', '1', ...fewRequests]
      const { requests, wallMs } = await measureRun(measuring.folder, few)
      return { nothing, help, requirements, dryRun, requests, wallMs }
    })
    const quick = { unit: 'ms', wanted: '<= 250' } as const
    const run = { name: 'run of that selection, start to end of the process', unit: 'ms' } as const
    return figuresOf('f', rounds, [
      { name: 'node -e 0', unit: 'ms', of: (r) => r.nothing },
      { name: '--help, beyond node -e 0', ...quick, of: (r) => r.help },
      { name: 'requirements, beyond node -e 0', ...quick, of: (r) => r.requirements },
      { name: 'run --dry-run, beyond node -e 0', ...quick, of: (r) => r.dryRun },
      { name: 'requests of a short selection', unit: 'requests', of: (r) => r.requests },
      { ...run, of: (r) => r.wallMs, wanted: '<= 800' },
    ])
  })
}
