/** What a throttling target asks for: how long to wait before the request may be repeated. */
import type { Answer } from './exchange.ts'

const firstWaitMs = 1000
const leastWaitMs = 100

/**
 * Milliseconds to wait before the repetition, or undefined where the answer does not throttle. 429 throttles, with
 * or without Retry-After; 503 only with it. `attempt` counts from 0; waits without a hint double each time.
 */
export function throttleWait(answer: Answer, attempt: number): number | undefined {
  if (answer.status !== 429 && answer.status !== 503) return undefined
  const asked = retryAfter(answer.headers['retry-after'])
  if (asked === undefined) return answer.status === 429 ? firstWaitMs * 2 ** attempt : undefined
  // A target that asks for no wait at all would otherwise be asked without end.
  return Math.max(asked, leastWaitMs * 2 ** attempt)
}

/** Milliseconds that an answer asks to wait, whatever its status; undefined where it does not say. */
export const retryAfterMs = ({ headers }: Pick<Answer, 'headers'>): number | undefined =>
  retryAfter(headers['retry-after'])

function retryAfter(header: string | string[] | undefined): number | undefined {
  const value = (Array.isArray(header) ? header[0] : header)?.trim()
  if (!value) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const date = /^[A-Za-z]{3}/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}
