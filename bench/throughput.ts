/** (a) Requests a second of the suite, and of a bare loop that sends the same messages. */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BareLoop } from './bare-loop.ts'
import { ended, scriptOf, start } from './child.ts'
import { type Figure, ratios } from './figure.ts'
import type { Measuring } from './measuring.ts'
import { startPortalProcess } from './portal-process.ts'
import { type RecordedRequest, record } from './recording.ts'
import { measureRun } from './run-process.ts'
import { timedChecks, withoutTimedChecks } from './timed-checks.ts'

/** The default on loopback, for both sides. */
const concurrency = 8
const seed = 1
const runs = 100

const running = ['--seed', String(seed), '--runs', String(runs), '--concurrency', String(concurrency)]
const generated = [...running, '--requirement', withoutTimedChecks]
const timed = [...running, ...timedChecks.flatMap((glob) => ['--requirement', glob])]

/** One round is a run, a bare loop and a run of the timed checks, one after the other on a quiet machine. */
export async function throughput({ folder, times, note }: Measuring): Promise<Figure[]> {
  // The run cleans its portal up at the end; what the recorded requests act upon must stay.
  const portal = await startPortalProcess(folder)
  const recorded = await startPortalProcess(folder)
  try {
    note('(a) recording the requests of a run')
    const requests = await recordRun(folder, recorded)
    const file = join(folder, 'requests.json')
    await writeFile(file, JSON.stringify(requests))
    const rounds: Awaited<ReturnType<typeof round>>[] = []
    for (let time = 1; time <= times; time += 1) {
      note(`(a) throughput, ${time} of ${times}`)
      rounds.push(await round())
    }
    const of = (pick: (round: (typeof rounds)[number]) => number): number[] => rounds.map(pick)
    const suite = of(({ suiteRate }) => suiteRate)
    const bare = of(({ bareRate }) => bareRate)
    const name = 'suite, first request to last answer'
    return [
      { id: 'a', name, unit: 'requests/s', values: suite },
      {
        id: 'a',
        name: 'suite, with the start of Vitest',
        unit: 'requests/s',
        values: of((r) => r.wholeRate),
      },
      { id: 'a', name: 'bare loop of the same messages', unit: 'requests/s', values: bare },
      { id: 'a', name: 'suite over bare loop', unit: 'ratio', values: ratios(suite, bare), wanted: '>= 0.5' },
      {
        id: 'a',
        name: 'the same, with the start of Vitest',
        unit: 'ratio',
        values: ratios(
          of((r) => r.wholeRate),
          bare,
        ),
      },
      {
        id: 'a',
        name: 'requests of operations in the suite',
        unit: 'requests',
        values: of((r) => r.requests),
      },
      {
        id: 'a',
        name: 'requests for fixtures beside them (in no rate)',
        unit: 'requests',
        values: of((r) => r.fixtures),
      },
      { id: 'a', name: 'requests in the bare loop', unit: 'requests', values: [requests.length] },
      {
        id: 'a',
        name: 'mean body of a request',
        unit: 'bytes',
        values: [mean(requests, (r) => r.body.length)],
      },
      {
        id: 'a',
        name: 'mean answer in the recorded run',
        unit: 'bytes',
        values: [mean(requests, (r) => r.answerBytes)],
      },
      { id: 'a', name: 'mean answer in the bare loop', unit: 'bytes', values: of((r) => r.bareAnswer) },
      { id: 'a', name: 'timed checks alone (left out above)', unit: 'ms', values: of((r) => r.timedMs) },
    ]

    async function round() {
      await portal.watched()
      const run = await measureRun(folder, ['--config', portal.configuration, ...generated])
      const { operations, fixtures, firstAt, lastAt } = await portal.watched()
      const bare = await bareLoop(file, recorded.origin)
      const { durationMs: timedMs } = await measureRun(folder, ['--config', portal.configuration, ...timed])
      return {
        requests: operations,
        fixtures,
        suiteRate: (operations / (lastAt - firstAt)) * 1000,
        wholeRate: (operations / run.durationMs) * 1000,
        bareRate: (requests.length / bare.durationMs) * 1000,
        bareAnswer: bare.answerBytes / requests.length,
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

async function bareLoop(file: string, origin: string): Promise<BareLoop> {
  const started = start([scriptOf('bare-loop'), file, origin, String(concurrency)])
  const message = once(started.child, 'message')
  const end = ended(started)
  const failed = end.then(({ stderr }) => {
    throw new Error(`the bare loop broke: ${stderr}`)
  })
  const [measured] = await Promise.race([message, failed])
  await end
  return measured as BareLoop
}

function mean(requests: readonly RecordedRequest[], size: (request: RecordedRequest) => number): number {
  return requests.reduce((sum, request) => sum + size(request), 0) / requests.length
}
