/** What a run took, in words. */
import type { Results } from './results.ts'

/** Requests that were sent, or exchanges that were recorded. */
export function effortOf({ seed, runs, requests, traffic }: Results['run']): string {
  if (traffic === undefined)
    return `seed ${seed}, ${runs} cases of each generated check, ${requests} requests`
  return `recorded traffic: ${countOf(traffic.exchanges, 'exchange')} in ${countOf(traffic.recordings, 'recording')}`
}

/** `1 exchange`, `2 exchanges`. */
export const countOf = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
