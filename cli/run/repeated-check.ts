/** Whether a check of earlier results still fails. Pure. */
import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import type { CheckResult } from '../../runner/check-result.ts'

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
