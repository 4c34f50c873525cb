/** Signs of life while checks run, from the worker to whoever shows them: requests sent, and checks under way. */
import { BroadcastChannel } from 'node:worker_threads'
import type { CheckId } from './check-result.ts'
import type { Session } from './session.ts'

export interface Pulse {
  /** Requests sent so far. */
  readonly requests: number
  /** Checks that got answers lately, a few of them. */
  readonly current: readonly CheckId[]
  /** How many more did. */
  readonly others: number
}

const everyMs = 200
const mostCurrent = 3

/** Sends pulses on the channel of that name from now on; neither it nor its timer keeps the worker alive. */
export function sendPulses(session: Session, name: string): { stop(): void } {
  const channel = new BroadcastChannel(name)
  channel.unref()
  let current: readonly CheckId[] = []
  let others = 0
  const timer = setInterval(() => {
    const { answered } = session
    // Where nothing was answered since, those that were shown are waiting.
    if (answered.size > 0) current = chosen(answered, current)
    if (answered.size > 0) others = answered.size - current.length
    answered.clear()
    channel.postMessage({ requests: session.client.requests, current, others } satisfies Pulse)
  }, everyMs)
  timer.unref()
  return {
    stop: () => {
      clearInterval(timer)
      channel.close()
    },
  }
}

/** Hears the pulses on the channel of that name until it is stopped. */
export function hearPulses(name: string, onPulse: (pulse: Pulse) => void): { stop(): void } {
  const channel = new BroadcastChannel(name)
  channel.unref()
  channel.onmessage = (event) => onPulse((event as { data: Pulse }).data)
  return { stop: () => channel.close() }
}

/** The busiest checks; those that were shown before stay as long as they are busy at all. */
export function chosen(answered: ReadonlyMap<CheckId, number>, shown: readonly CheckId[]): CheckId[] {
  const still = shown.filter((id) => answered.has(id))
  const further = [...answered]
    .filter(([id]) => !still.includes(id))
    .sort(([, one], [, other]) => other - one)
    .map(([id]) => id)
  return [...still, ...further].slice(0, mostCurrent)
}
