/** Puts waivers on the checks that failed, before the verdict is made of them. Pure. */
import { waiverSentence } from '../../reporters/finding-text.ts'
import type { JudgedCheck, Waiver } from '../../reporters/results.ts'
import type { CheckResult } from '../../runner/check-result.ts'
import { covers, type WaiverInUse } from './waiver.ts'

/**
 * The checks, those that a waiver covers as waived. Only what was judged and found wanting can be waived: a check that
 * failed, or advice that was not kept. What is inconclusive or not tested stays so. The failure stays visible.
 */
export function applyWaivers(
  checks: readonly CheckResult[],
  waivers: readonly WaiverInUse[],
): readonly JudgedCheck[] {
  return checks.map((check) => {
    if (check.outcome !== 'failed' && check.outcome !== 'warned') return check
    const waiver = waivers.find((each) => covers(each, check.id))
    if (waiver === undefined) return check
    const waived = { ...check, outcome: 'waived' as const, waiver: reportedWaiver(waiver) }
    return { ...waived, reason: waiverSentence(waived) as string }
  })
}

function reportedWaiver({ reason, owner, link, expires }: Waiver): Waiver {
  return { reason, owner, ...(link === undefined ? {} : { link }), expires }
}
