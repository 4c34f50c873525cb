/** The exit codes for scripts. */
import { isGating } from '../specs/outcomes.ts'
import type { RequirementResult, Results } from './results.ts'
import { countOf } from './wording.ts'

export const exitCodes = {
  conformant: 0,
  nonConformant: 1,
  usage: 2,
  incomplete: 3,
  broken: 4,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export const failOnLevels = ['advice', 'profile'] as const

export type FailOn = (typeof failOnLevels)[number]

export interface Gate {
  readonly interrupted: boolean
  /** A line for each waiver of something that passes now: the waivers must be updated before the verdict counts. */
  readonly staleWaivers?: readonly string[]
  /** Whether untested requirements are allowed, but not inconclusive ones. */
  readonly allowIncomplete?: boolean
  /** Whether inconclusive requirements are allowed, but not untested ones. */
  readonly allowInconclusive?: boolean
  /** What else counts as a failure: failed rules of the profile, or advice that was not kept. */
  readonly failOn?: readonly FailOn[]
}

/** Whether stored results are of an interrupted run. Runs that ended at a limit say so. */
export const wasInterrupted = ({ complete, run }: Results): boolean =>
  complete !== true && run.stopped === undefined

/** How a run ends. */
export interface Ending {
  readonly code: ExitCode
  /** Why, if the verdict does not say it. */
  readonly why?: string
}

/**
 * The exit code of a run: the first that holds of broken, interrupted, stale waivers, non-conformant, incomplete,
 * conformant. Never 0 if only advice passed, or if the run ended before everything was judged.
 */
export function endingOf(
  results: Results,
  { interrupted, staleWaivers = [], failOn = [], ...gate }: Gate,
): Ending {
  const { errors = [], requirements, run } = results
  if (errors.length > 0) return { code: exitCodes.broken, why: 'the run itself broke' }
  if (interrupted) return { code: exitCodes.interrupted, why: 'the run was interrupted' }
  if (staleWaivers.length > 0) return { code: exitCodes.usage, why: staleWaivers.join('; ') }
  if (results.verdict === 'non-conformant') return { code: exitCodes.nonConformant }
  const unkept = failOn.flatMap((level) => unkeptWords(level, requirements))
  if (unkept.length > 0) return { code: exitCodes.nonConformant, why: unkept.join(', ') }
  const cutShort = results.complete !== true || run.stopped !== undefined
  const gating = requirements.filter(({ level }) => isGating(level))
  const isNothing = !gating.some(({ outcome }) => outcome === 'passed')
  const isOpen = cutShort || isNothing || !gating.every(isForgivenBy(gate))
  return { code: isOpen ? exitCodes.incomplete : exitCodes.conformant }
}

export const exitCodeOf = (results: Results, gate: Gate): ExitCode => endingOf(results, gate).code

/** `1 advice not kept (--fail-on advice)`; none if everything of that level was kept. */
function unkeptWords(failOn: FailOn, requirements: readonly RequirementResult[]): string[] {
  const unkept = requirements.filter(({ level, outcome }) =>
    failOn === 'advice' ? outcome === 'warned' : level === 'must (profile)' && outcome === 'failed',
  )
  const rules = countOf(unkept.length, 'rule of the profile', 'rules of the profile')
  const count = failOn === 'advice' ? `${unkept.length} advice` : rules
  return unkept.length === 0 ? [] : [`${count} not kept (--fail-on ${failOn})`]
}

/** Whether a requirement that did not fail allows exit code 0. */
function isForgivenBy({ allowIncomplete = false, allowInconclusive = false }: Partial<Gate>) {
  // A requirement has the worst outcome of its checks, so an inconclusive one may hide an untested check.
  return ({ outcome, checks }: RequirementResult): boolean =>
    [outcome, ...checks.map((check) => check.outcome)].every(
      (each) => (each !== 'inconclusive' || allowInconclusive) && (each !== 'not-tested' || allowIncomplete),
    )
}
