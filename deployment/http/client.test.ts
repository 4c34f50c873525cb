import { expect, test } from 'vitest'
import type { Configuration } from '../configuration/configuration.ts'
import { Client } from './client.ts'
import type { OutgoingRequest } from './outgoing-request.ts'
import { answerJson, configurationFor, received, serve } from './server.fixture.ts'

const request: OutgoingRequest = { portal: 'host', path: '/a/b', fields: [['f', 'pjson']] }

async function sendOnce(configuration: Configuration, outgoing: OutgoingRequest) {
  const client = new Client(configuration)
  try {
    return await client.send(outgoing)
  } finally {
    await client.close()
  }
}

/** A server that answers with the received request. */
const echo = () =>
  serve(async (incoming, response) => {
    const { method, url, headers } = incoming
    answerJson(response, { method, url, headers, body: await received(incoming) })
  })

interface Echo {
  method: string
  url: string
  headers: Record<string, string>
  body: string
}

const echoed = (body: Buffer) => JSON.parse(body.toString()) as Echo

test('send posts a form to the path below the base URL and reads the answer', async () => {
  const baseUrl = `${await echo()}/sharing/rest/`
  const answer = await sendOnce(configurationFor(baseUrl, { http: { headers: { Referer: 'http://x' } } }), {
    ...request,
    fields: [
      ['name', 'a & ü'],
      ['f', 'pjson'],
    ],
  })
  const seen = echoed(answer.body)
  expect(seen).toMatchObject({ method: 'POST', url: '/sharing/rest/a/b', body: 'name=a+%26+%C3%BC&f=pjson' })
  expect(seen.headers).toMatchObject({
    'content-type': 'application/x-www-form-urlencoded',
    'accept-encoding': 'gzip, br',
    referer: 'http://x',
    'user-agent': expect.stringMatching(/^portal-conformance\/\d+\.\d+\.\d+/),
  })
  expect(answer.status).toBe(200)
  expect(answer.headers['content-type']).toBe('application/json')
  expect(answer.request.body).toBe(seen.body)
  expect(answer.request.url).toBe(`${baseUrl.slice(0, -1)}/a/b`)
  expect(answer.answeredAt).toBeGreaterThanOrEqual(answer.sentAt)
})

test('a client sends no more than the allowed number of requests, repetitions included', async () => {
  let arrived = 0
  const baseUrl = await serve((_, response) => {
    arrived += 1
    // The second is throttled, and its repetition would be one too many.
    if (arrived === 2) response.writeHead(429).end()
    else answerJson(response, { arrived })
  })
  const client = new Client(configurationFor(baseUrl), { mostRequests: 5 })
  const ends = await Promise.allSettled(Array.from({ length: 20 }, () => client.send(request)))
  await client.close()
  expect(arrived).toBe(5)
  expect(client.exhausted).toBe(true)
  const unsent = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  expect(unsent).toHaveLength(16)
  expect(unsent.every(({ fault }) => fault === 'not-sent')).toBe(true)
})

test('send uses the given form style, content type and method', async () => {
  const configuration = configurationFor(await echo())
  const styled = await sendOnce(configuration, {
    ...request,
    fields: [
      ['a', 'x y'],
      ['b', 'é'],
    ],
    style: { order: 'reversed', space: '%20', escapes: 'lower' },
    contentType: 'application/x-www-form-urlencoded; charset=utf-8',
  })
  expect(echoed(styled.body).body).toBe('b=%c3%a9&a=x%20y')
  expect(echoed(styled.body).headers['content-type']).toBe('application/x-www-form-urlencoded; charset=utf-8')

  const got = echoed((await sendOnce(configuration, { ...request, method: 'GET', credential: 'hush' })).body)
  expect(got).toMatchObject({ method: 'GET', url: '/a/b?f=pjson&token=hush', body: '' })
  expect(got.headers).not.toHaveProperty('content-type')
})

const places = [
  ['form', 'token', '', (seen: Echo) => seen.body, 'f=pjson&token=s%2B%2Fcret'],
  ['query', 'token', '', (seen: Echo) => seen.url, '/a/b?token=s%2B%2Fcret'],
  ['header', 'Authorization', 'Bearer ', (seen: Echo) => seen.headers.authorization, 'Bearer s+/cret'],
  ['cookie', 'sid', '', (seen: Echo) => seen.headers.cookie, 'sid=s+/cret'],
] as const

test.each(places)(
  'send puts the credential only into the %s, and nothing without one',
  async (place, name, prefix, read, expected) => {
    const configuration = configurationFor(await echo(), { authentication: { in: place, name, prefix } })
    const identified = echoed((await sendOnce(configuration, { ...request, credential: 's+/cret' })).body)
    expect(read(identified)).toBe(expected)

    const anonymous = echoed((await sendOnce(configuration, request)).body)
    expect(anonymous.body).toBe('f=pjson')
    expect(anonymous.url).toBe('/a/b')
    expect(anonymous.headers).not.toHaveProperty('authorization')
    expect(anonymous.headers).not.toHaveProperty('cookie')
  },
)

test('an anonymous request has no cookie or token after an authenticated one on the same connection', async () => {
  const baseUrl = await serve(async (incoming, response) => {
    response.setHeader('set-cookie', 'session=abc')
    answerJson(response, {
      headers: incoming.headers,
      port: incoming.socket.remotePort,
      body: await received(incoming),
    })
  })
  const client = new Client(configurationFor(baseUrl))
  const connection = client.connection()
  const first = JSON.parse(String((await connection.send({ ...request, credential: 'hush' })).body))
  const second = JSON.parse(String((await connection.send(request)).body))
  await client.close()
  expect(first.body).toContain('token=hush')
  expect(second.port).toBe(first.port)
  expect(second.body).toBe('f=pjson')
  expect(second.headers).not.toHaveProperty('cookie')
})

test('send does not follow redirects', async () => {
  let calls = 0
  const baseUrl = await serve((_, response) => {
    calls += 1
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  const answer = await sendOnce(configurationFor(baseUrl), request)
  expect([answer.status, answer.headers.location, calls]).toEqual([302, '/elsewhere', 1])
})

test('send refuses a field with a lone surrogate before it sends anything', async () => {
  const client = new Client(configurationFor('http://127.0.0.1:9'))
  await expect(client.send({ ...request, fields: [['a', '\udc00']] })).rejects.toThrow('lone surrogate')
  expect(client.requests).toBe(0)
  await client.close()
})
