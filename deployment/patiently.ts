/** Retries: ask until an answer is done, as one policy says. */
import { setTimeout as sleep } from 'node:timers/promises'

/** How long, how often and with which pauses. Times are in milliseconds, attempts count from 1. */
export interface RetryPolicy<T> {
  /** After that time no further attempt begins; it counts from the first. Absent: no limit. */
  readonly withinMs?: number
  /** Most attempts. Absent: no limit. */
  readonly times?: number
  /** Attempts that are made even when the time is up: the first may take all of it. Default: 1. */
  readonly least?: number
  /** Pause after an attempt; `answer` is absent if it failed. Default: none. */
  readonly pauseMs?: (attempt: number, answer: T | undefined) => number
  /** Whether an answer is the one to wait for. Default: any answer is. */
  readonly isDone?: (answer: T) => boolean
  /** Whether an error may pass, so that another attempt is worth it. Default: no error may. */
  readonly mayPass?: (error: unknown) => boolean
  /** Makes the result of the last answer when time or attempts are used up. Default: the answer itself. */
  readonly timeUp?: (answer: T) => T
  /** Ends a pause. */
  readonly signal?: AbortSignal | undefined
  /** Makes the result when the signal ends a pause. Default: rejects with an AbortError. */
  readonly onAbort?: () => T
}

/** Pauses that double from the first up to the longest. */
export const growing =
  (firstMs: number, longestMs: number) =>
  (attempt: number): number =>
    Math.min(firstMs * 2 ** (attempt - 1), longestMs)

/** A pause of that many milliseconds. Rejects with an AbortError where the signal ends it. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
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
