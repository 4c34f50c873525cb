import { expect, test } from 'vitest'
import { Client } from './client.ts'
import type { Answer } from './exchange.ts'
import type { OutgoingRequest } from './outgoing-request.ts'
import { answerJson, configurationFor, received, serve } from './server.fixture.ts'
import { throttleWait } from './throttling.ts'

const answerOf = (status: number, retryAfter?: string): Answer => ({
  request: { method: 'POST', url: 'http://127.0.0.1/x', headers: {}, body: '' },
  status,
  headers: { 'retry-after': retryAfter },
  body: Buffer.alloc(0),
  sentAt: 0,
  answeredAt: 1,
})

test.each([
  [429, undefined, 0, 1000],
  [429, undefined, 2, 4000],
  [429, '3', 0, 3000],
  [429, 'soon', 1, 2000],
  [503, '3', 1, 3000],
  [503, undefined, 0, undefined],
  [503, 'soon', 0, undefined],
  [200, '3', 0, undefined],
  // Never without end, whatever the target says.
  [429, '0', 3, 800],
  [429, 'Thu, 01 Jan 1970 00:00:00 GMT', 0, 100],
])('%i with Retry-After %s, attempt %i: %s ms', (status, header, attempt, expected) => {
  expect(throttleWait(answerOf(status, header), attempt)).toBe(expected)
})

test('Retry-After may be a date', () => {
  const wait = throttleWait(answerOf(503, new Date(Date.now() + 60_000).toUTCString()), 0)
  expect(wait).toBeGreaterThan(50_000)
  expect(wait).toBeLessThanOrEqual(60_000)
})

const request: OutgoingRequest = { portal: 'host', path: '/x', fields: [['f', 'pjson']] }

test('a throttled request is repeated, and gives its slot to others while it waits', async () => {
  const order: string[] = []
  let throttled = 0
  const baseUrl = await serve(async (incoming, response) => {
    const body = await received(incoming)
    order.push(body)
    if (body === 'n=1' && throttled++ < 2) response.writeHead(429, { 'retry-after': '0' }).end()
    else answerJson(response, {})
  })
  const client = new Client(configurationFor(baseUrl, { http: { concurrency: 1 } }))
  const both = await Promise.all(['1', '2'].map((n) => client.send({ ...request, fields: [['n', n]] })))
  await client.close()
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(order).toEqual(['n=1', 'n=2', 'n=1', 'n=1'])
  expect(client.requests).toBe(4)
})

test('more waiting than allowed ends as throttled, at once', async () => {
  const baseUrl = await serve((_, response) => response.writeHead(429, { 'retry-after': '3600' }).end())
  const client = new Client(configurationFor(baseUrl, { http: { throttleWait: '1s' } }))
  await expect(client.send(request)).rejects.toMatchObject({
    fault: 'throttled',
    message: `POST ${baseUrl}/x: throttled (HTTP 429), and waiting would take longer than 1s (http.throttleWait)`,
  })
  expect(client.requests).toBe(1)
  await client.close()
})

test('an abort ends the wait', async () => {
  const abort = new AbortController()
  const baseUrl = await serve((_, response) => {
    response.writeHead(429, { 'retry-after': '20' }).end(() => setTimeout(() => abort.abort(), 20))
  })
  const client = new Client(configurationFor(baseUrl), { signal: abort.signal })
  await expect(client.send(request)).rejects.toMatchObject({ fault: 'interrupted' })
  await client.close()
})
