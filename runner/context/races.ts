/** Requests that start together: each has its place and its connection before the first of them is sent. */
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { Lanes } from '../lanes.ts'
import type { Gate } from './calls.ts'

/** How many requests start together: no more than half of the places, which idle meanwhile, and than a second allows. */
export const racersFor = (
  { http: { concurrency, requestsPerSecond } }: Configuration,
  most: number,
): number => Math.max(2, Math.min(most, Math.floor(concurrency / 2), Math.floor(requestsPerSecond ?? most)))

/** A request that waits at the gate before it is sent. */
export type Racer = (gate: Gate) => Promise<Answer>

/**
 * Sends all at the same moment. The answers come in the order of the racers. Rejects if an exchange breaks. `lane` gathers
 * the requests of one race at a time: two races that each hold half of the places would wait for each other.
 */
export async function startTogether(lane: Lanes, racers: readonly Racer[]): Promise<Answer[]> {
  const answers = await lane.run(() => started(racers))
  const ends = await Promise.allSettled(answers)
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return ends.map((end) => (end as PromiseFulfilledResult<Answer>).value)
}

/** Resolves once all wait at the gate and it is open. */
async function started(racers: readonly Racer[]): Promise<Promise<Answer>[]> {
  const awaited = new Set(racers.keys())
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const answers = racers.map((racer, at) => {
    const reached = (): void => {
      awaited.delete(at)
      if (awaited.size === 0) open()
    }
    const answer = racer({ opened, reached })
    // One that ends before it gets to the gate must not keep the others there.
    answer.then(reached, reached)
    return answer
  })
  await opened
  return answers
}
