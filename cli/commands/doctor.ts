/** `doctor`: whether a run can judge the target as configured, and what to add. Changes nothing on the target. */
import { type Configuration, listedFixtures } from '../../deployment/configuration/configuration.ts'
import { tellsCredentialsApart } from '../../deployment/credentials/ready-actors.ts'
import { FixtureFailure } from '../../deployment/fixtures/fixture-kinds.ts'
import { openFixtures } from '../../deployment/fixtures/fixture-sources.ts'
import { createRedactor, withTexts } from '../../deployment/redaction/redaction.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import { type Node, textOf } from '../../reporters/nodes.ts'
import { additions } from '../../reporters/report/parts.ts'
import { onTerminal } from '../../reporters/terminal/paint.ts'
import { pageFor } from '../../reporters/terminal/sheet.ts'
import { unknownLike } from '../../runner/cases/likenesses.ts'
import { planChecks } from '../../runner/plan.ts'
import { everything } from '../../runner/run-input.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import { type Declaring, reportFolder, withTarget } from '../arguments/option-values.ts'
import { onTarget, orUsualTarget, type TargetOptions } from '../arguments/target-options.ts'
import { withoutUsedFixtures } from '../cleanup/run-journal.ts'
import { askBase, rightsShown } from '../doctor/ask-target.ts'
import { type Examination, examination, sectionsOf } from '../doctor/examination.ts'
import { checkFixtures, type FixtureFinding } from '../fixtures/fixture-conformance.ts'
import {
  type CommandContext,
  hearFixtures,
  listenForInterrupt,
  warningsTo,
} from '../process/command-context.ts'
import { newRunId } from '../run/prepare-run.ts'
import { reachTarget } from '../run/reach-target.ts'

const help = `
Reaches the target, tries each credential, reads whether its user has the rights of the role, measures how long answers take, and estimates how long a run takes. Lists
what a run would not test, and what to add to the configuration for that, most useful first. Changes nothing on the
target. With --fixtures it also asks the fixture provider for one fixture of each kind, and to remove them again.

Exit codes:
  0  everything that is configured works
  2  usage or configuration error
  3  a credential or a kind of fixture is broken
  4  no portal answers at the base URL

Example:
  portal-conformance doctor --config staging.yaml --fixtures`

export function declare({ command, does }: Declaring): void {
  withTarget(command(help))
    .option(
      '--out <DIR>',
      'report folder of earlier runs, which knows the listed fixtures that they used up',
      reportFolder,
    )
    .option('--fixtures', 'ask the fixture provider for a fixture of each kind')
    .option('--json', 'print the findings as JSON')
    .action(does(doctor))
}

interface DoctorOptions extends TargetOptions {
  readonly out: string
  /** Ask the fixture provider for one of each kind. */
  readonly fixtures?: boolean
  readonly json?: boolean
}

/** Rejects with code 4 if the target cannot be reached; resolves with 3 if something configured is broken. */
async function doctor(given: DoctorOptions, commandContext: CommandContext): Promise<ExitCode> {
  const { stdout, environment } = commandContext
  const options = orUsualTarget(given, commandContext)
  const { signal, dispose } = listenForInterrupt(commandContext)
  return onTarget(options, commandContext, async (target) => {
    await reachTarget(target.configuration, signal)
    const base = await askBase(target.configuration, signal)
    const configuration = withoutUsedFixtures(await target.ready(), options.out)
    const madeUp = unknownLike('x'.repeat(40), configuration.run.seed)
    const tellsApart = await tellsCredentialsApart(target.configuration, madeUp)
    const rights = tellsApart ? await rightsShown(configuration) : undefined
    const { fixtures, administration } = configuration
    // If the run makes all fixtures itself, no provider can be asked.
    const hasProvider = fixtures !== undefined || administration === undefined
    const findings =
      options.fixtures === true && hasProvider
        ? await examineFixtures(configuration, signal, commandContext)
        : undefined
    if (signal.aborted) return exitCodes.interrupted
    const configuredVersion = target.configuration.target.version
    const found = examination(
      { configuration, configuredVersion, base, rights, findings },
      planChecks(await declaredChecks(), configuration, everything),
    )
    const safe = withTexts(found, createRedactor(configuration).text)
    const made = findings !== undefined && listedFixtures(configuration) === undefined
    stdout.write(
      options.json === true
        ? `${JSON.stringify(safe, undefined, 2)}\n`
        : onTerminal(doctorReport(safe, made), pageFor(stdout, environment)),
    )
    return found.outcome === 'ready' ? exitCodes.conformant : exitCodes.incomplete
  }).finally(dispose)
}

async function examineFixtures(
  configuration: Configuration,
  signal: AbortSignal,
  commandContext: CommandContext,
): Promise<readonly FixtureFinding[]> {
  try {
    const fixtures = await openFixtures(configuration)
    hearFixtures(fixtures, warningsTo(commandContext, configuration))
    try {
      return await checkFixtures(fixtures, configuration, { runId: newRunId(), signal })
    } finally {
      await fixtures.close()
    }
  } catch (error) {
    if (error instanceof FixtureFailure)
      return [{ kind: 'protocol', outcome: 'failed', detail: error.message }]
    throw error
  }
}

/** What was found, part by part, and what it comes to. */
function* doctorReport(found: Examination, made: boolean): Generator<Node> {
  const but = made ? ', except what the fixture provider made and was asked to remove' : ''
  yield textOf(`${found.baseUrl}: examined; nothing was changed there${but}.`)
  yield* sectionsOf(found.parts)
  yield* additions(found.add)
  const look = found.outcome === 'ready' ? 'passed' : 'failed'
  yield { kind: 'conclusion', look, text: found.conclusion }
}
