/** How actions run beside each other: a limited number at once, one after the other, or all at the same moment. */
import type { Configuration } from '../deployment/configuration/configuration.ts'
import type { Answer } from '../deployment/http/exchange.ts'
import type { Gate } from './context/calls.ts'
import { remembered } from './remembered.ts'

export class Lanes {
  readonly #width: number
  #free: number
  readonly #waiting: { readonly lanes: number; readonly begin: () => void }[] = []

  constructor(width: number) {
    this.#width = Math.max(1, width)
    this.#free = this.#width
  }

  /** `wide`: how many lanes it takes, at most all of them. */
  async run<T>(what: () => Promise<T>, wide = 1): Promise<T> {
    const lanes = Math.min(wide, this.#width)
    if (this.#waiting.length === 0 && lanes <= this.#free) this.#free -= lanes
    else await new Promise<void>((begin) => this.#waiting.push({ lanes, begin }))
    try {
      return await what()
    } finally {
      this.#free += lanes
      this.#begin()
    }
  }

  /** Starts those that waited longest while there is room. */
  #begin(): void {
    for (
      let next = this.#waiting[0];
      next !== undefined && next.lanes <= this.#free;
      next = this.#waiting[0]
    ) {
      this.#waiting.shift()
      this.#free -= next.lanes
      next.begin()
    }
  }
}

/** Runs actions on the same thing one after the other. What a deployment does with two edits at once is open. */
export class OneByOne {
  readonly #lanes = new Map<string, Lanes>()

  run<T>(key: string, what: () => Promise<T>): Promise<T> {
    return remembered(this.#lanes, key, () => new Lanes(1)).run(what)
  }
}

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
