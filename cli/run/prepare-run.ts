/** What a run needs before it judges anything: the selected checks, the waivers, credentials and fixtures. */
import { AdministrationFixtures } from '../../deployment/administration/provider.ts'
import type { Configuration, FixtureSource } from '../../deployment/configuration/configuration.ts'
import type { SignIns } from '../../deployment/credentials/sign-ins.ts'
import { FixtureFailure } from '../../deployment/fixtures/fixture-kinds.ts'
import { type OpenFixtures, openFixtures } from '../../deployment/fixtures/fixture-sources.ts'
import type { Things } from '../../deployment/journal/journal.ts'
import { exitCodes } from '../../reporters/exit-codes.ts'
import { planChecks } from '../../runner/plan.ts'
import type { Selection } from '../../runner/run-input.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import { refuseEmptySelection } from '../arguments/selection.ts'
import type { OpenTarget, TargetOptions } from '../arguments/target-options.ts'
import { asUsageError, CommandError } from '../command-error.ts'
import { withoutUsedFixtures } from '../fixtures/used-fixtures.ts'
import { loadWaivers, today, withoutSecrets } from '../waivers/waiver.ts'
import type { JudgingPlan } from './judge-target.ts'
import { reachTarget, refuseWithoutActors } from './reach-target.ts'

interface RunWishes {
  readonly selection: Selection
  /** Those of the command. */
  readonly targetOptions: TargetOptions
  /** A file of known failures. */
  readonly waivers?: string | undefined
  /** The output folder, which knows what earlier runs used up; absent: not known. */
  readonly out?: string | undefined
  /** In place of the fixtures of the configuration. */
  readonly fixtures?: FixtureSource | undefined
  readonly signal: AbortSignal
}

/**
 * The work with a plan whose fixtures are open for so long. Throws a usage or a configuration error if the run cannot
 * begin, and an error of exit code 4 if no portal answers or no login works.
 */
export async function onPreparedRun<Result>(
  target: OpenTarget,
  wishes: RunWishes,
  work: (plan: JudgingPlan) => Promise<Result>,
): Promise<Result> {
  const plan = await prepare(target, wishes)
  try {
    return await work(plan)
  } finally {
    await plan.fixtures.close()
  }
}

async function prepare(
  target: OpenTarget,
  { selection, targetOptions, waivers, out, fixtures, signal }: RunWishes,
): Promise<JudgingPlan> {
  const declared = await declaredChecks()
  const checks = declared.map(({ definition }) => definition)
  refuseEmptySelection(selection, checks)
  const { baseUrl } = target.configuration.target
  const ids = checks.map(({ id }) => id)
  const known = waivers === undefined ? [] : loadWaivers(waivers, { checks: ids, baseUrl, today: today() })
  const latencyMs = await reachTarget(target.configuration, signal)
  const ready = await target.ready()
  refuseWithoutActors(ready)
  if (signal.aborted) throw new CommandError(exitCodes.interrupted, 'interrupted')
  const offered = fixtures === undefined ? ready : { ...ready, fixtures }
  const configuration = out === undefined ? offered : withoutUsedFixtures(offered, out)
  const { signIns } = target
  return {
    ...{ configuration, signIns, selection, targetOptions, latencyMs },
    planned: planChecks(declared, configuration, selection),
    waivers: withoutSecrets(known, configuration),
    fixtures: await openFixturesOf(configuration, signIns).catch(asUsageError(FixtureFailure)),
  }
}

/** `things`: what a killed run has made, if the run makes its fixtures itself. */
export function openFixturesOf(
  configuration: Configuration,
  signIns: SignIns,
  things?: Things,
): Promise<OpenFixtures> {
  const { fixtures, actors, http, administration } = configuration
  const made = administration && new AdministrationFixtures(configuration, signIns, things)
  return openFixtures(fixtures, actors, http, made)
}
