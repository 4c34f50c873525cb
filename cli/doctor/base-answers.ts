/** What the page at the base URL says, and how fast. */
import { internalNumberIn, releaseIn } from '../../deployment/administration/find-deployment.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { Client } from '../../deployment/http/client.ts'
import { type Answer, bodyFields, TransportError } from '../../deployment/http/exchange.ts'

export interface BaseAnswers {
  /** Absent: no complete answer came. */
  readonly latency?:
    | { readonly answers: number; readonly medianMs: number; readonly largestMs: number }
    | undefined
  /** The release that the base URL names; may be wrong. */
  readonly release?: string | undefined
  /** `currentVersion`: an internal number, easily mistaken for the release. */
  readonly internalNumber?: string | undefined
}

/** Few, because a slow target must not delay `doctor`. */
const tries = 7

/** Sends GET requests that change nothing, until the signal is aborted. */
export async function askBase(configuration: Configuration, signal: AbortSignal): Promise<BaseAnswers> {
  const client = new Client(configuration, { signal })
  const answers: Answer[] = []
  try {
    while (answers.length < tries && !signal.aborted)
      answers.push(await client.send({ portal: 'host', path: '', fields: [['f', 'json']], method: 'GET' }))
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
  } finally {
    await client.close()
  }
  const times = answers.map(({ sentAt, answeredAt }) => answeredAt - sentAt).sort((a, b) => a - b)
  const median = times[Math.floor(times.length / 2)]
  const rounded = (ms: number): number => Math.round(ms * 10) / 10
  const roots = answers.map(bodyFields)
  const latency = median !== undefined && {
    answers: times.length,
    medianMs: rounded(median),
    largestMs: rounded(times.at(-1) ?? median),
  }
  return {
    latency: latency || undefined,
    release: roots.map(releaseIn).find((each) => each !== undefined),
    internalNumber: roots.map(internalNumberIn).find((each) => each !== undefined),
  }
}
