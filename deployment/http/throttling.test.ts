import { expect, test } from 'vitest'
import { answerOf } from './answer.fixture.ts'
import { Client } from './client.ts'
import type { Answer } from './exchange.ts'
import { waitAfter } from './pace.ts'
import { answerJson, clientFor, configurationFor, received, request, serve } from './server.fixture.ts'

const retryAfter = (status: number, header?: string): Answer =>
  answerOf({ status, headers: { 'retry-after': header } })

test.each([
  [429, undefined, 0, 250],
  [429, '3', 0, 3000],
  [502, undefined, 0, 200],
  [504, undefined, 3, 1600],
  [500, '3', 0, undefined],
  [403, '3', 0, 3000],
  [403, '3', 3, undefined],
  [403, undefined, 0, undefined],
  [200, '3', 0, undefined],
  // Retries end, whatever the target requests.
  [429, '0', 3, 800],
  [429, 'Thu, 01 Jan 1970 00:00:00 GMT', 0, 100],
])('waitAfter HTTP %i with Retry-After %s, attempt %i: %s ms', (status, header, attempt, expected) => {
  expect(waitAfter(retryAfter(status, header), attempt)?.ms).toBe(expected)
})

test.each([
  [200, 429, 250],
  [200, 504, 200],
  [200, 500, undefined],
  [200, 409, undefined],
  // The HTTP status counts, not the code.
  [400, 504, undefined],
])('waitAfter HTTP %i with error code %s: %s ms', (status, code, expected) => {
  const body = JSON.stringify({ error: { code, message: 'Your request has timed out.' } })
  expect(waitAfter(answerOf({ status, body }), 0)?.ms).toBe(expected)
})

test('waitAfter reads a Retry-After date relative to the clock of the target', () => {
  const answer = retryAfter(429, new Date(Date.now() + 5 * 3_600_000 + 2000).toUTCString())
  const date = new Date(Date.now() + 5 * 3_600_000).toUTCString()
  expect(waitAfter(answer.with({ headers: { ...answer.headers, date } }), 0)?.ms).toBe(2000)
})

test('a throttled request is retried and frees its slot while it waits', async () => {
  const order: string[] = []
  let throttled = 0
  const baseUrl = await serve(async (incoming, response) => {
    const body = await received(incoming)
    order.push(body)
    if (body === 'n=1' && throttled++ < 2) response.writeHead(429, { 'retry-after': '0' }).end()
    else answerJson(response, {})
  })
  const client = clientFor(baseUrl, { concurrency: 1 })
  const both = await Promise.all(['1', '2'].map((n) => client.send({ ...request, fields: [['n', n]] })))
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(order).toEqual(['n=1', 'n=2', 'n=1', 'n=1'])
  expect(client.requests).toBe(4)
  // A throttled request was not performed.
  expect(both[0]?.repeatedAfter).toBeUndefined()
  expect(client.putOff).toEqual({ throttled: 2, unavailable: 0 })
})

test.each([
  ['is retried if it closes the connection', 'close', [200, 2]],
  ['counts if it keeps the connection open', 'keep-alive', [408, 1]],
])('HTTP 408 %s', async (_, connection, expected) => {
  let requests = 0
  const baseUrl = await serve(async (incoming, response) => {
    await received(incoming)
    if (requests++ === 0) response.writeHead(408, { connection }).end()
    else answerJson(response, {})
  })
  const client = clientFor(baseUrl)
  const { status } = await client.send(request)
  expect([status, requests]).toEqual(expected)
})

/** A server that answers with these statuses in turn, and then always with the last. */
function answering(statuses: readonly number[], headers: object = {}): Promise<string> {
  let at = 0
  return serve(async (incoming, response) => {
    await received(incoming)
    const status = statuses[Math.min(at++, statuses.length - 1)] as number
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{}')
  })
}

test.each([
  ['is retried until accepted', [403, 200], 200, 2],
  ['is a refusal after three retries', [403], 403, 4],
])('a 403 with Retry-After %s', async (_, statuses, expected, requests) => {
  const client = clientFor(await answering(statuses, { 'retry-after': '0' }))
  const { status } = await client.send(request)
  expect([status, client.requests]).toEqual([expected, requests])
})

test('a request is retried after 502 and 504, as the answer shows', async () => {
  const client = clientFor(await answering([502, 504, 200]))
  const answer = await client.send(request)
  expect(answer.status).toBe(200)
  expect(answer.repeatedAfter).toEqual(['HTTP 502', 'HTTP 504'])
  expect(client.putOff).toEqual({ throttled: 0, unavailable: 2 })
})

test('a request is retried after error code 504 in the body, as the answer shows', async () => {
  let requests = 0
  const baseUrl = await serve(async (incoming, response) => {
    await received(incoming)
    const error = { code: 504, message: 'Your request has timed out.', details: [] }
    answerJson(response, requests++ === 0 ? { error } : { success: true })
  })
  const client = clientFor(baseUrl)
  const answer = await client.send(request)
  expect(answer.repeatedAfter).toEqual(['HTTP 200 with error code 504'])
  expect(client.putOff).toEqual({ throttled: 0, unavailable: 1 })
})

test('lasting 503 is a transport error, not a refusal, with fewer retries each time', async () => {
  const client = clientFor(await answering([503]), { throttleWait: '500ms' })
  const sent: number[] = []
  for (let round = 0; round < 4; round += 1) {
    const before = client.requests
    await expect(client.send({ ...request, about: 'add-workspace' })).rejects.toMatchObject({
      fault: 'unavailable',
      message: expect.stringContaining('not available (HTTP 503) after waits of '),
      answer: { status: 503 },
    })
    sent.push(client.requests - before)
  }
  expect(sent).toEqual([2, 2, 1, 1])
})

test('a request with once: true is not retried', async () => {
  const client = clientFor(await answering([503]))
  expect((await client.send({ ...request, once: true })).status).toBe(503)
})

test('an unrepeatable request is retried after 429, and not after 504', async () => {
  const client = clientFor(await answering([429, 504, 200]))
  expect((await client.send({ ...request, unrepeatable: true })).status).toBe(504)
  expect(client.requests).toBe(2)
})

test('a wait above http.throttleWait fails at once as throttled', async () => {
  const baseUrl = await serve((_, response) => response.writeHead(429, { 'retry-after': '3600' }).end())
  const client = clientFor(baseUrl, { throttleWait: '1s' })
  await expect(client.send(request)).rejects.toMatchObject({
    fault: 'throttled',
    message: `POST ${baseUrl}/x: throttled (HTTP 429) after waits of 0ms, and the run does not wait another 1h: its limit is 1s (http.throttleWait: 1s); set http.requestsPerSecond to a rate that the target serves`,
  })
  expect(client.requests).toBe(1)
})

test('an abort ends the wait for a retry', async () => {
  const abort = new AbortController()
  const baseUrl = await serve((_, response) => {
    response.writeHead(429, { 'retry-after': '20' }).end(() => setTimeout(() => abort.abort(), 20))
  })
  const client = new Client(configurationFor(baseUrl), { signal: abort.signal })
  await expect(client.send(request)).rejects.toMatchObject({ fault: 'interrupted' })
  await client.close()
})
