/** `replay`: sends what a check of earlier results sent again, and says whether it still fails. */
import { dirname } from 'node:path'
import { hidden } from '../../deployment/redaction/secret-hider.ts'
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import type { ReportedCheck, Results } from '../../reporters/results.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import { planChecks } from '../../runner/plan.ts'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import { type Declaring, wholeNumber } from '../arguments/option-values.ts'
import { nearest } from '../arguments/selection.ts'
import { onTarget, type TargetOptions, targetOptionsOf } from '../arguments/target-options.ts'
import { cleanUpRun, openRunJournal } from '../cleanup/end-of-run.ts'
import { usageError } from '../command-error.ts'
import { listenForInterrupt, type Surroundings, say } from '../process/surroundings.ts'
import { resultsOf } from '../results/results-files.ts'
import { measure } from '../run/measure.ts'
import { beginFixtures, hearFixtures, openFixturesOf, warningsTo } from '../run/prepare-run.ts'
import { networkNotices, reachTarget, refuseWithoutActors } from '../run/reach-target.ts'
import { replayCommand } from '../run/replay-command.ts'

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

/** Resolves with 0 where it is fixed, 1 where it still fails, 3 where that cannot be told. */
async function replay(
  file: string,
  checkId: string,
  options: ReplayOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const results = await resultsOf(file)
  const recorded = recordedCheck(results, checkId)
  const { signal, dispose } = listenForInterrupt(surroundings)
  const named = targetOf(results, options)
  return onTarget(named, surroundings.environment, async (target) => {
    for (const line of networkNotices(target.configuration)) surroundings.stderr.write(`${line}\n`)
    await reachTarget(target.configuration, signal)
    const configuration = await target.ready()
    refuseWithoutActors(configuration)
    const fixtures = await openFixturesOf(configuration, target.signIns)
    hearFixtures(fixtures, configuration, surroundings)
    const warn = warningsTo(surroundings, configuration)
    const id = configuration.administration?.runId ?? `${results.run.id}-replay`
    const journal = openRunJournal(
      { configuration, targetOptions: targetOptionsOf(named), out: dirname(file) },
      { id, warn, name: 'journal-replay.ndjson' },
    )
    try {
      const again: CheckResult[] = []
      const selection = { operations: [], requirements: [checkId] }
      const declared = await declaredChecks()
      const planned = planChecks(declared, configuration, selection)
      const begun = await beginFixtures(
        { configuration, fixtures, planned },
        { note: (entry) => journal.writer.add(entry), signal },
      )
      for (let time = 0; time < options.times && !signal.aborted; time += 1) {
        const { checks, errors } = await measure({
          declared: declared.filter(({ definition }) => definition.id === checkId),
          input: withoutUndefined({
            configuration: begun.configuration,
            signIns: target.signIns,
            fixturesUrl: fixtures.url,
            runId: id,
            journal: journal.file,
            selection,
            replayCommand: replayCommand(named, configuration),
            onlyCase: recorded.failure?.path,
          }),
          signal,
          ownProcess: true,
          onCheck: () => undefined,
        })
        if (errors.length > 0) throw new Error(errors[0])
        again.push(...checks.filter(({ id }) => id === checkId))
      }
      if (signal.aborted) return exitCodes.interrupted
      const { code, text } = replayVerdict(recorded, again)
      say(surroundings.stdout, text)
      return code
    } finally {
      await cleanUpRun({ id, configuration, fixtures, journal, signal, warn })
      await fixtures.close()
    }
  }).finally(dispose)
}

function recordedCheck(results: Results, checkId: string): ReportedCheck {
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

type Repeated = Pick<CheckResult, 'id' | 'outcome' | 'reason' | 'failure'>

/** A waived check failed, too. */
const isFailure = ({ outcome }: Repeated): boolean =>
  outcome === 'failed' || outcome === 'warned' || outcome === 'waived'

/** Still failing: every time; fixed: passed every time; flaky: now so, now so. */
export function replayVerdict(
  recorded: Repeated,
  again: readonly Repeated[],
): { readonly code: ExitCode; readonly text: string } {
  const failures = again.filter(isFailure)
  const passes = again.filter(({ outcome }) => outcome === 'passed')
  const times = `${again.length} times`
  const before = `Recorded: ${recorded.outcome}${recorded.failure === undefined ? '' : `: ${recorded.failure.message}`}`
  const verdict = (code: ExitCode, words: string, ...now: string[]) => ({
    code,
    text: [`${recorded.id}: ${words}`, before, ...now].join('\n'),
  })
  const { message = '', actual = '' } = failures[0]?.failure ?? {}
  if (again.length > 0 && failures.length === again.length)
    return verdict(exitCodes.nonConformant, `still failing (${times})`, `Now: ${message}`, `Came: ${actual}`)
  if (again.length > 0 && passes.length === again.length)
    return verdict(exitCodes.conformant, `${isFailure(recorded) ? 'fixed' : 'still passing'} (${times})`)
  if (failures.length > 0) {
    const count = `${failures.length} of ${again.length} failed`
    return verdict(exitCodes.incomplete, `flaky (${count})`, `Now: ${message}`)
  }
  const reason = again.find(({ outcome }) => outcome !== 'passed')?.reason ?? 'it was not run'
  return verdict(exitCodes.incomplete, 'cannot be told', `Now: ${reason}`)
}
