/** A recorded exchange of one of the operations, read for judging: what was asked, and what the answer is. Pure. */
import { fromFormFields } from '../../schemas/form-values.ts'
import { BodyError, BodyLimitError, bodyJson } from '../../target/http/answer.ts'
import type { Answer } from '../../target/http/exchange.ts'
import { waitAfter } from '../../target/http/throttling.ts'
import type { RecordedExchange } from '../../target/recordings/recorded-exchange.ts'
import { requestSchema } from '../cases/schema.ts'
import { type AcceptedBody, acceptance } from '../judging/acceptance.ts'
import type { Recognised } from './recognise.ts'

type JsonObject = Readonly<Record<string, unknown>>

export interface TrafficExchange extends Recognised {
  readonly recorded: RecordedExchange
  /** Parameters as a logical request: of several fields of one name the first. */
  readonly asked: JsonObject
  /** The text of a parameter; undefined where it was not sent, or sent with different values. */
  readonly value: (name: string) => string | undefined
  readonly has: (name: string) => boolean
  /** Response format that was asked for, in lower case; empty where none was. */
  readonly format: string
  /** Absent where the answer cannot be judged: `unjudged` says why. */
  readonly answer?: Answer
  readonly unjudged?: string
  /** The answer as a JSON object, accepted or not. */
  readonly body?: JsonObject
  /** There where the operation was performed: HTTP 2xx, success true, no error. */
  readonly accepted?: AcceptedBody
}

const throttled = 'the service was not asked, or not to be had (HTTP 429, 502, 503 or 504)'
const notJson = 'the answer is no JSON, as it may be where f is neither json nor pjson'
const jsonFormats = ['json', 'pjson']

/** Reads what was recorded. */
export function trafficExchange(recognised: Recognised, recorded: RecordedExchange): TrafficExchange {
  const { fields } = recorded.form
  const texts = new Map<string, Set<string>>()
  for (const [name, text] of fields) texts.set(name, (texts.get(name) ?? new Set()).add(text))
  const value = (name: string): string | undefined => {
    const several = texts.get(name)
    return several?.size === 1 ? [...several][0] : undefined
  }
  const format = (value('f') ?? '').toLowerCase()
  return {
    ...recognised,
    recorded,
    asked: fromFormFields(requestSchema(recognised.operation), fields),
    value,
    has: (name) => texts.has(name),
    format,
    ...answered(recorded, format),
  }
}

type Answered = Pick<TrafficExchange, 'answer' | 'unjudged' | 'body' | 'accepted'>

function answered({ answer, lacks }: RecordedExchange, format: string): Answered {
  if (answer === undefined) return { unjudged: lacks ?? 'no answer was recorded' }
  if (waitAfter(answer, 0) !== undefined) return { unjudged: throttled }
  if (lacks !== undefined) return { answer }
  const success = answer.status >= 200 && answer.status <= 299
  try {
    const value = bodyJson(answer)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { answer }
    const read = acceptance(answer)
    return { answer, body: value as JsonObject, ...(read.accepted ? { accepted: read.body } : {}) }
  } catch (error) {
    if (error instanceof BodyLimitError) return { unjudged: error.message }
    if (!(error instanceof BodyError)) throw error
    // A page for people says nothing of success or refusal where it was asked for.
    return success && !jsonFormats.includes(format) ? { unjudged: notJson } : { answer }
  }
}

/** Whether the answer is complete and no acceptance. */
export function isRefused({ answer, accepted }: TrafficExchange): boolean {
  return answer !== undefined && accepted === undefined
}

/** Whether JSON was asked for, so that a refusal can be expected to be JSON too. */
export function wantsJson({ format }: TrafficExchange): boolean {
  return jsonFormats.includes(format)
}

/** Whether a parameter is known not to have been sent. */
export function isMissing(exchange: TrafficExchange, name: string): boolean {
  const { form, request } = exchange.recorded
  return request.method === 'POST' && form.lacks === undefined && !exchange.has(name)
}
