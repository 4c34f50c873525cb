/** One check as a test of the Common Test Report Format. */
import type { Outcome } from '../../specs/outcomes.ts'
import { findingText, waiverSentence } from '../finding-text.ts'
import type { ReportedCheck, RequirementResult } from '../results.ts'
import { safeText } from '../safe-text.ts'
import { titleOf } from '../wording.ts'

export const statuses = ['passed', 'failed', 'skipped', 'pending', 'other'] as const

export type Status = (typeof statuses)[number]

const statusByOutcome: Readonly<Record<Outcome, Status>> = {
  passed: 'passed',
  warned: 'passed',
  failed: 'failed',
  'not-tested': 'skipped',
  'not-applicable': 'skipped',
  waived: 'skipped',
  inconclusive: 'other',
}

/** How the format calls an outcome; `rawStatus` keeps ours. */
export function statusOf(outcome: Outcome): Status {
  return statusByOutcome[outcome]
}

/** The test of a check. */
export function ctrfTest(requirement: RequirementResult, check: ReportedCheck): object {
  const { id, title, outcome, durationMs, failure, reason } = check
  const message = waiverSentence(check) ?? failure?.message ?? reason
  const told = outcome !== 'passed' && (failure !== undefined || (check.evidence ?? []).length > 0)
  return {
    testId: safeText(id),
    name: safeText(`${id}: ${title}`),
    status: statusOf(outcome),
    duration: Math.round(durationMs),
    suite: [safeText(titleOf(requirement.operation)), safeText(requirement.id)],
    ...(message === undefined ? {} : { message: safeText(message) }),
    ...(told ? { trace: findingText(requirement, check) } : {}),
    rawStatus: outcome,
    tags: [requirement.level, requirement.kind],
    extra: extraOf(requirement, check),
  }
}

function extraOf(
  { id, level, section, kind, text }: RequirementResult,
  { requests, failure, waiver }: ReportedCheck,
): object {
  const texts = (record: object): object =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [
        name,
        typeof value === 'string' ? safeText(value) : value,
      ]),
    )
  return {
    ...texts({ requirement: id, level, section, kind, text }),
    requests,
    ...(failure === undefined ? {} : texts({ replay: failure.replay })),
    ...(failure?.seed === undefined ? {} : { seed: failure.seed }),
    ...(waiver === undefined ? {} : { waiver: texts(waiver) }),
  }
}
