/** The results of a run, as they stand in results.json. */
import type { CheckResult } from '../runner/check-result.ts'
import type { ReportedCheck, Results } from '../schemas/types/results.ts'

export type { ReportedCheck, RequirementResult, Results, Waiver } from '../schemas/types/results.ts'

/** A check as it counts: its own outcome, or waived. */
export type JudgedCheck = CheckResult & Pick<ReportedCheck, 'waiver'>

/** A run does not last longer: what is asked to lie beyond was not measured by a clock. One year, in milliseconds. */
const longest = 365 * 24 * 3600 * 1000

/** When the run began, in milliseconds since 1970. */
export function startOf({ startedAt }: Pick<Results['run'], 'startedAt'>): number {
  // JSON Schema allows leap seconds; Date does not.
  return Date.parse(startedAt.replace(/:60(?=[.Zz+-])/, ':59'))
}

/** The moment this many milliseconds after the beginning of the run, as ISO 8601; the beginning where it is not known. */
export function momentOf(run: Results['run'], atMs: number | undefined): string {
  const after = atMs !== undefined && atMs >= 0 && atMs <= longest ? atMs : 0
  return new Date(startOf(run) + after).toISOString()
}
