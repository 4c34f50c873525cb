/** The checks of a requirement, for formats that know only checks. */
import type { ReportedCheck, RequirementResult } from './results.ts'

/** A requirement that no check proves stands for itself, so that it is not passed over in silence. */
export function checksOf(requirement: RequirementResult): readonly ReportedCheck[] {
  if (requirement.checks.length > 0) return requirement.checks
  const { id, text, outcome, reason } = requirement
  const itself = { id, title: text, outcome, durationMs: 0, requests: 0 }
  return [reason === undefined ? itself : { ...itself, reason }]
}
