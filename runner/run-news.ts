/** What a run shows while it is running: its progress, and what delays it. */
import type { PutOff } from '../deployment/http/client.ts'
import type { CheckId } from './check-result.ts'
import type { RunFacts } from './run-time.ts'
import type { Session } from './session.ts'

/** How the target delays the run. */
export interface RunNews {
  readonly putOff: PutOff & { readonly busy?: number }
  readonly facts: RunFacts
}

export function newsOf(session: Session): RunNews {
  const { count: busy } = session.patience.busy
  const { putOff } = session.channel.client
  return { putOff: { ...putOff, ...(busy === 0 ? {} : { busy }) }, facts: session.facts }
}

/** A sign of progress. */
export interface Pulse {
  /** Requests sent so far. */
  readonly requests: number
  /** A few checks that got answers lately. */
  readonly current: readonly CheckId[]
  /** How many other checks did. */
  readonly others: number
}

const mostCurrent = 3

/** The pulses of a session. */
export class Pulses {
  readonly #session: Session
  #current: readonly CheckId[] = []
  #others = 0

  constructor(session: Session) {
    this.#session = session
  }

  next(): Pulse {
    const { answered } = this.#session.tally
    // Without new answers, the checks shown before are still waiting.
    if (answered.size > 0) {
      this.#current = chosen(answered, this.#current)
      this.#others = answered.size - this.#current.length
    }
    answered.clear()
    return { requests: this.#session.channel.client.requests, current: this.#current, others: this.#others }
  }
}

/** The busiest checks. Those shown before stay while they are busy. */
export function chosen(answered: ReadonlyMap<CheckId, number>, shown: readonly CheckId[]): CheckId[] {
  const still = shown.filter((id) => answered.has(id))
  const further = [...answered]
    .filter(([id]) => !still.includes(id))
    .sort(([, one], [, other]) => other - one)
    .map(([id]) => id)
  return [...still, ...further].slice(0, mostCurrent)
}
