/** An exchange of one of the operations, read for judging: who asked for what, and what the answer is. Pure. */
import type { ActorName, PortalName } from '../deployment/configuration/actors.ts'
import { type Answer, BodyError, BodyLimitError, bodyJson, largestKept } from '../deployment/http/exchange.ts'
import { busyIn, busyWords } from '../deployment/http/pace.ts'
import type { RecordedExchange } from '../deployment/recordings/har-entry.ts'
import { type Fields, isObject } from '../schemas/any-value.ts'
import { requestSchema } from '../schemas/catalogue.ts'
import { fromFormFields } from '../schemas/form-values.ts'
import type { OperationId } from '../specs/operations.ts'
import { type AcceptedBody, acceptance } from './acceptance.ts'
import type { Recognised } from './recognise.ts'
import type { BegunSync } from './sync-facts.ts'

/** Callers without a part of their own: no credential at all, and a credential that nobody was given. */
export type Stranger = 'anonymous' | 'impostor'

/** The part that a caller plays. */
export type Part = ActorName | Stranger

export const isStranger = (part: Part | undefined): part is Stranger =>
  part === 'anonymous' || part === 'impostor'

/** A request that is on its way, with the items and the workspace that it names. */
export interface Begun extends BegunSync {
  readonly operation: OperationId
  readonly items: readonly string[]
}

/** What is known of an exchange whoever saw it: a recorder, or the run that sent it. */
export type Seen = Omit<RecordedExchange, 'url'>

export interface Exchange extends Recognised {
  readonly recorded: Seen
  /** The part that its caller plays; absent where that is not known, as in recordings. */
  readonly caller?: Part
  /** Whose portal the path names; absent where that is not known. */
  readonly portal?: PortalName
  /** When it was sent and when its answer was complete, as Unix times in ms; absent where nobody noted it. */
  readonly askedAt?: number
  readonly answeredAt?: number
  /** The request as it was noted when it was sent, in a run. */
  readonly begun?: Begun
  /** Parameters as a logical request: of several fields of one name the first. */
  readonly asked: Fields
  /** The text of a parameter; undefined where it was not sent, or sent with different values. */
  readonly value: (name: string) => string | undefined
  readonly has: (name: string) => boolean
  /** Response format that was asked for, in lower case; empty where none was. */
  readonly format: string
  /** Absent where the answer cannot be judged: `unjudged` says why. */
  readonly answer?: Answer
  readonly unjudged?: string
  /** The answer as a JSON object, accepted or not. */
  readonly body?: Fields
  /** There where the operation was performed: HTTP 2xx, success true, no error. */
  readonly accepted?: AcceptedBody
}

/** Answers of gateways and of servers that are busy: neither accepted nor refused. */
const unserved = (answer: Answer): string =>
  `the request was throttled or timed out (${busyWords(answer)}); the target may have carried it out`
const notJson = 'the answer is no JSON, as it may be where f is neither json nor pjson'
const jsonFormats = ['json', 'pjson']

/** Who called, and on whose path, where that is known. */
export type Calling = Pick<Exchange, 'caller' | 'portal' | 'begun'>

/** Reads what was seen of an exchange. `origin`: what its answer's times count from, in ms of Unix time. */
export function exchangeOf(
  recognised: Recognised,
  recorded: Seen,
  calling: Calling = {},
  origin = 0,
): Exchange {
  const { fields } = recorded.form
  // Asked dozens of times of every exchange.
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
  // One by one: this is done for every answer.
  const exchange: Mutable<Exchange> = {
    operation,
    baseUrl,
    path,
    recorded,
    // Few clauses ask for it.
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

/** Cuts a large answer once it was looked at: rules that look back keep exchanges, and reports show the beginning only. */
export function lighten(exchange: Exchange): void {
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

/** The value with its long texts and lists cut. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > longestText ? beginningOf(value) : value
  if (Array.isArray(value)) return value.slice(0, longestText).map(shortened)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortened(each)]))
}

/** A text of its own: a slice keeps the whole in memory. */
const beginningOf = (text: string): string =>
  Buffer.from(text.slice(0, longestText), 'utf16le').toString('utf16le')

/** The exchange as it is, with the body of a large answer read anew by whoever asks for it, and kept by nobody. */
export function unread(exchange: Exchange): Exchange {
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
  const success = answer.status >= 200 && answer.status <= 299
  try {
    const value = bodyJson(answer)
    if (!isObject(value)) return { answer }
    const read = acceptance(answer)
    return { answer, body: value, ...(read.accepted ? { accepted: read.body } : {}) }
  } catch (error) {
    if (error instanceof BodyLimitError) return { unjudged: error.message }
    if (!(error instanceof BodyError)) throw error
    // A page for people says nothing of success or refusal where it was asked for.
    return success && !jsonFormats.includes(format) ? { unjudged: notJson } : { answer }
  }
}

/** Whether the answer is complete and no acceptance. */
export function isRefused({ answer, accepted }: Exchange): boolean {
  return answer !== undefined && accepted === undefined
}

/** Whether JSON was asked for, so that a refusal can be expected to be JSON too. */
export function wantsJson({ format }: Exchange): boolean {
  return jsonFormats.includes(format)
}

/** Whether a parameter is known not to have been sent. */
export function isMissing(exchange: Exchange, name: string): boolean {
  const { form, request } = exchange.recorded
  return request.method === 'POST' && form.lacks === undefined && !exchange.has(name)
}

/** The entries of a list, each once and without spaces around them: what doubles and spaces mean is open. */
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

/** Several judges ask for those of one exchange. */
const distinctOf = new WeakMap<object, readonly string[]>()

/** Headers that hold credentials. */
const credentialHeaders = ['authorization', 'x-esri-authorization', 'cookie']

/**
 * The credential of a request, wherever it stands: to be compared, never to be shown. Empty where none is seen, as in
 * recordings that were cleaned of credentials.
 */
export function credentialOf({ recorded: { request, form } }: Exchange): string {
  const fields = form.fields.filter(([name]) => name.toLowerCase() === 'token').map(([, value]) => value)
  const inHeaders = credentialHeaders.map((name) => request.headers[name] ?? '')
  const found = [...fields, ...inHeaders].filter((value) => value !== '')
  return found.length === 0 ? '' : JSON.stringify(found)
}
