/** Results of a run with those requirements only, for tests. */
import type { Results } from '../../reporters/results.ts'
import { type Outcome, outcomes, verdictOf } from '../../specs/outcomes.ts'
import { type RequirementId, requirementOf } from '../../specs/requirements.ts'

export function exampleResults(
  rows: readonly (readonly [id: RequirementId, outcome: Outcome, reason?: string])[],
): Results {
  const requirements = rows.map(([id, outcome, reason]) => {
    const { level, operation, kind, section, text } = requirementOf(id)
    const check = { id, title: text, outcome, durationMs: 1, requests: 1 }
    return {
      ...{ id, level, operation, kind, section, text, outcome },
      checks: [{ ...check, ...(reason === undefined ? {} : { reason }) }],
    }
  })
  const count = (outcome: Outcome): number => rows.filter(([, each]) => each === outcome).length
  return {
    format: 'portal-conformance/results',
    formatVersion: 1,
    suite: { version: '0.0.0' },
    run: { id: 'r', startedAt: '2026-01-01T00:00:00.000Z', durationMs: 1, seed: 1, runs: 1, requests: 1 },
    target: { baseUrl: 'http://127.0.0.1:1/x', profile: 'none' },
    verdict: verdictOf(requirements),
    totals: Object.fromEntries(outcomes.map((outcome) => [outcome, count(outcome)])) as Results['totals'],
    requirements,
    observations: [],
    complete: true,
  }
}
