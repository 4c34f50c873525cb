/** Accepted or refused: the reading of an answer on which every verdict rests (§4). Pure. */
import { type Answer, BodyError, BodyLimitError, bodyFields, bodyJson } from '../deployment/http/exchange.ts'
import { type Fields, isObject } from '../schemas/any-value.ts'

/** Body of an accepted answer: a JSON object whose `success` is true. */
export type AcceptedBody = Fields & { readonly success: true }

export type Acceptance =
  | { readonly accepted: true; readonly body: AcceptedBody }
  /** `why` says what keeps the answer from being an acceptance. */
  | { readonly accepted: false; readonly why: string }

/**
 * Accepted: HTTP 2xx and a JSON object whose `success` is the boolean true and that holds no `error`; null is none.
 * Throws a BodyLimitError where the answer is more than is read. Each answer is classified once.
 */
export const acceptance = (answer: Answer): Acceptance =>
  acceptanceIfRead(answer) ?? (bodyJson(answer) as never)

/** The same; undefined where the answer is more than is read: neither accepted nor refused. */
export const acceptanceIfRead = (answer: Answer): Acceptance | undefined => answer.once(classify)

// The result reads the body again when asked for it: a large body must not be kept by way of its classification.
function classify(answer: Answer): Acceptance | undefined {
  if (answer.status < 200 || answer.status > 299) return refusal(`HTTP ${answer.status}`)
  if ('error' in answer.document && answer.document.error instanceof BodyLimitError) return undefined
  const body = jsonOf(answer)
  if (typeof body === 'string') return refusal(`HTTP ${answer.status}, and the body is ${body}`)
  if (holdsError(body))
    return {
      accepted: false,
      // Most refusals are expected, and nobody asks why.
      get why() {
        return `HTTP ${answer.status} with ${errorIn(bodyJson(answer) as Fields)}`
      },
    }
  if (!Object.hasOwn(body, 'success')) return refusal(`HTTP ${answer.status} without a field success`)
  if (body.success !== true)
    return refusal(`HTTP ${answer.status} with success: ${JSON.stringify(body.success)}`)
  return {
    accepted: true,
    get body() {
      return bodyJson(answer) as AcceptedBody
    },
  }
}

/** Whether the answer is an acceptance, whatever it says. */
export const isAccepted = (answer: Answer): boolean => acceptance(answer).accepted

/** Whether a JSON object holds an error: one that is null is none. */
export const holdsError = (body: Fields): boolean => Object.hasOwn(body, 'error') && body.error !== null

/** The answer in one line, for people: status and what the body says. */
export function describe(answer: Answer): string {
  const judged = acceptance(answer)
  if (judged.accepted) return `accepted: HTTP ${answer.status} with success: true`
  const body = answer.status >= 200 && answer.status <= 299 ? undefined : jsonOf(answer)
  const detail = isObject(body) && holdsError(body) ? ` with ${errorIn(body)}` : ''
  return `not accepted: ${judged.why}${detail}`
}

/** Of a message longer than that only the beginning is told. */
const longestMessage = 160

/** Why the answer is no acceptance, in a line for people; undefined where it is one, or more than is read. */
export function refusalLine(answer: Answer): string | undefined {
  const judged = acceptanceIfRead(answer)
  if (judged === undefined || judged.accepted) return undefined
  const { error } = bodyFields(answer)
  if (!isObject(error)) return judged.why
  const { code, messageCode, message } = error
  const name = [code, messageCode].filter((part) => part !== undefined && part !== null).join(' ')
  const text = typeof message === 'string' ? message : ''
  const shown = text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text
  return `HTTP ${answer.status} with error${name && ` ${name}`}${shown && `: ${shown}`}`
}

/** The JSON object that the body is, or in words what it is instead. */
function jsonOf(answer: Answer): Fields | string {
  try {
    const value = bodyJson(answer)
    return isObject(value) ? value : 'JSON but no object'
  } catch (error) {
    if (error instanceof BodyError) return `no JSON object (${error.message})`
    throw error
  }
}

function errorIn(body: Fields): string {
  const text = JSON.stringify(body.error) ?? 'undefined'
  return `error ${text.length > 160 ? `${text.slice(0, 160)}…` : text}`
}

const refusal = (why: string): Acceptance => ({ accepted: false, why })
