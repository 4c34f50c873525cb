/** Reads one HTTP request off its connection. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { partsOf } from './administration/multipart.ts'
import { Form, isForm } from './form.ts'
import type { Arrival, Parts } from './parts.ts'

/** What came in; the form is empty where the body is none. `tooLarge`: the body was over the limit and was thrown away. */
export async function receive(
  parts: Parts,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<Arrival & { tooLarge: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  // An over-long body is read to its end, so that the answer reaches a client that is still writing.
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= parts.limits.bodyBytes) chunks.push(chunk)
  }
  const tooLarge = size > parts.limits.bodyBytes
  const body = tooLarge ? Buffer.alloc(0) : Buffer.concat(chunks)
  const contentType = incoming.headers['content-type'] ?? ''
  const texts = partsOf(body, contentType).filter(({ filename }) => filename === undefined)
  const search = (incoming.url ?? '').split('?')[1]
  return {
    method: incoming.method ?? 'GET',
    query: new URLSearchParams(search),
    headers: incoming.headers,
    body,
    form: new Form(
      isForm(contentType)
        ? parts.decodeForm(body, contentType)
        : texts.map(({ name, content }) => [name, content.toString('utf8')] as const),
    ),
    socket: incoming.socket,
    response,
    tooLarge,
  }
}
