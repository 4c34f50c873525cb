/** What reports say about judged traffic: check results, what was recorded, and mistakes of clients. Redacted. Pure. */
import {
  type ContractRequirementId,
  concerns,
  contractRequirements,
  judges,
} from '../../clauses/catalogue.ts'
import type { Exchange } from '../../clauses/exchange.ts'
import { classifiedExchange } from '../../clauses/reported-answers.ts'
import type { ProfileInUse } from '../../deployment/configuration/configuration.ts'
import { evidenceOf } from '../../deployment/evidence.ts'
import { Answer, type Evidence } from '../../deployment/http/exchange.ts'
import type { Redactor } from '../../deployment/redaction/redaction.ts'
import type { ClientFinding, TrafficSummary } from '../../schemas/types/results.ts'
import type { OperationId } from '../../specs/operations.ts'
import { judgedBy, requirementOf } from '../../specs/requirements.ts'
import { breachResult, type CheckId, type CheckResult } from '../check-result.ts'
import type { JudgedTraffic, Shown } from './judge-traffic.ts'

/** How a report is written. */
export interface Writing {
  readonly redactor: Redactor
  /** The command line that judges the same recordings again. */
  readonly repeat: string
  /** Absent: none. */
  readonly profile?: ProfileInUse | undefined
}

/** For requirements about what a recording does not show: who a caller is, what exists, what happens elsewhere. */
const unshowable = 'recorded traffic cannot show it'

/** More places than this are only counted. */
const mostPlaces = 5

/** One result for each requirement, or several if it is about all operations. */
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

function checkResult({ requirement, operation, breach: seen }: Shown, writing: Writing): CheckResult {
  const named = described(requirement, operation)
  if (seen === undefined) return { ...named, outcome: 'passed' }
  return breachResult(
    named,
    { ...seen, counterexample: placed(seen.places) },
    {
      redactor: writing.redactor,
      shapes: writing.profile?.shapes,
      repeat: writing.repeat,
      shown: (exchange) => shownExchange(exchange, writing),
    },
  )
}

function described(requirement: ContractRequirementId, operation?: OperationId) {
  const id = (operation === undefined ? requirement : `${requirement}:${operation}`) as CheckId
  const { text } = requirementOf(requirement)
  const judged = judgedBy(requirement, operation)
  return { id, requirement, operation: judged, title: text, durationMs: 0, requests: 0 }
}

/** The places in words. */
function placed(places: readonly string[]): string {
  const left = places.length - mostPlaces
  const named = places.slice(0, mostPlaces).join('; ')
  return left > 0 ? `${named}; and ${left} more exchanges` : named
}

/** Findings about clients, breaches of the contract first. */
function clientFindings({ client }: JudgedTraffic, writing: Writing): ClientFinding[] {
  const text = (value: string): string => writing.redactor.text(value)
  return client.map(
    ({ issue, exchange, places }): ClientFinding => ({
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

/** Counts from reading the recordings. */
export interface Counted {
  readonly recordings: number
  readonly entries: number
  /** Ignored entries by reason. */
  readonly ignored: ReadonlyMap<string, number>
  /** The number of exchanges of the operations, with duplicates. */
  readonly found: number
}

const twice = 'an exchange that was recorded twice'

export function trafficSummary(judged: JudgedTraffic, counted: Counted, writing: Writing): TrafficSummary {
  const { exchanges, unjudged } = judged
  const doubled = counted.found - exchanges.length
  const leftOut = [...counted.ignored, ...(doubled === 0 ? [] : [[twice, doubled] as const]), ...unjudged]
  const bases = tally(exchanges.map(({ baseUrl }) => baseUrl)).sort(([, one], [, other]) => other - one)
  return {
    recordings: counted.recordings,
    entries: counted.entries,
    exchanges: exchanges.length,
    operations: Object.fromEntries(tally(exchanges.map(({ operation }) => operation))),
    baseUrls: bases.map(([url, count]) => ({ url: writing.redactor.text(url), exchanges: count })),
    leftOut: leftOut.map(([reason, count]) => ({ reason: writing.redactor.text(reason), count })),
    client: clientFindings(judged, writing),
  }
}

function tally(names: readonly string[]): [name: string, count: number][] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
}

/** The exchange as evidence. Without a recorded answer, the request and the reason. */
function shownExchange(exchange: Exchange, { redactor }: Writing): Evidence {
  const { answer, request, lacks = 'no answer was recorded' } = exchange.recorded
  const classified = classifiedExchange(exchange)
  if (answer !== undefined) return evidenceOf(answer, classified, redactor)
  const body = Buffer.alloc(0)
  const nothing = new Answer({ request, status: 0, headers: {}, body, sentAt: 0, answeredAt: 0 })
  const { response: _, ...asked } = evidenceOf(nothing, classified, redactor)
  return { ...asked, error: lacks }
}
