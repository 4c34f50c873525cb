/** The results of a run, as they stand in results.json. */
import type { CheckResult } from '../runner/check-result.ts'
import type { ReportedCheck, Results } from '../schemas/types/results.ts'

export type { ReportedCheck, RequirementResult, Results, Waiver } from '../schemas/types/results.ts'

/** A check as it counts: its own outcome, or waived. */
export type JudgedCheck = CheckResult & Pick<ReportedCheck, 'waiver'>

/** When the run began, in milliseconds since 1970. */
export function startOf({ startedAt }: Pick<Results['run'], 'startedAt'>): number {
  // JSON Schema allows leap seconds; Date does not.
  return Date.parse(startedAt.replace(/:60(?=[.Zz+-])/, ':59'))
}
