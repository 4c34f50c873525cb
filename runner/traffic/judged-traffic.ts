/**
 * Judges recorded exchanges (what they show of each requirement, and what clients did wrong), and says it for reports.
 * Redacted. Pure.
 */
import { createHash } from 'node:crypto'
import {
  type ContractRequirementId,
  concerns,
  contractRequirements,
  judges,
  Watch,
} from '../../clauses/catalogue.ts'
import type { Breach } from '../../clauses/clause.ts'
import { type ClientIssue, clientIssues } from '../../clauses/client-issues.ts'
import { credentialOf, type Exchange, wantsJson } from '../../clauses/exchange.ts'
import { type Facts, Knowledge, type Settings } from '../../clauses/facts.ts'
import { classifiedExchange } from '../../clauses/reported-answers.ts'
import type { ProfileInUse } from '../../deployment/configuration/configuration.ts'
import { evidenceOf } from '../../deployment/evidence.ts'
import { Answer, type Evidence } from '../../deployment/http/exchange.ts'
import type { Redactor } from '../../deployment/redaction/redaction.ts'
import type { ClientFinding, TrafficSummary } from '../../schemas/types/results.ts'
import type { OperationId } from '../../specs/operations.ts'
import { judgedBy, requirementOf } from '../../specs/requirements.ts'
import { breachResult, type CheckId, type CheckResult } from '../check-result.ts'
import { remembered } from '../remembered.ts'

/** What the exchanges of one operation show of one requirement. */
export interface Shown {
  readonly requirement: ContractRequirementId
  /** Set if the requirement is about all operations. */
  readonly operation?: OperationId
  kept: number
  /** The first breach, and the places of all. */
  breach?: { readonly breach: Breach; readonly exchange: Exchange; readonly places: string[] }
}

/** A mistake in requests of an operation: the first one, and the places of all. */
interface ClientSight {
  readonly issue: ClientIssue
  readonly exchange: Exchange
  readonly places: string[]
}

export interface JudgedTraffic {
  /** Only requirements that were kept or broken. */
  readonly shown: readonly Shown[]
  readonly client: readonly ClientSight[]
  /** How many exchanges could not be judged, by reason. */
  readonly unjudged: ReadonlyMap<string, number>
  /** Exchanges of the operations without duplicates. */
  readonly exchanges: readonly Exchange[]
}

/** Judges recorded exchanges in any order. `profile`: what is known about the deployment. */
export function judgeTraffic(given: readonly Exchange[], profile?: ProfileInUse): JudgedTraffic {
  const knowledge = { run: unsaid, ...(profile === undefined ? {} : { profile }) }
  const { jsonFormats } = new Knowledge(knowledge)
  const exchanges = inOrder(given).map((exchange) => unlessUnsettled(exchange, jsonFormats))
  const unjudged = new Map<string, number>()
  for (const { unjudged: reason } of exchanges) {
    if (reason !== undefined) unjudged.set(reason, (unjudged.get(reason) ?? 0) + 1)
  }
  return { shown: shownBy(exchanges, knowledge), client: clientSights(exchanges), unjudged, exchanges }
}

/** Assumptions about the server's clock and settle time in ms, which recordings do not name. */
const unsaid = { clockToleranceMs: 24 * 60 * 60 * 1000, settleMs: 60_000 }

/** Whether f=json asks for JSON is open. Unless a profile says so, an answer that is not JSON shows nothing. */
function unlessUnsettled(exchange: Exchange, jsonFormats: readonly string[]): Exchange {
  const { answer, body, format, recorded } = exchange
  if (answer === undefined || body !== undefined || recorded.lacks !== undefined) return exchange
  if (jsonFormats.includes(format) || !wantsJson(exchange) || answer.status < 200 || answer.status > 299)
    return exchange
  const { answer: _, ...rest } = exchange
  const settle = `no profile says that f=${format} asks for JSON: name one with --profile`
  return { ...rest, unjudged: `the answer is no JSON object, and ${settle}` }
}

