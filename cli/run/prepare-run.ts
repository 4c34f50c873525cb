/** A run around its checks: what it needs before it judges anything, its fixtures, and its clean-up. */
import { randomBytes } from 'node:crypto'
import type { OnMade } from '../../deployment/administration/provider.ts'
import { AdministrationFixtures } from '../../deployment/administration/provider.ts'
import type { Configuration, FixtureSource } from '../../deployment/configuration/configuration.ts'
import type { SignIns } from '../../deployment/credentials/sign-ins.ts'
import { FixtureFailure } from '../../deployment/fixtures/fixture-kinds.ts'
import { type OpenFixtures, openFixtures } from '../../deployment/fixtures/fixture-sources.ts'
import type { Things } from '../../deployment/journal/journal.ts'
import { exitCodes } from '../../reporters/exit-codes.ts'
import { type PlannedCheck, planChecks } from '../../runner/plan.ts'
import type { Selection } from '../../runner/run-input.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import { refuseEmptySelection } from '../arguments/selection.ts'
import type { OpenTarget, TargetOptions } from '../arguments/target-options.ts'
import { cleanUpRun, type FixturesInUse } from '../cleanup/end-of-run.ts'
import { type JournalPlace, openRunJournal, withoutUsedFixtures } from '../cleanup/run-journal.ts'
import { asUsageError, CommandError } from '../command-error.ts'
import { needsOfRun } from '../doctor/forecast.ts'
import { hearFixtures } from '../process/command-context.ts'
import { loadWaivers, today, type WaiverInUse, withoutSecrets } from '../waivers/waiver.ts'
import { reachTarget, refuseWithoutActors } from './reach-target.ts'

export interface PreparedRun {
  readonly configuration: Configuration
  /** Shared by all callers that sign in during the command. */
  readonly signIns: SignIns
  readonly fixtures: OpenFixtures
  readonly selection: Selection
  readonly planned: readonly PlannedCheck[]
  /** For this target, without secrets. They change what counts, never what is judged. */
  readonly waivers: readonly WaiverInUse[]
  /** The options that name the target, for `run --failed` and for commands that show a finding again. */
  readonly targetOptions: TargetOptions
  /** The longest that an answer took before the run, in milliseconds. */
  readonly latencyMs: number
}

/** A run whose fixtures are made. */
export interface BegunRun extends PreparedRun, FixturesInUse {
  readonly configuration: Configuration
  readonly fixtures: OpenFixtures
  /** The process serves this run alone; false if it belongs to a program that calls us. */
  readonly ownProcess: boolean
}

interface RunWishes extends Pick<PreparedRun, 'selection' | 'targetOptions'> {
  /** A file of known failures. */
  readonly waivers?: string | undefined
  /** The output folder, which knows what earlier runs used up; absent: not known. */
  readonly out?: string | undefined
  /** In place of the fixtures of the configuration. */
  readonly fixtures?: FixtureSource | undefined
  readonly signal: AbortSignal
}

/**
 * The work with a run whose fixtures are open for so long. Throws a usage or a configuration error if the run cannot
 * begin, and an error of exit code 4 if no portal answers or no login works.
 */
export async function onPreparedRun<Result>(
  target: OpenTarget,
  wishes: RunWishes,
  work: (run: PreparedRun) => Promise<Result>,
): Promise<Result> {
  const run = await prepare(target, wishes)
  try {
    return await work(run)
  } finally {
    await run.fixtures.close()
  }
}

async function prepare(
  target: OpenTarget,
  { selection, targetOptions, waivers, out, fixtures, signal }: RunWishes,
): Promise<PreparedRun> {
  const checks = await declaredChecks()
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
    configuration,
    signIns,
    selection,
    targetOptions,
    latencyMs,
    planned: planChecks(checks, configuration, selection),
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

interface Course extends Pick<BegunRun, 'ownProcess' | 'signal' | 'warn' | 'onRemoved'> {
  /** Absent: the run keeps no journal. */
  readonly journal?: JournalPlace
  /** Receives how much of what the run makes is there. */
  readonly onMade?: OnMade
}

/** `judge` receives the run with the actors that it made. Cleans up at the end, whatever happens. */
export async function withFixtures<Result>(
  prepared: PreparedRun,
  { journal: place, onMade, ...course }: Course,
  judge: (run: BegunRun) => Promise<Result>,
): Promise<Result> {
  const { configuration, fixtures } = prepared
  hearFixtures(fixtures, course.warn)
  const runId = configuration.administration?.runId ?? newRunId()
  const journal = place && openRunJournal(prepared, place, { runId, warn: course.warn })
  const run: BegunRun = { ...prepared, ...withoutUndefined({ ...course, runId, journal }) }
  try {
    return await judge({ ...run, configuration: await beginFixtures(run, onMade) })
  } finally {
    await cleanUpRun(run)
  }
}

/** The configuration with the actors that the run made; unchanged if it makes nothing itself, or is interrupted. */
async function beginFixtures(run: BegunRun, onProgress: OnMade | undefined): Promise<Configuration> {
  const { configuration, fixtures, planned, journal: things, signal } = run
  if (fixtures.administration === undefined) return configuration
  try {
    const needs = needsOfRun(planned, configuration)
    return await fixtures.administration.begin(withoutUndefined({ needs, things, signal, onProgress }))
  } catch (error) {
    if (signal.aborted) return configuration
    throw error
  }
}

export function newRunId(): string {
  return `pc-${randomBytes(4).toString('hex')}`
}
