/** Results in plain text for formats that know only tests. Each check, each finding about clients and each problem of the run is a test. */
import type { Evidence } from '../deployment/http/exchange.ts'
import type { ClientFinding } from '../schemas/types/results.ts'
import { withoutUndefined } from '../schemas/values.ts'
import { sentWords } from './card-words.ts'
import { caseWords } from './case-words.ts'
import type { ReportedCheck, RequirementResult, Results } from './results.ts'
import { safeLines, safeText } from './safe-text.ts'
import { countOf } from './wording.ts'

/** A longer command is no help at a prompt. results.json has it. */
export const longestCommand = 4000

/** The sentence of the contract, the finding, the exchange, and the command to repeat it, in lines without control characters. */
export function findingText(
  requirement: Pick<RequirementResult, 'level' | 'section' | 'text'>,
  check: ReportedCheck,
): string {
  const { level, section, text } = requirement
  return [
    safeText(`The contract (§${section}, ${level}): ${text}`),
    ...judgementLines(check),
    ...waiverLines(check),
    ...exchangeLines(check.evidence ?? []),
    ...(check.failure === undefined ? [] : [safeText(`Again: ${check.failure.repeat}`)]),
  ].join('\n')
}

/** The request, the expectation and the answer, or why there is no verdict. */
function judgementLines(check: ReportedCheck): string[] {
  const { failure, reason } = check
  if (failure === undefined) return reason === undefined ? [] : [safeText(`Reason: ${reason}`)]
  const { message, expected, actual, counterexample } = failure
  const seen = sightings(failure)
  return [
    safeText(`Found: ${message}`),
    safeText(`Sent: ${sentWords(check)}`),
    ...expected.map((each) => safeText(`Expected: ${each}`)),
    safeText(`Came: ${actual}`),
    ...(counterexample === undefined ? [] : [safeText(`Case: ${caseWords(counterexample)}`)]),
    ...(seen === undefined ? [] : [`Seen: ${seen}`]),
  ]
}

/** How often a finding showed, if known. */
export function sightings({ seen }: NonNullable<ReportedCheck['failure']>): string | undefined {
  if (seen === undefined) return undefined
  const times = seen.times === 1 ? 'once' : seen.times === 2 ? 'twice' : `${seen.times} times`
  return `${times} in ${countOf(seen.tries, 'try', 'tries')}`
}

/** Why a failure does not count, on one line. */
export function waiverSentence({ waiver }: ReportedCheck): string | undefined {
  if (waiver === undefined) return undefined
  const { reason, owner, expires, link } = waiver
  return `waived until ${expires} by ${owner}: ${reason}${link === undefined ? '' : ` (${link})`}`
}

function waiverLines(check: ReportedCheck): string[] {
  const sentence = waiverSentence(check)
  return sentence === undefined ? [] : [safeText(`It is ${sentence}`)]
}

/** The last exchange, on which the finding rests. */
function exchangeLines(exchanges: readonly Evidence[]): string[] {
  const exchange = exchanges.at(-1)
  if (exchange === undefined) return []
  const { request, response, error, curl } = exchange
  return [
    safeText(`Request: ${requestHead(exchange, exchanges.length)}`),
    ...indented(request.body),
    safeText(`Answer: ${answerHead(response, error)}`),
    ...indented(response?.body ?? ''),
    curl.length <= longestCommand
      ? safeText(curl)
      : `(the curl line has ${curl.length} characters; results.json holds it)`,
  ]
}

/** Method and address of a request, and how many exchanges the finding has. */
export function requestHead({ request: { method, url } }: Evidence, exchanges: number): string {
  const others = exchanges === 1 ? '' : ` (one of ${exchanges} exchanges; results.json holds all)`
  return `${method} ${url}${others}`
}

/** Status, time and type of an answer, or why there is none. */
export function answerHead(response: Evidence['response'], error: string | undefined): string {
  if (response === undefined) return `none: ${error ?? 'no complete answer came'}`
  const type = response.headers['content-type']
  return `HTTP ${response.status} after ${Math.round(response.durationMs)} ms${type === undefined ? '' : `, ${type}`}`
}

const indented = (body: string): string[] => (body === '' ? [] : safeLines(body).map((line) => `  ${line}`))

/** The checks of a requirement. A requirement without checks stands for itself, so that it is not skipped silently. */
export function checksOf(requirement: RequirementResult): readonly ReportedCheck[] {
  if (requirement.checks.length > 0) return requirement.checks
  const { id, operation, text, outcome, reason } = requirement
  return [withoutUndefined({ id, operation, title: text, outcome, reason, durationMs: 0, requests: 0 })]
}

/**
 * The share of the run that a check took, as a factor of its own time. Checks wait concurrently, so their times
 * would otherwise add up to much more than the time of the run.
 */
export function shareOfRun({ run, requirements }: Results): number {
  let sum = 0
  for (const { checks } of requirements) for (const { durationMs } of checks) sum += durationMs
  return sum > run.durationMs ? run.durationMs / sum : 1
}

interface Trouble {
  /** Reads like the id of a check. */
  readonly id: string
  readonly message: string
}

/** Errors of the suite itself, a target that went away, and that the run was cut short; none where the run is whole. */
export function troublesOf({ errors = [], complete, run: { stopped } }: Results): Trouble[] {
  const troubles = errors.map((message, index) => ({ id: `run/error:${index + 1}`, message }))
  if (stopped !== undefined) troubles.push({ id: 'run/stopped', message: stopped })
  if (complete === true) return troubles
  return [...troubles, { id: 'run/complete', message: 'the run was cut short: the rest was not measured' }]
}

interface ClientCase {
  /** Reads like the id of a check; each is there once. */
  readonly id: string
  /** A note is no failure. */
  readonly failed: boolean
  readonly message: string
  /** All that is known of it: lines without control characters. */
  readonly text: string
}

export const clientTitle = 'Client: requests that no conforming server needs to accept'

/** None where the results are of a run. */
export function clientCases({ run: { traffic } }: Results): ClientCase[] {
  const seen = new Map<string, number>()
  return (traffic?.client ?? []).map((finding) => {
    const name = `${finding.id}:${finding.operation}`
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return {
      id: count === 1 ? name : `${name}:${count}`,
      failed: finding.level === 'finding',
      message: finding.message,
      text: textOf(finding),
    }
  })
}

/** Where a finding about clients showed, and how often besides. */
export function placesInWords({ count, places }: ClientFinding): string {
  const left = count - places.length
  return `${places.join('; ')}${left > 0 ? `; and ${left} more` : ''}`
}

function textOf(finding: ClientFinding): string {
  const { level, message, expected, actual, evidence } = finding
  return [
    safeText(`${level === 'finding' ? 'Found' : 'Note'}: ${message}`),
    safeText(`Expected: ${expected}`),
    safeText(`Sent: ${actual}`),
    safeText(`Where: ${placesInWords(finding)}`),
    ...exchangeLines([evidence]),
  ].join('\n')
}
