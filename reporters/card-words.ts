/** The words of cards in all reports: what was sent, what else shows the cause, and where. */
import type { Evidence } from '../deployment/http/exchange.ts'
import { decodeForm } from '../deployment/http/outgoing-request.ts'
import { affected, type Card, type Finding, operationsOf } from './cards.ts'
import { caseWords, valueWords } from './case-words.ts'
import { byKey, gistOf } from './grouping.ts'
import type { ReportedCheck } from './results.ts'
import { countOf, durationOf, placesOf, titleOf } from './wording.ts'

/** The operations that a card is about. */
export function whereOf({ findings }: Card): string {
  const operations = operationsOf(findings)
  const [only] = operations
  if (operations.length === 1 && only !== undefined) return titleOf(only as Parameters<typeof titleOf>[0])
  return placesOf(operations)
}

/** `8 findings of 3 requirements`. */
export function sizeOf({ findings, ...card }: Card): string {
  const requirements = affected({ ...card, findings })
  return `${countOf(findings.length, 'finding')} of ${countOf(requirements.length, 'requirement')}`
}

/** The exchange of the operation that the finding rests on: the last one that is no page. */
export function askedIn({ evidence = [] }: ReportedCheck): Evidence | undefined {
  return evidence.findLast(({ operation }) => operation !== undefined) ?? evidence.at(-1)
}

/** The page that shows the effect of a request, and its delay after the request. Undefined: there is none. */
export function pageIn(
  check: ReportedCheck,
): { readonly page: Evidence; readonly later?: string } | undefined {
  const page = check.evidence?.at(-1)
  const asked = askedIn(check)
  if (page === undefined || asked === undefined || page === asked) return undefined
  if (page.atMs === undefined || asked.atMs === undefined || page.atMs < asked.atMs) return { page }
  return { page, later: `${durationOf(page.atMs - asked.atMs)} later` }
}

/** A longer case is cut. The report shows it whole elsewhere. */
const longestCase = 200

/** The request: its operation, caller, time, and the parameters that matter. */
export function sentWords(check: ReportedCheck): string {
  const { failure } = check
  const asked = askedIn(check)
  const details =
    failure?.marks?.request !== undefined && asked !== undefined
      ? parametersIn(asked, failure.marks.request)
      : caseIn(failure?.counterexample)
  return [asked === undefined ? '' : requestWords(asked), details].filter((part) => part !== '').join(': ')
}

/** `sync-workspace by anonymous at 1.2 s`. */
function requestWords({ operation, request, actor, atMs }: Evidence): string {
  return [
    operation ?? `${request.method} ${request.url}`,
    ...(actor === undefined ? [] : [`by ${actor}`]),
    ...(atMs === undefined ? [] : [`at ${durationOf(atMs)}`]),
  ].join(' ')
}

function parametersIn({ request }: Evidence, names: readonly string[]): string {
  const fields = new Map(fieldsIn(request.body))
  return names
    .map((name) => {
      const value = fields.get(name)
      return value === undefined ? `${name} not sent` : `${name}: ${valueWords(value)}`
    })
    .join(', ')
}

function fieldsIn(body: string): readonly (readonly [string, string])[] {
  try {
    return decodeForm(body)
  } catch {
    // It was malformed on purpose, or was cut in the evidence.
    return []
  }
}

function caseIn(counterexample: string | undefined): string {
  if (counterexample === undefined) return ''
  const words = caseWords(counterexample)
  return words.length > longestCase ? `${words.slice(0, longestCase)}…` : words
}

interface Also {
  readonly message: string
  /** The answer, if it differs from that of the first finding of the card. */
  readonly came?: string
  readonly checks: readonly ReportedCheck[]
}

/** Some of the other findings of a card, grouped by their words. */
export function inTheirWords(others: readonly Finding[], { findings: [first] }: Card): Also[] {
  const cameAt = ({ check }: Finding): string => gistOf(check.failure?.actual ?? '')
  const groups = byKey(others, (each) => `${gistOf(each.check.failure?.message ?? '')}\n${cameAt(each)}`)
  return [...groups.values()].map((several) => {
    const [one] = several as [Finding]
    const { message = '', actual } = one.check.failure ?? {}
    const checks = several.map(({ check }) => check)
    return actual === undefined || cameAt(one) === cameAt(first)
      ? { message, checks }
      : { message, came: actual, checks }
  })
}

/** The finding, with the answer if it differs. */
export const alsoWords = ({ message, came }: Also): string =>
  came === undefined ? message : `${message} (came: ${came})`
