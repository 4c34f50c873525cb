/** The one way to ask again until something is done, and the one policy that says how patiently. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Times are in milliseconds, attempts are counted from 1. */
export interface RetryPolicy<T> {
  /** From the first attempt on; after that no further one begins. Absent: no limit. */
  readonly withinMs?: number
  /** How many attempts there are at most. Absent: no limit. */
  readonly times?: number
  /** How many attempts are made though the time is over: a first one may take all of it. Default: 1. */
  readonly least?: number
  /** The pause after that attempt, whose answer is absent where it failed. Default: none. */
  readonly pauseMs?: (attempt: number, answer: T | undefined) => number
  /** Whether that answer ends it. Default: any does. */
  readonly isDone?: (answer: T) => boolean
  /** Whether another attempt may do without that error. Default: none may. */
  readonly mayPass?: (error: unknown) => boolean
  /** What becomes of the last answer when time or attempts are over. Default: the answer itself. */
  readonly timeUp?: (answer: T) => T
  /** Ends a pause. */
  readonly signal?: AbortSignal | undefined
  /** What comes of it when the signal ends a pause. Default: it rejects with an AbortError. */
  readonly onAbort?: () => T
}

/** The first pause, twice as long each time, up to the longest. */
export const growing =
  (firstMs: number, longestMs: number) =>
  (attempt: number): number =>
    Math.min(firstMs * 2 ** (attempt - 1), longestMs)

/** A pause of that many milliseconds. Rejects with an AbortError where the signal ends it. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal })
}

/** Asks until it is done, or the policy ends it. Rejects with the last error where the last attempt failed. */
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
