/** What several repetitions of one check come to. Pure. */

import { type ExitCode, exitCodes } from '../../reporters/exit-codes.ts'
import type { CheckResult } from '../../runner/check-result.ts'

export interface ReplayVerdict {
  readonly code: ExitCode
  readonly text: string
}

type Repeated = Pick<CheckResult, 'id' | 'outcome' | 'reason' | 'failure'>

/** A waived check failed, too. */
const isFailure = ({ outcome }: Repeated): boolean =>
  outcome === 'failed' || outcome === 'warned' || outcome === 'waived'

/** Still failing: every time; fixed: passed every time; flaky: now so, now so. */
export function replayVerdict(recorded: Repeated, again: readonly Repeated[]): ReplayVerdict {
  const failures = again.filter(isFailure)
  const passes = again.filter(({ outcome }) => outcome === 'passed')
  const times = `${again.length} times`
  const before = `Recorded: ${recorded.outcome}${recorded.failure === undefined ? '' : `: ${recorded.failure.message}`}`
  if (again.length > 0 && failures.length === again.length) {
    const { message, actual = '' } = failures[0]?.failure ?? { message: '' }
    return {
      code: exitCodes.nonConformant,
      text: `${recorded.id}: still failing (${times})\n${before}\nNow: ${message}\nCame: ${actual}`,
    }
  }
  if (again.length > 0 && passes.length === again.length) {
    const word = isFailure(recorded) ? 'fixed' : 'still passing'
    return { code: exitCodes.conformant, text: `${recorded.id}: ${word} (${times})\n${before}` }
  }
  if (failures.length > 0) {
    const count = `${failures.length} of ${again.length} failed`
    return {
      code: exitCodes.incomplete,
      text: `${recorded.id}: flaky (${count})\n${before}\nNow: ${failures[0]?.failure?.message ?? ''}`,
    }
  }
  const reason = again.find(({ outcome }) => outcome !== 'passed')?.reason ?? 'it was not run'
  return { code: exitCodes.incomplete, text: `${recorded.id}: cannot be told\n${before}\nNow: ${reason}` }
}
