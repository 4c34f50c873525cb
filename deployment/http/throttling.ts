/** What an answer asks for that is neither an acceptance nor a refusal: how long to wait before the request is repeated. */
import type { Answer } from './exchange.ts'

const leastWaitMs = 100
/** The first wait where the target does not say how long, in milliseconds; each further one is twice as long. */
const firstWaitMs = { throttled: 1000, unavailable: 200 } as const

/** `throttled`: turned away (429); `unavailable`: a gateway or a service that is not there (502, 503, 504). */
export type Busy = 'throttled' | 'unavailable'

export interface Wait {
  readonly busy: Busy
  readonly ms: number
  /** The target said how long. */
  readonly asked: boolean
}

/** Undefined where the answer is one to be judged. `attempt` counts from 0. */
export function waitAfter(answer: Answer, attempt: number): Wait | undefined {
  const busy = busyOf(answer.status)
  if (busy === undefined) return undefined
  const asked = retryAfter(answer.headers['retry-after'])
  // A target that asks for no wait at all would otherwise be asked without end.
  const ms = asked === undefined ? unaskedWait(busy, attempt) : Math.max(asked, leastWaitMs * 2 ** attempt)
  return { busy, ms, asked: asked !== undefined }
}

/** How long to wait where nothing says it. */
export const unaskedWait = (busy: Busy, attempt: number): number => firstWaitMs[busy] * 2 ** attempt

function busyOf(status: number): Busy | undefined {
  if (status === 429) return 'throttled'
  return status >= 502 && status <= 504 ? 'unavailable' : undefined
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
