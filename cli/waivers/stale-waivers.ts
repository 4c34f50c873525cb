/** Waivers that have done their work: what they cover passes now. Pure. */
import type { Results } from '../../reporters/results.ts'
import { covers, subjectOf, type WaiverInUse } from './waiver.ts'

/**
 * One line for each waiver whose checks were all judged in this run and broke nothing. Where one of them was
 * inconclusive or not tested, the failure may still be there: that is no reason to complain.
 */
export function staleWaivers(
  waivers: readonly WaiverInUse[],
  { requirements, target }: Pick<Results, 'requirements' | 'target'>,
): string[] {
  const checks = requirements.flatMap((requirement) => requirement.checks)
  return waivers.flatMap((waiver) => {
    const outcomes = checks.filter(({ id }) => covers(waiver, id)).map(({ outcome }) => outcome)
    const settled = outcomes.every((outcome) => outcome === 'passed' || outcome === 'not-applicable')
    if (!settled || !outcomes.includes('passed')) return []
    return [
      `${waiver.place}: ${subjectOf(waiver)}: passes now on ${target.baseUrl}: take the waiver of ${waiver.owner} out`,
    ]
  })
}
