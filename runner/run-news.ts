/** What the worker tells the process that started the run while it is under way: how far it is, and what keeps it waiting. */
import { BroadcastChannel } from 'node:worker_threads'
import type { PutOff } from '../deployment/http/client.ts'
import type { CheckId } from './check-result.ts'
import type { RunFacts } from './run-time.ts'
import type { Session } from './session.ts'

interface Stoppable {
  stop(): void
}

/** Tells it every so many milliseconds on the channel of that name; neither channel nor timer keeps the worker alive. */
function tellOften<Message>(
  name: string,
  everyMs: number,
  message: () => Message,
): Stoppable & { tell(): void } {
  const channel = new BroadcastChannel(name)
  channel.unref()
  const tell = () => channel.postMessage(message())
  const timer = setInterval(tell, everyMs)
  timer.unref()
  return {
    tell,
    stop: () => {
      clearInterval(timer)
      channel.close()
    },
  }
}

function hear<Message>(name: string, onMessage: (message: Message) => void): Stoppable {
  const channel = new BroadcastChannel(name)
  channel.unref()
  channel.onmessage = (event) => onMessage((event as { data: Message }).data)
  return { stop: () => channel.close() }
}

/** What the target keeps the run waiting for. */
export interface RunNews {
  readonly putOff: PutOff & { readonly busy?: number }
  readonly facts: RunFacts
}

const newsMs = 500

/** A channel of its own for each run. */
const newsOf = (runId: string): string => `${runId}/news`

/** Tells the news now and then, and once more when it is stopped. */
export function sendNews(session: Session): Stoppable {
  const { tell, stop } = tellOften(newsOf(session.input.runId), newsMs, (): RunNews => {
    const { count: busy } = session.busy
    const putOff = { ...session.client.putOff, ...(busy === 0 ? {} : { busy }) }
    return { putOff, facts: session.facts }
  })
  return {
    stop: () => {
      tell()
      stop()
    },
  }
}

/** Hears the news of that run until it is stopped. */
export function hearNews(runId: string, onNews: (news: RunNews) => void): Stoppable {
  return hear(newsOf(runId), onNews)
}

/** A sign of life of the checks. */
export interface Pulse {
  /** Requests sent so far. */
  readonly requests: number
  /** Checks that got answers lately, a few of them. */
  readonly current: readonly CheckId[]
  /** How many more did. */
  readonly others: number
}

const pulseMs = 200
const mostCurrent = 3

/** Sends pulses on the channel of that name from now on. */
export function sendPulses(session: Session, name: string): Stoppable {
  let current: readonly CheckId[] = []
  let others = 0
  return tellOften(name, pulseMs, (): Pulse => {
    const { answered } = session
    // Where nothing was answered since, those that were shown are waiting.
    if (answered.size > 0) {
      current = chosen(answered, current)
      others = answered.size - current.length
    }
    answered.clear()
    return { requests: session.client.requests, current, others }
  })
}

/** Hears the pulses on the channel of that name until it is stopped. */
export function hearPulses(name: string, onPulse: (pulse: Pulse) => void): Stoppable {
  return hear(name, onPulse)
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
