/** What would be judged on a target and what not, without sending anything. */
import type { Outcome } from '../specs/outcomes.ts'
import type { RequirementId } from '../specs/requirements.ts'
import type { Configuration } from '../target/configuration.ts'
import type { CheckId } from './check-result.ts'
import type { Selection } from './worker-input.ts'

export interface PlannedCheck {
  readonly id: CheckId
  readonly requirement: RequirementId
  readonly title: string
  /** Absent: it will be judged. */
  readonly without?: {
    readonly outcome: Outcome & ('not-tested' | 'not-applicable')
    readonly reason: string
  }
}

/** Every check of the suite in the order of the contract, with what becomes of it on this target. */
export async function planChecks(
  _configuration: Configuration,
  _selection: Selection,
): Promise<PlannedCheck[]> {
  return []
}
