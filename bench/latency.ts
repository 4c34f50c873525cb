/** (b) Where the target is slow, how much of the time is anything but waiting for it. */
import type { Figure } from './figure.ts'
import { type Measuring, repeated } from './measuring.ts'
import { startPortalProcess } from './portal-process.ts'
import { measureRun } from './run-process.ts'

const latencyMs = 50
const concurrency = 8
/** Cases of each generated check, as against a deployment. */
const runs = 25

/** The whole suite, timed checks included, on a portal that answers late; from the start of Vitest to its end. */
export async function latency(measuring: Measuring): Promise<Figure[]> {
  const portal = await startPortalProcess(measuring.folder, latencyMs)
  try {
    const options = ['--seed', '1', '--runs', String(runs), '--concurrency', String(concurrency)]
    const measured = await repeated(measuring, '(b) latency', async () => {
      await portal.watched()
      const { durationMs } = await measureRun(measuring.folder, [
        '--config',
        portal.configuration,
        ...options,
      ])
      const { operations, firstAt, lastAt } = await portal.watched()
      const leastMs = (operations * latencyMs) / concurrency
      return { durationMs, leastMs, sendingMs: lastAt - firstAt }
    })
    return [
      {
        id: 'b',
        name: `run with ${latencyMs} ms of latency`,
        unit: 'ms',
        values: measured.map((m) => m.durationMs),
      },
      {
        id: 'b',
        name: `least possible (requests × ${latencyMs} / ${concurrency})`,
        unit: 'ms',
        values: measured.map((m) => m.leastMs),
      },
      {
        id: 'b',
        name: 'run over least possible',
        unit: 'ratio',
        values: measured.map((m) => m.durationMs / m.leastMs),
        wanted: '<= 1.3',
      },
      {
        id: 'b',
        name: 'the same, first request to last answer',
        unit: 'ratio',
        values: measured.map((m) => m.sendingMs / m.leastMs),
      },
    ]
  } finally {
    await portal.close()
  }
}
