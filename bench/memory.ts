/** (c) How the memory of a run grows with the number of its requests. */
import type { Figure } from './figure.ts'
import { type Measuring, repeated } from './measuring.ts'
import { startPortalProcess } from './portal-process.ts'
import { measureRun } from './run-process.ts'

const wantedRequests = [1_000, 10_000, 50_000]
/** Cases of each generated check with which it is learnt how many requests a case costs. */
const trialRuns = [20, 100] as const

/** The portal is in a process of its own: what it keeps is not counted. */
export async function memory(measuring: Measuring): Promise<Figure[]> {
  const { folder, note } = measuring
  const portal = await startPortalProcess(folder)
  const run = (runs: number) =>
    measureRun(folder, ['--config', portal.configuration, '--seed', '1', '--runs', String(runs)])
  try {
    note('(c) learning how many requests a case costs')
    const [few, many] = [(await run(trialRuns[0])).requests, (await run(trialRuns[1])).requests]
    const aCase = (many - few) / (trialRuns[1] - trialRuns[0])
    const figures: Figure[] = []
    const peaks: number[][] = []
    for (const wanted of wantedRequests) {
      const runs = Math.max(1, Math.round(trialRuns[0] + (wanted - few) / aCase))
      const measured = await repeated(measuring, `(c) memory at ${wanted} requests`, () => run(runs))
      peaks.push(measured.map(({ peakBytes }) => peakBytes))
      figures.push(
        {
          id: 'c',
          name: `requests with --runs ${runs}`,
          unit: 'requests',
          values: measured.map(({ requests }) => requests),
        },
        {
          id: 'c',
          name: `peak memory at about ${wanted} requests`,
          unit: 'MB',
          values: measured.map(({ peakBytes }) => peakBytes / 2 ** 20),
        },
      )
    }
    const [least, most] = [peaks[0] as number[], peaks.at(-1) as number[]]
    return [
      ...figures,
      {
        id: 'c',
        name: 'memory at the most requests over that at the fewest',
        unit: 'ratio',
        values: most.map((bytes, at) => bytes / (least[at] as number)),
        wanted: '<= 1.25',
      },
    ]
  } finally {
    await portal.close()
  }
}
