import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { certificate, certificateKey } from './certificate.fixture.ts'
import { Client } from './client.ts'
import type { OutgoingRequest } from './outgoing-request.ts'
import { answerJson, configurationFor, listen, received, serve } from './server.fixture.ts'

const request: OutgoingRequest = { portal: 'host', path: '/x', fields: [['f', 'pjson']] }

function clientFor(baseUrl: string, http: Record<string, unknown>): Client {
  const client = new Client(configurationFor(baseUrl, { http: { timeout: '5s', ...http } }))
  onTestFinished(() => client.close())
  return client
}

test('plain HTTP is asked of the proxy, with its password', async () => {
  const proxy = await serve(async (incoming, response) => {
    const { url, headers } = incoming
    answerJson(response, {
      url,
      auth: headers['proxy-authorization'],
      host: headers.host,
      body: await received(incoming),
    })
  })
  const client = clientFor('http://portal.invalid/base', { proxy: proxy.replace('//', '//me:pw@') })
  for (let repetition = 0; repetition < 2; repetition++) {
    expect(JSON.parse(String((await client.send(request)).body))).toEqual({
      url: 'http://portal.invalid/base/x',
      auth: `Basic ${Buffer.from('me:pw').toString('base64')}`,
      host: 'portal.invalid',
      body: 'f=pjson',
    })
  }
})

test('HTTPS goes through a tunnel', async () => {
  const server = createTlsServer({ cert: certificate, key: certificateKey }, (_, response) =>
    answerJson(response, {}),
  )
  const target = await listen(server)
  const asked: (string | undefined)[] = []
  const proxy = createServer()
  proxy.on('connect', (incoming, socket) => {
    asked.push(incoming.url)
    const through = connect(Number(new URL(target).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n')
      socket.pipe(through).pipe(socket)
    })
    for (const end of [socket, through]) end.on('error', () => undefined)
  })
  const client = clientFor(target.replace('http:', 'https:'), { proxy: await listen(proxy), insecure: true })
  expect((await client.send(request)).status).toBe(200)
  expect((await client.send(request)).status).toBe(200)
  expect(asked).toEqual([new URL(target).host])
})

test('a proxy that refuses, or is not there', async () => {
  const proxy = createServer()
  proxy.on('connect', (_, socket) => socket.end('HTTP/1.1 407 No\r\n\r\n'))
  const refused = clientFor('https://127.0.0.1:1', { proxy: await listen(proxy) })
  await expect(refused.send(request)).rejects.toMatchObject({
    fault: 'unreachable',
    message: 'POST https://127.0.0.1:1/x: the proxy refused the connection (HTTP 407)',
  })
  for (const scheme of ['http', 'https']) {
    const missing = clientFor(`${scheme}://127.0.0.1:1`, { proxy: 'http://127.0.0.1:1' })
    await expect(missing.send(request)).rejects.toMatchObject({ fault: 'unreachable' })
  }
})

test('a proxy that wants a password for plain HTTP', async () => {
  const proxy = await serve((_, response) => response.writeHead(407).end())
  await expect(clientFor('http://127.0.0.1:1', { proxy }).send(request)).rejects.toMatchObject({
    fault: 'unreachable',
  })
})