function shownBy(exchanges: readonly Exchange[], known: Settings): Shown[] {
  const watch = new Watch(new Knowledge({ ...known, ...recordingOf(exchanges) }))
  const found = new Map<string, Shown>()
  for (const exchange of exchanges) {
    for (const { requirement, judgement } of watch.see(exchange)) {
      if (judgement === 'in part') continue
      const ofAll = requirementOf(requirement).operation === 'protocol'
      const key = ofAll ? `${requirement}:${exchange.operation}` : requirement
      const shown = remembered(found, key, () => ({
        requirement,
        kept: 0,
        ...(ofAll ? { operation: exchange.operation } : {}),
      }))
      if (judgement === 'kept') shown.kept += 1
      else if (shown.breach !== undefined) shown.breach.places.push(exchange.recorded.place)
      else shown.breach = { breach: judgement, exchange, places: [exchange.recorded.place] }
    }
  }
  return [...found.values()]
}

function clientSights(exchanges: readonly Exchange[]): ClientSight[] {
  const found = new Map<string, ClientSight>()
  for (const exchange of exchanges) {
    if (exchange.recorded.bySuite) continue
    for (const issue of clientIssues(exchange)) {
      const key = JSON.stringify([issue.id, issue.level, issue.parameter, exchange.operation])
      const before = found.get(key)
      if (before === undefined) found.set(key, { issue, exchange, places: [exchange.recorded.place] })
      else before.places.push(exchange.recorded.place)
    }
  }
  // Breaches of the contract first.
  return [...found.values()].sort((one, other) => one.issue.level.localeCompare(other.issue.level))
}

/** Sorted by time; those without a time last, in their order. An exchange in two files counts once. */
function inOrder(exchanges: readonly Exchange[]): Exchange[] {
  const known = new Set<string>()
  const once = exchanges.filter((exchange) => {
    if (exchange.recorded.startedAt === undefined) return true
    const key = digestOf(exchange)
    const isNew = !known.has(key)
    known.add(key)
    return isNew
  })
  return once.sort((one, other) => timeOf(one) - timeOf(other))
}

const timeOf = ({ recorded }: Exchange): number => recorded.startedAt ?? Number.MAX_VALUE

/** Equal for duplicates: time, request and answer. */
function digestOf({ recorded: { startedAt, request, answer } }: Exchange): string {
  const { method, url, body } = request
  return createHash('sha256')
    .update(JSON.stringify([startedAt, method, url, body, answer?.status]))
    .update(answer?.body ?? '')
    .digest('base64')
}

/** What judges may ask about the whole recording. */
function recordingOf(exchanges: readonly Exchange[]): Pick<Facts, 'controlFor'> {
  const controls = new Map<string, Map<string, Exchange>>()
  return {
    controlFor: (exchange, parameter) => {
      if (credentialOf(exchange) === '') return undefined
      const ofParameter = remembered(controls, parameter, () => {
        const accepted = exchanges.filter((each) => each.accepted !== undefined && each.has(parameter))
        // The first of several equal ones.
        return new Map(accepted.toReversed().map((each) => [keyOf(each, parameter), each]))
      })
      return ofParameter.get(keyOf(exchange, parameter))
    },
  }
}

/** Equal for exchanges that differ in that parameter at most. */
function keyOf(exchange: Exchange, parameter: string): string {
  const { operation, baseUrl, path, recorded } = exchange
  const others = recorded.form.fields
    .filter(([name]) => name !== parameter && name !== 'f' && name.toLowerCase() !== 'token')
    .map(([name, value]) => JSON.stringify([name, value]))
    .sort()
  const { method } = recorded.request
  return JSON.stringify([
    operation,
    baseUrl,
    path,
    method,
    recorded.form.kind,
    credentialOf(exchange),
    others,
  ])
}

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

const twice = 'recorded twice'

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
