/** A waiver as a run works with it: which checks it covers, on which deployments, and until when. */
import picomatch from 'picomatch'
import { waiverSentence } from '../../reporters/finding-text.ts'
import type { JudgedCheck, Results, Waiver } from '../../reporters/results.ts'
import type { CheckResult } from '../../runner/check-result.ts'

export interface WrittenWaiver extends Waiver {
  /** Exact id of a requirement; exactly one of this and `check` is there. */
  readonly requirement?: string
  /** Exact id of a check. */
  readonly check?: string
  /** Glob over base URLs. */
  readonly target: string
}

/** One that is for the target of the run. */
export interface WaiverInUse extends WrittenWaiver {
  /** File, line and column. */
  readonly place: string
}

/** Whether it covers that check; the part of a check id before the colon is its requirement. */
export function covers({ requirement, check }: WrittenWaiver, checkId: string): boolean {
  return check === undefined ? requirement === checkId.split(':')[0] : check === checkId
}

/** Whether the waiver is for that deployment. A base URL that is written out is taken as it stands, brackets and all. */
export function isFor({ target }: WrittenWaiver, baseUrl: string): boolean {
  const pattern = target.trim().replace(/(?<=[^/])\/+$/, '')
  return pattern === baseUrl || picomatch(pattern, { dot: true, nonegate: true })(baseUrl)
}

/** `check add-workspace/creates`, as messages name it. */
export function subjectOf({ requirement, check }: WrittenWaiver): string {
  return check === undefined ? `requirement ${requirement}` : `check ${check}`
}

/** Whether its last day is over; both are dates such as 2026-12-31, in UTC. */
export function isExpired({ expires }: Pick<Waiver, 'expires'>, today: string): boolean {
  return expires < today
}

/** Today's date in UTC, such as 2026-12-31. */
export function dateOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}

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
