/** A check in plain text, for formats that have one place for all that is known of it. */
import type { Evidence } from '../target/http/exchange.ts'
import type { ReportedCheck, RequirementResult } from './results.ts'
import { safeLines, safeText } from './safe-text.ts'

/** A longer command does not help at a prompt: it stands in results.json. */
const longestCommand = 4000

/** What the contract says, what was found, the exchange, and how to see it again: lines without control characters. */
export function findingText(requirement: RequirementResult, check: ReportedCheck): string {
  const { level, section, text } = requirement
  return [
    safeText(`The contract (§${section}, ${level}): ${text}`),
    ...judgementLines(check),
    ...waiverLines(check),
    ...exchangeLines(check.evidence ?? []),
    ...(check.failure === undefined ? [] : [safeText(`Again: ${check.failure.replay}`)]),
  ].join('\n')
}

/** What was acceptable and what came, or why nothing could be said. */
function judgementLines({ failure, reason }: ReportedCheck): string[] {
  if (failure === undefined) return reason === undefined ? [] : [safeText(`Reason: ${reason}`)]
  const { message, expected, actual, counterexample } = failure
  const seen = sightings(failure)
  return [
    safeText(`Found: ${message}`),
    ...expected.map((each) => safeText(`Acceptable: ${each}`)),
    safeText(`Came: ${actual}`),
    ...(counterexample === undefined ? [] : [safeText(`Case: ${counterexample}`)]),
    ...(seen === undefined ? [] : [`Seen: ${seen}`]),
  ]
}

/** How often a finding showed, where that is known. */
export function sightings({ seen }: NonNullable<ReportedCheck['failure']>): string | undefined {
  if (seen === undefined) return undefined
  const times = seen.times === 1 ? 'once' : seen.times === 2 ? 'twice' : `${seen.times} times`
  return `${times} in ${seen.tries} ${seen.tries === 1 ? 'try' : 'tries'}`
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

/** The last exchange: the one that the finding rests on. */
export function exchangeLines(exchanges: readonly Evidence[]): string[] {
  const exchange = exchanges.at(-1)
  if (exchange === undefined) return []
  const { request, response, error, curl } = exchange
  const others = exchanges.length === 1 ? '' : ` (the last of ${exchanges.length}; results.json holds all)`
  return [
    safeText(`Request: ${request.method} ${request.url}${others}`),
    ...indented(request.body),
    safeText(`Answer: ${answerHead(response, error)}`),
    ...indented(response?.body ?? ''),
    curl.length <= longestCommand
      ? safeText(curl)
      : `(the curl line has ${curl.length} characters; results.json holds it)`,
  ]
}

/** Status, time and kind of an answer; or why there is none. */
export function answerHead(response: Evidence['response'], error: string | undefined): string {
  if (response === undefined) return `none: ${error ?? 'no complete answer came'}`
  const type = response.headers['content-type']
  return `HTTP ${response.status} after ${Math.round(response.durationMs)} ms${type === undefined ? '' : `, ${type}`}`
}

const indented = (body: string): string[] => (body === '' ? [] : safeLines(body).map((line) => `  ${line}`))
