/**
 * Decides whether an answer is accepted or refused (§4), on which every verdict rests, and whether an answer that is not
 * accepted looks like a portal's, or like success. Pure.
 */
import { type Answer, BodyError, BodyLimitError, bodyFields, bodyJson } from '../deployment/http/exchange.ts'
import { schemaOf } from '../schemas/catalogue.ts'
import { type Fields, isObject } from '../schemas/values.ts'
import { safeText } from '../schemas/wording.ts'
import type { OperationId } from '../specs/operations.ts'

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
  if (!hasSuccessStatus(answer)) return refusal(`HTTP ${answer.status}`)
  if (isUnread(answer)) return undefined
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

export const hasSuccessStatus = ({ status }: Answer): boolean => status >= 200 && status <= 299

/** Whether the body is larger than we read. */
const isUnread = ({ document }: Answer): boolean =>
  'error' in document && document.error instanceof BodyLimitError

/** Whether the answer is accepted. */
export const isAccepted = (answer: Answer): boolean => acceptance(answer).accepted

/** Whether a JSON object holds an error. A null error counts as none. */
export const holdsError = (body: Fields): boolean => Object.hasOwn(body, 'error') && body.error !== null

/** Describes the answer in one line: the status and what the body says. */
export function describe(answer: Answer): string {
  if (isPage(answer)) return `a page: HTTP ${answer.status}`
  const judged = acceptance(answer)
  if (judged.accepted) return `accepted: HTTP ${answer.status} with success: true`
  const body = hasSuccessStatus(answer) ? undefined : jsonOf(answer)
  const detail = isObject(body) && holdsError(body) ? ` with ${errorIn(body)}` : ''
  return `not accepted: ${judged.why}${detail}`
}

/** Whether it is a page that was read, and no answer of an operation. A page with an error is a refusal. */
export function isPage(answer: Answer): boolean {
  const { method, about } = answer.request
  const fields = bodyFields(answer)
  const isRead = method === 'GET' && about === undefined && hasSuccessStatus(answer)
  return isRead && Object.keys(fields).length > 0 && !holdsError(fields)
}

const longestMessage = 160

/** Describes a refusal in one line. Undefined if the answer was accepted or is larger than we read. */
export function refusalLine(answer: Answer): string | undefined {
  const judged = acceptanceIfRead(answer)
  if (judged === undefined || judged.accepted) return undefined
  const { error } = bodyFields(answer)
  if (!isObject(error)) return judged.why
  const { code, messageCode, message } = error
  const name = safeText([code, messageCode].filter((part) => part !== undefined && part !== null).join(' '))
  const text = typeof message === 'string' ? message : ''
  return `HTTP ${answer.status} with error${name && ` ${name}`}${text && `: ${cut(text)}`}`
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
  return `error ${cut(JSON.stringify(body.error) ?? 'undefined')}`
}

const cut = (text: string): string =>
  safeText(text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text)

const refusal = (why: string): Acceptance => ({ accepted: false, why })

/** A 2xx answer that is, or begins like, a JSON object without an error: broken JSON is a portal's fault. */
export function speaksLikeAPortal(answer: Answer): boolean {
  const body = succeededWith(answer)
  if (body === undefined) return false
  return body === 'no object' ? /^\ufeff?\s*\{/.test(beginningOf(answer)) : !holdsError(body)
}

const beginningOf = ({ body }: Answer): string => body.subarray(0, 256).toString('utf8')

/** Values of `success` that mean a refusal, in any type. */
const refusing: readonly unknown[] = [false, null, 0, '', 'false', 'no', '0']

/**
 * Whether the answer means success, well-formed or not: it names success, or has all other fields of a success answer.
 * An answer without `error` may still be a refusal, since the form of refusals is open.
 */
export function answersWithSuccess(answer: Answer, operation: OperationId): boolean {
  const body = succeededWith(answer)
  if (body === undefined) return false
  if (body === 'no object') return namesSuccess(answer.body.toString('latin1'))
  if (holdsError(body)) return false
  if (Object.hasOwn(body, 'success')) return !refusing.includes(body.success)
  const others = (schemaOf(`${operation}.response`).required ?? []).filter((name) => name !== 'success')
  return others.length > 0 && others.every((name) => Object.hasOwn(body, name))
}

/**
 * Whether the answer says neither "accepted" nor "refused": it is no JSON object, or has neither `success` nor `error`.
 * Services may refuse like this, but so does something in front of a portal.
 */
export function isOutOfForm(answer: Answer): boolean {
  const { document } = answer
  if (isUnread(answer)) return false
  if (!('value' in document && isObject(document.value))) return true
  return !holdsError(document.value) && !Object.hasOwn(document.value, 'success')
}

/** Whether a 2xx answer says neither. As the answer to a valid request it breaks a common rule. */
export const isMalformed = (answer: Answer): boolean => hasSuccessStatus(answer) && isOutOfForm(answer)

/** The body of a 2xx answer. Undefined: the answer has another status, or is larger than we read. */
function succeededWith(answer: Answer): Fields | 'no object' | undefined {
  const { document } = answer
  if (!hasSuccessStatus(answer) || isUnread(answer)) return undefined
  return 'value' in document && isObject(document.value) ? document.value : 'no object'
}

const namesSuccess = (text: string): boolean =>
  /^\W*(?:[\w$.]+\()?\{/.test(text) &&
  /"success"\s*:\s*"?true/i.test(text) &&
  !/"error"\s*:\s*(?!null\b|\s)/.test(text)

/**
 * A server error, or anything but a JSON object. Some services refuse like this, so it is only a reason to try again.
 */
export const looksFailed = ({ document, status }: Answer): boolean =>
  status >= 500 || !('value' in document && isObject(document.value))
