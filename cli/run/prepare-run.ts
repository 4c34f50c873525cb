/** A run around its checks: what it needs before it judges anything, its fixtures, and its clean-up. */
import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import { AdministrationFixtures, type OnMade } from '../../deployment/administration/provider.ts'
import type { Configuration, FixtureSource } from '../../deployment/configuration/configuration.ts'
import type { SignIns } from '../../deployment/credentials/sign-ins.ts'
import { FixtureFailure } from '../../deployment/fixtures/fixture-kinds.ts'
import { type OpenFixtures, openFixtures } from '../../deployment/fixtures/fixture-sources.ts'
import type { Things } from '../../deployment/journal/journal.ts'
import type { Begun } from '../../reporters/build-results.ts'
import { exitCodes } from '../../reporters/exit-codes.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import { type PlannedCheck, planChecks } from '../../runner/plan.ts'
import type { Pulse } from '../../runner/run-all.ts'
import type { Selection } from '../../runner/run-input.ts'
import { withoutUndefined } from '../../schemas/values.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import { refuseEmptySelection } from '../arguments/selection.ts'
import type { OpenTarget, TargetOptions } from '../arguments/target-options.ts'
import { cleanUpRun, type FixturesInUse } from '../cleanup/end-of-run.ts'
import { openRunJournal, refuseIfGoingOn, withoutUsedFixtures } from '../cleanup/run-journal.ts'
import { asUsageError, CommandError } from '../command-error.ts'
import { needsOfRun } from '../doctor/forecast.ts'
import { hearFixtures } from '../process/command-context.ts'
import { isFor, loadWaivers, today, type WaiverInUse, withoutSecrets } from '../waivers/waiver.ts'
import { reachTarget, refuseWithoutActors } from './reach-target.ts'

/** A run before its fixtures are made. */
interface PreparedRun {
  readonly configuration: Configuration
  /** Shared by all callers that sign in during the command. */
  readonly signIns: SignIns
  readonly fixtures: OpenFixtures
  readonly selection: Selection
  readonly planned: readonly PlannedCheck[]
  /** For this target, without secrets. They change what counts, never what is judged. */
  readonly waivers: readonly WaiverInUse[]
  /** If the file has waivers and none is for this target: all. */
  readonly idleWaivers: readonly WaiverInUse[]
  /** The options that name the target, for `run --failed` and for commands that show a finding again. */
  readonly targetOptions: TargetOptions
  /** The longest that an answer took before the run, in milliseconds. */
  readonly latencyMs: number
  /** The process serves this run alone; false if it belongs to a program that calls us. */
  readonly ownProcess: boolean
  /** After how many failures the run ends, without those that a waiver covers; absent: at its end. */
  readonly bail?: number | undefined
}

/** Who hears of the run while it goes on. */
interface Listener extends Pick<FixturesInUse, 'warn' | 'onRemoved'> {
  /** Receives how much of what the run makes is there. */
  readonly onMade?: OnMade
  /** Called before the first request with the head of the results. */
  readonly onBegin?: (begun: Begun) => void
  /** Called with the result of each check as it ends. */
  readonly onCheck?: (result: CheckResult) => void
  /** Called while checks are under way. */
  readonly onPulse?: (pulse: Pulse) => void
}

/** A run whose fixtures are made. */
export interface BegunRun extends PreparedRun, FixturesInUse, Listener {
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal
  readonly configuration: Configuration
  readonly fixtures: OpenFixtures
}

interface RunWishes extends Pick<PreparedRun, 'selection' | 'targetOptions' | 'ownProcess' | 'bail'> {
  /** A file of known failures. */
  readonly waivers?: string | undefined
  /** Its folder knows what earlier runs used up. Absent: the run keeps no journal, and that is not known. */
  readonly journal?: string
  /** In place of the fixtures of the configuration. */
  readonly fixtures?: FixtureSource | undefined
  readonly signal: AbortSignal
}

/**
 * Prepares a run, makes its fixtures, has it judged with the actors that it made, and cleans up, whatever happens. Calls
 * `listen` before the run makes anything. Throws a usage or a configuration error if the run cannot begin, and an error of
 * exit code 4 if no portal answers or no login works.
 */
export async function onRun<Result>(
  target: OpenTarget,
  wishes: RunWishes,
  listen: (run: PreparedRun) => Listener,
  judge: (run: BegunRun) => Promise<Result>,
): Promise<Result> {
  if (wishes.journal !== undefined) refuseIfGoingOn(wishes.journal)
  const prepared = await prepare(target, wishes)
  try {
    const listener = listen(prepared)
    const { warn } = listener
    for (const { place, target: pattern } of prepared.idleWaivers)
      warn(
        `${place}: no waiver for this run: target ${pattern} does not match ${prepared.configuration.target.baseUrl}`,
      )
    hearFixtures(prepared.fixtures, warn)
    const runId = prepared.configuration.administration?.runId ?? newRunId()
    const { signal, journal: file } = wishes
    const journal = file === undefined ? undefined : openRunJournal(file, prepared, { runId, warn })
    const run: BegunRun = { ...prepared, ...listener, ...withoutUndefined({ signal, runId, journal }) }
    try {
      return await judge({ ...run, configuration: await beginFixtures(run) })
    } finally {
      await cleanUpRun(run)
    }
  } finally {
    await prepared.fixtures.close()
  }
}

async function prepare(
  target: OpenTarget,
  { selection, targetOptions, ownProcess, bail, waivers, journal, fixtures, signal }: RunWishes,
): Promise<PreparedRun> {
  const checks = await declaredChecks()
  refuseEmptySelection(selection, checks)
  const { baseUrl } = target.configuration.target
  const ids = checks.map(({ id }) => id)
  const all = waivers === undefined ? [] : loadWaivers(waivers, { checks: ids, baseUrl, today: today() })
  const known = all.filter((waiver) => isFor(waiver, baseUrl))
  const latencyMs = await reachTarget(target.configuration, signal)
  const ready = await target.ready()
  refuseWithoutActors(ready)
  if (signal.aborted) throw new CommandError(exitCodes.interrupted, 'interrupted')
  const offered = fixtures === undefined ? ready : { ...ready, fixtures }
  const configuration = journal === undefined ? offered : withoutUsedFixtures(offered, dirname(journal))
  const { signIns } = target
  return {
    configuration,
    signIns,
    selection,
    targetOptions,
    ownProcess,
    bail,
    latencyMs,
    planned: planChecks(checks, configuration, selection),
    waivers: withoutSecrets(known, configuration),
    idleWaivers: known.length > 0 ? [] : all,
    fixtures: await openFixturesOf(configuration, signIns).catch(asUsageError(FixtureFailure)),
  }
}

/** `things`: what a killed run has made, if the run makes its fixtures itself. */
export function openFixturesOf(
  configuration: Configuration,
  signIns: SignIns,
  things?: Things,
): Promise<OpenFixtures> {
  const made = configuration.administration && new AdministrationFixtures(configuration, signIns, things)
  return openFixtures(configuration, made)
}

/** The configuration with the actors that the run made; unchanged if it makes nothing itself, or is interrupted. */
async function beginFixtures(run: BegunRun): Promise<Configuration> {
  const { configuration, fixtures, planned, journal: things, signal, onMade: onProgress } = run
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
