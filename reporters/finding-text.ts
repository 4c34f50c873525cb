/** The words of a finding in all reports, and what formats that know only tests make of results. */
import type { Evidence } from '../deployment/http/exchange.ts'
import { decodeForm, type FormField } from '../deployment/http/outgoing-request.ts'
import { jsonIn, withoutUndefined } from '../schemas/values.ts'
import type { ReportedCheck, RequirementResult, Results, Waiver } from './results.ts'
import { countOf, durationOf } from './wording.ts'

/** The finding, or why there is no verdict. */
export function foundWords({ failure, reason }: ReportedCheck): string {
  return failure?.message ?? reason ?? 'no reason given'
}

/** The finding and the answer on one line. */
export const foundAndCame = ({ message, actual }: NonNullable<ReportedCheck['failure']>): string =>
  `${message} (came: ${actual})`

/** How often a finding showed, if known. */
export function sightings({ seen }: NonNullable<ReportedCheck['failure']>): string | undefined {
  if (seen === undefined) return undefined
  const times = seen.times === 1 ? 'once' : seen.times === 2 ? 'twice' : `${seen.times} times`
  return `${times} in ${countOf(seen.tries, 'try', 'tries')}`
}

export const waiverWords = ({ expires, owner, reason }: Waiver): string =>
  `until ${expires} by ${owner}: ${reason}`

/** Why a failure does not count, on one line. */
export function waiverSentence({ waiver }: ReportedCheck): string | undefined {
  if (waiver === undefined) return undefined
  return `waived ${waiverWords(waiver)}${waiver.link === undefined ? '' : ` (${waiver.link})`}`
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

/** The request: its operation, caller, time, and the parameters at fault. Empty: unknown. */
export function sentWords(check: ReportedCheck): string {
  const asked = askedIn(check)
  const marked = check.failure?.marks?.request
  if (asked === undefined) return ''
  return marked === undefined ? requestWords(asked) : `${requestWords(asked)}: ${parametersIn(asked, marked)}`
}

/** `sync-workspace by anonymous at 1.2 s`. */
function requestWords(exchange: Evidence): string {
  const { operation, request } = exchange
  return [operation ?? `${request.method} ${request.url}`, ...senderWords(exchange)].join(' ')
}

/** `by anonymous`, `at 1.2 s`, if known. */
export const senderWords = ({ actor, atMs }: Evidence): string[] => [
  ...(actor === undefined ? [] : [`by ${actor}`]),
  ...(atMs === undefined ? [] : [`at ${durationOf(atMs)}`]),
]

function parametersIn({ request }: Evidence, names: readonly string[]): string {
  const fields = new Map(fieldsIn(request.body))
  return names
    .map((name) => {
      const value = fields.get(name)
      return value === undefined ? `${name} not sent` : `${name}: ${valueWords(value)}`
    })
    .join(', ')
}

/** The fields of a form. One that cannot be decoded was sent on purpose or was cut in the evidence, so it is raw. */
export function fieldsIn(body: string): FormField[] {
  return body.split('&').flatMap((pair) => {
    try {
      return decodeForm(pair)
    } catch {
      const [name = '', ...rest] = pair.split('=')
      return [[name, rest.join('=')]] as FormField[]
    }
  })
}

/** The maximum of characters shown of a value. results.json has all of it. */
const longestValue = 60

/** The smallest case in words, if it is JSON: each parameter with its value and the length of the value. */
export function caseWords(counterexample: string): string {
  const value = jsonIn(counterexample)
  return isObject(value) ? partWords(value) : counterexample
}

/** Of a control and a probe, the probe is shown, since the control differs from it in one thing only. */
function partWords(value: object): string {
  if (Array.isArray(value))
    return value.map((part) => (isObject(part) ? partWords(part) : valueWords(part))).join('; ')
  const { control, probe } = value as { control?: unknown; probe?: unknown }
  const shown = isObject(control) && isObject(probe) ? probe : value
  return Object.entries(shown)
    .map(([name, each]) => `${name}: ${valueWords(each)}`)
    .join(', ')
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** A value in quotes, with its length if it is long. */
function valueWords(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const characters = [...text]
  const isLong = characters.length > longestValue
  const shown = isLong ? `${characters.slice(0, longestValue).join('')}…` : text
  const quoted = typeof value === 'string' ? `"${shown}"` : shown
  return isLong ? `${quoted} (${characters.length} characters)` : quoted
}

/** Method and address of a request, and how many exchanges the finding has. */
export function requestHead({ request: { method, url } }: Evidence, exchanges: number): string {
  const others = exchanges === 1 ? '' : ` (one of ${exchanges} exchanges; results.json holds all)`
  return `${method} ${url}${others}`
}

/** Status, time and type of an answer, or why there is none. */
export function answerHead({ response, error }: Evidence): string {
  if (response === undefined) return `none: ${error ?? 'no complete answer came'}`
  const type = response.headers['content-type']
  return `HTTP ${response.status} after ${Math.round(response.durationMs)} ms${type === undefined ? '' : `, ${type}`}`
}

/** A longer command is no help at a prompt. results.json has it. */
const longestCommand = 4000

/** What stands in place of a command that is too long to show. Undefined: it is not too long. */
export const insteadOfCommand = (name: string, command: string): string | undefined =>
  command.length <= longestCommand
    ? undefined
    : `(the ${name} line has ${command.length} characters; results.json holds it)`

/** The checks of a requirement. A requirement without checks stands for itself, so that it is not skipped silently. */
export function checksOf(requirement: RequirementResult): readonly ReportedCheck[] {
  if (requirement.checks.length > 0) return requirement.checks
  const { id, operation, text, outcome, reason } = requirement
  return [withoutUndefined({ id, operation, title: text, outcome, reason, durationMs: 0, requests: 0 })]
}

interface Trouble {
  /** Reads like the id of a check. */
  readonly id: string
  readonly message: string
}

/** Errors of the suite itself, a target that went away, and that the run was cut short; none where the run is whole. */
export function troublesOf({ errors = [], complete, run: { stopped } }: Results): Trouble[] {
  const cutShort = 'the run was cut short: the rest was not measured'
  return [
    ...errors.map((message, index) => ({ id: `run/error:${index + 1}`, message })),
    ...(stopped === undefined ? [] : [{ id: 'run/stopped', message: stopped }]),
    ...(complete === true ? [] : [{ id: 'run/complete', message: cutShort }]),
  ]
}
