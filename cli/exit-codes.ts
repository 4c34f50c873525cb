/** The exit codes that others script against. */
import type { Results } from '../reporters/results.ts'

export const exitCodes = {
  conformant: 0,
  nonConformant: 1,
  usage: 2,
  incomplete: 3,
  broken: 4,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export interface Gate {
  readonly interrupted: boolean
  readonly allowIncomplete: boolean
  /** A warned requirement counts as a failed one. */
  readonly failOnAdvice: boolean
}

/** The exit code of a run. One that passed nothing but advice proves nothing: it is never 0. */
export function exitCodeOf(results: Results, { interrupted, allowIncomplete, failOnAdvice }: Gate): ExitCode {
  if (results.errors !== undefined && results.errors.length > 0) return exitCodes.broken
  if (interrupted) return exitCodes.interrupted
  if (results.verdict === 'non-conformant') return exitCodes.nonConformant
  if (failOnAdvice && results.totals.warned > 0) return exitCodes.nonConformant
  const proved = results.requirements.some(({ level, outcome }) => level !== 'advice' && outcome === 'passed')
  if (!proved) return exitCodes.incomplete
  return results.verdict === 'conformant' || allowIncomplete ? exitCodes.conformant : exitCodes.incomplete
}
