/** Whether an answer shows that a portal speaks at all: what refuses everything may be no portal, or not know us. */
import { BodyError, bodyJson } from '../target/http/answer.ts'
import type { Answer } from '../target/http/exchange.ts'

/**
 * A 2xx answer that begins like a JSON object and holds no error. Malformed ones count: who answers so takes itself
 * for a portal, and what is wrong with it is a finding. A page, a login form or a refusal does not.
 */
export function speaksLikeAPortal(answer: Answer): boolean {
  if (answer.status < 200 || answer.status > 299) return false
  const start = answer.body
    .subarray(0, 256)
    .toString('utf8')
    .replace(/^\ufeff/, '')
  if (!/^\s*\{/.test(start)) return false
  try {
    const value = bodyJson(answer)
    return typeof value === 'object' && value !== null && !Object.hasOwn(value, 'error')
  } catch (error) {
    if (error instanceof BodyError) return true
    throw error
  }
}
