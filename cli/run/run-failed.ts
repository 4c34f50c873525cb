/** `run --failed RESULTS`: runs again what failed in earlier results, and reports what still fails. */
import { dirname, join } from 'node:path'
import { judgedChecks } from '../../reporters/build-results.ts'
import { type ExitCode, exitCodes, type FailOn } from '../../reporters/exit-codes.ts'
import type { JudgedCheck, Results } from '../../reporters/results.ts'
import { countOf } from '../../reporters/wording.ts'
import type { CheckId, CheckResult } from '../../runner/check-result.ts'
import { isSelected } from '../../runner/plan.ts'
import type { RecordedCase } from '../../schemas/types/waivers.ts'
import type { SelectionOptions } from '../arguments/option-values.ts'
import { nearest } from '../arguments/selection.ts'
import { onTarget, recordedTarget, type TargetOptions, targetOptionsOf } from '../arguments/target-options.ts'
import { usageError } from '../command-error.ts'
import { type CommandContext, listenForInterrupt, say, warningsTo } from '../process/command-context.ts'
import { resultsAt } from '../results/results-files.ts'
import { caseOf, sendAgain } from './measure.ts'
import { onRun } from './prepare-run.ts'
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
  const { options: recorded, seed, runs } = results.run
  const named = { ...recordedTarget(options.failed, recorded, targetOptionsOf(options)), seed, runs }
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
      async (run) => {
        const cases = failures.map(({ sent }) => sent)
        const onTime = (time: number) => say(commandContext.stderr, `Repetition ${time} of ${times}`)
        const { checks, errors } = await sendAgain(run, cases, times, onTime)
        if (errors.length > 0) throw new Error(errors[0])
        return checks
      },
    )
    return signal.aborted ? exitCodes.interrupted : report(failures, found, commandContext)
  }).finally(interrupt.dispose)
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
  if (failures.length === 0) throw usageError(`--failed ${failed}: nothing failed there`)
  const selected = failures.filter(({ recorded }) => isSelected(recorded, { operations, requirements }))
  if (selected.length > 0) return selected
  const ids = failures.map(({ recorded }) => recorded.id)
  throw usageError(
    `--failed ${failed}: nothing that is selected failed there${nearest([...requirements, ...operations].join(), ids)}`,
  )
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
  const { nonConformant, conformant, incomplete } = exitCodes
  const [still, fixed, open] = [count(nonConformant), count(conformant), count(incomplete)]
  say(
    stdout,
    `${countOf(verdicts.length, 'failure')}: ${still} still failing, ${fixed} fixed, ${open} flaky or without a verdict`,
  )
  return still > 0 ? nonConformant : open > 0 ? incomplete : conformant
}

type Repeated = Pick<CheckResult, 'id' | 'outcome' | 'reason' | 'failure'>

/** Still failing: the check failed every time. Fixed: it passed every time. Flaky: both. */
export function repeatVerdict(
  recorded: Repeated,
  again: readonly Repeated[],
): { readonly code: ExitCode; readonly text: string } {
  // A waived check failed as well.
  const failures = again.filter(({ outcome }) => ['failed', 'warned', 'waived'].includes(outcome))
  const others = again.filter(({ outcome }) => outcome !== 'passed')
  const times = again.length === 1 ? 'once' : `${again.length} times`
  const before = `Recorded: ${recorded.outcome}${recorded.failure === undefined ? '' : `: ${recorded.failure.message}`}`
  const verdict = (code: ExitCode, words: string, ...now: string[]) => ({
    code,
    text: [`${recorded.id}: ${words}`, before, ...now].join('\n'),
  })
  const { message = '', actual = '' } = failures[0]?.failure ?? {}
  if (again.length > 0 && failures.length === again.length)
    return verdict(exitCodes.nonConformant, `still failing (${times})`, `Now: ${message}`, `Came: ${actual}`)
  if (again.length > 0 && others.length === 0) return verdict(exitCodes.conformant, `fixed (${times})`)
  if (failures.length > 0) {
    const count = `${failures.length} of ${again.length} failed`
    return verdict(exitCodes.incomplete, `flaky (${count})`, `Now: ${message}`)
  }
  return verdict(exitCodes.incomplete, 'no verdict', `Now: ${others[0]?.reason ?? 'the check was not run'}`)
}
