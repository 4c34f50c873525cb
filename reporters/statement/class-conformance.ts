/** Whether a run shows that a deployment conforms to a class, and if not, why. Pure. */
import { isQuick } from '../../runner/effort.ts'
import { isGating, type Outcome } from '../../specs/outcomes.ts'
import {
  type ConformanceClass,
  requirements as catalogue,
  classesOf,
  conformanceClasses,
  countsFor,
} from '../../specs/requirements.ts'
import { worstOf } from '../build-results.ts'
import type { RequirementResult, Results } from '../results.ts'

/** `not applicable`: the release and edition have no operation of the class. */
export type ClassStatus = 'conformant' | 'non-conformant' | 'not shown' | 'not applicable'

export interface ClassConformance {
  readonly class: ConformanceClass
  readonly status: ClassStatus
  /** Why it is not conformant. */
  readonly reasons: readonly string[]
}

/** What the run shows of all classes. */
export function overallStatus(
  { verdict }: Pick<Results, 'verdict'>,
  classes: readonly ClassConformance[],
): Exclude<ClassStatus, 'not applicable'> {
  const having = (wanted: ClassStatus) => classes.some(({ status }) => status === wanted)
  if (verdict === 'non-conformant' || having('non-conformant')) return 'non-conformant'
  return verdict !== 'conformant' || having('not shown') || !having('conformant') ? 'not shown' : 'conformant'
}

/** Every class, in the order of their list. */
export function classConformances(results: Results): ClassConformance[] {
  const shortfalls = [
    ...shortfallsOf(results).map(({ clause }) => clause),
    ...listed('the run waived failures', waivedRequirements(results)),
  ]
  return conformanceClasses.map((each) => conformanceTo(each, results, shortfalls))
}

function conformanceTo(
  conformanceClass: ConformanceClass,
  results: Results,
  shortfalls: readonly string[],
): ClassConformance {
  const gating = results.requirements
    .filter((requirement) => isGating(requirement.level) && isOf(conformanceClass, requirement))
    .map((requirement) => narrowed(requirement, conformanceClass))
  const having = (...outcomes: Outcome[]) => gating.filter(({ outcome }) => outcomes.includes(outcome))
  const failed = having('failed')
  const ofThis = failed.filter((each) => liesIn(conformanceClass, each))
  if (ofThis.length > 0) {
    return { class: conformanceClass, status: 'non-conformant', reasons: listed('failed', ofThis) }
  }
  const missing = catalogue.filter(
    (requirement) =>
      isGating(requirement.level) &&
      isOf(conformanceClass, requirement) &&
      !results.requirements.some(({ id }) => id === requirement.id),
  )
  const own = gating.filter(({ operation }) => conformanceClass.operations.some((id) => id === operation))
  if (missing.length === 0 && own.every(({ outcome }) => outcome === 'not-applicable')) {
    const reasons = new Set(own.flatMap(({ reason }) => reason ?? []))
    return { class: conformanceClass, status: 'not applicable', reasons: [...reasons] }
  }
  const reasons = [
    ...shortfalls,
    ...listed('failed, possibly in another class', failed),
    ...listed('inconclusive', having('inconclusive')),
    ...listed('not tested', having('not-tested')),
    ...listed('not in these results', missing),
    ...(own.some(({ outcome }) => outcome === 'passed')
      ? []
      : ['no requirement of its own operations passed']),
  ]
  return { class: conformanceClass, status: reasons.length === 0 ? 'conformant' : 'not shown', reasons }
}

function isOf({ id }: ConformanceClass, requirement: Pick<RequirementResult, 'operation'>): boolean {
  return classesOf(requirement).some((each) => each.id === id)
}

/** Whether the failure certainly belongs to the class. One in the interplay of all operations may belong to another. */
function liesIn(conformanceClass: ConformanceClass, { operation, checks }: RequirementResult): boolean {
  if (conformanceClass.operations.some((id) => id === operation)) return true
  const failed = checks.filter(({ outcome }) => outcome === 'failed')
  return failed.some((check) => conformanceClasses.some((other) => !countsFor(other, check.operation)))
}

function narrowed(requirement: RequirementResult, conformanceClass: ConformanceClass): RequirementResult {
  const { reason: _, ...others } = requirement
  const checks = requirement.checks.filter((check) => countsFor(conformanceClass, check.operation))
  return { ...others, checks, ...worstOf(checks, 'no check of it was made') }
}

const listed = (word: string, several: readonly { readonly id: string }[]): string[] =>
  several.length === 0 ? [] : [`${word}: ${several.map(({ id }) => id).join(', ')}`]

/** The requirements with a waived check, whatever their outcome. */
export function waivedRequirements({ requirements }: Pick<Results, 'requirements'>): RequirementResult[] {
  return requirements.filter(({ checks }) => checks.some(({ outcome }) => outcome === 'waived'))
}

interface Shortfall {
  /** For a badge. */
  readonly short: string
  readonly clause: string
}

/** Why the run does not cover the whole contract: it never shows conformance. */
export function shortfallsOf({ run, errors = [], complete }: Results): Shortfall[] {
  const isShort = run.traffic === undefined && isQuick(run)
  const quick = {
    short: 'quick run',
    clause: 'the run was quick: it makes only the main check of each requirement',
  }
  const filtered = { short: 'filtered', clause: 'the run was limited to a selection of checks' }
  return [
    ...(errors.length > 0 ? [{ short: 'run broken', clause: 'the run broke' }] : []),
    ...(complete === true ? [] : [{ short: 'run cut short', clause: 'the run was cut short' }]),
    ...(run.selection === undefined ? [] : [filtered]),
    ...(isShort ? [quick] : []),
  ]
}
