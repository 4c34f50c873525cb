/** The result of a check, the only thing that leaves the suites. Redacted and ready to be written. */
import type { Observation, ReportedCheck, RoleObservation } from '../schemas/types/results.ts'
import type { RequirementId } from '../specs/requirements.ts'

export type { Failure, Observation, RoleObservation } from '../schemas/types/results.ts'
export type { CheckId } from '../specs/requirements.ts'

/** How often a finding showed, and in how many tries. */
export interface Sightings {
  readonly times: number
  readonly tries: number
}

export interface CheckResult extends Omit<ReportedCheck, 'waiver'> {
  readonly requirement: RequirementId
  readonly observations?: readonly Observation[]
  readonly roles?: readonly RoleObservation[]
}
