/** TLS and proxies between a client and its target. */
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { authority, forClient, forElsewhere, forTarget, privateKey } from './certificates.fixture.ts'
import { filesWith, proxyServer, secured } from './networks.fixture.ts'
import { answerJson, clientFor, listen, outcomeOf, received, request, serve } from './server.fixture.ts'

const tlsClient = (baseUrl: string, http: Record<string, unknown>, portals: Record<string, object> = {}) =>
  clientFor(baseUrl, http, { portals: { host: { id: 'host' }, ...portals } })

const plain = () => serve((_, response) => answerJson(response, {}))

test('a private certificate authority is trusted if http.ca names it', async () => {
  const baseUrl = await secured(await plain(), forTarget)
  expect(await outcomeOf(tlsClient(baseUrl, {}))).toMatchObject({
    fault: 'tls',
    message: expect.stringMatching(
      /^POST \S+: TLS failed \(UNABLE_TO_\w+\): an unknown authority .*http\.ca/,
    ),
  })
  expect(await outcomeOf(tlsClient(baseUrl, { ca: filesWith({ ca: authority }).ca }))).toMatchObject({
    status: 200,
  })
})

test('a plain request to a port for TLS is answered by nothing, and the error says so', async () => {
  const baseUrl = await secured(await plain(), forTarget)
  expect(await outcomeOf(tlsClient(baseUrl.replace('https:', 'http:'), {}))).toMatchObject({
    message: expect.stringMatching(/the connection was \w+ before .*; so does a port for TLS: try https:/),
  })
})

test('a client certificate is sent on request; without one the error names the setting', async () => {
  const options = { ca: authority, requestCert: true, rejectUnauthorized: true }
  const baseUrl = await secured(await plain(), forTarget, options)
  const { ca, cert, key } = filesWith({ ca: authority, cert: forClient, key: privateKey })
  expect(await outcomeOf(tlsClient(baseUrl, { ca, cert, key }))).toMatchObject({ status: 200 })
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const picky = await secured(await plain(), forTarget, {
      ...options,
      minVersion: version,
      maxVersion: version,
    })
    expect(await outcomeOf(tlsClient(picky, { ca }))).toMatchObject({
      message: expect.stringMatching(
        /target (that )?wants a client certificate, or another one.*http\.cert and http\.key/,
      ),
    })
  }
})

test('http.insecure disables certificate checks only for the listed hosts', async () => {
  const host = await secured(await plain(), forElsewhere)
  const guest = (await secured(await plain(), forElsewhere)).replace('127.0.0.1', 'localhost')
  const portals = { guest: { id: 'g', baseUrl: guest } }
  const client = tlsClient(host, { insecure: [new URL(host).host] }, portals)
  expect(await outcomeOf(client)).toMatchObject({ status: 200 })
  expect(await outcomeOf(client, { ...request, portal: 'guest' })).toMatchObject({ fault: 'tls' })
  const byName = tlsClient(host, { insecure: ['localhost'] }, portals)
  expect(await outcomeOf(byName)).toMatchObject({ fault: 'tls' })
  expect(await outcomeOf(byName, { ...request, portal: 'guest' })).toMatchObject({ status: 200 })
  expect(await outcomeOf(tlsClient(host, { insecure: true }))).toMatchObject({ status: 200 })
})

const proxiedClient = (
  baseUrl: string,
  http: Record<string, unknown>,
  environment: Record<string, string> = {},
) => clientFor(baseUrl, http, {}, environment)

const echo = () =>
  serve(async (incoming, response) =>
    answerJson(response, { url: incoming.url, host: incoming.headers.host, body: await received(incoming) }),
  )

/** The base URL with a host name that only the test proxy resolves. */
const beyond = (baseUrl: string) => baseUrl.replace('127.0.0.1', 'portal.invalid')

const withPassword = ({ url }: { url: string }, credentials: string) => url.replace('//', `//${credentials}@`)

