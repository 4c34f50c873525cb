/** How a target is altered, what a run then finds, and how open checks are read. */
import picomatch from 'picomatch'
import type { Opening } from '../reference/variants/variant.ts'
import { remembered } from '../runner/remembered.ts'
import { isGating } from '../specs/outcomes.ts'
import { type RequirementId, requirementOf } from '../specs/requirements.ts'
import type { Sometimes } from './sometimes.ts'

/** The logins besides the host's, and whether users may be created. */
export interface Logins {
  readonly guest: boolean
  readonly otherGuest?: true
  readonly users: 'create' | 'none'
}

export const twoLogins: Logins = { guest: true, users: 'create' }
export const everyLogin: Logins = { ...twoLogins, otherGuest: true }

/** How the target is altered, and how thoroughly it is judged. */
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
  /** Gives the run nothing but these logins, so that it makes its fixtures. */
  readonly logins?: Logins
  /** The id of a hostile target, which takes the place of the portal. */
  readonly hostile?: string
  readonly seed: number
  readonly runs: number
  /** The name or path of a profile. Default: none. */
  readonly profile?: string
  /** Globs of requirement ids. Default: all. */
  readonly requirements?: readonly string[]
}

/** A check that did not pass, without its evidence. */
export interface OpenCheck {
  readonly id: string
  readonly requirement: RequirementId
  readonly outcome: string
  /** The failure message, or the reason. */
  readonly why: string
}

/** What a run found. */
export interface Judged {
  /** What broke the suite. Nothing else is known then. */
  readonly broke?: string
  readonly open: readonly OpenCheck[]
  /** Failed must and implied requirements, in the order of the contract. */
  readonly failed: readonly RequirementId[]
  /** What was wrong besides: in the recorded traffic, with the command on a hostile target, or with what a run left. */
  readonly wrongs: readonly string[]
  readonly durationMs: number
}

/** The judgement where the suite broke. */
export const brokenBy = (broke: string): Judged => ({
  broke,
  open: [],
  failed: [],
  wrongs: [],
  durationMs: 0,
})

/** Checks that neither passed nor warned. */
export const openOf = ({ open }: Judged): OpenCheck[] =>
  open.filter(({ outcome }) => outcome !== 'warned' && outcome !== 'waived')

/** Failed requirements, and advice that was not kept. */
export const notKept = ({ failed, open }: Judged): RequirementId[] => [
  ...failed,
  ...open.filter(({ outcome }) => outcome === 'warned').map(({ requirement }) => requirement),
]

export const isGatingCheck = ({ requirement }: OpenCheck): boolean =>
  isGating(requirementOf(requirement).level)

/** Whether the check may be open for the reason that it gives. */
export const explains = ({ requirements, because }: Opening, { requirement, why }: OpenCheck): boolean =>
  picomatch.isMatch(requirement, [...requirements]) && because.test(why)

/** A line for each reason, with the first check that gives it. Failures come first. */
export function linesOf(checks: readonly OpenCheck[]): string[] {
  const sorted = checks.toSorted((one, other) => one.outcome.localeCompare(other.outcome))
  const reasons = new Map<string, OpenCheck[]>()
  for (const check of sorted)
    remembered(reasons, JSON.stringify([check.outcome, check.why]), () => []).push(check)
  return [...reasons.values()].map(([first, ...more]) => {
    const { id, outcome, why } = first as OpenCheck
    const others = more.length === 0 ? '' : ` (and ${more.length} more)`
    return `${outcome}: ${id}${others}: ${why === '' ? 'without a reason' : why}`
  })
}
