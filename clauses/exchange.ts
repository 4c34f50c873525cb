/** An exchange of one operation, prepared for judging: who sent which request, and what the answer says. Pure. */
import type { ActorName, PortalName } from '../deployment/configuration/actors.ts'
import { type Answer, BodyError, BodyLimitError, bodyJson, largestKept } from '../deployment/http/exchange.ts'
import { busyIn, busyWords } from '../deployment/http/pace.ts'
import type { RecordedExchange } from '../deployment/recordings/har-entry.ts'
import { requestSchema } from '../schemas/catalogue.ts'
import { fromFormFields } from '../schemas/form-values.ts'
import { type Fields, isObject } from '../schemas/values.ts'
import type { OperationId } from '../specs/operations.ts'
import type { Recognised } from '../specs/paths.ts'
import { type AcceptedBody, acceptance, hasSuccessStatus } from './acceptance.ts'
import type { BegunSync } from './syncs.ts'

/** Callers that are no actor: without a credential, and with an invalid one. */
export type Stranger = 'anonymous' | 'impostor'

/** Who calls: an actor or a stranger. */
export type Part = ActorName | Stranger

export const isStranger = (part: Part | undefined): part is Stranger =>
  part === 'anonymous' || part === 'impostor'

/** A request under way, with the items and the workspace that it names. */
export interface Begun extends BegunSync {
  readonly operation: OperationId
  readonly items: readonly string[]
}

/** What a recording, or a run, knows of an exchange. */
export type Seen = Omit<RecordedExchange, 'url'>

export interface Exchange extends Recognised {
  readonly recorded: Seen
  /** Who called. Absent if unknown, as in recordings. */
  readonly caller?: Part
  /** Whose portal the path names. Absent if unknown. */
  readonly portal?: PortalName
  /** When the request was sent and when the answer was complete, as Unix times in ms. Absent if not recorded. */
  readonly askedAt?: number
  readonly answeredAt?: number
  /** The request as noted when it was sent. Only in runs. */
  readonly begun?: Begun
  /** The parameters by name. If a name was sent several times, the first value counts. */
  readonly asked: Fields
  /** The value of a parameter. Undefined if it was not sent, or sent with different values. */
  readonly value: (name: string) => string | undefined
  readonly has: (name: string) => boolean
  /** The requested response format in lower case. Empty if none was requested. */
  readonly format: string
  /** Absent if the answer cannot be judged; then `unjudged` has the reason. */
  readonly answer?: Answer
  readonly unjudged?: string
  /** The answer as a JSON object, whether accepted or not. */
  readonly body?: Fields
  /** The body of an accepted answer: HTTP 2xx, success true, no error. */
  readonly accepted?: AcceptedBody
}

/** Answers of gateways and busy servers are neither accepted nor refused. */
const unserved = (answer: Answer): string =>
  `the request was throttled or timed out (${busyWords(answer)}); the target may have carried it out`
const notJson = 'the answer is no JSON, as it may be where f is neither json nor pjson'
const jsonFormats = ['json', 'pjson']

/** Who called and on whose path, if known. */
export type Calling = Pick<Exchange, 'caller' | 'portal' | 'begun'>

/** Prepares an exchange for judging. `origin`: what the times of the answer count from, in ms of Unix time. */
export function exchangeOf(
  recognised: Recognised,
  recorded: Seen,
  calling: Calling = {},
  origin = 0,
): Exchange {
  const { fields } = recorded.form
  // A loop, because judges call this dozens of times for each exchange.
  const value = (name: string): string | undefined => {
    let first: string | undefined
    for (const [each, text] of fields) {
      if (each !== name) continue
      if (first === undefined) first = text
      else if (text !== first) return undefined
    }
    return first
  }
  let asked: Fields | undefined
  const format = (value('f') ?? '').toLowerCase()
  const { operation, baseUrl, path } = recognised
  // Plain assignments, because this runs for every answer.
  const exchange: Mutable<Exchange> = {
    operation,
    baseUrl,
    path,
    recorded,
    // Lazy, because few judges need it.
    get asked() {
      asked ??= fromFormFields(requestSchema(operation), fields)
      return asked
    },
    value,
    has: (name) => {
      for (const [each] of fields) if (each === name) return true
      return false
    },
    format,
  }
  if (calling.caller !== undefined) exchange.caller = calling.caller
  if (calling.portal !== undefined) exchange.portal = calling.portal
  if (calling.begun !== undefined) exchange.begun = calling.begun
  if (recorded.startedAt !== undefined) {
    exchange.askedAt = recorded.startedAt
    if (recorded.answer !== undefined) exchange.answeredAt = origin + recorded.answer.answeredAt
  }
  return Object.assign(exchange, answered(recorded, format))
}

