/** (a) Requests per second of the suite, and of a bare loop that sends the same messages. */
import { readFile, writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Pool } from 'undici'
import { serve } from '../selftest/hostile/servers.ts'
import type { BareLoop, RecordedRequest } from './bare-loop.ts'
import { type Figure, figuresOf, type Measuring, repeated } from './figures.ts'
import { measureRun, type PortalProcess, reported, startPortalProcess } from './processes.ts'
import type { Watched } from './watch.ts'

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
  // The run cleans up its portal at the end, but the fixtures of the recorded requests must stay.
  const portal = await startPortalProcess(folder)
  const recorded = await startPortalProcess(folder)
  try {
    note('(a) recording the requests of a run')
    const requests = await recordRun(folder, recorded)
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
async function measureRound(
  folder: string,
  portal: PortalProcess,
  bareLoop: readonly string[],
): Promise<Round> {
  await portal.watched()
  const { durationMs: runMs } = await measureRun(folder, ['--config', portal.configuration, ...generated])
  const watched = await portal.watched()
  const bare = await reported<BareLoop>('bare-loop', bareLoop)
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
    { name: 'requests for fixtures beside them (in no rate)', unit: 'requests', of: (r) => r.fixtures },
    { name: 'requests in the bare loop', unit: 'requests', of: () => requests.length },
    { name: 'mean body of a request', unit: 'bytes', of: mean((request) => request.body.length) },
    { name: 'mean answer in the recorded run', unit: 'bytes', of: mean((request) => request.answerBytes) },
    { name: 'mean answer in the bare loop', unit: 'bytes', of: (r) => r.bare.answerBytes / requests.length },
    { name: 'timed checks alone (left out above)', unit: 'ms', of: (r) => r.timedMs },
  ])
}

/** The requests of a run, recorded by a proxy before that portal. Does not clean up, so that they can be replayed. */
async function recordRun(folder: string, portal: PortalProcess): Promise<readonly RecordedRequest[]> {
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
  try {
    const configuration = `${portal.configuration}.recorded.yaml`
    const text = await readFile(portal.configuration, 'utf8')
    await writeFile(configuration, text.replaceAll(portal.origin, origin))
    await measureRun(folder, ['--config', configuration, ...generated])
    return requests
  } finally {
    await close()
    await pool.close()
  }
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
