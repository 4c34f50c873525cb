/** When a run and its exchanges began. */
import type { Results } from './results.ts'

/** A run does not last longer: what is told to lie beyond was not measured by a clock. One year, in milliseconds. */
const longest = 365 * 24 * 3600 * 1000

/** When the run began, in milliseconds since 1970. */
export function startOf({ startedAt }: Pick<Results['run'], 'startedAt'>): number {
  // JSON Schema allows leap seconds, of which Date knows nothing.
  return Date.parse(startedAt.replace(/:60(?=[.Zz+-])/, ':59'))
}

/** The moment so many milliseconds after the beginning of the run, as ISO 8601; the beginning where it is not known. */
export function momentOf(run: Results['run'], atMs: number | undefined): string {
  const after = atMs !== undefined && atMs >= 0 && atMs <= longest ? atMs : 0
  return new Date(startOf(run) + after).toISOString()
}
