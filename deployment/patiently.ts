/** The one way to retry: ask until the answer is final or the policy ends it. */
import { setTimeout as sleep } from 'node:timers/promises'

/** How long, how often and with which pauses to retry. Times are in milliseconds, attempts count from 1. */
export interface RetryPolicy<T> {
  /** No attempt begins later than this after the first one. Absent: no limit. */
  readonly withinMs?: number
  /** The most attempts. Absent: no limit. */
  readonly times?: number
  /** Attempts that are made even if the first one takes all the time. Default: 1. */
  readonly least?: number
  /** The pause after an attempt. `answer` is absent if it failed. Default: none. */
  readonly pauseMs?: (attempt: number, answer: T | undefined) => number
  /** Whether the answer is final. Default: every answer is. */
  readonly isDone?: (answer: T) => boolean
  /** Whether another attempt may help after that error. Default: no. */
  readonly mayPass?: (error: unknown) => boolean
  /** Turns the last answer into the result when time or attempts are used up. Default: the answer itself. */
  readonly timeUp?: (answer: T) => T
  /** Ends the current pause, and with it all attempts. */
  readonly signal?: AbortSignal | undefined
  /** The result if the signal ends a pause. Default: rejects with an AbortError. */
  readonly onAbort?: () => T
}

/** Pauses that double from the first up to the longest. */
export const growing =
  (firstMs: number, longestMs: number) =>
  (attempt: number): number =>
    Math.min(firstMs * 2 ** (attempt - 1), longestMs)

/** Waits for that many milliseconds. Rejects with an AbortError if the signal ends it. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal })
}

/** Asks until an answer is done or the policy ends it. Rejects with the last error if the last attempt failed. */
export async function patiently<T>(ask: () => Promise<T>, policy: RetryPolicy<T>): Promise<T> {
  const { withinMs = Number.POSITIVE_INFINITY, times = Number.POSITIVE_INFINITY, least = 1 } = policy
  const { isDone = () => true, pauseMs = () => 0, timeUp = (answer) => answer } = policy
  const end = performance.now() + withinMs
  for (let attempt = 1; ; attempt += 1) {
    const tried = await tryOnce(ask, policy.mayPass)
    if ('answer' in tried && isDone(tried.answer)) return tried.answer
    if (attempt >= times || (attempt >= least && performance.now() >= end)) {
      if ('error' in tried) throw tried.error
      return timeUp(tried.answer)
    }
    const wishedMs = pauseMs(attempt, 'answer' in tried ? tried.answer : undefined)
    try {
      await pause(Math.min(wishedMs, Math.max(1, end - performance.now())), policy.signal)
    } catch (error) {
      if (policy.onAbort === undefined) throw error
      return policy.onAbort()
    }
  }
}

async function tryOnce<T>(ask: () => Promise<T>, mayPass: RetryPolicy<T>['mayPass']) {
  try {
    return { answer: await ask() }
  } catch (error) {
    if (mayPass?.(error) !== true) throw error
    return { error }
  }
}
