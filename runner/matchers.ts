/** Matchers for your own tests with any HTTP client: `expect.extend(matchers)` in Vitest or Jest. */
import type {} from 'vitest'
import { acceptance, describe } from '../clauses/acceptance.ts'
import { Answer, BodyError, BodyLimitError, bodyJson } from '../deployment/http/exchange.ts'
import { type SchemaName, schemaNames } from '../schemas/catalogue.ts'
import { violations } from '../schemas/validators.ts'

/** A complete answer, as HTTP clients return it. */
export interface PlainAnswer {
  readonly status: number
  readonly headers?: unknown
  /** The text or bytes that came, or the parsed JSON. */
  readonly body: string | Uint8Array | object | null | undefined
}

export interface MatcherResult {
  readonly pass: boolean
  message(): string
}

/** The matchers on `expect(answer)`. */
export interface ConformanceMatchers<R = void> {
  /** HTTP 2xx with a JSON object with `success: true` and no `error` (§4). */
  toBeAccepted(): R
  /** A complete answer that is not accepted (§4). */
  toBeRefused(): R
  /** The body matches that schema of the package, whatever the status. */
  toMatchSchema(name: SchemaName): R
}

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: an interface is merged with one of the same parameters only
  interface Matchers<T = any> extends ConformanceMatchers {}
}

/** Each throws a TypeError if it is not given an answer, so that a wrong argument never passes as a refusal. */
export const matchers = {
  toBeAccepted(received: PlainAnswer): MatcherResult {
    return judged(answerOf(received), 'an accepted answer', true)
  },
  toBeRefused(received: PlainAnswer): MatcherResult {
    return judged(answerOf(received), 'a refused answer', false)
  },
  toMatchSchema(received: PlainAnswer, name: SchemaName): MatcherResult {
    if (!schemaNames.includes(name)) {
      throw new TypeError(`there is no schema ${String(name)}; known are ${schemaNames.join(', ')}`)
    }
    const problems = problemsOf(answerOf(received), name)
    const message =
      problems.length === 0
        ? `expected a body that does not match the schema ${name}, and it does`
        : `expected a body that matches the schema ${name}:\n  ${problems.join('\n  ')}`
    return { pass: problems.length === 0, message: () => message }
  },
}

function judged(answer: Answer, expected: string, wanted: boolean): MatcherResult {
  const pass = acceptance(answer).accepted === wanted
  return { pass, message: () => `expected ${pass ? 'not ' : ''}${expected}, and it was ${describe(answer)}` }
}

function problemsOf(answer: Answer, name: SchemaName): string[] {
  try {
    return violations(name, bodyJson(answer))
  } catch (error) {
    if (error instanceof BodyError || error instanceof BodyLimitError) return [error.message]
    throw error
  }
}

function answerOf(received: unknown): Answer {
  const { status, body } = (received ?? {}) as Partial<PlainAnswer>
  if (typeof status !== 'number' || !('body' in (received as object))) {
    throw new TypeError('an answer expected: an object with a numeric status and a body')
  }
  if (body instanceof ReadableStream || body instanceof Promise) {
    throw new TypeError('a body expected that was read: { status, body: await response.text() }')
  }
  const request = { method: '', url: '', headers: {}, body: '' }
  return new Answer({ request, status, headers: {}, body: bytesOf(body), sentAt: 0, answeredAt: 0 })
}

function bytesOf(body: PlainAnswer['body']): Buffer {
  if (body === undefined) return Buffer.alloc(0)
  if (typeof body === 'string') return Buffer.from(body)
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  return Buffer.from(JSON.stringify(body))
}
