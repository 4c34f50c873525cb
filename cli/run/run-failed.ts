/** `run --failed RESULTS`: sends again what failed in earlier results, and reports what still fails. */
import { dirname } from 'node:path'
import { hidden } from '../../deployment/redaction/secret-hider.ts'
import { judgedChecks } from '../../reporters/build-results.ts'
import { type ExitCode, exitCodes, type FailOn } from '../../reporters/exit-codes.ts'
import type { JudgedCheck, Results } from '../../reporters/results.ts'
import { countOf } from '../../reporters/wording.ts'
import { isSelected } from '../../runner/applicability.ts'
import type { CheckId, CheckResult } from '../../runner/check-result.ts'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import type { SelectionOptions } from '../arguments/option-values.ts'
import { nearest } from '../arguments/selection.ts'
import { onTarget, type TargetOptions, targetOptionsOf } from '../arguments/target-options.ts'
import { cleanUpRun, openRunJournal } from '../cleanup/end-of-run.ts'
import { usageError } from '../command-error.ts'
import { listenForInterrupt, type Surroundings, say } from '../process/surroundings.ts'
import { resultsFileOf, resultsOf } from '../results/results-files.ts'
import type { JudgingPlan } from './judge-target.ts'
import { measure } from './measure.ts'
import { beginFixtures, hearFixtures, prepareRun, warningsTo } from './prepare-run.ts'
import { networkNotices } from './reach-target.ts'
import { checkOfCommand, repeatCommand } from './repeat-command.ts'
import { repeatVerdict, worstRepeat } from './repeated-check.ts'

export interface RunFailedOptions extends TargetOptions, SelectionOptions {
  /** The results.json, or its folder. */
  readonly failed: string
  /** How often each is sent. */
  readonly times?: number
  readonly failOn?: readonly FailOn[]
}

/** A failure of the results, and the check whose requests show it. */
interface Failed {
  readonly recorded: JudgedCheck
  readonly sender: CheckId
}

const usualTimes = 3

/** Resolves with 1 where something still fails, 3 where it is flaky or has no verdict, and 0 where all is fixed. */
export async function runFailed(options: RunFailedOptions, surroundings: Surroundings): Promise<ExitCode> {
  const file = await resultsFileOf(options.failed)
  const results = await resultsOf(file)
  const failures = failuresOf(results, options)
  const named = targetOf(results, options)
  const interrupt = listenForInterrupt(surroundings)
  const { signal } = interrupt
  return onTarget(named, surroundings.environment, async (target) => {
    for (const line of networkNotices(target.configuration)) say(surroundings.stderr, line)
    const selection = { operations: [], requirements: failures.map(({ sender }) => sender) }
    const prepared = await prepareRun(target, { signal, selection, out: dirname(file) })
    const { configuration, fixtures } = prepared
    hearFixtures(fixtures, configuration, surroundings)
    const warn = warningsTo(surroundings, configuration)
    const id = configuration.administration?.runId ?? `${results.run.id}-again`
    const journal = openRunJournal(
      { configuration, targetOptions: targetOptionsOf(named), out: dirname(file) },
      { id, warn, name: 'journal-failed.ndjson' },
    )
    try {
      const note = journal.writer.add.bind(journal.writer)
      const begun = await beginFixtures(prepared, { note, signal })
      const again = {
        failures,
        runId: id,
        journal: journal.file,
        signal,
        command: repeatCommand(named, configuration),
      }
      const found: CheckResult[] = []
      const { times = usualTimes } = options
      for (let time = 1; time <= times && !signal.aborted; time += 1) {
        say(surroundings.stderr, `Repetition ${time} of ${times}`)
        if (time > 1) fixtures.administration?.nextRound()
        found.push(...(await sendAgain(begun, again)))
      }
      if (signal.aborted) return exitCodes.interrupted
      return tell(failures, found, surroundings)
    } finally {
      await cleanUpRun({ id, configuration, fixtures, journal, signal, warn })
      await fixtures.close()
    }
  }).finally(interrupt.dispose)
}

