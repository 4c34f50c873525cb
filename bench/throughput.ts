/** (a) Requests per second of the suite, and of a bare loop that sends the same messages. */
import { writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BareLoop, RecordedRequest } from './bare-loop.ts'
import { type Figure, figuresOf, type Measuring, repeated } from './figures.ts'
import { type MeasuredPortal, startMeasuredPortal, type Watched } from './portal.ts'
import { measureRun, runNode } from './runs.ts'

const bareLoop = fileURLToPath(new URL('bare-loop.js', import.meta.url))

/** A glob for --requirement that excludes them. */
const withoutTimedChecks =
  '!{sync-workspace/{synchronous-blocks,asynchronous-returns,one-at-a-time,after-finish}*,delete-collaboration/sharing-stops*}'

/** Globs for --requirement that select only them. */
const timedChecks: readonly string[] = [
  'sync-workspace/{synchronous-blocks,asynchronous-returns,one-at-a-time,after-finish}',
  'delete-collaboration/sharing-stops',
]

/** The default on loopback, for both sides. */
const concurrency = 8
const seed = 1
const runs = 100

const running = ['--seed', String(seed), '--runs', String(runs), '--concurrency', String(concurrency)]
const generated = [...running, '--requirement', withoutTimedChecks]
const timed = [...running, ...timedChecks.flatMap((glob) => ['--requirement', glob])]

/** Rounds of a run, a bare loop and a run of the timed checks. */
export async function throughput(measuring: Measuring): Promise<Figure[]> {
  const { folder, note } = measuring
  const requests: RecordedRequest[] = []
  let isOver = false
  const portal = await startMeasuredPortal(folder)
  const recorded = await startMeasuredPortal(folder, {
    keepsFixtures: true,
    onServed: ({ arrival, rendered }) => {
      if (isOver) return
      const { response, headers, body } = arrival
      requests.push({
        path: response.req.url as string,
        headers: forwarded(headers),
        body: body.toString('latin1'),
        answerBytes: rendered.body.length,
      })
    },
  })
  try {
    note('(a) recording the requests of a run')
    await measureRun(folder, ['--config', recorded.configuration, ...generated])
    isOver = true
    const file = join(folder, 'requests.json')
    await writeFile(file, JSON.stringify(requests))
    const rounds = await repeated(measuring, '(a) throughput', () =>
      measureRound(folder, portal, [file, recorded.origin, String(concurrency)]),
    )
    return figuresFrom(rounds, requests)
  } finally {
    await Promise.all([portal.close(), recorded.close()])
  }
}

interface Round extends Watched {
  readonly runMs: number
  readonly bare: BareLoop
  readonly timedMs: number
}

/** A run, a bare loop and a run of the timed checks, one after the other. */
async function measureRound(folder: string, portal: MeasuredPortal, loop: readonly string[]): Promise<Round> {
  portal.watched()
  const { durationMs: runMs } = await measureRun(folder, ['--config', portal.configuration, ...generated])
  const watched = portal.watched()
  const bare = JSON.parse((await runNode([bareLoop, ...loop])).written) as BareLoop
  const { durationMs: timedMs } = await measureRun(folder, ['--config', portal.configuration, ...timed])
  return { ...watched, runMs, bare, timedMs }
}

function figuresFrom(rounds: readonly Round[], requests: readonly RecordedRequest[]): Figure[] {
  const suite = ({ operations, firstAt, lastAt }: Round) => (operations / (lastAt - firstAt)) * 1000
  const whole = ({ operations, runMs }: Round) => (operations / runMs) * 1000
  const bare = (round: Round) => (requests.length / round.bare.durationMs) * 1000
  const mean = (size: (request: RecordedRequest) => number) => () =>
    requests.reduce((sum, request) => sum + size(request), 0) / requests.length
  return figuresOf('a', rounds, [
    { name: 'suite, first request to last answer', unit: 'requests/s', of: suite },
    { name: 'suite, from the start of the run to its end', unit: 'requests/s', of: whole },
    { name: 'bare loop of the same messages', unit: 'requests/s', of: bare },
    { name: 'suite over bare loop', unit: 'ratio', of: (r) => suite(r) / bare(r), wanted: '>= 0.45' },
    { name: 'ratio, from the start of the run to its end', unit: 'ratio', of: (r) => whole(r) / bare(r) },
    { name: 'requests of operations in the suite', unit: 'requests', of: (r) => r.operations },
    { name: 'requests in the bare loop', unit: 'requests', of: () => requests.length },
    { name: 'mean body of a request', unit: 'bytes', of: mean((request) => request.body.length) },
    { name: 'mean answer in the recorded run', unit: 'bytes', of: mean((request) => request.answerBytes) },
    { name: 'mean answer in the bare loop', unit: 'bytes', of: (r) => r.bare.answerBytes / requests.length },
    { name: 'timed checks alone (left out above)', unit: 'ms', of: (r) => r.timedMs },
  ])
}

/** Headers of a connection, not of a request. */
const notForwarded = ['connection', 'host', 'transfer-encoding', 'keep-alive', 'content-length']

function forwarded(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !notForwarded.includes(name))
      .map(([name, value]) => [name, String(value)]),
  )
}
