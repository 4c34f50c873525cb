/** What the times of answers prove (§3, §4.4). Pure; all times in milliseconds. */

/** Granted to timers of the target: they may end this much early without being wrong. */
const timerTolerance = (leastMs: number): number => leastMs * 0.02 + 2

/** Whether an answer came too soon for a sync that takes at least so long. */
export const tooSoon = (tookMs: number, leastMs: number): boolean =>
  tookMs < leastMs - timerTolerance(leastMs)

/** Whether an answer came so soon that it cannot have waited for the sync: well before it can end. */
export const wellBefore = (tookMs: number, leastMs: number): boolean => tookMs < leastMs / 2

/** One request for a sync and its answer. */
export interface SyncRequest {
  readonly sentAt: number
  readonly answeredAt: number
  readonly accepted: boolean
  readonly jobId: string
}

export type Overlap =
  | { readonly verdict: 'apart'; readonly how: 'refused' | 'held' | 'answered with the running job' }
  | { readonly verdict: 'overlap'; readonly earliest: number }
  /** The second request may not have met the first sync. */
  | { readonly verdict: 'unknown' }

/**
 * Whether a second, synchronous request started a sync while the first one ran. The first sync runs at least until
 * `first.sentAt + leastMs`; one after it needs `leastMs` more; so a success under another job that comes sooner overlaps.
 */
export function overlapOf(first: SyncRequest, second: SyncRequest, leastMs: number): Overlap {
  if (second.sentAt >= first.sentAt + leastMs) return { verdict: 'unknown' }
  if (!second.accepted) {
    const stillRunning = second.answeredAt < first.sentAt + leastMs
    return stillRunning ? { verdict: 'apart', how: 'refused' } : { verdict: 'unknown' }
  }
  if (second.jobId === first.jobId) return { verdict: 'apart', how: 'answered with the running job' }
  const earliest = first.sentAt + 2 * leastMs
  if (tooSoon(second.answeredAt - first.sentAt, 2 * leastMs)) return { verdict: 'overlap', earliest }
  return { verdict: 'apart', how: 'held' }
}
