/** How long a run will probably take, by what the target is seen to need, and time limits that follow from it. */
import type { Configuration } from '../deployment/configuration/configuration.ts'
import { formatDuration } from '../deployment/configuration/duration.ts'
import { Unproven } from './findings.ts'

/** Start-up and waits for consequences in ms, measured on runs without latency. */
const fixedMs = 2500

/** The end of a check waits for single answers. Measured with 20, 50 and 150 ms of latency. */
const unfilledShare = 1.08

/** The duration of that many requests if each answer takes `latencyMs`. */
export function durationOfRun(
  requests: number,
  latencyMs: number,
  { http }: { readonly http: Pick<Configuration['http'], 'concurrency' | 'requestsPerSecond'> },
): number {
  const { concurrency, requestsPerSecond = Number.POSITIVE_INFINITY } = http
  const answering = (requests * latencyMs * unfilledShare) / concurrency
  const allowed = (requests / requestsPerSecond) * 1000
  return Math.round(fixedMs + Math.max(answering, allowed))
}

/** What is known about a run, before or while it runs. */
export interface RunFacts {
  /** The expected number of requests. */
  readonly requests: number
  /** The duration of one answer in ms. */
  readonly latencyMs: number
  /** The rate that a throttling target accepts, in requests per second. */
  readonly perSecond?: number | undefined
  /** The longest duration that a fixture names, in ms. */
  readonly longestMs?: number
  /** How long the run waited for its fixture provider, in ms. */
  readonly providerMs?: number
}

const leastMs = 120_000
/** A run may take this many times its estimate, and wait this many times for slow effects. */
const times = 10

/** The default time limit of a run in ms: ten times its estimate, at least two minutes. */
export function defaultTimeLimit(
  facts: RunFacts,
  { http, run }: Pick<Configuration, 'http' | 'run'>,
): number {
  const { requests, latencyMs, perSecond = Number.POSITIVE_INFINITY, longestMs = 0, providerMs = 0 } = facts
  const requestsPerSecond = Math.min(perSecond, http.requestsPerSecond ?? Number.POSITIVE_INFINITY)
  const estimate = durationOfRun(requests, latencyMs, { http: { ...http, requestsPerSecond } })
  const consequences = run.settleMs + (run.guestRefreshMs ?? 0) + longestMs
  return Math.round(Math.max(leastMs, times * estimate) + times * consequences + providerMs)
}

/** The time limit of one check: half of the run's, since all checks run concurrently. */
function checkTimeLimit(facts: RunFacts, configuration: Pick<Configuration, 'http' | 'run'>): number {
  return Math.round(defaultTimeLimit(facts, configuration) / 2)
}

/** Longer timers would fire at once. */
const longestTimerMs = 2 ** 31 - 1

/** Calls `onOver` when that much time has passed; the limit may grow meanwhile. Returns a function that stops counting. */
export function whenOver(limitMs: () => number, onOver: (limitMs: number) => void): () => void {
  const began = performance.now()
  let timer: NodeJS.Timeout | undefined
  const look = (): void => {
    const limit = limitMs()
    const left = began + limit - performance.now()
    if (left > 0) timer = setTimeout(look, Math.min(left, longestTimerMs)).unref()
    else onOver(limit)
  }
  look()
  return () => clearTimeout(timer)
}

/** The time limit of an attempt that begins now. `over` rejects when it is reached, and the record says so. */
export function checkTime(
  session: { readonly facts: RunFacts; readonly configuration: Pick<Configuration, 'http' | 'run'> },
  record: { ended: boolean },
): { readonly over: Promise<never>; readonly stop: () => void } {
  let stop = (): void => undefined
  const over = new Promise<never>((_, reject) => {
    const onOver = (limitMs: number): void => {
      // The body may continue, but nothing it does counts.
      record.ended = true
      const allowed = formatDuration(Math.ceil(limitMs / 1000) * 1000)
      reject(
        new Unproven(`the check took longer than ${allowed}, half of the longest expected time of the run`),
      )
    }
    stop = whenOver(() => checkTimeLimit(session.facts, session.configuration), onOver)
  })
  return { over, stop }
}
