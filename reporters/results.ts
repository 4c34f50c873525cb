/** The results of a run, as they stand in results.json. */
import type { SituationId } from '../clauses/situations.ts'
import type { CheckResult, Observation, RoleObservation } from '../runner/check-result.ts'
import type { ExchangeSummary } from '../runner/exchange-summary.ts'
import type { TrafficSummary } from '../runner/traffic/traffic-report.ts'
import type { Clause } from '../specs/operation.ts'
import type { Outcome, Verdict } from '../specs/outcomes.ts'
import type { RequirementId, Subject } from '../specs/requirements.ts'

export interface RequirementResult extends Pick<Clause, 'level' | 'kind' | 'section' | 'text'> {
  readonly id: RequirementId
  readonly operation: Subject
  readonly outcome: Outcome
  readonly reason?: string
  /** Answers of the whole run that showed it, one way or the other; absent where none could. */
  readonly looks?: {
    readonly exchanges: number
    readonly kept: number
    /** How many of them came in which situation, by its id; absent in results of earlier versions. */
    readonly situations?: Readonly<Partial<Record<SituationId, number>>>
  }
  readonly checks: readonly ReportedCheck[]
}

/** Why a failure does not count, and until when. */
export interface Waiver {
  readonly reason: string
  readonly owner: string
  readonly link?: string
  /** Last day on which it holds: ISO 8601. */
  readonly expires: string
}

export interface ReportedCheck extends Omit<CheckResult, 'requirement' | 'observations' | 'roles'> {
  /** There where the outcome is waived. */
  readonly waiver?: Waiver
}

/** A check as it counts: its own outcome, or waived. */
export type JudgedCheck = CheckResult & Pick<ReportedCheck, 'waiver'>

export interface Results {
  readonly format: 'portal-conformance/results'
  readonly formatVersion: 1
  readonly suite: { readonly version: string }
  readonly run: {
    readonly id: string
    /** ISO 8601, UTC. */
    readonly startedAt: string
    readonly durationMs: number
    readonly seed: number
    readonly runs: number
    /** Of the checks; not logins, tries before the run, repetitions for a target that throttles, or cleaning up. */
    readonly requests: number
    /** Options that name the target and how it was judged, for `run --failed`; no secrets. */
    readonly options?: Readonly<Record<string, unknown>>
    /** What the run was limited to; absent where it was not. */
    readonly selection?: { readonly operations: readonly string[]; readonly requirements: readonly string[] }
    /** Where the run went on round after round with new seeds: how many, and the requests of all. Each check is there once. */
    readonly rounds?: { readonly count: number; readonly requests: number; readonly lastSeed: number }
    /** Why nothing more was sent from some time on: the target had gone, or time was over. Absent where that did not happen. */
    readonly stopped?: string
    /** What of the requests the target put off; absent where it put off none. */
    readonly putOff?: {
      /** Answers with 429. */
      readonly throttled: number
      /** Answers with 502, 503 or 504, and connections that were refused in the meantime. */
      readonly unavailable: number
      /** Refusals that say that the target is busy (409 or 423 as the code of the error); absent where there were none. */
      readonly busy?: number
      /** The pace that it was found to keep up with, in requests per second; absent where it was not asked too fast. */
      readonly perSecond?: number
    }
    /** What was recorded, where recorded traffic was judged and nothing was sent. */
    readonly traffic?: TrafficSummary
  }
  readonly target: {
    readonly baseUrl: string
    readonly version?: string
    readonly edition?: string
    readonly profile: string
    /** Certificates of the target were not checked: who answered is not known for sure. */
    readonly insecure?: true
  }
  readonly verdict: Verdict
  /** Requirements by outcome. */
  readonly totals: Readonly<Record<Outcome, number>>
  readonly requirements: readonly RequirementResult[]
  readonly observations: readonly Observation[]
  /** Which actors the deployment let perform which operations, as far as checks looked. */
  readonly roles?: readonly RoleObservation[]
  /** What the run sent and how it was answered, in counts. Absent for several rounds. */
  readonly exchanges?: ExchangeSummary
  /** Errors of the suite itself or of the run: with any of these the exit code is 4. */
  readonly errors?: readonly string[]
  /** The last field. Absent: the run was cut short. */
  readonly complete?: true
}

/** A run does not last longer: what is told to lie beyond was not measured by a clock. One year, in milliseconds. */
const longest = 365 * 24 * 3600 * 1000

/** When the run began, in milliseconds since 1970. */
export function startOf({ startedAt }: Pick<Results['run'], 'startedAt'>): number {
  // JSON Schema allows leap seconds, of which Date knows nothing.
  return Date.parse(startedAt.replace(/:60(?=[.Zz+-])/, ':59'))
}

/** The moment so many milliseconds after the beginning of the run, as ISO 8601; the beginning where it is not known. */
export function momentOf(run: Results['run'], atMs: number | undefined): string {
  const after = atMs !== undefined && atMs >= 0 && atMs <= longest ? atMs : 0
  return new Date(startOf(run) + after).toISOString()
}
