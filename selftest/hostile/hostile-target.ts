/** What a hostile or broken target is, and what must come of a run against it. */

import type { ExitCode } from '../../reporters/exit-codes.ts'
import type { RequirementId } from '../../specs/requirements.ts'

/** A configuration in the format of the file. */
export type ConfigurationFile = Readonly<Record<string, unknown>>

export interface RunningTarget {
  readonly configuration: ConfigurationFile
  /** What may stand in no byte of any output. */
  readonly secrets: readonly string[]
  /** What happened that must not, one line each; asked once the run is over. */
  wrongs?(): readonly string[]
  close(): Promise<void>
}

export interface Expectation {
  readonly exitCode: ExitCode
  /** What the outcome says, in one line: the reason of what is inconclusive or the message on stderr. */
  readonly says: RegExp
  /** Gating requirements that fail because the contract is truly broken by what comes, and no others. */
  readonly fails?: readonly RequirementId[]
  /** Further ones that fail or not, by the luck of the requests; `any`: what comes has no rule. */
  readonly mayFail?: readonly RequirementId[] | 'any'
  /** Gating requirements that what comes truly keeps; none by default. */
  readonly mayPass?: readonly RequirementId[] | 'any'
  /** The time-outs that a run meets one after the other, in milliseconds. */
  readonly timeoutsMs: number
}

export interface HostileTarget {
  /** In kebab-case. */
  readonly id: string
  /** What the target does. */
  readonly sentence: string
  readonly expect: Expectation
  start(): Promise<RunningTarget>
}
