/** One run on one target, from the first request to the exit code. */
import { randomBytes } from 'node:crypto'
import { buildResults } from '../reporters/build-results.ts'
import { Progress } from '../reporters/terminal/progress.ts'
import type { PlannedCheck } from '../suites/plan.ts'
import type { WorkerInput } from '../suites/worker-input.ts'
import type { Configuration } from '../target/configuration.ts'
import type { OpenFixtures } from '../target/fixture-sources.ts'
import { createRedactor } from '../target/redaction.ts'
import { deliver } from './deliver.ts'
import { type ExitCode, exitCodeOf, exitCodes } from './exit-codes.ts'
import { listenForInterrupt } from './interrupt.ts'
import { measure } from './measure.ts'
import type { ReporterName } from './option-values.ts'
import { openPartialResults } from './partial-results.ts'
import { untilAfter } from './patience.ts'
import { reachTarget } from './reach-target.ts'
import { firstLine } from './run-errors.ts'
import type { Surroundings } from './surroundings.ts'
import type { TargetOptions } from './target-options.ts'

export interface RunPlan {
  readonly configuration: Configuration
  readonly fixtures: OpenFixtures
  readonly selection: WorkerInput['selection']
  readonly planned: readonly PlannedCheck[]
  /** The suite files to run. */
  readonly files: readonly string[]
  readonly replayCommand: string
  /** The options that name the target, for a replay. */
  readonly targetOptions: TargetOptions
  /** The output directory. */
  readonly out: string
  readonly reporters: readonly ReporterName[]
  readonly allowIncomplete: boolean
  readonly failOnAdvice: boolean
}

/** How long the fixture provider may take to clean up, and how long after an interruption, in milliseconds. */
const cleanupMs = 10_000
const interruptedCleanupMs = 5000

/** Measures, delivers the results and cleans up. Throws a CommandError where the run cannot begin. */
export async function conductRun(plan: RunPlan, surroundings: Surroundings): Promise<ExitCode> {
  const { configuration, fixtures, planned } = plan
  const progress = new Progress(surroundings.stderr, planned)
  const redactor = createRedactor(configuration)
  const warn = (message: string) => progress.note(`Warning: ${redactor.text(message)}`)
  const interrupt = listenForInterrupt(surroundings, () =>
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
    const { checks, errors } = await measure({
      input: inputOf(plan, id),
      planned,
      signal,
      onCheck: (result) => {
        partial?.add(result)
        progress.checkDone(result)
      },
    })
    progress.close()
    const interrupted = signal.aborted
    const results = buildResults({
      checks,
      planned,
      run: {
        id,
        startedAt: startedAt.toISOString(),
        durationMs: Math.round(performance.now() - began),
        seed: configuration.run.seed,
        runs: configuration.run.runs,
        options: { ...plan.targetOptions },
      },
      target: targetOf(configuration),
      errors: errors.map((error) => redactor.text(error)),
      interrupted,
    })
    const delivered = await deliver(results, plan, surroundings, partial)
    await cleanUp(fixtures, signal, warn)
    return delivered ? exitCodeOf(results, { ...plan, interrupted }) : exitCodes.broken
  } finally {
    progress.close()
    interrupt.dispose()
  }
}

function inputOf(
  { configuration, fixtures, selection, files, replayCommand }: RunPlan,
  runId: string,
): WorkerInput {
  const { url } = fixtures
  return {
    configuration,
    ...(url === undefined ? {} : { fixturesUrl: url }),
    runId,
    selection,
    files,
    replayCommand,
  }
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
