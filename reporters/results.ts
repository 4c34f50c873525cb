/** The results of a run, as they stand in results.json. */
import type { CheckResult } from '../runner/check-result.ts'
import type { ReportedCheck } from '../schemas/types/results.ts'

export type { ReportedCheck, RequirementResult, Results, Waiver } from '../schemas/types/results.ts'

/** A check as it counts: its own outcome, or waived. */
export type JudgedCheck = CheckResult & Pick<ReportedCheck, 'waiver'>
