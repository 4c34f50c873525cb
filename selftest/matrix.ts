/** The results of a self-test: faults found and blamed, variants without findings, and all other parts. */
import type { Fault } from '../reference/faults/fault.ts'
import { isGating, type Level } from '../specs/outcomes.ts'
import { type RequirementId, requirements } from '../specs/requirements.ts'
import type { PowerFault } from './power.ts'
import { ends, type SituatedFault } from './situations.ts'

/** One trial. */
export interface Tried {
  /** Problems, one line each. */
  readonly problems: readonly string[]
  /** Absent if the suite broke, or if there were several runs. */
  readonly durationMs?: number
}

export interface FaultRow extends Tried, Pick<Fault, 'id' | 'sentence' | 'breaks'> {
  /** Whether every requirement that it breaks failed. */
  readonly found: boolean
  /** Whether nothing else failed. */
  readonly blamed: boolean
  readonly failed: readonly RequirementId[]
  /** The requests of the cheapest check that found it, including repetition and shrinking. */
  readonly requests?: number
}

export interface VariantRow extends Tried {
  /** Several ids: a combination. */
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
  /** Peak memory. Absent if it could not be measured. */
  readonly peakMiB?: number
}

/** How often a fault was found that shows in one of N requests. */
export interface PowerRow extends Tried {
  readonly id: string
  readonly operation: string
  readonly kind: PowerFault['kind']
  readonly requirement: RequirementId
  /** Requests in which it could show, counted in a run without it. */
  readonly looks: number
  readonly rates: readonly PowerRate[]
}

interface PowerRate {
  readonly oneIn: number
  /** The probability that it shows in at least one of these requests. */
  readonly predicted: number
  readonly found: number
  readonly tries: number
}

/** A portal with scarce fixtures, which must draw no finding. */
export interface PoolRow extends Tried {
  readonly portal: string
  readonly provider: string
  /** Passed checks, and undecided ones. */
  readonly passed: number
  readonly open: number
}

/** A fault that shows in one situation only. */
export interface SituationRow extends SituatedFault, Tried {
  /** `found`: a requirement that it breaks or may break failed. `open`: none failed, but the run is incomplete. */
  readonly end: 'found' | 'open' | 'missed'
  /** Whether a requirement failed that the fault always breaks. */
  readonly exactly: boolean
  /** Requests in which the situation held. */
  readonly looks: number
}

/** One run with its own seed on a conforming portal. */
export interface SeedRow extends Tried {
  readonly portal: string
  readonly seed: number
}

/** A deployment with logins only. */
export interface AdministrationRow extends Tried {
  readonly id: string
  readonly sentence: string
  /** The requirements that it breaks. Empty: it conforms. */
  readonly breaks: readonly RequirementId[]
  /** Passed checks, and untested ones. */
  readonly passed: number
  readonly untested: number
}

/** A gating requirement and the faults that make it fail. */
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
    /** Whether faults that do not interact shared a run. */
    readonly together: boolean
    /** The number of trials. */
    readonly tried: number
    /** The number of trials that were repeated alone after an unexpected result. */
    readonly again: number
    readonly durationMs: number
  }
  /** Parts that were not selected are absent. */
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

/** For each must and implied requirement the faults that made it fail. None: nothing shows that it can fail. */
export function proofsOf(rows: readonly FaultRow[]): Proof[] {
  return requirements
    .filter(({ level }) => isGating(level))
    .map(({ id, level }) => ({
      id,
      level,
      faults: rows
        // Random steps may find any fault, which proves that this requirement can fail although no fault claims it.
        .filter(({ breaks, failed }) => failed.includes(id) && (breaks.includes(id) || byLuck.includes(id)))
        .map((row) => row.id),
    }))
}

/** Whether all rows are as expected, and every requirement was shown to be able to fail. */
export function isOk(matrix: Partial<Matrix>): boolean {
  const { proofs = [], faults, variants, hostile, power, pools, seeds, administration } = matrix
  const parts = [faults, variants, hostile, power, pools, seeds, administration]
  const problems = parts.flatMap((rows: readonly Tried[] = []) => rows.flatMap((row) => row.problems))
  return problems.length === 0 && proofs.every((proof) => proof.faults.length > 0)
}

