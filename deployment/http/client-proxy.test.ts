import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfiguration } from '../configuration/load-configuration.ts'
import { authority, forTarget } from './certificates.fixture.ts'
import { Client } from './client.ts'
import { TransportError } from './exchange.ts'
import { filesWith, proxyServer, secured } from './networks.fixture.ts'
import type { OutgoingRequest } from './outgoing-request.ts'
import { answerJson, listen, received, serve } from './server.fixture.ts'

const request: OutgoingRequest = { portal: 'host', path: '/x', fields: [['f', 'pjson']] }

function clientFor(
  baseUrl: string,
  http: Record<string, unknown>,
  environment: Record<string, string> = {},
): Client {
  const value = { target: { baseUrl }, portals: { host: { id: 'h' } }, http: { timeout: '5s', ...http } }
  const client = new Client(loadConfiguration({ value, name: 'test' }, { effects: 'all' }, environment))
  onTestFinished(() => client.close())
  return client
}

const failed = (client: Client) => client.send(request).catch((error) => error) as Promise<TransportError>

const echo = () =>
  serve(async (incoming, response) =>
    answerJson(response, { url: incoming.url, host: incoming.headers.host, body: await received(incoming) }),
  )

/** The base URL under a host name that only a proxy of these tests understands. */
const beyond = (baseUrl: string) => baseUrl.replace('127.0.0.1', 'portal.invalid')

const withPassword = ({ url }: { url: string }, credentials: string) => url.replace('//', `//${credentials}@`)

test.each([
  ['without a password', undefined, ''],
  ['with a password', 'me:p@ss%', 'me:p%40ss%25@'],
  ['with a name alone', 'key-that-lets-through:', 'key-that-lets-through@'],
])('plain HTTP is asked of the proxy: %s', async (_, credentials, written) => {
  const proxy = await proxyServer(credentials)
  const baseUrl = `${beyond(await echo())}/base`
  const client = clientFor(baseUrl, { proxy: proxy.url.replace('//', `//${written}`) })
  for (let repetition = 0; repetition < 2; repetition++) {
    expect(JSON.parse(String((await client.send(request)).body))).toEqual({
      url: '/base/x',
      host: new URL(baseUrl).host,
      body: 'f=pjson',
    })
  }
  expect(proxy.asked).toEqual([`${baseUrl}/x`, `${baseUrl}/x`])
})

test.each([
  ['without a password', undefined],
  ['with a password', 'me:pw'],
])('HTTPS goes through a tunnel: %s', async (_, credentials) => {
  const proxy = await proxyServer(credentials)
  const baseUrl = await secured(await echo(), forTarget)
  const { ca } = filesWith({ ca: authority })
  const client = clientFor(baseUrl, { ca, proxy: withPassword(proxy, credentials ?? 'no-one') })
  for (const repetition of [1, 2]) {
    expect((await client.send(request)).status, `${repetition}`).toBe(200)
  }
  expect(proxy.asked).toEqual([new URL(baseUrl).host])
})

test('a proxy that wants a password, or another, is one line', async () => {
  const proxy = await proxyServer('me:pw')
  for (const scheme of ['http', 'https']) {
    for (const url of [proxy.url, withPassword(proxy, 'me:wrong-password')]) {
      const { fault, message } = await failed(clientFor(`${scheme}://portal.invalid`, { proxy: url }))
      expect(fault).toBe('unreachable')
      expect(message).toBe(
        `POST ${scheme}://portal.invalid/x: the proxy ${proxy.url} wants a user name and password, or others than it got (HTTP 407): put them into http.proxy, as in http://NAME:PASSWORD@HOST`,
      )
    }
  }
})

test('a proxy that lets no one through, cannot reach the target, or is not there', async () => {
  const forbidding = createServer()
  forbidding.on('connect', (_, socket) => socket.end('HTTP/1.1 403 No\r\n\r\n'))
  const says = async (proxy: string, baseUrl = 'https://portal.invalid:1') => {
    const error = await failed(clientFor(baseUrl, { proxy }))
    expect(error).toBeInstanceOf(TransportError)
    expect(error.fault).toBe('unreachable')
    return error.message
  }
  expect(await says(await listen(forbidding))).toMatch(
    /does not let the connection through \(HTTP 403; http\.noProxy/,
  )
  expect(await says((await proxyServer()).url)).toMatch(
    /cannot connect to the target \(HTTP 502; check the base URL/,
  )
  for (const scheme of ['http', 'https']) {
    expect(await says('http://127.0.0.1:1', `${scheme}://portal.invalid`)).toMatch(
      /connection refused \(the proxy http:\/\/127\.0\.0\.1:1: check http\.proxy, and that it is up\)/,
    )
  }
})

test('http.noProxy names hosts that are asked themselves', async () => {
  const proxy = await proxyServer()
  const baseUrl = await echo()
  const client = clientFor(baseUrl, { proxy: proxy.url, noProxy: ['elsewhere.invalid', '127.0.0.0/8'] })
  expect((await client.send(request)).status).toBe(200)
  expect(proxy.asked).toEqual([])
})

test('the environment counts beyond this machine, and never over the configuration', async () => {
  const proxy = await proxyServer('me:pw')
  const environment = { HTTP_PROXY: withPassword(proxy, 'me:pw') }
  const target = await echo()
  expect((await clientFor(beyond(target), {}, environment).send(request)).status).toBe(200)
  expect(proxy.asked).toHaveLength(1)
  expect((await clientFor(target, {}, environment).send(request)).status).toBe(200)
  expect(proxy.asked).toHaveLength(1)
  const other = await proxyServer()
  expect((await clientFor(beyond(target), { proxy: other.url }, environment).send(request)).status).toBe(200)
  expect([proxy.asked.length, other.asked.length]).toEqual([1, 1])
  const { message } = await failed(clientFor(beyond(target), { noProxy: ['*'] }, environment))
  expect(message).toMatch(/the host name (is not known|could not be looked up)/)
  const wrong = await failed(clientFor(beyond(target), {}, { http_proxy: proxy.url }))
  expect(wrong.message).toContain('put them into http_proxy')
})
