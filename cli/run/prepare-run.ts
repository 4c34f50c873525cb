/** What a run needs before anything is judged: the selected checks, the waivers, credentials and fixtures. */

import { AdministrationFixtures } from '../../deployment/administration/provider.ts'
import type { Configuration, FixtureSource } from '../../deployment/configuration/configuration.ts'
import { FixtureFailure } from '../../deployment/fixtures/fixture-errors.ts'
import { type OpenFixtures, openFixtures } from '../../deployment/fixtures/fixture-sources.ts'
import { declaredChecks } from '../../runner/declared-checks.ts'
import { planChecks } from '../../runner/plan.ts'
import type { Selection } from '../../runner/worker-input.ts'
import { refuseEmptySelection } from '../arguments/selection.ts'
import { filesOfShard, planOfShard, type Shard } from '../arguments/shard.ts'
import type { OpenTarget } from '../arguments/target-options.ts'
import { asUsageError } from '../command-error.ts'
import { withoutUsedFixtures } from '../fixtures/used-fixtures.ts'
import { loadWaivers } from '../waivers/load-waivers.ts'
import { dateOf } from '../waivers/waiver.ts'
import type { JudgingPlan } from './judge-target.ts'

export interface RunWishes {
  readonly selection: Selection
  readonly shard?: Shard | undefined
  /** A file of failures that are known. */
  readonly waivers?: string | undefined
  /** The output folder, where it is remembered what earlier runs used up; absent: nowhere. */
  readonly out?: string | undefined
  /** In place of the fixtures of the configuration. */
  readonly fixtures?: FixtureSource | undefined
}

export type PreparedRun = Omit<JudgingPlan, 'replayCommand' | 'targetOptions'>

/** The fixtures are open and must be closed. Throws a usage or a configuration error where the run cannot begin. */
export async function prepareRun(
  target: OpenTarget,
  { selection, shard, waivers, out, fixtures }: RunWishes,
): Promise<PreparedRun> {
  const checks = (await declaredChecks()).map(({ definition }) => definition)
  refuseEmptySelection(selection, checks)
  const known =
    waivers === undefined
      ? []
      : loadWaivers(waivers, {
          checks: checks.map(({ id }) => id),
          baseUrl: target.configuration.target.baseUrl,
          today: dateOf(new Date()),
        })
  const ready = await target.ready()
  const offered = fixtures === undefined ? ready : { ...ready, fixtures }
  const configuration = out === undefined ? offered : withoutUsedFixtures(offered, out)
  const files = filesOfShard(shard)
  const planned = planOfShard(await planChecks(configuration, selection), files)
  return {
    configuration,
    fixtures: await fixturesOf(configuration),
    selection,
    planned,
    files,
    waivers: known,
    ...(shard === undefined ? {} : { shard }),
  }
}

function fixturesOf(configuration: Configuration): Promise<OpenFixtures> {
  const { fixtures, actors, http, administration } = configuration
  const made = administration === undefined ? undefined : new AdministrationFixtures(configuration)
  return openFixtures(fixtures, actors, http, made).catch(asUsageError(FixtureFailure))
}
