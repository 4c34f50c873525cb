import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { TransportError } from './exchange.ts'
import type { OutgoingRequest } from './outgoing-request.ts'
import { answerJson, configurationFor, serve, serveRaw } from './server.fixture.ts'

const request: OutgoingRequest = { portal: 'host', path: '/x', fields: [['f', 'pjson']] }

function clientFor(baseUrl: string, http: Record<string, unknown>): Client {
  const client = new Client(configurationFor(baseUrl, { http }))
  onTestFinished(() => client.close())
  return client
}

/** TCP that says nothing: TLS with it never gets anywhere. */
const mute = async () => (await serveRaw(() => undefined)).replace('http:', 'https:')
const silent = () => serve(() => undefined)
const stuck = () =>
  serve((_, response) => {
    response.writeHead(200, { 'content-length': '20' }).write('{"success"')
  })

const endings: readonly (readonly [string, () => Promise<string>, Record<string, string>, string])[] = [
  ['connect', mute, { connectTimeout: '80ms' }, 'no connection within 80ms (http.connectTimeout)'],
  ['connect', mute, { timeout: '80ms' }, 'no connection within 80ms (http.timeout)'],
  [
    'head',
    silent,
    { headersTimeout: '80ms' },
    'no answer had begun 80ms after the request (http.headersTimeout)',
  ],
  ['body', stuck, { bodyTimeout: '80ms' }, 'the answer stood still for 80ms (http.bodyTimeout)'],
  [
    'whole',
    stuck,
    { timeout: '80ms', bodyTimeout: '5s' },
    'no complete answer within 80ms (a target that may take longer needs a longer http.timeout)',
  ],
]

test.each(endings)('what takes too long is named: %s', async (_, target, http, says) => {
  const baseUrl = await target()
  const error = await clientFor(baseUrl, http)
    .send(request)
    .catch((thrown) => thrown)
  expect(error).toBeInstanceOf(TransportError)
  expect([error.fault, error.message]).toEqual(['timeout', `POST ${baseUrl}/x: ${says}`])
})

test('a phase begins when the one before it is over, and anew with each part', async () => {
  // Connecting and waiting take longer together than each may, and so do the parts.
  const slow = await serve((_, response) => {
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const parts = ['{"suc', 'cess"', ': tru', 'e}']
      const timer = setInterval(() => {
        const part = parts.shift()
        if (part !== undefined) response.write(part)
        else {
          clearInterval(timer)
          response.end()
        }
      }, 150)
    }, 150)
  })
  const limits = { connectTimeout: '400ms', headersTimeout: '400ms', bodyTimeout: '400ms', timeout: '20s' }
  const answer = await clientFor(slow, limits).send(request)
  expect(String(answer.body)).toBe('{"success": true}')
  expect(answer.answeredAt - answer.sentAt).toBeGreaterThan(400)
})

test('at a gate no phase runs, and the whole begins anew when it opens', async () => {
  const baseUrl = await serve((_, response) => answerJson(response, {}))
  const client = clientFor(baseUrl, { connectTimeout: '500ms', headersTimeout: '500ms', timeout: '20s' })
  const gate = new Promise<void>((resolve) => setTimeout(resolve, 700))
  expect((await client.send({ ...request, gate })).status).toBe(200)
})

test('a request that may take longer than others is waited for longer, and for no other is the limit changed', async () => {
  const late = await serve((_, response) => {
    setTimeout(() => answerJson(response, {}), 400)
  })
  const client = clientFor(late, { timeout: '100ms', headersTimeout: '80ms' })
  const faultOf = (longestMs?: number) =>
    client
      .send({ ...request, about: 'x', ...(longestMs === undefined ? {} : { longestMs }) })
      .catch((thrown) => thrown)
  expect((await faultOf(20_000)).status).toBe(200)
  for (let time = 0; time < 3; time += 1) expect((await faultOf()).fault).toBe('timeout')
  // Time-outs of others are no reason to wait less for it.
  expect((await faultOf(20_000)).status).toBe(200)
  expect((await faultOf(200)).message).toMatch(
    /: no complete answer within 200ms \(a target that may take longer needs a longer http\.timeout\)$/,
  )
})
