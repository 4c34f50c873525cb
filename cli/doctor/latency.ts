/** Asks the base URL some times, one request after the other: how long it takes, and which release it says it is. */
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { Client } from '../../deployment/http/client.ts'
import { type Answer, bodyFields, TransportError } from '../../deployment/http/exchange.ts'

/** More would not make an estimate better, and a slow target must not be waited for long. */
const tries = 7

export interface Latency {
  /** Answers that came. */
  readonly answers: number
  /** In milliseconds. */
  readonly medianMs: number
  readonly largestMs: number
}

export interface BaseAnswers {
  /** Absent: not one complete answer came. */
  readonly latency?: Latency
  /** What the target says of its release; it may say nothing, and it may be wrong. */
  readonly release?: string
}

/** Sends GET requests that change nothing. Stops once the signal is aborted. */
export async function askBase(configuration: Configuration, signal: AbortSignal): Promise<BaseAnswers> {
  const client = new Client(configuration, { signal })
  const path = new URL(configuration.target.baseUrl).pathname === '/' ? '/' : ''
  const answers: Answer[] = []
  try {
    while (answers.length < tries && !signal.aborted)
      answers.push(await client.send({ portal: 'host', path, fields: [['f', 'json']], method: 'GET' }))
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
  } finally {
    await client.close()
  }
  const times = answers.map(({ sentAt, answeredAt }) => answeredAt - sentAt).sort((a, b) => a - b)
  if (times.length === 0) return {}
  const release = answers.map(releaseIn).find((each) => each !== undefined)
  return {
    latency: {
      answers: times.length,
      medianMs: rounded(times[Math.floor(times.length / 2)] as number),
      largestMs: rounded(times.at(-1) as number),
    },
    ...(release === undefined ? {} : { release }),
  }
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10

/** `currentVersion`, and `enterpriseVersion` where it is there; only what looks like a release. */
function releaseIn(answer: Answer): string | undefined {
  const { currentVersion, enterpriseVersion } = bodyFields(answer)
  return releaseText(enterpriseVersion) ?? releaseText(currentVersion)
}

function releaseText(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^\d{1,6}(\.\d{1,6}){0,4}$/.test(text) ? text : undefined
}