/** Shortens a large answer after judging. Judges that look back keep exchanges, and reports show only the beginning. */
export function shorten(exchange: Exchange): void {
  const { answer, recorded, body, accepted }: Exchange = exchange
  if (!answer?.isLarge) return
  const light = answer.with({ body: Buffer.from(answer.body.subarray(0, largestKept)) })
  const kept = body === undefined ? undefined : (shortened(body) as Fields)
  Object.assign(exchange, {
    answer: light,
    recorded: { ...recorded, answer: light },
    ...(kept === undefined ? {} : { body: kept }),
    ...(accepted === undefined ? {} : { accepted: kept }),
  })
}

const longestText = 8 * 1024

/** The value with long texts and lists cut. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > longestText ? beginningOf(value) : value
  if (Array.isArray(value)) return value.slice(0, longestText).map(shortened)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortened(each)]))
}

/** A copy, because a slice would keep the whole text in memory. */
const beginningOf = (text: string): string =>
  Buffer.from(text.slice(0, longestText), 'utf16le').toString('utf16le')

/** A copy of the exchange that parses the body of a large answer for each reader instead of keeping it. */
export function unparsed(exchange: Exchange): Exchange {
  const { answer, format, recorded } = exchange
  if (!answer?.isLarge) return exchange
  const read = (name: 'body' | 'accepted') => ({
    enumerable: true,
    get: () => answered(recorded, format)[name],
  })
  return Object.defineProperties({ ...exchange }, { body: read('body'), accepted: read('accepted') })
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

type Answered = Pick<Exchange, 'answer' | 'unjudged' | 'body' | 'accepted'>

function answered({ answer, lacks }: Seen, format: string): Answered {
  if (answer === undefined) return { unjudged: lacks ?? 'no answer was recorded' }
  if (busyIn(answer) !== undefined) return { unjudged: unserved(answer) }
  if (lacks !== undefined) return { answer }
  try {
    const value = bodyJson(answer)
    if (!isObject(value)) return { answer }
    const read = acceptance(answer)
    return { answer, body: value, ...(read.accepted ? { accepted: read.body } : {}) }
  } catch (error) {
    if (error instanceof BodyLimitError) return { unjudged: error.message }
    if (!(error instanceof BodyError)) throw error
    // If the client asked for an HTML page, the page shows neither success nor refusal.
    return hasSuccessStatus(answer) && !jsonFormats.includes(format) ? { unjudged: notJson } : { answer }
  }
}

/** Whether the answer is complete and not accepted. */
export function isRefused({ answer, accepted }: Exchange): boolean {
  return answer !== undefined && accepted === undefined
}

/** Whether the client asked for JSON, so that a refusal should be JSON as well. */
export function wantsJson({ format }: Exchange): boolean {
  return jsonFormats.includes(format)
}

/** Whether a parameter was certainly not sent. */
export function isMissing(exchange: Exchange, name: string): boolean {
  const { form, request } = exchange.recorded
  return request.method === 'POST' && form.lacks === undefined && !exchange.has(name)
}

/** The entries of a list without duplicates and surrounding spaces, whose meaning is open. */
export function distinctItems({ asked, value }: Exchange, field: string): readonly string[] {
  const list = value(field) === undefined ? undefined : asked[field]
  if (!Array.isArray(list)) return []
  let items = distinctOf.get(list)
  if (items === undefined) {
    items = [...new Set(list.map((item) => String(item).trim()).filter((item) => item !== ''))]
    distinctOf.set(list, items)
  }
  return items
}

/** A cache, because several judges ask for the items of one exchange. */
const distinctOf = new WeakMap<object, readonly string[]>()

const credentialHeaders = ['authorization', 'x-esri-authorization', 'cookie']

/**
 * The credential of a request, wherever it is. For comparison only, never shown. Empty if there is none, as in
 * recordings that were cleaned.
 */
export function credentialOf({ recorded: { request, form } }: Exchange): string {
  const fields = form.fields.filter(([name]) => name.toLowerCase() === 'token').map(([, value]) => value)
  const inHeaders = credentialHeaders.map((name) => request.headers[name] ?? '')
  const found = [...fields, ...inHeaders].filter((value) => value !== '')
  return found.length === 0 ? '' : JSON.stringify(found)
}
