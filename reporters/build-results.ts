/** From what the checks said to the results of a run. Pure. */
import { type Outcome, outcomes, verdictOf, worst } from '../specs/outcomes.ts'
import { requirements } from '../specs/requirements.ts'
import type { CheckResult, Observation } from '../suites/check-result.ts'
import type { PlannedCheck } from '../suites/plan.ts'
import { suiteVersion } from '../target/suite-version.ts'
import type { RequirementResult, Results } from './results.ts'

export interface Measured {
  /** In any order; of two results of one check the later counts. */
  readonly checks: readonly CheckResult[]
  /** Every check of the suite, with what was to become of it. */
  readonly planned: readonly PlannedCheck[]
  readonly run: Omit<Results['run'], 'requests'>
  readonly target: Results['target']
  /** Redacted, one line each. */
  readonly errors: readonly string[]
  readonly interrupted: boolean
}

const interruptedReason = 'interrupted'
const cutShortReason = 'the run ended before this check'
const noCheckReason = 'no check proves it yet'

/** The results, with every requirement in the order of the contract; complete only if every check was settled. */
export function buildResults({ checks, planned, run, target, errors, interrupted }: Measured): Results {
  const reported = new Map(checks.map((check) => [check.id, check]))
  const lacking = (plan: PlannedCheck): boolean => !reported.has(plan.id) && plan.without === undefined
  const settled = planned.map(
    (plan) => reported.get(plan.id) ?? unreported(plan, interrupted ? interruptedReason : cutShortReason),
  )
  const known = new Set(planned.map(({ id }) => id))
  const all = [...settled, ...[...reported.values()].filter(({ id }) => !known.has(id))]
  const judged = requirements.map((requirement) =>
    requirementResult(
      requirement,
      all.filter((check) => check.requirement === requirement.id),
    ),
  )
  return {
    format: 'portal-conformance/results',
    formatVersion: 1,
    suite: { version: suiteVersion },
    run: { ...run, requests: all.reduce((sum, { requests }) => sum + requests, 0) },
    target,
    verdict: verdictOf(judged),
    totals: totalsOf(judged),
    requirements: judged,
    observations: merged(all.flatMap(({ observations }) => observations ?? [])),
    ...(errors.length === 0 ? {} : { errors }),
    ...(interrupted || planned.some(lacking) ? {} : { complete: true }),
  }
}

function unreported({ id, requirement, title, without }: PlannedCheck, reason: string): CheckResult {
  const end = without ?? { outcome: 'inconclusive' as const, reason }
  return { id, requirement, title, ...end, durationMs: 0, requests: 0 }
}

function requirementResult(
  { id, level, operation, kind, section, text }: (typeof requirements)[number],
  checks: readonly CheckResult[],
): RequirementResult {
  const outcome = worst(checks.map((check) => check.outcome))
  const reason =
    checks.length === 0
      ? noCheckReason
      : checks.find((check) => check.outcome === outcome && check.reason !== undefined)?.reason
  return {
    id,
    level,
    operation,
    kind,
    section,
    text,
    outcome,
    ...(reason === undefined ? {} : { reason }),
    checks: checks.map(({ requirement: _, observations: __, roles: ___, ...check }) => check),
  }
}

function totalsOf(judged: readonly RequirementResult[]): Record<Outcome, number> {
  const count = (outcome: Outcome): number => judged.filter((each) => each.outcome === outcome).length
  return Object.fromEntries(outcomes.map((outcome) => [outcome, count(outcome)])) as Record<Outcome, number>
}

function merged(observations: readonly Observation[]): Observation[] {
  const different = new Map<string, Observation>()
  for (const observation of observations) {
    const { id, operation, observed } = observation
    const key = JSON.stringify([id, operation, observed])
    if (!different.has(key)) different.set(key, observation)
  }
  return [...different.values()]
}
