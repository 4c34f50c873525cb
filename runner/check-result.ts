/** What a check says when it is over: the only thing that leaves the suites. Redacted, ready to be written. */
import type { Marks } from '../clauses/clause.ts'
import type { Part } from '../clauses/exchange.ts'
import type { Evidence } from '../deployment/http/exchange.ts'
import type { OpenPointId } from '../specs/open-points.ts'
import type { OperationId } from '../specs/operations.ts'
import type { Outcome } from '../specs/outcomes.ts'
import type { RequirementId, Subject } from '../specs/requirements.ts'

/** In how many tries something showed. */
export interface Sightings {
  readonly times: number
  readonly tries: number
}

/** A requirement id, with `:variant` where several checks prove one requirement. */
export type CheckId = RequirementId | `${RequirementId}:${string}`

/** Why a check failed (or warned): what was acceptable, what came, and how to see it again. */
export interface Failure {
  readonly message: string
  /** All acceptable outcomes. */
  readonly expected: readonly string[]
  readonly actual: string
  /** How the target had to answer the last request; absent where something else about it is wrong, such as a field. */
  readonly wanted?: 'accepted' | 'refused'
  /** The smallest request or sequence of steps found that shows it, in words. */
  readonly counterexample?: string
  readonly seed?: number
  /** Where in the generated cases the counterexample stands. */
  readonly path?: string
  /** How often it showed, in how many tries of the same. */
  readonly seen?: Sightings
  /** What is at fault in the last exchange that is shown: parameters of the request, paths of fields in the answer. */
  readonly marks?: Marks
  /** A command line that shows it again. */
  readonly replay: string
}

/** What the target does with an open point. */
export interface Observation {
  readonly id: OpenPointId
  readonly operation: Subject
  readonly question: string
  readonly observed: string
}

/** What became of the requests of an actor for an operation. */
export interface RoleObservation {
  readonly operation: OperationId
  readonly actor: Part
  /** `allowed`: a request was accepted; `refused`: none was, or not one that must be. */
  readonly observed: 'allowed' | 'refused'
  /** Set where the contract wants the other. */
  readonly wrong?: true
}

export interface CheckResult {
  readonly id: CheckId
  readonly requirement: RequirementId
  /** The operation that it judges; what the requirement speaks of where it judges several. */
  readonly operation: Subject
  readonly title: string
  /** What it was seen on, where it is no check of its own: on answers to all checks, or on valid requests that they rest on. */
  readonly seenOn?: 'answers' | 'controls'
  readonly outcome: Outcome
  /** Always there unless the outcome is passed or failed. */
  readonly reason?: string
  /** What the configuration lacks for it, such as `actors.hostMember`, where the check was not tested for that. */
  readonly add?: readonly string[]
  readonly durationMs: number
  readonly requests: number
  readonly failure?: Failure
  readonly evidence?: readonly Evidence[]
  readonly observations?: readonly Observation[]
  readonly roles?: readonly RoleObservation[]
}
