import type { Socket } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type Answer, TransportError } from './exchange.ts'
import { answerJson, clientFor, outcomeOf, request, serve, serveRaw } from './server.fixture.ts'

const withSecrets = { ...request, path: '/x?already=there', credential: 'hush-hush' }

const outcome = (baseUrl: string, http: Record<string, unknown> = {}) =>
  outcomeOf(clientFor(baseUrl, { timeout: '5s', ...http }), withSecrets)

async function expectFault(fault: string, words: string, baseUrl: string, http?: Record<string, unknown>) {
  const error = (await outcome(baseUrl, http)) as TransportError
  expect(error).toBeInstanceOf(TransportError)
  expect(error.fault).toBe(fault)
  expect(error.message).toContain(words)
  // The request on one line, without query and form.
  expect(error.message).toContain(`POST ${baseUrl}/x: `)
  expect(error.message).not.toMatch(/hush|already|\n/)
  expect(error.request.body).toBe('f=pjson&token=hush-hush')
}

const rawAnswer = (text: string, then: (socket: Socket) => void = (socket) => socket.end()) =>
  serveRaw((socket) => {
    socket.write(text, () => then(socket))
  })

const reset = (socket: Socket) => setTimeout(() => socket.resetAndDestroy(), 20)

test('unreachable: connection refused', async () => {
  await expectFault('unreachable', 'connection refused', 'http://127.0.0.1:1')
})

test('timeout: no answer', async () => {
  const baseUrl = await serve(() => undefined)
  await expectFault('timeout', 'no complete answer within 80ms', baseUrl, { timeout: '80ms' })
})

test('timeout: one deadline for the whole answer, also if it arrives slowly', async () => {
  const baseUrl = await serve((_, response) => {
    const timer = setInterval(() => response.write('x'), 10)
    response.on('close', () => clearInterval(timer))
  })
  await expectFault('timeout', 'no complete answer within 120ms', baseUrl, { timeout: '120ms' })
})

const ok = 'HTTP/1.1 200 OK\r\n'
const short = `${ok}content-length: 100\r\n`
const chunked = `${ok}transfer-encoding: chunked\r\n`
const closing = 'connection: close\r\n'

test.each<[string, string, string, string, typeof reset?]>([
  ['broken', 'closed before an answer', 'closed', ''],
  ['broken', 'reset before an answer', 'reset', `${ok}content-`, reset],
  ['broken', 'not HTTP/1.1', 'no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['truncated', 'answer', 'shorter than its Content-Length', `${short}\r\n{"succ`],
  ['truncated', 'answer', 'shorter, of a closed connection', `${short}${closing}\r\n{"succ`],
  ['truncated', 'middle of the answer', 'without its last chunk', `${chunked}\r\n5\r\n{"suc\r\n`],
  ['truncated', 'middle of the answer', 'without it, closed', `${chunked}${closing}\r\n5\r\n{"suc\r\n`],
  ['too-large', 'headers', 'with large headers', `${ok}x: ${'y'.repeat(20_000)}\r\n\r\n`],
])('%s (%s): %s', async (fault, words, _, answer, then) => {
  await expectFault(fault, words, await rawAnswer(answer, then))
})

test('truncated: a broken gzip stream', async () => {
  const compressed = gzipSync('{"success": true, "and": "more"}')
  for (const body of [compressed.subarray(0, -12), Buffer.from('not gzip at all')]) {
    const baseUrl = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(body)
    })
    await expectFault('truncated', 'broken or incomplete gzip stream', baseUrl)
  }
})

test('too-large: a body, an endless body or a decompressed body above the limit', async () => {
  const plain = await serve((_, response) => response.end('x'.repeat(10_001)))
  await expectFault('too-large', 'larger than 10000 bytes', plain, { maxAnswerBytes: 10_000 })
  const endless = await serve((_, response) => {
    const more = () => {
      while (response.write('x'.repeat(1000)));
    }
    response.on('drain', more)
    more()
  })
  await expectFault('too-large', 'larger than 10000 bytes', endless, { maxAnswerBytes: 10_000 })
  const bomb = await serve((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10_001)))
  })
  await expectFault('too-large', 'more than 10000 bytes', bomb, { maxAnswerBytes: 10_000 })
})

