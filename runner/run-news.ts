/** What the worker tells the process that started the run while it is under way: what the target keeps it waiting for. */
import { BroadcastChannel } from 'node:worker_threads'
import type { PutOff } from '../deployment/http/client.ts'
import type { RunFacts } from './run-time.ts'
import type { Session } from './session.ts'

export interface RunNews {
  readonly putOff: PutOff & { readonly busy?: number }
  readonly facts: RunFacts
}

const everyMs = 500

/** A channel of its own for each run. */
const channelOf = (runId: string): string => `${runId}/news`

/** Tells it now and then, and once more when it is stopped; neither channel nor timer keeps the worker alive. */
export function sendNews(session: Session): { stop(): void } {
  const channel = new BroadcastChannel(channelOf(session.input.runId))
  channel.unref()
  const send = () => {
    const { count: busy } = session.busy
    const putOff = { ...session.client.putOff, ...(busy === 0 ? {} : { busy }) }
    channel.postMessage({ putOff, facts: session.facts } satisfies RunNews)
  }
  const timer = setInterval(send, everyMs)
  timer.unref()
  return {
    stop: () => {
      clearInterval(timer)
      send()
      channel.close()
    },
  }
}

/** Hears the news of that run until it is stopped. */
export function hearNews(runId: string, onNews: (news: RunNews) => void): { stop(): void } {
  const channel = new BroadcastChannel(channelOf(runId))
  channel.unref()
  channel.onmessage = (event) => onNews((event as { data: RunNews }).data)
  return { stop: () => channel.close() }
}
