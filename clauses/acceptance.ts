/** Accepted or refused: the reading of an answer on which every verdict rests (§4). Pure. */
import { type Answer, BodyError, bodyJson } from '../deployment/http/exchange.ts'

/** Body of an accepted answer: a JSON object whose `success` is true. */
export type AcceptedBody = Readonly<Record<string, unknown>> & { readonly success: true }

export type Acceptance =
  | { readonly accepted: true; readonly body: AcceptedBody }
  /** `why` says what keeps the answer from being an acceptance. */
  | { readonly accepted: false; readonly why: string }

/** Accepted: HTTP 2xx and a JSON object whose `success` is the boolean true and that holds no `error`; null is none. */
export function acceptance(answer: Answer): Acceptance {
  if (answer.status < 200 || answer.status > 299) return refusal(`HTTP ${answer.status}`)
  const body = jsonOf(answer)
  if (!isObject(body)) return refusal(`HTTP ${answer.status}, and the body is ${body.problem}`)
  if (holdsError(body))
    return {
      accepted: false,
      // Most refusals are expected, and nobody asks why.
      get why() {
        return `HTTP ${answer.status} with ${errorIn(body)}`
      },
    }
  if (!Object.hasOwn(body, 'success')) return refusal(`HTTP ${answer.status} without a field success`)
  if (body.success !== true)
    return refusal(`HTTP ${answer.status} with success: ${JSON.stringify(body.success)}`)
  return { accepted: true, body: body as AcceptedBody }
}

/** Whether a JSON object holds an error: one that is null is none. */
export const holdsError = (body: Readonly<Record<string, unknown>>): boolean =>
  Object.hasOwn(body, 'error') && body.error !== null

/** The answer in one line, for people: status and what the body says. */
export function describe(answer: Answer): string {
  const judged = acceptance(answer)
  if (judged.accepted) return `accepted: HTTP ${answer.status} with success: true`
  const body = answer.status >= 200 && answer.status <= 299 ? undefined : jsonOf(answer)
  const detail = isObject(body) && holdsError(body) ? ` with ${errorIn(body)}` : ''
  return `not accepted: ${judged.why}${detail}`
}

class Problem {
  readonly problem: string
  constructor(problem: string) {
    this.problem = problem
  }
}

function jsonOf(answer: Answer): Record<string, unknown> | Problem {
  try {
    const value = bodyJson(answer)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>
    }
    return new Problem(`JSON but no object`)
  } catch (error) {
    if (error instanceof BodyError) return new Problem(`no JSON object (${error.message})`)
    throw error
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Problem)

function errorIn(body: Record<string, unknown>): string {
  const text = JSON.stringify(body.error) ?? 'undefined'
  return `error ${text.length > 160 ? `${text.slice(0, 160)}…` : text}`
}

const refusal = (why: string): Acceptance => ({ accepted: false, why })
