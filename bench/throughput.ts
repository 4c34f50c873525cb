/** (a) Requests per second of the suite, and of a bare loop that sends the same messages. */
import { readFile, writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Pool } from 'undici'
import { serve } from '../selftest/hostile/servers.ts'
import type { BareLoop, RecordedRequest } from './bare-loop.ts'
import { type Figure, figure, type Measuring, ratios, repeated } from './figures.ts'
import { measureRun, type PortalProcess, reported, startPortalProcess } from './processes.ts'

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

/** One round: a run, a bare loop and a run of the timed checks, one after the other. */
export async function throughput(measuring: Measuring): Promise<Figure[]> {
  const { folder, note } = measuring
  // The run cleans up its portal at the end, but the fixtures of the recorded requests must stay.
  const portal = await startPortalProcess(folder)
  const recorded = await startPortalProcess(folder)
  try {
    note('(a) recording the requests of a run')
    const recordedRequests = await recordRun(folder, recorded)
    const file = join(folder, 'requests.json')
    await writeFile(file, JSON.stringify(recordedRequests))
    const rounds = await repeated(measuring, '(a) throughput', round)
    const of = (pick: (round: (typeof rounds)[number]) => number): number[] => rounds.map(pick)
    const suite = of((r) => r.suiteRate)
    const bare = of((r) => r.bareRate)
    const requests = recordedRequests.length
    const bodies = [mean(recordedRequests, (r) => r.body.length)]
    const answers = [mean(recordedRequests, (r) => r.answerBytes)]
    const whole = of((r) => r.wholeRate)
    return [
      figure('a', 'suite, first request to last answer', 'requests/s', suite),
      figure('a', 'suite, from the start of the run to its end', 'requests/s', whole),
      figure('a', 'bare loop of the same messages', 'requests/s', bare),
      figure('a', 'suite over bare loop', 'ratio', ratios(suite, bare), '>= 0.45'),
      figure('a', 'ratio, from the start of the run to its end', 'ratio', ratios(whole, bare)),
      figure(
        'a',
        'requests of operations in the suite',
        'requests',
        of((r) => r.requests),
      ),
      figure(
        'a',
        'requests for fixtures beside them (in no rate)',
        'requests',
        of((r) => r.fixtures),
      ),
      figure('a', 'requests in the bare loop', 'requests', [requests]),
      figure('a', 'mean body of a request', 'bytes', bodies),
      figure('a', 'mean answer in the recorded run', 'bytes', answers),
      figure(
        'a',
        'mean answer in the bare loop',
        'bytes',
        of((r) => r.bareAnswer),
      ),
      figure(
        'a',
        'timed checks alone (left out above)',
        'ms',
        of((r) => r.timedMs),
      ),
    ]

    async function round() {
      await portal.watched()
      const run = await measureRun(folder, ['--config', portal.configuration, ...generated])
      const { operations, fixtures, firstAt, lastAt } = await portal.watched()
      const { message: bare } = await reported<BareLoop>('bare-loop', [
        file,
        recorded.origin,
        String(concurrency),
      ])
      const { durationMs: timedMs } = await measureRun(folder, ['--config', portal.configuration, ...timed])
      return {
        requests: operations,
        fixtures,
        suiteRate: (operations / (lastAt - firstAt)) * 1000,
        wholeRate: (operations / run.durationMs) * 1000,
        bareRate: (recordedRequests.length / bare.durationMs) * 1000,
        bareAnswer: bare.answerBytes / recordedRequests.length,
        timedMs,
      }
    }
  } finally {
    await Promise.all([portal.close(), recorded.close()])
  }
}

async function recordRun(folder: string, portal: Parameters<typeof record>[0]) {
  const recorder = await record(portal)
  try {
    await measureRun(folder, ['--config', recorder.configuration, ...generated])
    return recorder.requests
  } finally {
    await recorder.close()
  }
}

function mean(requests: readonly RecordedRequest[], size: (request: RecordedRequest) => number): number {
  return requests.reduce((sum, request) => sum + size(request), 0) / requests.length
}

interface Recorder {
  /** A configuration file that sends a run through the recorder. */
  readonly configuration: string
  readonly requests: readonly RecordedRequest[]
  close(): Promise<void>
}

/** Headers of a connection, not of a request. */
const notForwarded = ['connection', 'host', 'transfer-encoding', 'keep-alive', 'content-length']

/** Records the requests to that portal. Does not clean up, so that they can be replayed. */
async function record(portal: PortalProcess): Promise<Recorder> {
  const requests: RecordedRequest[] = []
  const pool = new Pool(portal.origin, { connections: 32 })
  const { origin, close } = await serve(async (incoming, outgoing) => {
    try {
      const { url: path = '/', method = 'GET' } = incoming
      const body = await buffer(incoming)
      if (path === '/fixtures/cleanup') {
        outgoing.end('{}')
        return
      }
      const headers = forwarded(incoming.headers)
      const answer = await pool.request({ path, method: method as 'POST', headers, body })
      const bytes = Buffer.from(await answer.body.arrayBuffer())
      if (method === 'POST' && !path.startsWith('/fixtures/')) {
        requests.push({ path, headers, body: body.toString('latin1'), answerBytes: bytes.length })
      }
      outgoing.writeHead(answer.statusCode, forwarded(answer.headers)).end(bytes)
    } catch {
      outgoing.destroy()
    }
  })
  const configuration = `${portal.configuration}.recorded.yaml`
  await writeFile(
    configuration,
    (await readFile(portal.configuration, 'utf8')).replaceAll(portal.origin, origin),
  )
  return {
    configuration,
    requests,
    close: async () => {
      await close()
      await pool.close()
    },
  }
}

function forwarded(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !notForwarded.includes(name))
      .map(([name, value]) => [name, String(value)]),
  )
}
