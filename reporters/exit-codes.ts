/** The exit codes for scripts. */
import { isGating } from '../specs/outcomes.ts'
import type { RequirementResult, Results } from './results.ts'

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
  /** A waiver covers something that passes now, so the waivers must be updated before the verdict counts. */
  readonly staleWaivers?: boolean
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

/**
 * The exit code of a run: the first that holds of broken, interrupted, stale waivers, non-conformant, incomplete,
 * conformant. Never 0 if only advice passed, or if the run ended before everything was judged.
 */
export function exitCodeOf(
  results: Results,
  { interrupted, staleWaivers, failOn = [], ...gate }: Gate,
): ExitCode {
  if (results.errors !== undefined && results.errors.length > 0) return exitCodes.broken
  if (interrupted) return exitCodes.interrupted
  if (staleWaivers === true) return exitCodes.usage
  if (results.verdict === 'non-conformant') return exitCodes.nonConformant
  if (failOn.includes('advice') && results.totals.warned > 0) return exitCodes.nonConformant
  const ofProfile = ({ level, outcome }: RequirementResult) =>
    level === 'must (profile)' && outcome === 'failed'
  if (failOn.includes('profile') && results.requirements.some(ofProfile)) return exitCodes.nonConformant
  const cutShort = results.complete !== true || results.run.stopped !== undefined
  if (cutShort) return exitCodes.incomplete
  const gating = results.requirements.filter(({ level }) => isGating(level))
  if (!gating.some(({ outcome }) => outcome === 'passed')) return exitCodes.incomplete
  return gating.every(isForgivenBy(gate)) ? exitCodes.conformant : exitCodes.incomplete
}

/** Whether a requirement that did not fail allows exit code 0. */
function isForgivenBy({ allowIncomplete = false, allowInconclusive = false }: Partial<Gate>) {
  // A requirement has the worst outcome of its checks, so an inconclusive one may hide an untested check.
  return ({ outcome, checks }: RequirementResult): boolean =>
    [outcome, ...checks.map((check) => check.outcome)].every(
      (each) => (each !== 'inconclusive' || allowInconclusive) && (each !== 'not-tested' || allowIncomplete),
    )
}
