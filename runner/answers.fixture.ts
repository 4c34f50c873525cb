/** Answers made by hand, for the tests of judging code. */
import { Answer } from '../deployment/http/exchange.ts'

/** An answer with this body: strings and buffers as they are, other values as JSON. */
export function answerOf(body: unknown, { status = 200, sentAt = 0, answeredAt = 10 } = {}): Answer {
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const request = { method: 'POST', url: 'http://127.0.0.1/x', headers: {}, body: 'f=pjson' }
  return new Answer({ request, status, headers: {}, body: bytes, sentAt, answeredAt })
}
