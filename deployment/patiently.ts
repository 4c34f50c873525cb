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
  /** Ends the current pause, and with it all attempts. */
  readonly signal?: AbortSignal | undefined
}

/** Pauses that double from the first up to the longest. */
export const growing =
  (firstMs: number, longestMs: number) =>
  (attempt: number): number =>
    Math.min(firstMs * 2 ** (attempt - 1), longestMs)

/**
 * Asks until an answer is done or the policy ends it. Resolves with the last answer. Rejects with the last error if the
 * last attempt failed, and with an AbortError if the signal ended a pause.
 */
export async function patiently<T>(ask: () => Promise<T>, policy: RetryPolicy<T>): Promise<T> {
  const { withinMs = Number.POSITIVE_INFINITY, times = Number.POSITIVE_INFINITY, least = 1 } = policy
  const { isDone = () => true, pauseMs = () => 0 } = policy
  const end = performance.now() + withinMs
  for (let attempt = 1; ; attempt += 1) {
    const tried = await tryOnce(ask, policy.mayPass)
    if ('answer' in tried && isDone(tried.answer)) return tried.answer
    if (attempt >= times || (attempt >= least && performance.now() >= end)) {
      if ('error' in tried) throw tried.error
      return tried.answer
    }
    const wishedMs = pauseMs(attempt, 'answer' in tried ? tried.answer : undefined)
    const ms = Math.min(wishedMs, Math.max(1, end - performance.now()))
    if (ms > 0) await sleep(ms, undefined, { signal: policy.signal })
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
