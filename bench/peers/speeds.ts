/** How fast the tools start and send: in turns, so that what disturbs the machine disturbs all of them. */
import type { Measuring } from '../measuring.ts'
import { type Contestant, type Measured, measureRound, noReport } from './round.ts'

/** About how many requests a tool sends where its rate is measured; our suite sends what it needs. */
const requestsForRate = 300

/** And where faults are looked for. Examples are the same requests again and again: a few of each say as much. */
export const requestsForFaults = { examples: 43, generated: 300, suite: 0 } as const

/** Fewer could not show which complaints come and go. */
const leastRounds = 3

export interface Speeds {
  /** Runs on the healthy portal as they look for faults. */
  readonly healthy: readonly Measured[]
  /** Runs on the healthy portal with the same number of requests for all. */
  readonly rates: readonly Measured[]
}

/** In the order of the contestants. Rejects where one leaves no report on the healthy portal. */
export async function measureSpeeds(
  contestants: readonly Contestant[],
  { folder, times, note }: Measuring,
): Promise<Speeds[]> {
  const rounds = Math.max(times, leastRounds)
  const speeds = contestants.map(() => ({ healthy: [] as Measured[], rates: [] as Measured[] }))
  for (let round = 1; round <= rounds; round += 1) {
    for (const [at, contestant] of contestants.entries()) {
      const { name, sends } = contestant.peer
      note(`${name}: healthy portal, ${round} of ${rounds}`)
      const measure = (requests: number) => measureRound(contestant, { folder, faults: [], requests })
      const healthy = await measure(requestsForFaults[sends])
      if (healthy.complaints.includes(noReport)) throw new Error(`${name} left no report: ${healthy.output}`)
      speeds[at]?.healthy.push(healthy)
      // Our suite sends the same either way.
      speeds[at]?.rates.push(sends === 'suite' ? healthy : await measure(requestsForRate))
    }
  }
  return speeds
}
