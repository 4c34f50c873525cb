/** Whether an answer looks like a portal's, or like success: what refuses everything may be no portal, or not know us. */

import { type Answer, BodyError, BodyLimitError, bodyJson } from '../deployment/http/exchange.ts'
import { type Fields, isObject } from '../schemas/any-value.ts'
import { schemaOf } from '../schemas/catalogue.ts'
import type { OperationId } from '../specs/operations.ts'
import { holdsError } from './acceptance.ts'

/** A 2xx answer that begins like a JSON object and holds no error. Malformed JSON counts: a portal's fault is a finding. */
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

/** Values with which an answer says that it is none of success, in whatever type. */
const refusing: readonly unknown[] = [false, null, 0, '', 'false', 'no', '0']

/**
 * Whether the answer means success, well-formed or not: it names success, or holds all else that a success answer has.
 * An answer without `error` may still be a refusal, since how operations refuse is open. What is more than is read is none.
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

const namesSuccess = (text: string): boolean =>
  /^\W*(?:[\w$.]+\()?\{/.test(text) &&
  /"success"\s*:\s*"?true/i.test(text) &&
  !/"error"\s*:\s*(?!null\b|\s)/.test(text)

/** The JSON object that the body is; undefined where it is other JSON. Throws a BodyError where it is none. */
function objectIn(answer: Answer): Fields | undefined {
  const value = bodyJson(answer)
  return isObject(value) ? value : undefined
}

/** A server error, or anything but a JSON object. Some services refuse so: it is only a reason to look again. */
export function looksFailed(answer: Answer): boolean {
  if (answer.status >= 500) return true
  try {
    return objectIn(answer) === undefined
  } catch (error) {
    if (error instanceof BodyError || error instanceof BodyLimitError) return true
    throw error
  }
}
