import { expect, onTestFinished, test } from 'vitest'
import {
  authority,
  expired,
  forClient,
  forElsewhere,
  forNames,
  forNumbers,
  forTarget,
  privateKey,
} from './certificates.fixture.ts'
import { Client } from './client.ts'
import { type Answer, TransportError } from './exchange.ts'
import { filesWith, secured } from './networks.fixture.ts'
import type { OutgoingRequest } from './outgoing-request.ts'
import { answerJson, configurationFor, received, serve } from './server.fixture.ts'

const request: OutgoingRequest = { portal: 'host', path: '/x', fields: [['f', 'pjson']] }

function clientFor(
  baseUrl: string,
  http: Record<string, unknown>,
  portals: Record<string, object> = {},
): Client {
  const all = { portals: { host: { id: 'h' }, ...portals } }
  const client = new Client(configurationFor(baseUrl, { ...all, http: { timeout: '5s', ...http } }))
  onTestFinished(() => client.close())
  return client
}

/** The answer, or what kept it from coming. */
const outcome = (client: Client, asked = request): Promise<Answer | TransportError> =>
  client.send(asked).catch((error) => {
    if (error instanceof TransportError) return error
    throw error
  })

const plain = () => serve((_, response) => answerJson(response, {}))

test('a private authority is trusted where http.ca names it', async () => {
  const baseUrl = await secured(await plain(), forTarget)
  expect(await outcome(clientFor(baseUrl, {}))).toMatchObject({
    fault: 'tls',
    message: expect.stringMatching(
      /^POST \S+: TLS failed \(UNABLE_TO_\w+\): an unknown authority .*http\.ca/,
    ),
  })
  expect(await outcome(clientFor(baseUrl, { ca: filesWith({ ca: authority }).ca }))).toMatchObject({
    status: 200,
  })
})

test.each([
  ['expired', expired, /\(CERT_HAS_EXPIRED\): a certificate of the target has expired, or the clock/],
  ['for another host', forElsewhere, /\(ERR_TLS_CERT_ALTNAME_INVALID\): the certificate is for another host/],
])('a certificate that is %s is distinguished, in one line', async (_, certificate, says) => {
  const baseUrl = await secured(await plain(), certificate)
  const client = clientFor(baseUrl, { ca: filesWith({ ca: authority }).ca })
  const error = (await outcome(client)) as TransportError
  expect(error.fault).toBe('tls')
  expect(error.message).toMatch(says)
  expect(error.message).not.toContain('\n')
})

test('a client certificate is shown where it is asked for; without one a line says what is missing', async () => {
  const options = { ca: authority, requestCert: true, rejectUnauthorized: true }
  const baseUrl = await secured(await plain(), forTarget, options)
  const { ca, cert, key } = filesWith({ ca: authority, cert: forClient, key: privateKey })
  expect(await outcome(clientFor(baseUrl, { ca, cert, key }))).toMatchObject({ status: 200 })
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const picky = await secured(await plain(), forTarget, {
      ...options,
      minVersion: version,
      maxVersion: version,
    })
    expect(await outcome(clientFor(picky, { ca }))).toMatchObject({
      message: expect.stringMatching(
        /target (that )?wants a client certificate, or another one.*http\.cert and http\.key/,
      ),
    })
  }
})

test('certificates go unchecked only for the hosts that are named', async () => {
  const host = await secured(await plain(), forElsewhere)
  const guest = (await secured(await plain(), forElsewhere)).replace('127.0.0.1', 'localhost')
  const portals = { guest: { id: 'g', baseUrl: guest } }
  const client = clientFor(host, { insecure: [new URL(host).host] }, portals)
  expect(await outcome(client)).toMatchObject({ status: 200 })
  expect(await outcome(client, { ...request, portal: 'guest' })).toMatchObject({ fault: 'tls' })
  const byName = clientFor(host, { insecure: ['localhost'] }, portals)
  expect(await outcome(byName)).toMatchObject({ fault: 'tls' })
  expect(await outcome(byName, { ...request, portal: 'guest' })).toMatchObject({ status: 200 })
})

test('portals on different hosts and ports, each with a certificate of its own', async () => {
  const bodies = (name: string) =>
    serve(async (incoming, response) =>
      answerJson(response, {
        name,
        host: incoming.headers.host,
        url: incoming.url,
        body: await received(incoming),
      }),
    )
  const host = await secured(`${await bodies('host')}/a/b/c`, forNumbers)
  const guest = (await secured(await bodies('guest'), forNames)).replace('127.0.0.1', 'localhost')
  const client = clientFor(
    host,
    { ca: filesWith({ ca: authority }).ca },
    { guest: { id: 'g', baseUrl: guest } },
  )
  const both = await Promise.all(
    [request, { ...request, portal: 'guest' } as const].map((one) => client.send(one)),
  )
  expect(both.map(({ body }) => JSON.parse(String(body)))).toEqual([
    { name: 'host', host: new URL(host).host, url: '/a/b/c/x', body: 'f=pjson' },
    { name: 'guest', host: new URL(guest).host, url: '/x', body: 'f=pjson' },
  ])
})
