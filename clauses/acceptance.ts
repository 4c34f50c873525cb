/** Decides whether an answer is accepted or refused (§4). Every verdict rests on this. Pure. */
import { type Answer, BodyError, BodyLimitError, bodyFields, bodyJson } from '../deployment/http/exchange.ts'
import { type Fields, isObject } from '../schemas/values.ts'

/** The body of an accepted answer: a JSON object with `success: true`. */
export type AcceptedBody = Fields & { readonly success: true }

export type Acceptance =
  | { readonly accepted: true; readonly body: AcceptedBody }
  /** `why`: the reason why the answer is not accepted. */
  | { readonly accepted: false; readonly why: string }

/**
 * Accepted means HTTP 2xx and a JSON object with `success: true` and no `error` (null counts as no error). Throws a
 * BodyLimitError if the body is larger than we read. Each answer is classified only once.
 */
export const acceptance = (answer: Answer): Acceptance =>
  acceptanceIfRead(answer) ?? (bodyJson(answer) as never)

/** Like `acceptance`, but returns undefined if the body is larger than we read. */
export const acceptanceIfRead = (answer: Answer): Acceptance | undefined => answer.once(classify)

// The result parses the body again on demand, so that the cached class does not keep a large body in memory.
function classify(answer: Answer): Acceptance | undefined {
  if (answer.status < 200 || answer.status > 299) return refusal(`HTTP ${answer.status}`)
  if ('error' in answer.document && answer.document.error instanceof BodyLimitError) return undefined
  const body = jsonOf(answer)
  if (typeof body === 'string') return refusal(`HTTP ${answer.status}, and the body is ${body}`)
  if (holdsError(body))
    return {
      accepted: false,
      // Lazy, because most refusals are expected and their reason is never read.
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

/** Whether the answer is accepted. */
export const isAccepted = (answer: Answer): boolean => acceptance(answer).accepted

/** Whether a JSON object holds an error. A null error counts as none. */
export const holdsError = (body: Fields): boolean => Object.hasOwn(body, 'error') && body.error !== null

/** Describes the answer in one line: the status and what the body says. */
export function describe(answer: Answer): string {
  const judged = acceptance(answer)
  if (judged.accepted) return `accepted: HTTP ${answer.status} with success: true`
  const body = answer.status >= 200 && answer.status <= 299 ? undefined : jsonOf(answer)
  const detail = isObject(body) && holdsError(body) ? ` with ${errorIn(body)}` : ''
  return `not accepted: ${judged.why}${detail}`
}

const longestMessage = 160

/** Describes a refusal in one line. Undefined if the answer was accepted or is larger than we read. */
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

/** The body as a JSON object, or a description of what it is instead. */
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
