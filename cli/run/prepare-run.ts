/** What a run needs before anything is judged: the selected checks, the waivers, credentials and fixtures. */
import { randomBytes } from 'node:crypto'
import { AdministrationFixtures, type Beginning } from '../../deployment/administration/provider.ts'
import type { OnRemoved } from '../../deployment/administration/removal.ts'
import type { Configuration, FixtureSource } from '../../deployment/configuration/configuration.ts'
import type { SignIns } from '../../deployment/credentials/sign-ins.ts'
import { FixtureFailure } from '../../deployment/fixtures/fixture-kinds.ts'
import { type OpenFixtures, openFixtures } from '../../deployment/fixtures/fixture-sources.ts'
import type { JournalEntry, ProviderCleanup } from '../../deployment/journal/journal-entry.ts'
import { createRedactor } from '../../deployment/redaction/redaction.ts'
import { exitCodes } from '../../reporters/exit-codes.ts'
import { safeText } from '../../reporters/safe-text.ts'
import { planChecks } from '../../runner/plan.ts'
import type { Selection } from '../../runner/run-input.ts'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import { refuseEmptySelection } from '../arguments/selection.ts'
import type { OpenTarget } from '../arguments/target-options.ts'
import { asUsageError, CommandError } from '../command-error.ts'
import { needsOfRun } from '../doctor/what-is-made.ts'
import { withoutUsedFixtures } from '../fixtures/used-fixtures.ts'
import { firstLine } from '../process/run-errors.ts'
import { type Surroundings, untilAfter } from '../process/surroundings.ts'
import { dateOf, loadWaivers } from '../waivers/waiver.ts'
import type { JudgingPlan } from './judge-target.ts'
import { reachTarget, refuseWithoutActors } from './reach-target.ts'

interface RunWishes {
  readonly selection: Selection
  /** A file of failures that are known. */
  readonly waivers?: string | undefined
  /** The output folder, where it is remembered what earlier runs used up; absent: nowhere. */
  readonly out?: string | undefined
  /** In place of the fixtures of the configuration. */
  readonly fixtures?: FixtureSource | undefined
  readonly signal: AbortSignal
}

interface PreparedRun extends Omit<JudgingPlan, 'replayCommand' | 'targetOptions'> {
  /** The longest that an answer took before the run, in milliseconds. */
  readonly latencyMs: number
}

/**
 * The fixtures are open and must be closed. Throws a usage or a configuration error where the run cannot begin, and an
 * error of exit code 4 where no portal is there, or nobody can sign in.
 */
export async function prepareRun(
  target: OpenTarget,
  { selection, waivers, out, fixtures, signal }: RunWishes,
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
  const latencyMs = await reachTarget(target.configuration, signal)
  const ready = await target.ready()
  refuseWithoutActors(ready)
  if (signal.aborted) throw new CommandError(exitCodes.interrupted, 'interrupted')
  const offered = fixtures === undefined ? ready : { ...ready, fixtures }
  const configuration = out === undefined ? offered : withoutUsedFixtures(offered, out)
  const planned = planChecks(await declaredChecks(), configuration, selection)
  const open = await openFixturesOf(configuration, target.signIns).catch(asUsageError(FixtureFailure))
  return withoutUndefined({
    ...{ configuration, signIns: target.signIns, fixtures: open, latencyMs },
    ...{ selection, planned, waivers: known },
  })
}

export function newRunId(): string {
  return `pc-${randomBytes(4).toString('hex')}`
}

/** Where the run makes fixtures itself, `entries` are what one that was killed has written down. */
export function openFixturesOf(
  configuration: Configuration,
  signIns: SignIns,
  entries?: readonly JournalEntry[],
): Promise<OpenFixtures> {
  const { fixtures, actors, http, administration } = configuration
  const made = administration && new AdministrationFixtures(configuration, signIns, entries)
  return openFixtures(fixtures, actors, http, made)
}

/** Has the run make its fixtures and actors, where it is configured so: the plan with these actors. Where the signal is aborted, the plan as it was. */
export async function beginFixtures<Plan extends Pick<JudgingPlan, 'configuration' | 'fixtures' | 'planned'>>(
  plan: Plan,
  beginning: Omit<Beginning, 'needs'>,
): Promise<Plan> {
  const { administration } = plan.fixtures
  if (administration === undefined) return plan
  try {
    const needs = await needsOfRun(plan.planned, plan.configuration)
    return { ...plan, configuration: await administration.begin({ needs, ...beginning }) }
  } catch (error) {
    if (beginning.signal.aborted) return plan
    throw error
  }
}

/** How a line of a fixture program is told. */
export const saidByFixtures = (line: string): string => `fixtures.command says: ${line}`

/** Every message becomes a warning without secrets and control characters. */
export function warningsTo(
  { stderr }: Pick<Surroundings, 'stderr'>,
  configuration: Configuration,
): (message: string) => void {
  const { text } = createRedactor(configuration)
  return (message) => void stderr.write(`Warning: ${safeText(text(message))}\n`)
}

/** What a fixture program says becomes warnings. */
export function hearFixtures(
  fixtures: OpenFixtures,
  configuration: Configuration,
  surroundings: Pick<Surroundings, 'stderr'>,
): void {
  const warn = warningsTo(surroundings, configuration)
  fixtures.hear((line) => warn(saidByFixtures(line)))
}

/** How long the fixture provider may take to clean up, and how long after an interruption, in milliseconds. */
const cleanupMs = 10_000
const interruptedCleanupMs = 5000

/** Things that the run made itself are removed one by one. */
const removalMs = 30 * 60_000
const interruptedRemovalMs = 60_000

interface CleanUp {
  readonly runId: string
  readonly signal: AbortSignal
  readonly warn: (message: string) => void
  readonly onProgress?: OnRemoved | undefined
}

/** What became of those of that run. Never rejects: where fixtures may be left over, `warn` is told. */
export async function cleanUpFixtures(
  fixtures: OpenFixtures,
  { runId, signal, warn, onProgress }: CleanUp,
): Promise<ProviderCleanup> {
  const own = fixtures.administration !== undefined
  const [longest, afterInterrupt] = own
    ? [removalMs, interruptedRemovalMs]
    : [cleanupMs, interruptedCleanupMs]
  try {
    const answer = await untilAfter(
      fixtures.cleanup(runId, onProgress),
      AbortSignal.any([signal, AbortSignal.timeout(longest - afterInterrupt)]),
      afterInterrupt,
    )
    if (answer !== undefined) return answer
    warn('the fixture provider did not clean up in time: its fixtures may be left over')
  } catch (error) {
    const why = error instanceof FixtureFailure ? error.message : firstLine(error)
    warn(`fixtures may be left over: ${why}`)
  }
  return 'failed'
}
