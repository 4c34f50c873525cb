/** What a report says of judged traffic: check results for the requirements, and findings about clients. Redacted. Pure. */

import {
  type ContractRequirementId,
  concerns,
  contractRequirements,
  judges,
} from '../../clauses/catalogue.ts'
import type { ClientLevel } from '../../clauses/client-issues.ts'
import type { Exchange } from '../../clauses/exchange.ts'
import type { Evidence } from '../../deployment/http/exchange.ts'
import { evidenceOf } from '../../deployment/redaction/evidence.ts'
import type { Redactor } from '../../deployment/redaction/redaction.ts'
import { withoutUndefined } from '../../schemas/without-undefined.ts'
import type { OperationId } from '../../specs/operations.ts'
import { requirementOf } from '../../specs/requirements.ts'
import type { CheckId, CheckResult, Failure } from '../check-result.ts'
import type { ClientSight, JudgedTraffic, Shown } from './judge-traffic.ts'

/** A finding, or a note, about requests that clients sent. */
export interface ClientFinding {
  /** What is wrong, such as client/required-parameter. */
  readonly id: string
  readonly level: ClientLevel
  readonly operation: OperationId
  readonly message: string
  readonly expected: string
  readonly actual: string
  /** In how many exchanges. */
  readonly count: number
  /** Files, and numbers of entries in them. */
  readonly places: readonly string[]
  readonly evidence: Evidence
}

/** How a report is written. */
export interface Writing {
  readonly redactor: Redactor
  /** The command line that judges the same recordings again. */
  readonly replay: string
}

/** The requirement speaks of what a recording does not hold: who a caller is, what exists, what happens elsewhere. */
const unshowable = 'recorded traffic cannot show it'

/** Places that are named; of more it is said how many. */
const mostPlaces = 5

/** A result for each requirement; several where it speaks of all operations and exchanges of several show it. */
export function checkResults({ shown, exchanges }: JudgedTraffic, writing: Writing): CheckResult[] {
  const seen = new Set(exchanges.map(({ operation }) => operation))
  return contractRequirements.flatMap((requirement): CheckResult[] => {
    const several = shown.filter((each) => each.requirement === requirement)
    if (several.length > 0) return several.map((each) => checkResult(each, writing))
    return [{ ...described(requirement), outcome: 'not-tested', reason: reasonFor(requirement, seen) }]
  })
}

function reasonFor(requirement: ContractRequirementId, seen: ReadonlySet<OperationId>): string {
  const judge = judges[requirement]
  if (judge === undefined || judge.runsOnly) return unshowable
  return [...seen].some((operation) => concerns(requirement, operation))
    ? 'none of the recorded exchanges shows it'
    : 'no exchange of this operation was recorded'
}

function checkResult({ requirement, operation, breach }: Shown, writing: Writing): CheckResult {
  const named = described(requirement, operation)
  if (breach === undefined) return { ...named, outcome: 'passed' }
  const failure = failureOf(breach, writing)
  const evidence = [...(breach.breach.before ?? []), breach.exchange].map((exchange) =>
    shownExchange(exchange, writing),
  )
  const outcome = requirementOf(requirement).level === 'advice' ? 'warned' : 'failed'
  const reason = outcome === 'warned' ? { reason: failure.message } : {}
  return { ...named, outcome, ...reason, failure, evidence }
}

function described(requirement: ContractRequirementId, operation?: OperationId) {
  const id = (operation === undefined ? requirement : `${requirement}:${operation}`) as CheckId
  return { id, requirement, title: requirementOf(requirement).text, durationMs: 0, requests: 0 }
}

function failureOf({ breach, places }: NonNullable<Shown['breach']>, { redactor, replay }: Writing): Failure {
  const text = (value: string): string => redactor.text(value)
  return withoutUndefined({
    message: text(breach.message),
    expected: [text(breach.expected)],
    actual: text(breach.actual),
    counterexample: text(placed(places)),
    marks: breach.marks,
    replay: text(replay),
  })
}

/** Where it stands, in words. */
function placed(places: readonly string[]): string {
  const left = places.length - mostPlaces
  const named = places.slice(0, mostPlaces).join('; ')
  return left > 0 ? `${named}; and ${left} more exchanges` : named
}

/** The findings about clients, those that break the contract first. */
export function clientFindings({ client }: JudgedTraffic, writing: Writing): ClientFinding[] {
  const text = (value: string): string => writing.redactor.text(value)
  return client.map(
    ({ issue, exchange, places }: ClientSight): ClientFinding => ({
      id: issue.id,
      level: issue.level,
      operation: exchange.operation,
      message: text(issue.message),
      expected: text(issue.expected),
      actual: text(issue.actual),
      count: places.length,
      places: places.slice(0, mostPlaces).map(text),
      evidence: shownExchange(exchange, writing),
    }),
  )
}

/** The exchange as evidence; where no answer was recorded, the request with the reason. */
function shownExchange({ recorded }: Exchange, { redactor }: Writing): Evidence {
  const { answer, request, lacks = 'no answer was recorded' } = recorded
  if (answer !== undefined) return evidenceOf(answer, redactor)
  const nothing = { request, status: 0, headers: {}, body: Buffer.alloc(0), sentAt: 0, answeredAt: 0 }
  const { response: _, ...asked } = evidenceOf(nothing, redactor)
  return { ...asked, error: lacks }
}

/** Everything that the reports will show, as it was recorded. */
export function shownText({ shown, client }: JudgedTraffic): string {
  const exchanges = [
    ...shown.flatMap(({ breach }) =>
      breach === undefined ? [] : [...(breach.breach.before ?? []), breach.exchange],
    ),
    ...client.map(({ exchange }) => exchange),
  ]
  return exchanges
    .map(({ recorded: { request, answer } }) =>
      [
        request.url,
        JSON.stringify(request.headers),
        request.body,
        JSON.stringify(answer?.headers),
        answer?.body.toString('latin1'),
      ].join('\n'),
    )
    .join('\n')
}
