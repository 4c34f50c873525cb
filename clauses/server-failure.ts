/** Whether an answer looks like a service that failed rather than one that refused. Pure. */
import { type Answer, BodyError, BodyLimitError, bodyJson } from '../deployment/http/exchange.ts'

/** A server error, or anything but a JSON object. Some services refuse so, too: it is a reason to look again, no more. */
export function looksFailed(answer: Answer): boolean {
  if (answer.status >= 500) return true
  try {
    const body = bodyJson(answer)
    return typeof body !== 'object' || body === null || Array.isArray(body)
  } catch (error) {
    if (error instanceof BodyError || error instanceof BodyLimitError) return true
    throw error
  }
}
