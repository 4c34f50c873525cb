/** One run on one target, from the first request to the exit code. */
import { randomBytes } from 'node:crypto'
import { buildResults } from '../reporters/build-results.ts'
import type { Results } from '../reporters/results.ts'
import { Progress } from '../reporters/terminal/progress.ts'
import type { PlannedCheck } from '../suites/plan.ts'
import { hearPulses } from '../suites/pulse.ts'
import type { WorkerInput } from '../suites/worker-input.ts'
import type { Configuration } from '../target/configuration.ts'
import type { OpenFixtures } from '../target/fixture-sources.ts'
import { withTexts } from '../target/redacted-texts.ts'
import { createRedactor, type Redactor } from '../target/redaction.ts'
import { deliver } from './deliver.ts'
import { type ExitCode, exitCodeOf, exitCodes, type FailOn } from './exit-codes.ts'
import { listenForInterrupt } from './interrupt.ts'
import { measure } from './measure.ts'
import type { ReporterName } from './option-values.ts'
import { openPartialResults } from './partial-results.ts'
import { untilAfter } from './patience.ts'
import { reachTarget } from './reach-target.ts'
import { firstLine } from './run-errors.ts'
import type { Shard } from './shard.ts'
import type { Surroundings } from './surroundings.ts'
import type { TargetOptions } from './target-options.ts'
import { applyWaivers } from './waivers/apply-waivers.ts'
import { staleWaivers } from './waivers/stale-waivers.ts'
import type { WaiverInUse } from './waivers/waiver.ts'

export interface RunPlan {
  readonly configuration: Configuration
  readonly fixtures: OpenFixtures
  readonly selection: WorkerInput['selection']
  readonly planned: readonly PlannedCheck[]
  /** The suite files to run. */
  readonly files: readonly string[]
  /** Absent: the whole suite. */
  readonly shard?: Shard
  /** For this target; they change what counts, never what is judged. */
  readonly waivers: readonly WaiverInUse[]
  readonly replayCommand: string
  /** The options that name the target, for a replay. */
  readonly targetOptions: TargetOptions
  /** The output directory. */
  readonly out: string
  readonly reporters: readonly ReporterName[]
  readonly allowIncomplete: boolean
  readonly failOn: readonly FailOn[]
}

/** How long the fixture provider may take to clean up, and how long after an interruption, in milliseconds. */
const cleanupMs = 10_000
const interruptedCleanupMs = 5000

/** Measures, delivers the results and cleans up. Throws a CommandError where the run cannot begin. */
export async function conductRun(plan: RunPlan, surroundings: Surroundings): Promise<ExitCode> {
  const { configuration, fixtures, planned } = plan
  const progress = new Progress(surroundings.stderr, planned, surroundings.environment)
  const redactor = createRedactor(configuration)
  const warn = (message: string) => progress.note(`Warning: ${redactor.text(message)}`)
  const leave = (code: number) => {
    progress.close()
    surroundings.leave(code)
  }
  const interrupt = listenForInterrupt({ ...surroundings, leave }, () =>
    progress.note('Interrupted: writing what was measured and cleaning up (once more: leaving at once)'),
  )
  const { signal } = interrupt
  try {
    const partial = plan.reporters.includes('json') ? openPartialResults(plan.out, warn) : undefined
    try {
      await reachTarget(configuration, signal)
    } catch (error) {
      partial?.remove()
      throw error
    }
    const id = `pc-${randomBytes(4).toString('hex')}`
    const startedAt = new Date()
    const began = performance.now()
    const input = inputOf(plan, id, startedAt)
    const pulses = progress.live ? hearPulses(id, (pulse) => progress.heard(pulse)) : undefined
    const { checks, errors } = await measure({
      input: pulses === undefined ? input : { ...input, pulses: id },
      planned,
      signal,
      onCheck: (result) => {
        partial?.add(result)
        progress.checkDone(result)
      },
    })
    pulses?.stop()
    progress.close()
    const interrupted = signal.aborted
    const results = buildResults({
      checks: applyWaivers(
        checks,
        plan.waivers.map((waiver) => redactedWaiver(waiver, redactor)),
      ),
      planned,
      run: {
        id,
        startedAt: startedAt.toISOString(),
        durationMs: Math.round(performance.now() - began),
        seed: configuration.run.seed,
        runs: configuration.run.runs,
        options: withTexts({ ...plan.targetOptions }, redactor.text),
        ...limitsOf(plan),
      },
      target: withTexts(targetOf(configuration), redactor.text),
      errors,
      interrupted,
    })
    const delivered = await deliver(results, plan, surroundings, partial)
    await cleanUp(fixtures, signal, warn)
    const stale = staleWaivers(plan.waivers, results)
    for (const line of stale) progress.note(line)
    if (!delivered) return exitCodes.broken
    return exitCodeOf(results, { ...plan, interrupted, staleWaivers: stale.length > 0 })
  } finally {
    progress.close()
    interrupt.dispose()
  }
}

function inputOf(
  { configuration, fixtures, selection, files, replayCommand }: RunPlan,
  runId: string,
  startedAt: Date,
): WorkerInput {
  const { url } = fixtures
  return {
    configuration,
    ...(url === undefined ? {} : { fixturesUrl: url }),
    runId,
    began: startedAt.getTime(),
    selection,
    files,
    replayCommand,
  }
}

/** What keeps the run from being one of the whole suite. */
function limitsOf({ selection, shard }: RunPlan): Pick<Results['run'], 'selection' | 'shard'> {
  const selected = selection.operations.length + selection.requirements.length > 0
  return { ...(selected ? { selection } : {}), ...(shard === undefined ? {} : { shard }) }
}

// What names the checks stays as it is.
function redactedWaiver({ reason, owner, link, ...others }: WaiverInUse, { text }: Redactor): WaiverInUse {
  const shown = {
    reason: text(reason),
    owner: text(owner),
    ...(link === undefined ? {} : { link: text(link) }),
  }
  return { ...others, ...shown }
}

function targetOf({ target: { baseUrl, version, edition, profile } }: Configuration) {
  return {
    baseUrl,
    ...(version === undefined ? {} : { version }),
    ...(edition === undefined ? {} : { edition }),
    profile,
  }
}

async function cleanUp(
  fixtures: OpenFixtures,
  signal: AbortSignal,
  warn: (message: string) => void,
): Promise<void> {
  try {
    const done = await untilAfter(
      fixtures.cleanup().then(() => true),
      AbortSignal.any([signal, AbortSignal.timeout(cleanupMs - interruptedCleanupMs)]),
      interruptedCleanupMs,
    )
    if (done !== true) warn('the fixture provider did not clean up in time: its fixtures may be left over')
  } catch (error) {
    warn(`${firstLine(error)}: fixtures may be left over`)
  }
}
