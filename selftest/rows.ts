/** Turns a judgement into a row of the matrix. Pure. */
import picomatch from 'picomatch'
import type { Fault } from '../reference/faults/fault.ts'
import type { Opening, Variant } from '../reference/variants/variant.ts'
import { isGating } from '../specs/outcomes.ts'
import { type RequirementId, requirementOf } from '../specs/requirements.ts'
import type { Judged, OpenCheck } from './judging-process.ts'
import {
  type AdministrationRow,
  blamable,
  blameOf,
  type FaultRow,
  type PoolRow,
  type PowerRow,
  type SeedRow,
  type SituationRow,
  type VariantRow,
} from './matrix.ts'
import { atMost, type PowerFault, predicted } from './power.ts'
import type { SituatedFault } from './situations.ts'

/** The row of a portal with that fault. */
export function faultRow(fault: Fault, judged: Judged): FaultRow {
  const { id, sentence, breaks } = fault
  const row = { id, sentence, breaks }
  if ('broke' in judged) {
    return { ...row, found: false, blamed: false, failed: [], problems: [broken(judged)] }
  }
  const failed = notKept(judged)
  const { missed, wrong } = blameOf(fault, failed)
  const found = breaks.length > 0 && missed.length === 0
  const finders = judged.open.filter(
    ({ outcome, requirement }) =>
      (outcome === 'failed' || outcome === 'warned') && breaks.some((each) => each === requirement),
  )
  return {
    ...row,
    found,
    blamed: wrong.length === 0,
    failed,
    problems: [
      ...(failed.length === 0 ? ['it changed no outcome at all'] : missed.map((each) => `missed: ${each}`)),
      ...wrong.map((each) => `wrongly blamed: ${each}`),
    ],
    ...(finders.length === 0 ? {} : { requests: Math.min(...finders.map(({ requests }) => requests)) }),
    durationMs: judged.durationMs,
  }
}

/**
 * The rows of a portal with all of these faults. Undefined if one did not show or something else failed, because one
 * fault may hide another.
 */
export function rowsTogether(group: readonly Fault[], judged: Judged): readonly FaultRow[] | undefined {
  if ('broke' in judged) return undefined
  const all = {
    breaks: group.flatMap(({ breaks }) => breaks),
    mayBreak: group.flatMap(({ mayBreak = [] }) => mayBreak),
  }
  const { missed, wrong } = blameOf(all, notKept(judged))
  if (missed.length + wrong.length > 0) return undefined
  return group.map((fault) => {
    const its = (id: string): boolean => blamable(fault).some((each) => each === id)
    return faultRow(fault, {
      ...judged,
      failed: judged.failed.filter(its),
      open: judged.open.filter(({ requirement }) => its(requirement)),
    })
  })
}

/** The row of a conforming portal with these variants, by a run and its recorded traffic. */
export function variantRow(
  together: readonly Pick<Variant, 'id' | 'sentence' | 'may' | 'judged'>[],
  judged: Judged,
): VariantRow {
  const ids = together.map(({ id }) => id)
  const sentence = together.length > 1 ? 'All of these together.' : (together[0]?.sentence ?? '')
  if ('broke' in judged) return { ids, sentence, clean: false, problems: [broken(judged)] }
  const problems = [
    ...linesOf(openOf(judged).filter((check) => !together.some((variant) => allows(variant, check)))),
    ...judged.breaches.map(({ requirement, why }) => `in recorded traffic: ${requirement}: ${why}`),
  ]
  return { ids, sentence, clean: problems.length === 0, problems, durationMs: judged.durationMs }
}

const broken = ({ broke }: { broke: string }): string => `the suite broke: ${broke}`

/** Failed requirements, and advice that was not kept. */
function notKept({ failed, open }: Extract<Judged, { open: unknown }>): RequirementId[] {
  const warned = open.filter(({ outcome }) => outcome === 'warned')
  return [...failed, ...warned.map(({ requirement }) => requirement)] as RequirementId[]
}

/** Checks that neither passed nor warned. */
const openOf = ({ open }: Extract<Judged, { open: unknown }>): OpenCheck[] =>
  open.filter(({ outcome }) => outcome !== 'warned' && outcome !== 'waived')

/** Whether the variant explains why the check did not pass. */
function allows({ may = {}, judged }: Pick<Variant, 'may' | 'judged'>, check: OpenCheck): boolean {
  const { requirement, outcome, why } = check
  if (judged !== undefined && outcome === 'not-tested' && !picomatch.isMatch(requirement, [...judged]))
    return true
  const opening = (may as Readonly<Record<string, Opening>>)[outcome]
  return (
    opening !== undefined &&
    picomatch.isMatch(requirement, [...opening.requirements]) &&
    opening.because.test(why)
  )
}

