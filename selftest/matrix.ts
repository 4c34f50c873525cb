/** What a self-test found: which faults were found and blamed, which portals were left in peace, and what of the rest. */
import picomatch from 'picomatch'
import type { Fault } from '../reference/faults/fault.ts'
import type { Opening, Variant } from '../reference/variants/variant.ts'
import { isGating, type Level } from '../specs/outcomes.ts'
import { type RequirementId, requirementOf, requirements } from '../specs/requirements.ts'
import { blameOf } from './judge-portal.ts'
import type { Judged, OpenCheck } from './judging-process.ts'
import { atMost, type PowerFault, predicted } from './power.ts'
import type { SituatedFault } from './situations.ts'

export interface FaultRow {
  readonly id: string
  readonly sentence: string
  readonly breaks: readonly RequirementId[]
  /** All that it breaks failed. */
  readonly found: boolean
  /** Nothing else failed. */
  readonly blamed: boolean
  readonly failed: readonly RequirementId[]
  /** What is wrong with the judgement, one line each. */
  readonly problems: readonly string[]
  /** Of the cheapest check that found it, with its repetition and all looking for a smaller counterexample. */
  readonly requests?: number
  readonly durationMs?: number
}

export interface VariantRow {
  /** More than one: a combination. */
  readonly ids: readonly string[]
  readonly sentence: string
  readonly clean: boolean
  readonly problems: readonly string[]
  readonly durationMs?: number
}

export interface HostileRow {
  readonly id: string
  readonly sentence: string
  readonly handled: boolean
  readonly problems: readonly string[]
  readonly exitCode: number | null
  readonly durationMs: number
  /** Of memory, at its highest; absent where it could not be measured. */
  readonly peakMiB?: number
}

/** How often a fault was found that shows in one of so many requests. */
export interface PowerRow {
  readonly id: string
  readonly operation: string
  readonly kind: PowerFault['kind']
  readonly requirement: RequirementId
  /** Requests in which it could show, in a run in which it never did. */
  readonly looks: number
  readonly rates: readonly PowerRate[]
  readonly problems: readonly string[]
}

export interface PowerRate {
  readonly oneIn: number
  /** The probability that it shows in at least one of the looks. */
  readonly predicted: number
  readonly found: number
  readonly tries: number
}

/** A portal whose fixtures are scarce: it may be blamed for nothing. */
export interface PoolRow {
  readonly portal: string
  readonly provider: string
  /** Checks that passed, and that were left open. */
  readonly passed: number
  readonly open: number
  readonly problems: readonly string[]
  readonly durationMs?: number
}

/** A fault that shows in one situation only. */
export interface SituationRow extends SituatedFault {
  /** A requirement that it breaks failed. */
  readonly found: boolean
  /** Requests in which the situation held. */
  readonly looks: number
  /** What else was blamed. */
  readonly problems: readonly string[]
  readonly durationMs?: number
}

/** One run with a seed of its own on a portal that keeps the contract. */
export interface SeedRow {
  readonly portal: string
  readonly seed: number
  readonly problems: readonly string[]
  readonly durationMs?: number
}

/** A deployment of which nothing is given but logins. */
export interface AdministrationRow {
  readonly id: string
  readonly sentence: string
  /** What it breaks; empty: it keeps the contract. */
  readonly breaks: readonly RequirementId[]
  /** Checks that passed, and that were left untested. */
  readonly passed: number
  readonly untested: number
  /** What was blamed or left open without need, and what was left, gone or changed after the run. */
  readonly problems: readonly string[]
  readonly durationMs?: number
}

/** A gating requirement and the faults that show that it can fail. */
export interface Proof {
  readonly id: RequirementId
  readonly level: Level
  readonly faults: readonly string[]
}

export interface Matrix {
  readonly format: 'portal-conformance/selftest'
  readonly formatVersion: 1
  readonly suite: { readonly version: string }
  readonly run: {
    readonly seed: number
    readonly runs: number
    readonly jobs: number
    readonly combinations: number
    /** How many trials there were. */
    readonly tried: number
    /** How many faults and hostile targets were tried once more alone, since they had not ended as they should. */
    readonly again: number
    readonly durationMs: number
  }
  /** A part that was not asked for is absent. */
  readonly faults?: readonly FaultRow[]
  readonly variants?: readonly VariantRow[]
  readonly hostile?: readonly HostileRow[]
  readonly power?: readonly PowerRow[]
  readonly pools?: readonly PoolRow[]
  readonly situations?: readonly SituationRow[]
  readonly seeds?: readonly SeedRow[]
  readonly administration?: readonly AdministrationRow[]
  readonly proofs?: readonly Proof[]
  readonly ok: boolean
}