test.each([
  ['without a password', undefined, ''],
  ['with a password', 'me:p@ss%', 'me:p%40ss%25@'],
  ['with only a user name', 'key-that-lets-through:', 'key-that-lets-through@'],
])('plain HTTP requests go to the proxy %s', async (_, credentials, written) => {
  const proxy = await proxyServer(credentials)
  const baseUrl = `${beyond(await echo())}/base`
  const client = proxiedClient(baseUrl, { proxy: proxy.url.replace('//', `//${written}`) })
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
])('HTTPS requests go through a tunnel of the proxy %s', async (_, credentials) => {
  const proxy = await proxyServer(credentials)
  const baseUrl = await secured(await echo(), forTarget)
  const { ca } = filesWith({ ca: authority })
  const client = proxiedClient(baseUrl, { ca, proxy: withPassword(proxy, credentials ?? 'no-one') })
  for (const repetition of [1, 2]) {
    expect((await client.send(request)).status, `${repetition}`).toBe(200)
  }
  expect(proxy.asked).toEqual([new URL(baseUrl).host])
})

test('a proxy that refuses the password is reported in one line', async () => {
  const proxy = await proxyServer('me:pw')
  for (const scheme of ['http', 'https']) {
    for (const url of [proxy.url, withPassword(proxy, 'me:wrong-password')]) {
      expect(await outcomeOf(proxiedClient(`${scheme}://portal.invalid`, { proxy: url }))).toMatchObject({
        fault: 'unreachable',
        message: `POST ${scheme}://portal.invalid/x: the proxy ${proxy.url} wants a user name and password, or others than it got (HTTP 407): put them into http.proxy, as in http://NAME:PASSWORD@HOST`,
      })
    }
  }
})

test('a proxy that refuses, cannot reach the target or is down is reported with advice', async () => {
  const forbidding = createServer()
  forbidding.on('connect', (_, socket) => socket.end('HTTP/1.1 403 No\r\n\r\n'))
  const faultOf = (proxy: string, baseUrl = 'https://portal.invalid:1') =>
    outcomeOf(proxiedClient(baseUrl, { proxy }))
  const unreachable = (message: RegExp) => ({
    fault: 'unreachable',
    message: expect.stringMatching(message),
  })
  expect(await faultOf(await listen(forbidding))).toMatchObject(
    unreachable(/does not let the connection through \(HTTP 403; http\.noProxy/),
  )
  expect(await faultOf((await proxyServer()).url)).toMatchObject(
    unreachable(/cannot connect to the target \(HTTP 502; check the base URL/),
  )
  for (const scheme of ['http', 'https']) {
    expect(await faultOf('http://127.0.0.1:1', `${scheme}://portal.invalid`)).toMatchObject(
      unreachable(
        /connection refused \(the proxy http:\/\/127\.0\.0\.1:1: check http\.proxy, and that it is up\)/,
      ),
    )
  }
})

test('hosts in http.noProxy are requested without the proxy', async () => {
  const proxy = await proxyServer()
  const baseUrl = await echo()
  const client = proxiedClient(baseUrl, { proxy: proxy.url, noProxy: ['elsewhere.invalid', '127.0.0.0/8'] })
  expect((await client.send(request)).status).toBe(200)
  expect(proxy.asked).toEqual([])
})

test('a proxy from the environment is used for remote hosts, unless the configuration says otherwise', async () => {
  const proxy = await proxyServer('me:pw')
  const environment = { HTTP_PROXY: withPassword(proxy, 'me:pw') }
  const target = await echo()
  expect((await proxiedClient(beyond(target), {}, environment).send(request)).status).toBe(200)
  expect(proxy.asked).toHaveLength(1)
  expect((await proxiedClient(target, {}, environment).send(request)).status).toBe(200)
  expect(proxy.asked).toHaveLength(1)
  const other = await proxyServer()
  expect((await proxiedClient(beyond(target), { proxy: other.url }, environment).send(request)).status).toBe(
    200,
  )
  expect([proxy.asked.length, other.asked.length]).toEqual([1, 1])
  expect(await outcomeOf(proxiedClient(beyond(target), { noProxy: ['*'] }, environment))).toMatchObject({
    message: expect.stringMatching(/the host name (is not known|could not be looked up)/),
  })
  expect(await outcomeOf(proxiedClient(beyond(target), {}, { http_proxy: proxy.url }))).toMatchObject({
    message: expect.stringContaining('put them into http_proxy'),
  })
})
