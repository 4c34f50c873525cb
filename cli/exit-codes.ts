/** The exit codes that others script against. */

import type { RequirementResult, Results } from '../reporters/results.ts'
import { isGating } from '../specs/outcomes.ts'

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
  readonly allowIncomplete: boolean
  /** What counts as a failed requirement besides: a rule of the profile that failed, or advice that was not kept. */
  readonly failOn: readonly FailOn[]
}

/**
 * The exit code of a run: the first that holds of broken, interrupted, stale waivers, non-conformant, incomplete,
 * conformant. A run that passed nothing but advice proves nothing: it is never 0.
 */
export function exitCodeOf(
  results: Results,
  { interrupted, staleWaivers, allowIncomplete, failOn }: Gate,
): ExitCode {
  if (results.errors !== undefined && results.errors.length > 0) return exitCodes.broken
  if (interrupted) return exitCodes.interrupted
  if (staleWaivers === true) return exitCodes.usage
  if (results.verdict === 'non-conformant') return exitCodes.nonConformant
  if (failOn.includes('advice') && results.totals.warned > 0) return exitCodes.nonConformant
  const ofProfile = ({ level, outcome }: RequirementResult) =>
    level === 'must (profile)' && outcome === 'failed'
  if (failOn.includes('profile') && results.requirements.some(ofProfile)) return exitCodes.nonConformant
  const proved = results.requirements.some(({ level, outcome }) => isGating(level) && outcome === 'passed')
  if (!proved) return exitCodes.incomplete
  return results.verdict === 'conformant' || allowIncomplete ? exitCodes.conformant : exitCodes.incomplete
}