/** The judgement of a portal with that fault. */
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

/** The judgement of a portal that keeps the contract in those ways, by a run and by the recording of it. */
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

/** What failed, and what advice was not kept. */
function notKept({ failed, open }: Extract<Judged, { open: unknown }>): RequirementId[] {
  const warned = open.filter(({ outcome }) => outcome === 'warned')
  return [...failed, ...warned.map(({ requirement }) => requirement)] as RequirementId[]
}

/** Checks that ended neither well nor with advice. */
const openOf = ({ open }: Extract<Judged, { open: unknown }>): OpenCheck[] =>
  open.filter(({ outcome }) => outcome !== 'warned' && outcome !== 'waived')

/** Whether a check that was not passed is one that the variant gives a reason for. */
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

/** The judgement of a portal with a fault in one situation. */
export function situationRow(fault: Fault, situated: SituatedFault, judged: Judged): SituationRow {
  if ('broke' in judged) return { ...situated, found: false, looks: 0, problems: [broken(judged)] }
  const failed = notKept(judged)
  return {
    ...situated,
    found: fault.breaks.some((id) => failed.includes(id)),
    looks: judged.looks,
    problems: blameOf(fault, failed).wrong.map((each) => `wrongly blamed: ${each}`),
    durationMs: judged.durationMs,
  }
}

/** How often a fault was found at each rate, by the judgements of the tries; `looks` were taken without it. */
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

/** What is found so seldom that chance explains it less often than this is not found as it should be. */
const leastLikely = 0.01

/** The judgement of a portal whose provider hands out little. */
export function poolRow(portal: string, provider: string, judged: Judged): PoolRow {
  if ('broke' in judged) return { portal, provider, passed: 0, open: 0, problems: [broken(judged)] }
  const open = openOf(judged)
  const wrong = open.filter((check) => (check.outcome === 'failed' ? isGatingCheck(check) : check.why === ''))
  const { passed, durationMs } = judged
  return { portal, provider, passed, open: open.length, problems: linesOf(wrong), durationMs }
}

/**
 * The judgement of a deployment by logins alone. `fault`: what it does wrong, which must be found and blamed exactly; else
 * it keeps the contract. `untested`: what may be left untested there, and why.
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
    // A fault may leave what it likes.
    problems: fault === undefined ? [...linesOf(wrong), ...left] : faultRow(fault, judged).problems,
    durationMs,
  }
}

/** The judgement of a portal that must be conformant. */
export function seedRow(portal: string, seed: number, judged: Judged): SeedRow {
  if ('broke' in judged) return { portal, seed, problems: [broken(judged)] }
  const problems = linesOf(
    openOf(judged).filter((check) => isGatingCheck(check) && check.outcome !== 'not-applicable'),
  )
  return { portal, seed, problems, durationMs: judged.durationMs }
}

const isGatingCheck = ({ requirement }: OpenCheck): boolean =>
  isGating(requirementOf(requirement as RequirementId).level)

/** A line for each reason, with the first check that gives it; what failed comes first. */
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

/** For each must and implied requirement the faults that it was found by; none: nothing shows that it can fail. */
export function proofsOf(rows: readonly FaultRow[]): Proof[] {
  return requirements
    .filter(({ level }) => isGating(level))
    .map(({ id, level }) => ({
      id,
      level,
      faults: rows
        .filter(({ breaks, failed }) => failed.includes(id) && (breaks.includes(id) || byLuck(id)))
        .map((row) => row.id),
    }))
}

/** No fault claims it, because random steps meet a fault by luck; whatever it finds proves that it can. */
const byLuck = (id: RequirementId): boolean => id === 'lifecycle/consistent'

/** Whether every row is as it should be, and every requirement was shown to be able to fail. */
export function isOk({ proofs = [], ...matrix }: Partial<Matrix>): boolean {
  const {
    faults = [],
    variants = [],
    hostile = [],
    power = [],
    pools = [],
    seeds = [],
    administration = [],
  } = matrix
  const rows = [...faults, ...variants, ...hostile, ...power, ...pools, ...seeds, ...administration]
  return (
    proofs.every((proof) => proof.faults.length > 0) && rows.every(({ problems }) => problems.length === 0)
  )
}
