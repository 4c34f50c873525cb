/** What an answer says under `error`: what it must be there is each rule's own affair. */
import { type Answer, BodyError, bodyJson } from '../deployment/http/exchange.ts'

/** The object under `error` of a JSON answer; undefined where there is none. Throws a BodyLimitError. */
export function errorOf(answer: Answer): Readonly<Record<string, unknown>> | undefined {
  try {
    const body = bodyJson(answer) as { error?: unknown } | null
    const error = body?.error
    return typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : undefined
  } catch (error) {
    if (error instanceof BodyError) return undefined
    throw error
  }
}
