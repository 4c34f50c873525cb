/**
 * The result of a check, the only thing that leaves the suites, and results of requirements that an exchange breaks.
 * Redacted.
 */
import type { Breach } from '../clauses/clause.ts'
import type { Exchange } from '../clauses/exchange.ts'
import { inKnownWords } from '../clauses/reported-answers.ts'
import type { Evidence } from '../deployment/http/exchange.ts'
import type { Redactor } from '../deployment/redaction/redaction.ts'
import type { Failure, Observation, ReportedCheck, RoleObservation } from '../schemas/types/results.ts'
import { withoutUndefined } from '../schemas/values.ts'
import type { Outcome } from '../specs/outcomes.ts'
import type { KnownShape } from '../specs/profile.ts'
import { type RequirementId, requirementOf } from '../specs/requirements.ts'

export type { Failure, Observation, RoleObservation } from '../schemas/types/results.ts'
export type { CheckId } from '../specs/requirements.ts'

/** How often a finding showed, and in how many tries. */
export type Sightings = NonNullable<Failure['seen']>

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

/** A finding in the words of results: known shapes are named, and secrets are hidden. `place`: what it rests on. */
export function failureOf(
  found: Omit<Failure, 'seed' | 'repeat'>,
  place: Parameters<typeof inKnownWords>[1],
  { redactor: { text }, repeat, seed }: Pick<Reporting, 'redactor' | 'repeat' | 'seed'>,
): Failure {
  const { message, actual, expected, wanted, counterexample, path, seen, marks } = inKnownWords(found, place)
  return withoutUndefined({
    message: text(message),
    expected: expected.map(text),
    actual: text(actual),
    wanted,
    counterexample: counterexample === undefined ? undefined : text(counterexample),
    seed,
    path,
    seen,
    marks:
      marks && withoutUndefined({ request: marks.request?.map(text), response: marks.response?.map(text) }),
    repeat: text(repeat),
  })
}

/** The result: failed, or warned for advice. */
export function breachResult(
  named: Pick<CheckResult, 'id' | 'requirement' | 'operation' | 'title' | 'seenOn'>,
  { breach, exchange, counterexample, wanted }: Seen,
  { shapes, shown, ...reporting }: Reporting,
): CheckResult {
  const { requirement } = named
  const { answer, operation } = exchange
  const { message, expected, actual, marks, before = [] } = breach
  const failure = failureOf(
    withoutUndefined({ message, expected: [expected], actual, wanted, counterexample, marks }),
    { requirement, answer, operation, shapes },
    reporting,
  )
  const warned = requirementOf(requirement).level === 'advice'
  return withoutUndefined({
    ...named,
    outcome: warned ? 'warned' : 'failed',
    reason: warned ? failure.message : undefined,
    durationMs: 0,
    requests: 0,
    failure,
    evidence: [...before, exchange].flatMap((each) => shown(each) ?? []),
  })
}

const tellingOutcomes: readonly Outcome[] = ['failed', 'warned', 'waived']

/**
 * Leaves out findings of the watch that a check reports as well, and refused controls of an operation with another
 * finding, which is probably the reason.
 */
export function withoutDuplicates<
  Check extends Pick<CheckResult, 'id' | 'outcome' | 'requirement' | 'operation' | 'seenOn'>,
>(checks: readonly Check[]): Check[] {
  const telling = checks.filter(
    ({ seenOn, outcome }) => seenOn !== 'controls' && tellingOutcomes.includes(outcome),
  )
  const reported = new Set(
    telling.filter(({ seenOn }) => seenOn === undefined).map(({ requirement }) => requirement),
  )
  // A finding about sequences is the reason of no operation in particular.
  const ofOne = telling.filter(({ requirement }) => requirementOf(requirement).operation !== 'lifecycle')
  const operations = new Set(ofOne.map(({ operation }) => operation))
  return checks.filter(({ seenOn, requirement, operation }) =>
    seenOn === 'controls' ? !operations.has(operation) : seenOn === undefined || !reported.has(requirement),
  )
}
