/** Answers for tests that need no server. */
import { Answer, type SentRequest } from './exchange.ts'

interface Given {
  readonly status?: number
  readonly headers?: Answer['headers']
  readonly body?: string | Buffer
  readonly request?: Partial<SentRequest>
}

export const answerOf = ({ status = 200, headers = {}, body = '', request = {} }: Given): Answer =>
  new Answer({
    request: { method: 'POST', url: 'http://127.0.0.1/x', headers: {}, body: '', ...request },
    status,
    headers,
    body: Buffer.from(body as string),
    sentAt: 0,
    answeredAt: 1,
  })
