/** `run --failed RESULTS`: runs again what failed in earlier results, and reports what still fails. */
import { dirname, join } from 'node:path'
import { hidden } from '../../deployment/redaction/hiding.ts'
import { judgedChecks } from '../../reporters/build-results.ts'
import { type ExitCode, exitCodes, type FailOn } from '../../reporters/exit-codes.ts'
import type { JudgedCheck, Results } from '../../reporters/results.ts'
import { countOf } from '../../reporters/wording.ts'
import type { CheckId, CheckResult } from '../../runner/check-result.ts'
import { isSelected } from '../../runner/plan.ts'
import type { RecordedCase } from '../../schemas/types/waivers.ts'
import type { SelectionOptions } from '../arguments/option-values.ts'
import { nearest } from '../arguments/selection.ts'
import { onTarget, type TargetOptions, targetOptionsOf } from '../arguments/target-options.ts'
import { usageError } from '../command-error.ts'
import { type CommandContext, listenForInterrupt, say, warningsTo } from '../process/command-context.ts'
import { resultsAt } from '../results/results-files.ts'
import { caseOf, sendAgain } from './measure.ts'
import { type BegunRun, onRun } from './prepare-run.ts'
import { printNetworkNotices } from './reach-target.ts'

export interface RunFailedOptions extends TargetOptions, SelectionOptions {
  /** The results.json, or its folder. */
  readonly failed: string
  /** How often each failure is repeated. */
  readonly times?: number
  readonly failOn?: readonly FailOn[]
}

/** A failure of the results, and the case whose requests show it. */
interface Failed {
  readonly recorded: JudgedCheck
  readonly sent: RecordedCase
}

const usualTimes = 3

/** Resolves with 1 if a failure is still there, 3 if one is flaky or has no verdict, and 0 if all are fixed. */
export async function runFailed(
  options: RunFailedOptions,
  commandContext: CommandContext,
): Promise<ExitCode> {
  const { file, results } = await resultsAt(options.failed)
  const failures = failuresOf(results, options)
  const named = targetOf(results, options)
  const interrupt = listenForInterrupt(commandContext)
  const { signal } = interrupt
  return onTarget(named, commandContext, async (target) => {
    printNetworkNotices(target.configuration, commandContext)
    const wishes = {
      signal,
      journal: join(dirname(file), 'journal-failed.ndjson'),
      targetOptions: targetOptionsOf(named),
      selection: { operations: [], requirements: failures.map(({ sent }) => sent.check) },
      ownProcess: true,
    }
    const { times = usualTimes } = options
    const found = await onRun(
      target,
      wishes,
      ({ configuration }) => ({ warn: warningsTo(commandContext, configuration) }),
      (run) => repeat(run, failures, times, commandContext),
    )
    return signal.aborted ? exitCodes.interrupted : report(failures, found, commandContext)
  }).finally(interrupt.dispose)
}

/** The results of all repetitions; of fewer, once the signal is aborted. */
async function repeat(
  run: BegunRun,
  failures: readonly Failed[],
  times: number,
  { stderr }: CommandContext,
): Promise<CheckResult[]> {
  const cases = failures.map(({ sent }) => sent)
  const found: CheckResult[] = []
  for (let time = 1; time <= times && !run.signal.aborted; time += 1) {
    say(stderr, `Repetition ${time} of ${times}`)
    if (time > 1) run.fixtures.administration?.nextRound()
    const { checks, errors } = await sendAgain(run, cases)
    if (errors.length > 0) throw new Error(errors[0])
    found.push(...checks)
  }
  return found
}

/** The selected failures. Throws a usage error if there is none. */
function failuresOf(results: Results, { failed, failOn = [], ...options }: RunFailedOptions): Failed[] {
  if (results.run.traffic !== undefined)
    throw usageError(`${failed}: from recorded traffic; use "portal-conformance validate" again`)
  const { operation: operations = [], requirement: requirements = [] } = options
  // Advice that is not kept fails a run only if the user asks for that.
  const advice = failOn.includes('advice') || requirements.length > 0
  const failures = judgedChecks(results).flatMap((recorded) => {
    const { outcome } = recorded
    if (outcome !== 'failed' && outcome !== 'waived' && !(outcome === 'warned' && advice)) return []
    return [{ recorded, sent: caseOf(recorded, results) }]
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
  throw usageError(`--operation ${operations.join(', ')}: nothing failed in ${failed}`)
}

/** The target of the recorded run, unless the command line names one. Seed and cases are always the recorded ones. */
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

function report(
  failures: readonly Failed[],
  found: readonly CheckResult[],
  { stdout }: CommandContext,
): ExitCode {
  const resultsOfCheck = (wanted: CheckId) => found.filter(({ id }) => id === wanted)
  const verdicts = failures.map(({ recorded, sent: { check: sender } }) => {
    // A finding about every answer is missing if its sender found nothing.
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

type Repeated = Pick<CheckResult, 'id' | 'outcome' | 'reason' | 'failure'>

interface RepeatVerdict {
  readonly code: ExitCode
  readonly text: string
}

/** A waived check failed as well. */
const isFailure = ({ outcome }: Repeated): boolean =>
  outcome === 'failed' || outcome === 'warned' || outcome === 'waived'

/** Still failing: the check failed every time. Fixed: it passed every time. Flaky: both. */
export function repeatVerdict(recorded: Repeated, again: readonly Repeated[]): RepeatVerdict {
  const failures = again.filter(isFailure)
  const passes = again.filter(({ outcome }) => outcome === 'passed')
  const times = again.length === 1 ? 'once' : `${again.length} times`
  const before = `Recorded: ${recorded.outcome}${recorded.failure === undefined ? '' : `: ${recorded.failure.message}`}`
  const verdict = (code: ExitCode, words: string, ...now: string[]) => ({
    code,
    text: [`${recorded.id}: ${words}`, before, ...now].join('\n'),
  })
  const { message = '', actual = '' } = failures[0]?.failure ?? {}
  if (again.length > 0 && failures.length === again.length)
    return verdict(exitCodes.nonConformant, `still failing (${times})`, `Now: ${message}`, `Came: ${actual}`)
  if (again.length > 0 && passes.length === again.length)
    return verdict(exitCodes.conformant, `fixed (${times})`)
  if (failures.length > 0) {
    const count = `${failures.length} of ${again.length} failed`
    return verdict(exitCodes.incomplete, `flaky (${count})`, `Now: ${message}`)
  }
  const reason = again.find(({ outcome }) => outcome !== 'passed')?.reason ?? 'the check was not run'
  return verdict(exitCodes.incomplete, 'no verdict', `Now: ${reason}`)
}

/** The exit code of several: 1 if one still fails, else 3 if one is flaky or has no verdict. */
export function worstRepeat(verdicts: readonly RepeatVerdict[]): ExitCode {
  const worstFirst = [exitCodes.nonConformant, exitCodes.incomplete]
  return worstFirst.find((code) => verdicts.some((verdict) => verdict.code === code)) ?? exitCodes.conformant
}
