/** Which checks would run on a target, without sending anything. */

import type { Configuration } from '../deployment/configuration/configuration.ts'
import type { FixtureKind } from '../deployment/fixtures/fixture-kinds.ts'
import { withoutUndefined } from '../schemas/values.ts'
import type { OperationId } from '../specs/operations.ts'
import { judgedBy, requirementsFor } from '../specs/requirements.ts'
import { belongsTo, type Without, withoutJudging } from './applicability.ts'
import type { CheckDefinition, Declared } from './check.ts'
import type { CheckResult } from './check-result.ts'
import { isQuick } from './effort.ts'
import type { Selection } from './run-input.ts'

export interface PlannedCheck extends Pick<CheckResult, 'id' | 'requirement' | 'operation' | 'title'> {
  /** Every operation that it performs. */
  readonly operations: readonly OperationId[]
  /** The kinds of fixtures that it takes where they are offered. */
  readonly fixtures: readonly FixtureKind[]
  /** Absent: it will run. */
  readonly without?: Without
}

/** The part of a result that is known in advance. */
export const named = ({ id, requirement, operation, title }: CheckDefinition) => ({
  id,
  requirement,
  operation: judgedBy(requirement, operation),
  title,
})

/** The kinds of fixtures that a check takes where they are offered. */
export const fixturesOf = ({ fixtures, whereThere }: CheckDefinition): FixtureKind[] => [
  ...new Set([...fixtures, ...whereThere.fixtures]),
]

/** The declared checks that this target has, in order. */
export function checksHere(declared: readonly Declared[], configuration: Configuration): Declared[] {
  const judged = new Set(requirementsFor(configuration.target.profile).map(({ id }) => id))
  const here = declared.filter(
    ({ definition }) => judged.has(definition.requirement) && belongsTo(definition, configuration),
  )
  return isQuick(configuration.run) ? mainChecks(here) : here
}

/**
 * The first check of each requirement (and operation, if the requirement is about all), its main check if possible. And
 * all cheap checks.
 */
function mainChecks(checks: readonly Declared[]): Declared[] {
  const first = new Map<string, Declared>()
  const plainFirst = checks.toSorted((one, other) => rankOf(one) - rankOf(other))
  for (const check of plainFirst) {
    const key = `${check.definition.requirement} ${check.definition.operation}`
    if (!first.has(key)) first.set(key, check)
  }
  const chosen = new Set(first.values())
  return checks.filter((check) => chosen.has(check) || check.definition.traits.includes('cheap'))
}

const rankOf = ({ definition: { id, requirement, traits } }: Declared): number =>
  id === requirement ? 0 : traits.includes('further') ? 2 : 1

/** What happens to the declared checks on this target, in order. */
export function planChecks(
  declared: readonly Declared[],
  configuration: Configuration,
  selection: Selection,
): PlannedCheck[] {
  return checksHere(declared, configuration).map(({ definition }) => {
    const { operations } = definition
    const without = withoutJudging(definition, configuration, selection)
    return withoutUndefined({ ...named(definition), operations, fixtures: fixturesOf(definition), without })
  })
}
