/** Builds the results of a run from the results of its checks, and of several rounds from theirs. Pure. */
import { suiteVersion } from '../deployment/suite-version.ts'
import {
  type CheckId,
  type CheckResult,
  type Observation,
  type RoleObservation,
  withoutDuplicates,
} from '../runner/check-result.ts'
import { addedUp, type RequirementLooks } from '../runner/log/counts.ts'
import type { PlannedCheck } from '../runner/plan.ts'
import { mergedRoles } from '../runner/role-observations.ts'
import type { ExchangeSummary } from '../schemas/types/results.ts'
import { byKey, withoutUndefined } from '../schemas/values.ts'
import { operationIds } from '../specs/operations.ts'
import { countsByOutcome, verdictOf, worst } from '../specs/outcomes.ts'
import { type RequirementId, requirementsFor } from '../specs/requirements.ts'
import type { JudgedCheck, ReportedCheck, RequirementResult, Results } from './results.ts'
import { countOf } from './wording.ts'

/** What results are computed from, measured just now or read from a file. */
interface Common extends Pick<Results, 'target'> {
  readonly checks: readonly JudgedCheck[]
  readonly run: Omit<Results['run'], 'requests'>
  /** Redacted lines. */
  readonly errors: readonly string[]
  readonly exchanges?: ExchangeSummary | undefined
}

/** `checks` in any order. The later of two results of one check counts. */
export interface Measured extends Common {
  /** Every check of the suite, and whether it was planned. */
  readonly planned: readonly PlannedCheck[]
  /** The number of judged answers by requirement. Absent: not counted. */
  readonly looks?: readonly RequirementLooks[]
  readonly interrupted: boolean
  /** Why the run ended early without an interrupt. */
  readonly ended?: string
}

/** What is known before the first request. */
export interface Begun extends Pick<Measured, 'planned' | 'target'> {
  readonly run: Omit<Measured['run'], 'durationMs'>
}

/** The results, with requirements in the order of the contract. Complete only if every check ended. */
export function buildResults(measured: Measured): Results {
  const { checks, planned, looks = [], run, target, errors, interrupted, ended, exchanges } = measured
  const early = interrupted || ended !== undefined
  const why = ended ?? (interrupted ? 'interrupted' : 'the run ended before this check')
  const reported = new Map(checks.map((check) => [check.id, check]))
  const lacking = (plan: PlannedCheck): boolean => !reported.has(plan.id) && plan.without === undefined
  const settled = planned.map((plan) => reported.get(plan.id) ?? unreported(plan, why))
  const known = new Set(planned.map(({ id }) => id))
  const all = [...settled, ...[...reported.values()].filter(({ id }) => !known.has(id))]
  const looksOf = new Map(looks.map(({ requirement, ...counts }) => [requirement, counts]))
  return assembleResults({
    suite: { version: suiteVersion },
    run,
    target,
    requirements: requirementsFor(target.profile).map((requirement) =>
      withoutUndefined({ ...requirement, looks: looksOf.get(requirement.id) }),
    ),
    checks: all,
    observations: founded(
      all.flatMap(({ observations }) => observations ?? []),
      exchanges,
    ),
    roles: all.flatMap(({ roles }) => roles ?? []),
    errors,
    exchanges,
    complete: !early && !planned.some(lacking),
  })
}

/** Each check once. */
export interface Parts extends Common, Pick<Results, 'suite' | 'observations'> {
  readonly requirements: readonly Omit<RequirementResult, 'outcome' | 'reason' | 'checks'>[]
  readonly roles: readonly RoleObservation[]
  readonly complete: boolean
}

/** Puts the checks under their requirements and computes outcomes, totals and verdict. */
export function assembleResults(parts: Parts): Results {
  const { suite, run, target, requirements, errors, complete } = parts
  const checks = withoutDuplicates(parts.checks)
  const none = run.traffic === undefined ? 'no check proves it yet' : 'recorded traffic cannot show it'
  const proving = byKey(checks, ({ requirement }) => requirement)
  const judged = requirements.map((requirement) =>
    requirementResult(requirement, proving.get(requirement.id) ?? [], none),
  )
  const roles = mergedRoles(parts.roles)
  const requests = checks.reduce((sum, check) => sum + check.requests, 0)
  return withoutUndefined({
    format: 'portal-conformance/results',
    formatVersion: 1,
    suite,
    run: { ...run, requests: run.rounds?.requests ?? requests },
    target,
    verdict: verdictOf(judged),
    totals: countsByOutcome(judged),
    requirements: judged,
    observations: merged(parts.observations),
    roles: roles.length === 0 ? undefined : roles,
    exchanges: parts.exchanges,
    errors: errors.length === 0 ? undefined : errors,
    complete: complete || undefined,
  })
}

