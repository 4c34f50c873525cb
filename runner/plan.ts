/** What would be judged on a target and what not, without sending anything. */

import type { Configuration } from '../deployment/configuration/configuration.ts'
import { withoutUndefined } from '../schemas/without-undefined.ts'
import type { OperationId } from '../specs/operations.ts'
import { judgedBy, requirementsFor } from '../specs/requirements.ts'
import { belongsTo, type Without, withoutJudging } from './applicability.ts'
import type { CheckDefinition, Declared } from './check.ts'
import type { CheckResult } from './check-result.ts'
import { tries } from './effort.ts'
import type { Selection } from './run-input.ts'

export interface PlannedCheck extends Pick<CheckResult, 'id' | 'requirement' | 'operation' | 'title'> {
  /** Every operation that it performs. */
  readonly operations: readonly OperationId[]
  /** Absent: it will be judged. */
  readonly without?: Without
}

/** What plan and results say of a check, whatever becomes of it. */
export const named = ({ id, requirement, operation, title }: CheckDefinition) => ({
  id,
  requirement,
  operation: judgedBy(requirement, operation),
  title,
})

/** Those of the declared checks that are checks of this target, in their order. */
export function checksHere(declared: readonly Declared[], configuration: Configuration): Declared[] {
  const judged = new Set(requirementsFor(configuration.target.profile).map(({ id }) => id))
  const here = declared.filter(
    ({ definition }) => judged.has(definition.requirement) && belongsTo(definition, configuration),
  )
  return tries('every', configuration.run) ? here : firstOfEach(here)
}

/** One check of each requirement, of those of all operations for each of them: the plain one before its further ways. */
function firstOfEach(checks: readonly Declared[]): Declared[] {
  const first = new Map<string, Declared>()
  const plainFirst = checks.toSorted((one, other) => rankOf(one) - rankOf(other))
  for (const check of plainFirst) {
    const key = `${check.definition.requirement} ${check.definition.operation}`
    if (!first.has(key)) first.set(key, check)
  }
  const chosen = new Set(first.values())
  return checks.filter((check) => chosen.has(check))
}

const rankOf = ({ definition: { id, requirement, traits } }: Declared): number =>
  id === requirement ? 0 : traits.includes('further') ? 2 : 1

/** What becomes of the declared checks on this target, in their order. */
export function planChecks(
  declared: readonly Declared[],
  configuration: Configuration,
  selection: Selection,
): PlannedCheck[] {
  return checksHere(declared, configuration).map(({ definition }) => {
    const { operations } = definition
    const without = withoutJudging(definition, configuration, selection)
    return withoutUndefined({ ...named(definition), operations, without })
  })
}
