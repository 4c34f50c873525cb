/** How many fixtures of each kind a run makes itself. Pure; an estimate. */
import type { PlannedCheck } from '../../suites/plan.ts'
import type { Needs } from '../../target/administration/needs.ts'
import type { Configuration } from '../../target/configuration/configuration.ts'

export function needsOfRun(_planned: readonly PlannedCheck[], _configuration: Configuration): Needs {
  return { collaborations: 8, taskRuns: 40, users: 1, items: { itemOwner: 50 }, federation: true }
}
