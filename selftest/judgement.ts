/** How a portal is altered, what a run then finds, and how open checks are read. */
import picomatch from 'picomatch'
import type { Opening } from '../reference/variants/variant.ts'
import { isGating } from '../specs/outcomes.ts'
import { type RequirementId, requirementOf } from '../specs/requirements.ts'
import type { Sometimes } from './sometimes.ts'

/** The logins besides the host's, and whether users may be created. */
export interface Logins {
  readonly guest: boolean
  readonly otherGuest?: true
  readonly users: 'create' | 'none'
}

/** How the portal is altered, and how thoroughly it is judged. */
export interface Alteration {
  readonly faults?: readonly string[]
  readonly variants?: readonly string[]
  /** A fault that shows in some requests only. */
  readonly sometimes?: Sometimes
  /** `pool`: a list with this many fixtures of each kind. `failing`: one answer in this many is an error. */
  readonly scarcity?: { readonly pool: number } | { readonly failing: number }
  /** Whether an earlier run uses up the fixtures. */
  readonly usedUp?: boolean
  /** Judges the recorded traffic of the run as well. */
  readonly recorded?: true
  readonly seed: number
  readonly runs: number
  /** The name or path of a profile. Default: none. */
  readonly profile?: string
  /** Globs of requirement ids. Default: all. */
  readonly requirements?: readonly string[]
  /** Gives the run nothing but these logins, so that it makes its fixtures. */
  readonly logins?: Logins
}

/** A check that did not pass, without its evidence. */
export interface OpenCheck {
  readonly id: string
  readonly requirement: string
  readonly operation?: string | undefined
  readonly outcome: string
  readonly requests: number
  /** The failure message, or the reason. */
  readonly why: string
}

/** What a run found. */
export interface Judged {
  /** What broke the suite. Nothing else is known then. */
  readonly broke?: string
  /** How many checks passed. */
  readonly passed: number
  readonly open: readonly OpenCheck[]
  /** Failed must and implied requirements, in the order of the contract. */
  readonly failed: readonly RequirementId[]
  /** Breaches in the recorded traffic. */
  readonly breaches: readonly { readonly requirement: string; readonly why: string }[]
  /** Operation requests that the embedded portal served. */
  readonly requests: number
  /** Requests in which a fault that shows sometimes was made to show. */
  readonly drawn: number
  /** If the run made its fixtures: what was left, gone or changed at the end. */
  readonly left?: readonly string[]
  readonly durationMs: number
}

/** The judgement where the suite broke. */
export const brokenBy = (broke: string): Judged => ({
  broke,
  passed: 0,
  open: [],
  failed: [],
  breaches: [],
  requests: 0,
  drawn: 0,
  durationMs: 0,
})

/** Checks that neither passed nor warned. */
export const openOf = ({ open }: Judged): OpenCheck[] =>
  open.filter(({ outcome }) => outcome !== 'warned' && outcome !== 'waived')

export const isGatingCheck = ({ requirement }: OpenCheck): boolean =>
  isGating(requirementOf(requirement as RequirementId).level)

/** Whether the check may be open for the reason that it gives. */
export const explains = ({ requirements, because }: Opening, { requirement, why }: OpenCheck): boolean =>
  picomatch.isMatch(requirement, [...requirements]) && because.test(why)

/** A line for each reason, with the first check that gives it. Failures come first. */
export function linesOf(checks: readonly OpenCheck[]): string[] {
  const sorted = checks.toSorted((one, other) => one.outcome.localeCompare(other.outcome))
  const reasons = new Map<string, OpenCheck[]>()
  for (const check of sorted) {
    const reason = JSON.stringify([check.outcome, check.why])
    reasons.set(reason, [...(reasons.get(reason) ?? []), check])
  }
  return [...reasons.values()].map((same) => {
    const { id, outcome, why } = same[0] as OpenCheck
    const more = same.length > 1 ? ` (and ${same.length - 1} more)` : ''
    return `${outcome}: ${id}${more}: ${why === '' ? 'without a reason' : why}`
  })
}
