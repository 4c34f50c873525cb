/** What a self-test found: which faults were found and blamed, which variants were left in peace, and what of the rest. */
import type { Fault } from '../../reference/faults/fault.ts'
import { isGating, type Level } from '../../specs/outcomes.ts'
import { type RequirementId, requirements } from '../../specs/requirements.ts'
import { blameOf } from './blame.ts'
import type { Judged } from './judging-process.ts'

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
    readonly durationMs: number
  }
  /** A part that was not asked for is absent. */
  readonly faults?: readonly FaultRow[]
  readonly variants?: readonly VariantRow[]
  readonly hostile?: readonly HostileRow[]
  readonly proofs?: readonly Proof[]
  readonly ok: boolean
}

/** The judgement of a portal with that fault. */
export function faultRow(fault: Fault, judged: Judged): FaultRow {
  const { id, sentence, breaks } = fault
  const row = { id, sentence, breaks }
  if ('broke' in judged) {
    const problems = [`the suite broke: ${judged.broke}`]
    return { ...row, found: false, blamed: false, failed: [], problems }
  }
  const warned = judged.open.filter(({ outcome }) => outcome === 'warned')
  const failed = [...judged.failed, ...warned.map(({ requirement }) => requirement)] as RequirementId[]
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

/** The judgement of a portal that keeps the contract in other ways. */
export function variantRow(ids: readonly string[], sentence: string, judged: Judged): VariantRow {
  if ('broke' in judged)
    return { ids, sentence, clean: false, problems: [`the suite broke: ${judged.broke}`] }
  const problems = judged.open
    .filter(({ outcome }) => outcome !== 'warned' && outcome !== 'waived')
    .map(({ id, outcome, why }) => `${outcome}: ${id}: ${why}`)
  return { ids, sentence, clean: problems.length === 0, problems, durationMs: judged.durationMs }
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
export function isOk({ faults = [], variants = [], hostile = [], proofs = [] }: Partial<Matrix>): boolean {
  const proved = proofs.every((proof) => proof.faults.length > 0)
  return proved && [...faults, ...variants, ...hostile].every(({ problems }) => problems.length === 0)
}
