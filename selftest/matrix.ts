/** What a self-test found: which faults were found and blamed, which portals were left in peace, and what of the rest. */
import type { Fault } from '../reference/faults/fault.ts'
import { isGating, type Level } from '../specs/outcomes.ts'
import { type RequirementId, requirements } from '../specs/requirements.ts'
import { byLuck } from './blame.ts'
import type { PowerFault } from './power.ts'
import type { SituatedFault } from './situations.ts'

/** One thing that was tried. */
export interface Tried {
  /** What is not as it should be, one line each. */
  readonly problems: readonly string[]
  /** Absent where the suite broke, or where there were several runs. */
  readonly durationMs?: number
}

export interface FaultRow extends Tried, Pick<Fault, 'id' | 'sentence' | 'breaks'> {
  /** All that it breaks failed. */
  readonly found: boolean
  /** Nothing else failed. */
  readonly blamed: boolean
  readonly failed: readonly RequirementId[]
  /** Of the cheapest check that found it, with its repetition and all looking for a smaller counterexample. */
  readonly requests?: number
}

export interface VariantRow extends Tried {
  /** More than one: a combination. */
  readonly ids: readonly string[]
  readonly sentence: string
  readonly clean: boolean
}

export interface HostileRow extends Tried {
  readonly id: string
  readonly sentence: string
  readonly handled: boolean
  readonly exitCode: number | null
  readonly durationMs: number
  /** Of memory, at its highest; absent where it could not be measured. */
  readonly peakMiB?: number
}

/** How often a fault was found that shows in one of so many requests. */
export interface PowerRow extends Tried {
  readonly id: string
  readonly operation: string
  readonly kind: PowerFault['kind']
  readonly requirement: RequirementId
  /** Requests in which it could show, in a run in which it never did. */
  readonly looks: number
  readonly rates: readonly PowerRate[]
}

interface PowerRate {
  readonly oneIn: number
  /** The probability that it shows in at least one of the looks. */
  readonly predicted: number
  readonly found: number
  readonly tries: number
}

/** A portal whose fixtures are scarce: it may be blamed for nothing. */
export interface PoolRow extends Tried {
  readonly portal: string
  readonly provider: string
  /** Checks that passed, and that were left open. */
  readonly passed: number
  readonly open: number
}

/** A fault that shows in one situation only. */
export interface SituationRow extends SituatedFault, Tried {
  /** `found`: a requirement that it breaks, or may break, failed. `open`: none did, and one is inconclusive, so that the run is incomplete. */
  readonly end: 'found' | 'open' | 'missed'
  /** Whether it was found by a requirement that it breaks whatever is sent. */
  readonly exactly: boolean
  /** Requests in which the situation held. */
  readonly looks: number
}

/** One run with a seed of its own on a portal that keeps the contract. */
export interface SeedRow extends Tried {
  readonly portal: string
  readonly seed: number
}

/** A deployment of which nothing is given but logins. */
export interface AdministrationRow extends Tried {
  readonly id: string
  readonly sentence: string
  /** What it breaks; empty: it keeps the contract. */
  readonly breaks: readonly RequirementId[]
  /** Checks that passed, and that were left untested. */
  readonly passed: number
  readonly untested: number
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
    /** Whether faults that do not meet were looked for in one run. */
    readonly together: boolean
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

/** For each must and implied requirement the faults that it was found by; none: nothing shows that it can fail. */
export function proofsOf(rows: readonly FaultRow[]): Proof[] {
  return requirements
    .filter(({ level }) => isGating(level))
    .map(({ id, level }) => ({
      id,
      level,
      faults: rows
        // Whatever random steps find proves that it can fail, although no fault claims it.
        .filter(({ breaks, failed }) => failed.includes(id) && (breaks.includes(id) || byLuck.includes(id)))
        .map((row) => row.id),
    }))
}

/** Whether every row is as it should be, and every requirement was shown to be able to fail. */
export function isOk(matrix: Partial<Matrix>): boolean {
  const { proofs = [], faults, variants, hostile, power, pools, seeds, administration } = matrix
  const parts = [faults, variants, hostile, power, pools, seeds, administration]
  const problems = parts.flatMap((rows: readonly Tried[] = []) => rows.flatMap((row) => row.problems))
  return problems.length === 0 && proofs.every((proof) => proof.faults.length > 0)
}
