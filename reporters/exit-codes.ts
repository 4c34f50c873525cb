/** The exit codes that others script against. */

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
  /** A waiver covers what passes now: what gates must be mended before its verdict counts. */
  readonly staleWaivers?: boolean
  /** Whether what was not tested is forgiven; what is inconclusive is not. */
  readonly allowIncomplete?: boolean
  /** Whether what is inconclusive is forgiven; what was not tested is not. */
  readonly allowInconclusive?: boolean
  /** What counts as a failed requirement besides: a rule of the profile that failed, or advice that was not kept. */
  readonly failOn?: readonly FailOn[]
}

/** Whether a run that others made was interrupted: what ended by a limit of its own says so. */
export const wasInterrupted = ({ complete, run }: Results): boolean =>
  complete !== true && run.stopped === undefined

/**
 * The exit code of a run: the first that holds of broken, interrupted, stale waivers, non-conformant, incomplete,
 * conformant. A run that passed nothing but advice proves nothing, and neither does one that ended before all was
 * judged: they are never 0.
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

/** Whether nothing of a requirement that did not fail keeps the run from being 0. */
function isForgivenBy({ allowIncomplete = false, allowInconclusive = false }: Partial<Gate>) {
  // A requirement shows the worst of its checks: beside one that is inconclusive another may not have been tested.
  return ({ outcome, checks }: RequirementResult): boolean =>
    [outcome, ...checks.map((check) => check.outcome)].every(
      (each) => (each !== 'inconclusive' || allowInconclusive) && (each !== 'not-tested' || allowIncomplete),
    )
}
