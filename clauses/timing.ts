/** What the times of answers prove (§3, §4.4). Pure; all times in milliseconds. */
import type { Answer } from '../deployment/http/exchange.ts'

/** Granted to timers of the target: they may end this much early without being wrong. */
const timerTolerance = (leastMs: number): number => leastMs * 0.02 + 2

/** In words. */
export const ms = (time: number): string => `${Math.round(time)} ms`

/** From the request to the end of its answer. */
export const took = ({ sentAt, answeredAt }: Pick<Answer, 'sentAt' | 'answeredAt'>): number =>
  answeredAt - sentAt

/** Whether an answer came too soon for a sync that takes at least so long. */
export const tooSoon = (tookMs: number, leastMs: number): boolean =>
  tookMs < leastMs - timerTolerance(leastMs)

/** Whether an answer came so soon that it cannot have waited for the sync: well before it can end. */
export const wellBefore = (tookMs: number, leastMs: number): boolean => tookMs < leastMs / 2

/** Whether an answer waited for a sync of at least so long, and not only because the target is as slow in any answer. */
export const waitedFor = (tookMs: number, leastMs: number, latencyMs: number): boolean =>
  wellBefore(latencyMs, leastMs) && !tooSoon(tookMs, leastMs)

/** One request for a sync and its answer. */
export interface SyncRequest {
  readonly sentAt: number
  readonly answeredAt: number
  readonly accepted: boolean
  readonly jobId: string
}

/** What was measured of the workspace: a sync of it alone. */
export interface LoneSync {
  readonly tookMs: number
  readonly jobId: string
}

export type Overlap =
  | { readonly verdict: 'apart'; readonly how: 'refused' | 'held' | 'answered with the running job' }
  | { readonly verdict: 'overlap' }
  /** The second request may not have met the first sync, or nothing tells whether it waited for its end. */
  | { readonly verdict: 'unknown' }

/** Two that ran one after the other took so many times what one of them takes alone; two at once took once that. */
const oneAfterTheOther = 1.75

/**
 * Whether a second, synchronous request started a sync while the first one ran: two that run one after the other take
 * twice `leastMs` at least. Only a lone sync of the workspace shows that it was held, or joined the running job.
 */
export function overlapOf(
  first: SyncRequest,
  second: SyncRequest,
  leastMs: number,
  lone?: LoneSync,
): Overlap {
  if (second.sentAt >= first.sentAt + leastMs) return { verdict: 'unknown' }
  if (!second.accepted) {
    const stillRunning = second.answeredAt < first.sentAt + leastMs
    return stillRunning ? { verdict: 'apart', how: 'refused' } : { verdict: 'unknown' }
  }
  const both = second.answeredAt - first.sentAt
  if (second.jobId === first.jobId) {
    // Where every sync of the workspace has one id, the id says nothing.
    const idsChange = lone !== undefined && lone.jobId !== first.jobId
    if (idsChange) return { verdict: 'apart', how: 'answered with the running job' }
  } else if (tooSoon(both, 2 * leastMs)) {
    return { verdict: 'overlap' }
  }
  const held = lone !== undefined && both >= lone.tookMs * oneAfterTheOther
  return held ? { verdict: 'apart', how: 'held' } : { verdict: 'unknown' }
}
