/** What a run needs before anything is judged: the selected checks, the waivers, credentials and fixtures. */
import { randomBytes } from 'node:crypto'
import type { FixtureSource } from '../../deployment/configuration/configuration.ts'
import { FixtureFailure } from '../../deployment/fixtures/fixture-kinds.ts'
import { declaredChecks } from '../../runner/declared-checks.ts'
import { planChecks } from '../../runner/plan.ts'
import type { Selection } from '../../runner/worker-input.ts'
import { filesOfShard, planOfShard, refuseEmptySelection, type Shard } from '../arguments/selection.ts'
import type { OpenTarget } from '../arguments/target-options.ts'
import { asUsageError } from '../command-error.ts'
import { withoutUsedFixtures } from '../fixtures/used-fixtures.ts'
import { dateOf, loadWaivers } from '../waivers/waiver.ts'
import { openFixturesOf } from './fixtures-of-run.ts'
import type { JudgingPlan } from './judge-target.ts'

interface RunWishes {
  readonly selection: Selection
  readonly shard?: Shard | undefined
  /** A file of failures that are known. */
  readonly waivers?: string | undefined
  /** The output folder, where it is remembered what earlier runs used up; absent: nowhere. */
  readonly out?: string | undefined
  /** In place of the fixtures of the configuration. */
  readonly fixtures?: FixtureSource | undefined
}

type PreparedRun = Omit<JudgingPlan, 'replayCommand' | 'targetOptions'>

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
    fixtures: await openFixturesOf(configuration).catch(asUsageError(FixtureFailure)),
    selection,
    planned,
    files,
    waivers: known,
    ...(shard === undefined ? {} : { shard }),
  }
}

export function newRunId(): string {
  return `pc-${randomBytes(4).toString('hex')}`
}