test('a body of exactly the limit is read, in many pieces', async () => {
  const baseUrl = await serve(async (_, response) => {
    for (let index = 0; index < 100; index++) {
      response.write(String(index % 10).repeat(10))
      await new Promise(setImmediate)
    }
    response.end()
  })
  const answer = (await outcome(baseUrl, { maxAnswerBytes: 1000 })) as Answer
  const expected = Array.from({ length: 100 }, (_, index) => String(index % 10).repeat(10)).join('')
  expect(String(answer.body)).toBe(expected)
})

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['identity', (body: string) => Buffer.from(body)],
])('the client decodes %s', async (encoding, encode) => {
  const baseUrl = await serve((_, response) => {
    response.writeHead(200, { 'content-encoding': encoding }).end(encode('{"success": true}'))
  })
  expect(String(((await outcome(baseUrl)) as Answer).body)).toBe('{"success": true}')
})

test('tls: the server does not speak TLS', async () => {
  const plain = (await serve((_, response) => response.end())).replace('http:', 'https:')
  await expectFault('tls', 'TLS failed', plain)
  const mute = (await serveRaw((socket) => socket.end())).replace('http:', 'https:')
  await expectFault('tls', 'TLS handshake', mute)
})

test('the client does not retry after a lost new connection or HTTP 500', async () => {
  let calls = 0
  const baseUrl = await serve((incoming, response) => {
    calls += 1
    if (calls === 1) incoming.socket.destroy()
    else response.writeHead(500).end()
  })
  expect(await outcome(baseUrl)).toMatchObject({ fault: 'broken' })
  expect(calls).toBe(1)
  expect(await outcome(baseUrl)).toMatchObject({ status: 500 })
  expect(calls).toBe(2)
})

/** A TCP server that never answers, so TLS never starts. */
const mute = async () => (await serveRaw(() => undefined)).replace('http:', 'https:')
const stuck = () =>
  serve((_, response) => {
    response.writeHead(200, { 'content-length': '20' }).write('{"success"')
  })

const endings: readonly (readonly [string, () => Promise<string>, Record<string, string>, string])[] = [
  ['connect', mute, { connectTimeout: '80ms' }, 'no connection within 80ms (http.connectTimeout)'],
  ['connect', mute, { timeout: '80ms' }, 'no connection within 80ms (http.timeout)'],
  [
    'whole',
    stuck,
    { timeout: '80ms' },
    'no complete answer within 80ms (a target that may take longer needs a longer http.timeout)',
  ],
]

test.each(endings)(
  'the error of a time-out names its phase and setting: %s',
  async (_, target, http, message) => {
    const baseUrl = await target()
    expect(await outcomeOf(clientFor(baseUrl, http))).toMatchObject({
      fault: 'timeout',
      message: `POST ${baseUrl}/x: ${message}`,
    })
  },
)

test('time at a gate does not count for time-outs', async () => {
  const baseUrl = await serve((_, response) => answerJson(response, {}))
  const client = clientFor(baseUrl, { connectTimeout: '300ms', timeout: '900ms' })
  const gate = new Promise<void>((resolve) => setTimeout(resolve, 700))
  expect((await client.send({ ...request, gate })).status).toBe(200)
})

test('longestMs extends the time-out of a single request', async () => {
  const late = await serve((_, response) => {
    setTimeout(() => answerJson(response, {}), 400)
  })
  const client = clientFor(late, { timeout: '100ms' })
  const patient = { ...request, about: 'x', longestMs: 20_000 }
  expect(await outcomeOf(client, patient)).toMatchObject({ status: 200 })
  for (let time = 0; time < 3; time += 1)
    expect(await outcomeOf(client, { ...request, about: 'x' })).toMatchObject({ fault: 'timeout' })
  // Time-outs of other requests do not shorten it.
  expect(await outcomeOf(client, patient)).toMatchObject({ status: 200 })
  expect(await outcomeOf(client, { ...patient, longestMs: 200 })).toMatchObject({
    message: expect.stringMatching(/: no complete answer within 200ms \(/),
  })
})
