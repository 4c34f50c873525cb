/** Results as far as a comparison needs them. Pure. */
import type { Results } from '../results.ts'

/** Evidence is most of a file, and no part of a comparison: that of many files must not be in memory together. */
export function withoutEvidence(results: Results): Results {
  const requirements = results.requirements.map(({ checks, ...requirement }) => ({
    ...requirement,
    checks: checks.map(({ evidence: _, ...check }) => check),
  }))
  return { ...results, requirements }
}
