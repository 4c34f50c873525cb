/** How long a run may be expected to take, by what its target is seen to need. Pure. */
import type { Configuration } from '../deployment/configuration/configuration.ts'

/** What starts the run, and what waits for consequences, in milliseconds: seen on runs without latency. */
const fixedMs = 2500

/** The end of a check waits for its last answers alone: seen on runs with 20, 50 and 150 ms of latency. */
const unfilledShare = 1.08

/** How long so many requests take where each answer takes `latencyMs`. */
export function durationOfRun(
  requests: number,
  latencyMs: number,
  { http }: { readonly http: Pick<Configuration['http'], 'concurrency' | 'requestsPerSecond'> },
): number {
  const answering = (requests * latencyMs * unfilledShare) / http.concurrency
  const allowed = http.requestsPerSecond === undefined ? 0 : (requests / http.requestsPerSecond) * 1000
  return Math.round(fixedMs + Math.max(answering, allowed))
}

/** What is known of a run while it is under way, or before it. */
export interface RunFacts {
  /** Requests that it may be expected to send. */
  readonly requests: number
  /** How long one answer takes, in milliseconds. */
  readonly latencyMs: number
  /** The pace that a throttling target was found to keep up with, in requests per second. */
  readonly perSecond?: number | undefined
  /** The longest that something takes which a fixture says the length of, in milliseconds. */
  readonly longestMs?: number
  /** How long the run waited for its fixture provider, in milliseconds. */
  readonly providerMs?: number
}

const leastMs = 120_000
/** A run may take so many times its estimate, and wait so often for what takes its time. */
const times = 10

/** How long a run may take that was given no limit of its own, in milliseconds: ten times its estimate, at least two minutes. */
export function defaultTimeLimit(
  facts: RunFacts,
  { http, run }: Pick<Configuration, 'http' | 'run'>,
): number {
  const { requests, latencyMs, perSecond = Number.POSITIVE_INFINITY, longestMs = 0, providerMs = 0 } = facts
  const pace = Math.min(perSecond, http.requestsPerSecond ?? Number.POSITIVE_INFINITY)
  const estimate = durationOfRun(requests, latencyMs, {
    http: {
      concurrency: http.concurrency,
      ...(Number.isFinite(pace) ? { requestsPerSecond: pace } : {}),
    },
  })
  const consequences = run.settleMs + (run.guestRefreshMs ?? 0) + longestMs
  return Math.round(Math.max(leastMs, times * estimate) + times * consequences + providerMs)
}

/** How long one check may take: half of what the run may, since all checks are under way side by side. */
export function checkTimeLimit(facts: RunFacts, configuration: Pick<Configuration, 'http' | 'run'>): number {
  return Math.round(defaultTimeLimit(facts, configuration) / 2)
}

/** Longer timers fire at once, in milliseconds. */
export const longestTimerMs = 2 ** 31 - 1
