/** `doctor`: whether a target can be judged as it is configured, and what to add. Changes nothing there. */
import { randomBytes } from 'node:crypto'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { tellsCredentialsApart } from '../../deployment/credentials/ready-actors.ts'
import { FixtureFailure } from '../../deployment/fixtures/fixture-kinds.ts'
import { openFixtures } from '../../deployment/fixtures/fixture-sources.ts'
import { createRedactor, withTexts } from '../../deployment/redaction/redaction.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { paintFor, widthOf } from '../../reporters/terminal/style.ts'
import { credentialLike } from '../../runner/context/unknown.ts'
import type { Declaring } from '../arguments/declaring.ts'
import { withEarlierRuns, withTarget } from '../arguments/option-values.ts'
import { openTarget, type TargetOptions } from '../arguments/target-options.ts'
import { examination } from '../doctor/examination.ts'
import { askBase } from '../doctor/latency.ts'
import { doctorReport } from '../doctor/report.ts'
import { checkFixtures, type FixtureFinding } from '../fixtures/fixture-conformance.ts'
import { withoutUsedFixtures } from '../fixtures/used-fixtures.ts'
import { listenForInterrupt, type Surroundings } from '../process/surroundings.ts'
import { hearFixtures } from '../run/prepare-run.ts'
import { reachTarget } from '../run/reach-target.ts'

const help = `
Reaches the target, tries each credential once, measures how long answers take, estimates the length of a run, and
lists what will not be tested and what to add for it, most useful first. Nothing on the target is changed. With
--fixtures, the fixture provider is asked for each kind, and then to remove what it handed out.

Exit codes:
  0  everything that is configured works, or was not asked for
  2  usage or configuration error
  3  a credential or a kind of fixture is broken
  4  the target could not be reached

Example:
  portal-conformance doctor --config staging.yaml --fixtures`

export function declare({ command, does }: Declaring): void {
  withEarlierRuns(withTarget(command(help)))
    .option('--fixtures', 'ask the fixture provider for each kind')
    .option('--json', 'print what was found as JSON')
    .action(does(doctor))
}

interface DoctorOptions extends TargetOptions {
  /** Whether the fixture provider is asked for one of each kind. */
  readonly fixtures?: boolean
  readonly json?: boolean
  /** The output folder of runs, where it is remembered which fixtures they used up. */
  readonly out: string
}

/** Rejects with code 4 where the target cannot be reached; resolves with 3 where something configured is broken. */
async function doctor(options: DoctorOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, environment } = surroundings
  const target = await openTarget(options, environment)
  const interrupt = listenForInterrupt(surroundings, () => undefined)
  const { signal } = interrupt
  try {
    await reachTarget(target.configuration, signal)
    const base = await askBase(target.configuration, signal)
    const configuration = withoutUsedFixtures(await target.ready(), options.out)
    const madeUp = credentialLike('x'.repeat(40), configuration.run.seed)
    const credentialsTried = await tellsCredentialsApart(target.configuration, madeUp)
    const findings =
      options.fixtures === true && !makesAll(configuration)
        ? await examineFixtures(configuration, signal, surroundings)
        : undefined
    if (signal.aborted) return exitCodes.interrupted
    const found = await examination({
      configuration,
      base,
      credentialsTried,
      ...(findings === undefined ? {} : { findings }),
    })
    const safe = withTexts(found, createRedactor(configuration).text)
    stdout.write(
      options.json === true
        ? `${JSON.stringify(safe, undefined, 2)}\n`
        : doctorReport(safe, { width: widthOf(stdout), paint: paintFor(stdout, environment) }),
    )
    return found.outcome === 'ready' ? exitCodes.conformant : exitCodes.incomplete
  } catch (error) {
    throw target.redacted(error)
  } finally {
    interrupt.dispose()
    await target.close()
  }
}

/** Whether no provider is there to be asked: the run makes its fixtures itself. */
const makesAll = ({ fixtures, administration }: Configuration): boolean =>
  fixtures === undefined && administration !== undefined

async function examineFixtures(
  configuration: Configuration,
  signal: AbortSignal,
  surroundings: Surroundings,
): Promise<readonly FixtureFinding[]> {
  try {
    const fixtures = await openFixtures(configuration.fixtures, configuration.actors, configuration.http)
    hearFixtures(fixtures, configuration, surroundings)
    try {
      const runId = `pc-${randomBytes(4).toString('hex')}`
      return await checkFixtures(fixtures, configuration, { runId, signal })
    } finally {
      await fixtures.close()
    }
  } catch (error) {
    if (error instanceof FixtureFailure)
      return [{ kind: 'protocol', outcome: 'failed', detail: error.message }]
    throw error
  }
}
