/** `replay`: sends what a check of earlier results sent again, and says whether it still fails. */

import { dirname } from 'node:path'
import { AdministrationFixtures } from '../../deployment/administration/provider.ts'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { openFixtures } from '../../deployment/fixtures/fixture-sources.ts'
import { hidden } from '../../deployment/redaction/hidden.ts'
import { createRedactor } from '../../deployment/redaction/redaction.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import type { Results } from '../../reporters/results.ts'
import { safeLines, safeText } from '../../reporters/safe-text.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import { planChecks } from '../../runner/plan.ts'
import type { Declaring } from '../arguments/declaring.ts'
import { wholeNumber } from '../arguments/option-values.ts'
import { nearest } from '../arguments/selection.ts'
import { openTarget, type TargetOptions, targetOptionsOf } from '../arguments/target-options.ts'
import { cleanUpRun } from '../cleanup/end-of-run.ts'
import { openRunJournal } from '../cleanup/run-journal.ts'
import { usageError } from '../command-error.ts'
import { listenForInterrupt } from '../process/interrupt.ts'
import type { Surroundings } from '../process/surroundings.ts'
import { replayCommand } from '../replay/replay-command.ts'
import { replayVerdict } from '../replay/replay-verdict.ts'
import { resultsOf } from '../results/results-files.ts'
import { beginFixtures } from '../run/begin-fixtures.ts'
import { hearFixtures } from '../run/hear-fixtures.ts'
import { measure } from '../run/measure.ts'
import { networkNotices } from '../run/network-notices.ts'
import { reachTarget } from '../run/reach-target.ts'

const help = `
Says "still failing" (exit code 1), "fixed" (0), or "flaky" or "cannot be told" (3). Where the finding names a generated
case, only that case is sent again.

Example:
  portal-conformance replay portal-conformance-report/results.json add-workspace/name-kept
`

export function declare({ command, does }: Declaring): void {
  command(help)
    .argument('<RESULTS>', 'results.json of a run')
    .argument('<CHECK>', 'id of the check, as the results name it')
    .option('--config <FILE>', 'the target, in place of the one that the results name')
    .option('--times <N>', 'how often', wholeNumber(1, 1000), 3)
    .action(does(replay))
}

interface ReplayOptions {
  /** In place of the configuration that the run was made with. */
  readonly config?: string
  readonly times: number
}

type RecordedCheck = Results['requirements'][number]['checks'][number]

/** Resolves with 0 where it is fixed, 1 where it still fails, 3 where that cannot be told. */
async function replay(
  file: string,
  checkId: string,
  options: ReplayOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const results = await resultsOf(file)
  const recorded = recordedCheck(results, checkId)
  const interrupt = listenForInterrupt(surroundings, () => undefined)
  const target = await openTarget(targetOf(results, options), surroundings.environment)
  try {
    for (const line of networkNotices(target.configuration)) surroundings.stderr.write(`${line}\n`)
    await reachTarget(target.configuration, interrupt.signal)
    const configuration = await target.ready()
    const made = configuration.administration && new AdministrationFixtures(configuration)
    const { fixtures: source, actors, http } = configuration
    const fixtures = await openFixtures(source, actors, http, made)
    hearFixtures(fixtures, configuration, surroundings)
    const warn = warningTo(surroundings, configuration)
    const id = configuration.administration?.runId ?? `${results.run.id}-replay`
    const targetOptions = targetOptionsOf(targetOf(results, options))
    const journal = openRunJournal(
      { configuration, targetOptions, out: dirname(file) },
      { id, warn, name: 'journal-replay.ndjson' },
    )
    try {
      const again: CheckResult[] = []
      const selection = { operations: [], requirements: [checkId] }
      const planned = await planChecks(configuration, selection)
      const begun = await beginFixtures(
        { configuration, fixtures, planned },
        { note: (entry) => journal.writer.add(entry), signal: interrupt.signal },
      )
      const only = recorded.failure?.path
      for (let time = 0; time < options.times && !interrupt.signal.aborted; time += 1) {
        const { checks, errors } = await measure({
          input: {
            configuration: begun.configuration,
            ...(fixtures.url === undefined ? {} : { fixturesUrl: fixtures.url }),
            runId: id,
            journal: journal.file,
            selection,
            files: planned.filter(({ id }) => id === checkId).map((check) => check.file),
            replayCommand: replayCommand(targetOf(results, options), configuration),
            ...(only === undefined ? {} : { onlyCase: only }),
          },
          planned,
          signal: interrupt.signal,
          ownProcess: true,
          onCheck: () => undefined,
        })
        if (errors.length > 0) throw new Error(errors[0])
        again.push(...checks.filter(({ id }) => id === checkId))
      }
      if (interrupt.signal.aborted) return exitCodes.interrupted
      const { code, text } = replayVerdict(recorded, again)
      surroundings.stdout.write(`${safeLines(text).join('\n')}\n`)
      return code
    } finally {
      await cleanUpRun({ id, configuration, fixtures, journal, signal: interrupt.signal, warn })
      await fixtures.close()
    }
  } catch (error) {
    throw target.redacted(error)
  } finally {
    interrupt.dispose()
    await target.close()
  }
}

function warningTo({ stderr }: Surroundings, configuration: Configuration): (message: string) => void {
  const { text } = createRedactor(configuration)
  return (message) => void stderr.write(`Warning: ${safeText(text(message))}\n`)
}

function recordedCheck(results: Results, checkId: string): RecordedCheck {
  const checks = results.requirements.flatMap((requirement) => requirement.checks)
  const found = checks.find(({ id }) => id === checkId)
  if (found !== undefined) return found
  throw usageError(
    `${checkId}: the results hold no such check${nearest(
      checkId,
      checks.map(({ id }) => id),
    )}`,
  )
}

/** The target of the recorded run; a configuration that is given now takes its place. */
function targetOf(results: Results, { config }: ReplayOptions): TargetOptions {
  const { options, seed, runs } = results.run
  if (config !== undefined) return { config, seed, runs }
  if (options === undefined)
    throw usageError('the results do not say which target they are of: give it with --config FILE')
  if (JSON.stringify(options).includes(hidden)) {
    throw usageError(
      'the results do not say which target they are of, since its name holds what is hidden: give it with --config FILE',
    )
  }
  return { ...(options as TargetOptions), seed, runs }
}
