/** How many fixtures of each kind a run uses up, which is what it makes itself. Pure; an estimate. */

import type { Needs } from '../../deployment/administration/needs.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import type { FixtureKind } from '../../deployment/fixtures/fixture-kinds.ts'
import type { PlannedCheck } from '../../runner/plan.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import { type Counted, fixturesOfRuns, measuredRuns } from './requests-of-checks.ts'
import { countAt } from './run-estimate.ts'

/** What the checks that will be judged use up; each is taken for an average one of those that ask for the kind. */
export async function needsOfRun(
  planned: readonly PlannedCheck[],
  { run, administration }: Pick<Configuration, 'run' | 'administration'>,
): Promise<Needs> {
  const judged = new Set(planned.filter(({ without }) => without === undefined).map(({ id }) => id))
  const definitions = (await declaredChecks()).map(({ definition }) => definition)
  const lacks = administration?.lacks ?? {}
  const share = (kind: FixtureKind): number => {
    const asking = definitions.filter(({ fixtures }) => fixtures.includes(kind))
    if (lacks[kind] !== undefined || asking.length === 0) return 0
    return asking.filter(({ id }) => judged.has(id)).length / asking.length
  }
  const count = (kind: FixtureKind, counted: Counted): number =>
    Math.ceil(share(kind) * Math.max(0, countAt(run.runs, measuredRuns, fixturesOfRuns[counted])))
  const places = ['collaboration', 'participant', 'workspace', 'group'] as const
  return {
    places: places.some((kind) => share(kind) > 0),
    collaborations: count('collaboration', 'collaboration'),
    taskRuns: count('taskRun', 'taskRun'),
    receivers: share('eligibleUser') + share('ineligibleUser') > 0,
    items: {
      itemOwner: count('items', 'items.itemOwner'),
      itemOwnerUnprivileged: count('items', 'items.itemOwnerUnprivileged'),
    },
    federation: share('federation') > 0,
  }
}