/** The totals of each part, and the requirements that no fault makes fail. */
export function summaryLines(matrix: Matrix): string[] {
  const { faults, variants, hostile, proofs, power, pools, situations, seeds, administration } = matrix
  const lines: string[] = []
  if (faults !== undefined) {
    const found = faults.filter((row) => row.found).length
    const exact = faults.filter(({ problems }) => problems.length === 0).length
    lines.push(`Faults: ${found} of ${faults.length} found, ${exact} found and blamed exactly`)
  }
  if (proofs !== undefined) {
    const without = proofs.filter(({ faults }) => faults.length === 0).map(({ id }) => id)
    const shown = `${proofs.length - without.length} of ${proofs.length}`
    const left = without.length === 0 ? '' : `; none yet for ${without.join(', ')}`
    lines.push(`Must and implied requirements that a fault shows can fail: ${shown}${left}`)
  }
  if (variants !== undefined) {
    const clean = variants.filter((row) => row.clean).length
    const alone = variants.filter(({ ids }) => ids.length === 1).length
    const together = variants.length - alone
    lines.push(
      `Permitted variants: ${clean} of ${variants.length} clean (${alone} single, ${together} combined)`,
    )
  }
  if (hostile !== undefined) {
    const handled = hostile.filter((row) => row.handled).length
    lines.push(`Hostile and broken targets: ${handled} of ${hostile.length} handled`)
  }
  if (power !== undefined) {
    const asPredicted = power.filter(({ problems }) => problems.length === 0).length
    lines.push(`Faults that show now and then: ${asPredicted} of ${power.length} found as often as predicted`)
  }
  if (pools !== undefined) {
    const unblamed = pools.filter(({ problems }) => problems.length === 0).length
    lines.push(`Portals with scarce fixtures: ${unblamed} of ${pools.length} blamed for nothing`)
  }
  if (situations !== undefined) {
    const found = situations.filter(({ end }) => end === 'found').length
    const exactly = situations.filter((row) => row.exactly).length
    const open = situations.filter(({ end }) => end === 'open').length
    const blamed = situations.filter(({ problems }) => problems.length > 0).length
    lines.push(
      `Faults in one situation only: ${found} of ${situations.length} found, ${exactly} of them by a requirement that the fault breaks whatever is sent, ${open} left open, something else blamed in ${blamed}`,
    )
  }
  if (administration !== undefined) {
    const lineFor = (what: string, rows: readonly AdministrationRow[], how: string) => {
      const good = rows.filter(({ problems }) => problems.length === 0).length
      if (rows.length > 0) lines.push(`${what}: ${good} of ${rows.length} ${how}`)
    }
    const keeps = ({ breaks }: AdministrationRow): boolean => breaks.length === 0
    lineFor('Deployments with logins alone', administration.filter(keeps), 'clean, with nothing left')
    lineFor(
      'Faults that only reading finds',
      administration.filter((row) => !keeps(row)),
      'found and blamed exactly',
    )
  }
  for (const { portal, conformant, tried } of seedCounts(seeds ?? []))
    lines.push(`Seeds on ${portal}: ${conformant} of ${tried} times conformant`)
  return lines
}

/** For each portal the number of conformant runs. */
export function seedCounts(
  rows: readonly SeedRow[],
): { portal: string; conformant: number; tried: number; durationMs: number }[] {
  return [...new Set(rows.map(({ portal }) => portal))].map((portal) => {
    const own = rows.filter((row) => row.portal === portal)
    return {
      portal,
      conformant: own.filter(({ problems }) => problems.length === 0).length,
      tried: own.length,
      durationMs: own.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0),
    }
  })
}

/** The matrix for a terminal: a line for each fault, and all problems. */
export function matrixText(matrix: Matrix): string {
  const {
    faults = [],
    variants = [],
    hostile = [],
    power = [],
    pools = [],
    situations = [],
    seeds = [],
    administration = [],
  } = matrix
  const width = Math.max(0, ...faults.map(({ id }) => id.length))
  const heading = `${'Fault'.padEnd(width)}  found  blamed  requests    time`
  const problems = [
    ...faults.map(({ id, problems }) => ({ name: `fault ${id}`, problems })),
    ...variants.map(({ ids, problems }) => ({ name: `variant ${ids.join(' + ')}`, problems })),
    ...hostile.map(({ id, problems }) => ({ name: `target ${id}`, problems })),
    ...power.map(({ id, problems }) => ({ name: `power ${id}`, problems })),
    ...pools.map(({ portal, provider, problems }) => ({ name: `pool ${portal}: ${provider}`, problems })),
    ...situations.map(({ fault, situation, end, problems }) => ({
      name: `situation ${fault} ${situation}`,
      problems: [...(end === 'found' ? [] : [ends[end]]), ...problems],
    })),
    ...administration.map(({ id, problems }) => ({ name: `administration ${id}`, problems })),
    ...seeds.map(({ portal, seed, problems }) => ({ name: `seed ${seed} on ${portal}`, problems })),
  ].flatMap(({ name, problems }) => problems.map((problem) => `  ${name}: ${problem}`))
  return `${[
    ...(faults.length === 0 ? [] : [heading, ...faults.map((row) => faultLine(row, width)), '']),
    ...summaryLines(matrix),
    ...(problems.length === 0 ? [] : ['', 'Not as it should be:', ...problems]),
  ].join('\n')}\n`
}

function faultLine({ id, found, blamed, requests, durationMs }: FaultRow, width: number): string {
  const cells = [
    id.padEnd(width),
    (found ? 'yes' : 'NO').padEnd(5),
    (blamed ? 'yes' : 'NO').padEnd(6),
    String(requests ?? '-').padStart(8),
    durationMs === undefined ? '-' : `${(durationMs / 1000).toFixed(1)} s`.padStart(6),
  ]
  return cells.join('  ')
}

interface Blame {
  /** Requirements that should have failed. */
  readonly missed: readonly RequirementId[]
  /** Failed requirements that the fault does not break. */
  readonly wrong: readonly RequirementId[]
}

/** A random sequence of steps meets a fault by chance, so this requirement may fail for any fault or none. */
export const byLuck: readonly RequirementId[] = ['lifecycle/consistent']

/** Requirements that a fault breaks or may break. */
export const blamable = ({ breaks, mayBreak = [] }: Pick<Fault, 'breaks' | 'mayBreak'>): RequirementId[] => [
  ...breaks,
  ...mayBreak,
  ...byLuck,
]

/** Compares the failed and warned requirements with those that the fault breaks. */
export function blameOf(fault: Pick<Fault, 'breaks' | 'mayBreak'>, failed: readonly RequirementId[]): Blame {
  const expected = blamable(fault)
  return {
    missed: fault.breaks.filter((id) => !failed.includes(id)),
    wrong: failed.filter((id) => !expected.includes(id)),
  }
}
