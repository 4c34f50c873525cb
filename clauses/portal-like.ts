/**
 * Whether an answer looks like a portal's, or like success. A target that refuses everything may be no portal at all.
 */

import { type Answer, BodyError, BodyLimitError, bodyJson } from '../deployment/http/exchange.ts'
import { schemaOf } from '../schemas/catalogue.ts'
import { type Fields, isObject } from '../schemas/values.ts'
import type { OperationId } from '../specs/operations.ts'
import { holdsError } from './acceptance.ts'

/**
 * A 2xx answer that begins like a JSON object without an error. Malformed JSON counts, because broken JSON is a
 * portal's fault.
 */
export function speaksLikeAPortal(answer: Answer): boolean {
  if (answer.status < 200 || answer.status > 299) return false
  const start = answer.body
    .subarray(0, 256)
    .toString('utf8')
    .replace(/^\ufeff/, '')
  if (!/^\s*\{/.test(start)) return false
  try {
    const body = objectIn(answer)
    return body !== undefined && !holdsError(body)
  } catch (error) {
    if (error instanceof BodyError) return true
    throw error
  }
}

/** Values of `success` that mean a refusal, in any type. */
const refusing: readonly unknown[] = [false, null, 0, '', 'false', 'no', '0']

/**
 * Whether the answer means success, well-formed or not: it names success, or has all other fields of a success answer.
 * An answer without `error` may still be a refusal, since the form of refusals is open.
 */
export function answersWithSuccess(answer: Answer, operation: OperationId): boolean {
  if (answer.status < 200 || answer.status > 299) return false
  const { document } = answer
  if ('error' in document && document.error instanceof BodyLimitError) return false
  const body = 'value' in document && isObject(document.value) ? document.value : undefined
  if (body === undefined) return namesSuccess(answer.body.toString('latin1'))
  if (holdsError(body)) return false
  if (Object.hasOwn(body, 'success')) return !refusing.includes(body.success)
  const others = (schemaOf(`${operation}.response`).required ?? []).filter((name) => name !== 'success')
  return others.length > 0 && others.every((name) => Object.hasOwn(body, name))
}

/**
 * Whether a 2xx answer says neither "accepted" nor "refused": it is no JSON object, or has neither `success` nor
 * `error`. As the answer to a valid request it breaks a common rule.
 */
export function isMalformed(answer: Answer): boolean {
  if (answer.status < 200 || answer.status > 299) return false
  const { document } = answer
  if ('error' in document && document.error instanceof BodyLimitError) return false
  const body = 'value' in document && isObject(document.value) ? document.value : undefined
  if (body === undefined) return true
  return !holdsError(body) && !Object.hasOwn(body, 'success')
}

const namesSuccess = (text: string): boolean =>
  /^\W*(?:[\w$.]+\()?\{/.test(text) &&
  /"success"\s*:\s*"?true/i.test(text) &&
  !/"error"\s*:\s*(?!null\b|\s)/.test(text)

/** The body as a JSON object. Undefined for other JSON. Throws a BodyError if it is no JSON. */
function objectIn(answer: Answer): Fields | undefined {
  const value = bodyJson(answer)
  return isObject(value) ? value : undefined
}

/**
 * A server error, or anything but a JSON object. Some services refuse like this, so it is only a reason to try again.
 */
export function looksFailed(answer: Answer): boolean {
  if (answer.status >= 500) return true
  try {
    return objectIn(answer) === undefined
  } catch (error) {
    if (error instanceof BodyError || error instanceof BodyLimitError) return true
    throw error
  }
}