/** The row of a portal with a fault in one situation. */
export function situationRow(fault: Fault, situated: SituatedFault, judged: Judged): SituationRow {
  if ('broke' in judged)
    return { ...situated, end: 'missed', exactly: false, looks: 0, problems: [broken(judged)] }
  const failed = notKept(judged)
  const found = blamable(fault).some((id) => failed.includes(id))
  const open = judged.open.some((check) => check.outcome === 'inconclusive' && isGatingCheck(check))
  return {
    ...situated,
    end: found ? 'found' : open ? 'open' : 'missed',
    exactly: fault.breaks.some((id) => failed.includes(id)),
    looks: judged.looks,
    problems: blameOf(fault, failed).wrong.map((each) => `wrongly blamed: ${each}`),
    durationMs: judged.durationMs,
  }
}

/** How often a fault was found at each rate. `looks` were counted without it. */
export function powerRow(
  { id, operation, kind, breaks }: PowerFault,
  looks: number,
  tries: ReadonlyMap<number, readonly Judged[]>,
): PowerRow {
  const rates = [...tries].map(([oneIn, judged]) => ({
    oneIn,
    predicted: predicted(oneIn, looks),
    found: judged.filter((each) => 'failed' in each && each.failed.includes(breaks)).length,
    tries: judged.length,
  }))
  const unlikely = rates.filter((rate) => atMost(rate.found, rate.tries, rate.predicted) < leastLikely)
  return {
    ...{ id, operation, kind, requirement: breaks, looks, rates },
    problems: [
      ...[...tries.values()].flat().flatMap((each) => ('broke' in each ? [broken(each)] : [])),
      ...unlikely.map(
        ({ oneIn, predicted, found, tries }) =>
          `one in ${oneIn}: found ${found} of ${tries} times, and ${(predicted * 100).toFixed(1)} % was predicted`,
      ),
    ],
  }
}

/** If chance explains so few discoveries with less than this probability, that is a problem. */
const leastLikely = 0.01

/** The row of a portal with scarce fixtures. */
export function poolRow(portal: string, provider: string, judged: Judged): PoolRow {
  if ('broke' in judged) return { portal, provider, passed: 0, open: 0, problems: [broken(judged)] }
  const open = openOf(judged)
  const wrong = open.filter(({ outcome, why }) => outcome === 'failed' || outcome === 'warned' || why === '')
  const { passed, durationMs } = judged
  return { portal, provider, passed, open: open.length, problems: linesOf(wrong), durationMs }
}

/**
 * The row of a deployment with logins alone. `fault`: must be found and blamed exactly; without one the deployment
 * conforms. `untested`: checks that may stay untested, and why.
 */
export function administrationRow(
  { id, sentence, fault }: { readonly id: string; readonly sentence: string; readonly fault?: Fault },
  untested: readonly Opening[],
  judged: Judged,
): AdministrationRow {
  const row = { id, sentence, breaks: fault?.breaks ?? [] }
  if ('broke' in judged) return { ...row, passed: 0, untested: 0, problems: [broken(judged)] }
  const { passed, left = ['nothing was compared'], durationMs } = judged
  const open = judged.open.filter(({ outcome, why }) => outcome !== 'not-applicable' || why === '')
  const wrong = open.filter(
    (check) =>
      check.outcome !== 'not-tested' ||
      !untested.some((opening) => allows({ may: { 'not-tested': opening } }, check)),
  )
  return {
    ...row,
    passed,
    untested: open.filter(({ outcome }) => outcome === 'not-tested').length,
    // Leftovers do not count if the deployment has a fault.
    problems: fault === undefined ? [...linesOf(wrong), ...left] : faultRow(fault, judged).problems,
    durationMs,
  }
}

/** The row of a portal that must be conformant. */
export function seedRow(portal: string, seed: number, judged: Judged): SeedRow {
  if ('broke' in judged) return { portal, seed, problems: [broken(judged)] }
  const problems = linesOf(
    openOf(judged).filter((check) => isGatingCheck(check) && check.outcome !== 'not-applicable'),
  )
  return { portal, seed, problems, durationMs: judged.durationMs }
}

const isGatingCheck = ({ requirement }: OpenCheck): boolean =>
  isGating(requirementOf(requirement as RequirementId).level)

/** A line for each reason, with the first check that gives it. Failures come first. */
function linesOf(checks: readonly OpenCheck[]): string[] {
  const sorted = checks.toSorted((one, other) => one.outcome.localeCompare(other.outcome))
  const lines = new Map<string, string[]>()
  for (const { outcome, why, id } of sorted) {
    const same = JSON.stringify([outcome, why])
    lines.set(same, [...(lines.get(same) ?? []), id])
  }
  return [...lines].map(([same, ids]) => {
    const [outcome, why] = JSON.parse(same) as [string, string]
    const more = ids.length > 1 ? ` (and ${ids.length - 1} more)` : ''
    return `${outcome}: ${ids[0]}${more}: ${why === '' ? 'without a reason' : why}`
  })
}