function unreported({ without, ...plan }: PlannedCheck, reason: string): CheckResult {
  const { id, requirement, operation, title } = plan
  const end = without ?? { outcome: 'not-tested' as const, reason }
  return { id, requirement, operation, title, ...end, durationMs: 0, requests: 0 }
}

function requirementResult(
  { id, level, operation, kind, section, text, looks }: Parts['requirements'][number],
  checks: readonly JudgedCheck[],
  none: string,
): RequirementResult {
  const { outcome, reason } = worstOf(checks, none)
  const reported = checks.map(({ requirement: _, observations: __, roles: ___, ...check }) => check)
  const described = { id, level, operation, kind, section, text, outcome, reason, looks, checks: reported }
  return withoutUndefined(described)
}

/** The outcome of a requirement from its checks, and the reason. `none`: the reason if there is no check. */
export function worstOf(
  checks: readonly Pick<ReportedCheck, 'outcome' | 'reason'>[],
  none: string,
): Pick<ReportedCheck, 'outcome' | 'reason'> {
  const outcome = worst(checks.map((check) => check.outcome))
  if (checks.length === 0) return { outcome, reason: none }
  const first = checks.find((check) => check.outcome === outcome && check.reason !== undefined)
  return withoutUndefined({ outcome, reason: first?.reason })
}

/** The checks of results as a flat list. */
export function judgedChecks({ requirements }: Pick<Results, 'requirements'>): JudgedCheck[] {
  return requirements.flatMap(({ id, checks }) =>
    checks.map((check) => ({ ...check, id: check.id as CheckId, requirement: id })),
  )
}

/** Omits observations of operations that accepted nothing: refusals of everything say nothing about open points. */
function founded(
  observations: readonly Observation[],
  exchanges: ExchangeSummary | undefined,
): readonly Observation[] {
  if (exchanges === undefined) return observations
  const accepting = exchanges.operations
    .filter(({ slices }) => slices.some(([accepted]) => accepted > 0))
    .map(({ operation }): string => operation)
  const isOperation = (subject: string): boolean => operationIds.some((id) => id === subject)
  return observations.filter(({ operation }) =>
    isOperation(operation) ? accepting.includes(operation) : accepting.length > 0,
  )
}

/** The end of an observation. */
const fate = /\b(?:accepted|refused)$/

/** Each observation once. One that was both accepted and refused appears with both counts. */
function merged(observations: readonly Observation[]): Observation[] {
  const bySubject = byKey(observations, ({ id, operation, observed }) =>
    JSON.stringify([id, operation, observed.replace(fate, '')]),
  )
  return [...bySubject.values()].flatMap((several) => {
    const ending = (end: string) => several.filter(({ observed }) => fate.exec(observed)?.[0] === end)
    const [accepted, refused] = [ending('accepted'), ending('refused')]
    const [first] = accepted
    if (first === undefined || refused.length === 0)
      return [...byKey(several, ({ observed }) => observed).values()].flatMap((same) => same.slice(0, 1))
    const varying = `varies (accepted ${timesOf(accepted.length)}, refused ${timesOf(refused.length)})`
    return [{ ...first, observed: first.observed.replace(fate, varying) }]
  })
}

const timesOf = (count: number): string => (count === 1 ? 'once' : countOf(count, 'time'))

/** The answers that showed a requirement in any round. */
export function looksTogether(id: RequirementId, all: readonly Results[]): Pick<RequirementResult, 'looks'> {
  const several = all.flatMap(({ requirements }) =>
    requirements.flatMap((requirement) => (requirement.id === id ? (requirement.looks ?? []) : [])),
  )
  if (several.length === 0) return {}
  const sum = (of: 'exchanges' | 'kept'): number => several.reduce((total, looks) => total + looks[of], 0)
  const situations = addedUp(several.map((looks) => looks.situations ?? {}))
  return { looks: { exchanges: sum('exchanges'), kept: sum('kept'), situations } }
}

/** The requests that the target throttled in all rounds together; the pace is the slowest one. */
export function putOffTogether(all: readonly Results[]): Pick<Results['run'], 'putOff'> {
  const several = all.flatMap(({ run }) => run.putOff ?? [])
  if (several.length === 0) return {}
  const sum = (of: 'throttled' | 'unavailable' | 'busy'): number =>
    several.reduce((total, each) => total + (each[of] ?? 0), 0)
  const paces = several.flatMap(({ perSecond }) => perSecond ?? [])
  return {
    putOff: withoutUndefined({
      throttled: sum('throttled'),
      unavailable: sum('unavailable'),
      busy: sum('busy') || undefined,
      perSecond: paces.length === 0 ? undefined : Math.min(...paces),
    }),
  }
}
