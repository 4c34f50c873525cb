/** The result of a check, the only thing that leaves the suites, and results of requirements that an exchange breaks. Redacted. */

import type { Breach } from '../clauses/clause.ts'
import type { Exchange } from '../clauses/exchange.ts'
import { inKnownWords } from '../clauses/known-shapes.ts'
import type { Evidence } from '../deployment/http/exchange.ts'
import type { Redactor } from '../deployment/redaction/redaction.ts'
import type { Observation, ReportedCheck, RoleObservation } from '../schemas/types/results.ts'
import { withoutUndefined } from '../schemas/values.ts'
import type { KnownShape } from '../specs/profile.ts'
import { type RequirementId, requirementOf } from '../specs/requirements.ts'

export type { Failure, Observation, RoleObservation } from '../schemas/types/results.ts'
export type { CheckId } from '../specs/requirements.ts'

/** How often a finding showed, and in how many tries. */
export interface Sightings {
  readonly times: number
  readonly tries: number
}

export interface CheckResult extends Omit<ReportedCheck, 'waiver'> {
  readonly requirement: RequirementId
  readonly observations?: readonly Observation[]
  readonly roles?: readonly RoleObservation[]
}

/** The breach and its exchange. */
interface Seen {
  readonly breach: Breach
  readonly exchange: Exchange
  /** Where it was seen, in words. */
  readonly counterexample: string
  /** Set if the whole expectation was that the request is accepted. */
  readonly wanted?: 'accepted'
}

/** How the breach is reported. */
interface Reporting {
  readonly redactor: Redactor
  /** The shapes of the profile in use. */
  readonly shapes: readonly KnownShape[] | undefined
  /** The command line that shows it again. */
  readonly repeat: string
  /** The seed of the run. Absent for recorded traffic. */
  readonly seed?: number
  /** The exchange as evidence. Undefined if there is nothing to show. */
  readonly shown: (exchange: Exchange) => Evidence | undefined
}

/** The result: failed, or warned for advice. */
export function breachResult(
  named: Pick<CheckResult, 'id' | 'requirement' | 'operation' | 'title' | 'seenOn'>,
  { breach, exchange, counterexample, wanted }: Seen,
  { redactor: { text }, shapes, repeat, seed, shown }: Reporting,
): CheckResult {
  const { requirement } = named
  const { answer, operation } = exchange
  const known = inKnownWords(breach, { requirement, answer, operation, shapes })
  const warned = requirementOf(requirement).level === 'advice'
  const message = text(known.message)
  return withoutUndefined({
    ...named,
    outcome: warned ? 'warned' : 'failed',
    reason: warned ? message : undefined,
    durationMs: 0,
    requests: 0,
    failure: withoutUndefined({
      message,
      expected: [text(breach.expected)],
      actual: text(known.actual),
      wanted,
      counterexample: text(counterexample),
      seed,
      marks: breach.marks,
      repeat: text(repeat),
    }),
    evidence: [...(breach.before ?? []), exchange].flatMap((each) => shown(each) ?? []),
  })
}
