/** What a trial of the self-test is: how a target is altered, what a run then finds, and what must come out. */
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

export interface Plan {
  readonly seed: number
  /** Cases of each generated check. */
  readonly runs: number
  /** The number of combinations of three variants. */
  readonly combinations: number
  /** Whether faults that do not interact share a run, and variants that excuse nothing are tried in combinations only. */
  readonly together: boolean
  /** Of the faults that are products of a rule and a place, try every N-th. 1: all. */
  readonly products: number
  /** The number of faults in one situation. */
  readonly situations: number
}

/** The fewest cases of a run that makes all checks: enough to see what hostile targets and scarce fixtures do to a run. */
export const fewRuns = 8

/** What is run, and what must come out. */
export interface Trial {
  /** Kind and ids. */
  readonly name: string
  /** What the target does. */
  readonly sentence: string
  /** The requirements that must fail. Absent: the target keeps the contract, or is no portal. */
  readonly breaks?: readonly RequirementId[]
  readonly alteration: Alteration
  readonly shared?: SharedRun
  /** Whether it is not tried again after an unexpected result. */
  readonly once?: true
  /** One line each. Empty: all is as it should be. */
  readonly problemsIn: (judged: Judged) => readonly string[]
}

/** A run that several trials share. */
interface SharedRun {
  /** One object for all of these trials. */
  readonly alteration: Alteration
  /** Whether the run shows what must come out of each of them. If not, only runs of their own can tell. */
  readonly shows: (judged: Judged) => boolean
}

/** What came out of a trial. */
export interface Row {
  readonly name: string
  readonly sentence: string
  readonly breaks: readonly RequirementId[]
  readonly problems: readonly string[]
  /** Whether there is a finding though the target keeps the contract. No busy machine excuses that. */
  readonly falseAlarm: boolean
  readonly durationMs: number
}

/** `isShown`: whether a shared run shows what must come out. */
export function rowOf({ name, sentence, breaks, problemsIn }: Trial, judged: Judged, isShown: boolean): Row {
  const { broke, failed, durationMs } = judged
  return {
    name,
    sentence,
    breaks: breaks ?? [],
    problems: isShown ? [] : broke === undefined ? problemsIn(judged) : [`the suite broke: ${broke}`],
    falseAlarm: breaks === undefined && failed.length > 0,
    durationMs,
  }
}

export const isClean = ({ problems }: Row): boolean => problems.length === 0

/** A part of the self-test: its trials, and how a document speaks of them. */
export interface Part {
  /** As in `--part`. */
  readonly name: string
  readonly title: string
  /** What is said of a row without problems. */
  readonly clean: string
  readonly lead: string
  /** It measures what the suite misses: it must be asked for, and the exit code does not depend on it. */
  readonly measures?: true
  /** In the order of the rows. Those that take long are last: they start first. */
  trials(plan: Plan): Trial[]
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
