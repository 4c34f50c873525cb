import { once } from 'node:events'
import { createSecureServer, type Http2ServerRequest, type ServerHttp2Session } from 'node:http2'
import { expect, onTestFinished, test } from 'vitest'
import { authority, forTarget, privateKey } from './certificates.fixture.ts'
import { Client } from './client.ts'
import { TransportError } from './exchange.ts'
import { filesWith, proxyServer, secured } from './networks.fixture.ts'
import type { OutgoingRequest } from './outgoing-request.ts'
import { answerJson, configurationFor, listen, serve } from './server.fixture.ts'

const request: OutgoingRequest = { portal: 'host', path: '/x', fields: [['f', 'pjson']] }

interface Seen {
  readonly version: string
  readonly connection: number | undefined
  readonly body: string
}

/** A server that offers both versions; `onRequest` hears of a request when its head is there. */
async function serveBoth(onRequest: (incoming: Http2ServerRequest) => void = () => undefined) {
  const seen: Seen[] = []
  const sessions: ServerHttp2Session[] = []
  const server = createSecureServer(
    { cert: forTarget, key: privateKey, allowHTTP1: true },
    async (incoming, response) => {
      onRequest(incoming)
      let body = ''
      for await (const chunk of incoming) body += chunk
      seen.push({ version: incoming.httpVersion, connection: incoming.socket.remotePort, body })
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ body }))
    },
  )
  server.on('session', (session) => sessions.push(session))
  onTestFinished(() => {
    for (const session of sessions) session.destroy()
  })
  return { baseUrl: (await listen(server as never)).replace('http:', 'https:'), seen, sessions }
}

function clientFor(baseUrl: string, http: Record<string, unknown> = {}): Client {
  const { ca } = filesWith({ ca: authority })
  const client = new Client(configurationFor(baseUrl, { http: { ca, version: '2', timeout: '5s', ...http } }))
  onTestFinished(() => client.close())
  return client
}

test('it is spoken where it is asked for and offered', async () => {
  const { baseUrl, seen } = await serveBoth()
  for (const version of ['1.1', '2']) {
    const client = clientFor(baseUrl, { version })
    const answers = await Promise.all([client.send(request), client.send(request)])
    expect(answers.map(({ status, body }) => [status, String(body)])).toEqual(
      [0, 1].map(() => [200, '{"body":"f=pjson"}']),
    )
  }
  expect(seen.map(({ version }) => version)).toEqual(['1.1', '1.1', '2.0', '2.0'])
  const older = await secured(await serve((_, response) => answerJson(response, {})), forTarget)
  expect((await clientFor(older).send(request)).status).toBe(200)
})

test('it goes through the tunnel of a proxy', async () => {
  const { baseUrl, seen } = await serveBoth()
  const proxy = await proxyServer('me:pw')
  const client = clientFor(baseUrl, { proxy: proxy.url.replace('//', '//me:pw@') })
  expect((await client.send(request)).status).toBe(200)
  expect([seen[0]?.version, proxy.asked.length]).toEqual(['2.0', 1])
})

test('requests under way together have a connection each, and connection() keeps one in order', async () => {
  const { baseUrl, seen } = await serveBoth()
  const client = clientFor(baseUrl, { concurrency: 3 })
  await Promise.all([1, 2, 3].map(() => client.send(request)))
  expect(new Set(seen.map(({ connection }) => connection)).size).toBe(3)
  seen.length = 0
  const connection = client.connection()
  await Promise.all(['1', '2', '3'].map((n) => connection.send({ ...request, fields: [['n', n]] })))
  expect(seen.map(({ body }) => body)).toEqual(['n=1', 'n=2', 'n=3'])
  expect(new Set(seen.map(({ connection }) => connection)).size).toBe(1)
})

test('at a gate only the head goes ahead: no server can act on it', async () => {
  let heads = 0
  const { baseUrl, seen } = await serveBoth(() => {
    heads += 1
  })
  const client = clientFor(baseUrl)
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const answers = [1, 2].map(() => client.send({ ...request, gate }))
  await expect.poll(() => heads).toBe(2)
  expect([seen.length, client.requests]).toEqual([0, 0])
  const openedAt = performance.now()
  open()
  const all = await Promise.all(answers)
  expect(all.every(({ sentAt }) => sentAt >= openedAt)).toBe(true)
  expect(seen.map(({ version, body }) => [version, body])).toEqual([0, 1].map(() => ['2.0', 'f=pjson']))
})

test('a server that goes away between two requests is connected to anew; within one it is a fault', async () => {
  const { baseUrl, sessions } = await serveBoth()
  const client = clientFor(baseUrl, { concurrency: 1 })
  await client.send(request)
  const [session] = sessions as [ServerHttp2Session]
  const closed = once(session, 'close')
  session.close()
  await closed
  await expect.poll(async () => (await client.send(request)).status).toBe(200)
  const breaking = await serveBoth((incoming) => incoming.stream.session?.destroy())
  const error = await clientFor(breaking.baseUrl)
    .send(request)
    .catch((thrown) => thrown)
  expect(error).toBeInstanceOf(TransportError)
  expect(error.fault).toBe('broken')
  expect(error.message).not.toContain('\n')
})