/** Throws a usage error where nothing failed that is selected. */
function failuresOf(results: Results, { failed, failOn = [], ...options }: RunFailedOptions): Failed[] {
  if (results.run.traffic !== undefined)
    throw usageError(`${failed}: of recorded traffic, which "portal-conformance validate" judges again`)
  const { operation: operations = [], requirement: requirements = [] } = options
  // Advice that is not kept fails a run only where the user says so.
  const advice = failOn.includes('advice') || requirements.length > 0
  const failures = judgedChecks(results).flatMap((recorded) => {
    const { outcome, failure } = recorded
    if (outcome !== 'failed' && outcome !== 'waived' && !(outcome === 'warned' && advice)) return []
    return [{ recorded, sender: (checkOfCommand(failure?.replay ?? '') ?? recorded.id) as CheckId }]
  })
  const ids = failures.map(({ recorded }) => recorded.id)
  if (ids.length === 0) throw usageError(`--failed ${failed}: nothing failed there`)
  const selects =
    (glob: string) =>
    ({ recorded }: Failed) =>
      isSelected(recorded, { operations, requirements: [glob] })
  for (const glob of requirements)
    if (!failures.some(selects(glob)))
      throw usageError(`--requirement ${glob}: did not fail in ${failed}${nearest(glob, ids)}`)
  const selected = failures.filter(({ recorded }) => isSelected(recorded, { operations, requirements }))
  if (selected.length > 0) return selected
  throw usageError(`--operation ${operations.join(', ')}: nothing of it failed in ${failed}`)
}

/** The target of the recorded run, unless the command line names one; seed and cases are always the recorded ones. */
function targetOf({ run }: Results, given: RunFailedOptions): TargetOptions {
  const { options: recorded, seed, runs } = run
  const named = targetOptionsOf(given)
  if (given.config !== undefined || given.reference === true) return { ...named, seed, runs }
  const why =
    recorded === undefined
      ? ''
      : JSON.stringify(recorded).includes(hidden)
        ? ', because its name holds a secret that is hidden'
        : undefined
  if (why !== undefined)
    throw usageError(`the results do not name their target${why}: name it with --config FILE`)
  return { ...(recorded as TargetOptions), ...named, seed, runs }
}

interface Again {
  readonly failures: readonly Failed[]
  readonly runId: string
  readonly journal: string
  readonly signal: AbortSignal
  /** Shows a finding again, once ` --requirement ID` is appended. */
  readonly command: string
}

/** Sends each check once: of generated cases only the recorded one. Checks with the same case run side by side. */
async function sendAgain(
  { configuration, signIns, fixtures }: Pick<JudgingPlan, 'configuration' | 'signIns' | 'fixtures'>,
  { failures, signal, command, ...marks }: Again,
): Promise<CheckResult[]> {
  const declared = await declaredChecks()
  const cases = new Map<string | undefined, Set<CheckId>>()
  for (const { recorded, sender } of failures) {
    const path = recorded.failure?.path
    cases.set(path, (cases.get(path) ?? new Set()).add(sender))
  }
  const found: CheckResult[] = []
  for (const [onlyCase, senders] of cases) {
    const { checks, errors } = await measure({
      declared: declared.filter(({ definition }) => senders.has(definition.id)),
      input: withoutUndefined({
        ...{ configuration, signIns, ...marks, onlyCase, replayCommand: command },
        fixturesUrl: fixtures.url,
        selection: { operations: [], requirements: [...senders] },
      }),
      signal,
      ownProcess: true,
      onCheck: () => undefined,
    })
    if (errors.length > 0) throw new Error(errors[0])
    found.push(...checks)
  }
  return found
}

function tell(
  failures: readonly Failed[],
  found: readonly CheckResult[],
  { stdout }: Surroundings,
): ExitCode {
  const resultsOfCheck = (wanted: CheckId) => found.filter(({ id }) => id === wanted)
  const verdicts = failures.map(({ recorded, sender }) => {
    // A finding about every answer is absent where its sender found nothing.
    const sent = resultsOfCheck(sender)
    return repeatVerdict(recorded, [...resultsOfCheck(recorded.id), ...sent].slice(0, sent.length))
  })
  for (const { text } of verdicts) say(stdout, text)
  const count = (code: ExitCode): number => verdicts.filter((verdict) => verdict.code === code).length
  if (verdicts.length > 1)
    say(
      stdout,
      `${countOf(verdicts.length, 'failure')}: ${count(1)} still failing, ${count(0)} fixed, ${count(3)} flaky or without a verdict`,
    )
  return worstRepeat(verdicts)
}
