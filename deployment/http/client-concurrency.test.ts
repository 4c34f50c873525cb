import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Client } from './client.ts'
import {
  answerJson,
  clientFor,
  configurationFor,
  listen,
  received,
  request,
  serve,
} from './server.fixture.ts'

test('connection() sends in order on one socket, and opens a new one if the server closes it', async () => {
  const seen: [number | undefined, string][] = []
  const baseUrl = await serve(async (incoming, response) => {
    const body = await received(incoming)
    seen.push([incoming.socket.remotePort, body])
    if (body === 'n=2') response.setHeader('connection', 'close')
    answerJson(response, {})
  })
  const client = clientFor(baseUrl)
  const connection = client.connection()
  await Promise.all(['1', '2', '3', '4'].map((n) => connection.send({ ...request, fields: [['n', n]] })))
  await connection.close()
  expect(seen.map(([, body]) => body)).toEqual(['n=1', 'n=2', 'n=3', 'n=4'])
  const [first, second, third, fourth] = seen.map(([port]) => port)
  expect(second).toBe(first)
  expect(third).not.toBe(first)
  expect(fourth).toBe(third)
})

test('requests at a gate open connections and send nothing until the gate opens', async () => {
  let connections = 0
  let calls = 0
  const server = createServer(async (incoming, response) => {
    calls += 1
    answerJson(response, { body: await received(incoming) })
  })
  server.on('connection', () => {
    connections += 1
  })
  const client = clientFor(await listen(server))
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const waiting = [1, 2].map(() => {
    let answer!: ReturnType<Client['send']>
    const reached = new Promise<void>((resolve) => {
      answer = client.send({ ...request, gate, atGate: resolve })
    })
    return { reached, answer }
  })
  await Promise.all(waiting.map(({ reached }) => reached))
  await expect.poll(() => connections).toBe(2)
  expect([calls, client.requests]).toEqual([0, 0])
  const openedAt = performance.now()
  open()
  const answers = await Promise.all(waiting.map(({ answer }) => answer))
  expect(answers.map(({ body }) => String(body))).toEqual(['{"body":"f=pjson"}', '{"body":"f=pjson"}'])
  expect(answers.every(({ sentAt }) => sentAt >= openedAt)).toBe(true)
  expect(client.requests).toBe(2)
})

test('a request at a gate that never opens times out and is not sent', async () => {
  const baseUrl = await serve((_, response) => answerJson(response, {}))
  const client = clientFor(baseUrl, { timeout: '80ms' })
  const gate = new Promise<void>(() => {})
  await expect(client.send({ ...request, gate })).rejects.toMatchObject({ fault: 'timeout' })
  expect(client.requests).toBe(0)
})

test('an abort interrupts running, queued and later requests', async () => {
  const abort = new AbortController()
  const baseUrl = await serve(() => undefined)
  const client = new Client(configurationFor(baseUrl, { http: { concurrency: 2 } }), { signal: abort.signal })
  let gateReached = false
  const answers = [
    client.send(request),
    client.send(request),
    client.send(request),
    client.send({
      ...request,
      gate: Promise.resolve(),
      atGate: () => {
        gateReached = true
      },
    }),
  ]
  await expect.poll(() => client.requests).toBe(2)
  abort.abort()
  for (const answer of answers) await expect(answer).rejects.toMatchObject({ fault: 'interrupted' })
  await expect(client.send(request)).rejects.toMatchObject({ fault: 'interrupted' })
  expect(client.requests).toBe(2)
  expect(gateReached).toBe(true)
  await client.close()
})

/** A server that records arrivals and throttles three of them. */
async function counting(delay: (number: number) => number) {
  const seen = { arrivals: [] as number[], atOnce: 0, most: 0, throttled: 0 }
  const server = createServer(async (_, response) => {
    seen.arrivals.push(performance.now())
    seen.most = Math.max(seen.most, ++seen.atOnce)
    await sleep(delay(seen.arrivals.length))
    seen.atOnce -= 1
    // Retries count as well.
    if (seen.arrivals.length % 10 === 5 && seen.throttled < 3) {
      seen.throttled += 1
      response.writeHead(429, { 'retry-after': '0' }).end()
    } else answerJson(response, {})
  })
  return { baseUrl: await listen(server), seen }
}

/** The largest number of times within any period of this length, excluding its end. */
const mostWithin = (times: readonly number[], length: number): number =>
  Math.max(...times.map((from) => times.filter((time) => time >= from && time < from + length).length))

test('http.requestsPerSecond holds in every second, also with retries and two clients', async () => {
  const perSecond = 16
  const { baseUrl, seen } = await counting((number) => (number * 37) % 90)
  const configuration = configurationFor(baseUrl, { http: { requestsPerSecond: perSecond, concurrency: 8 } })
  // Another client with the same settings, like the one that signs in.
  const clients = [new Client(configuration), new Client({ ...configuration })]
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, number) => (clients[number % 2] as Client).send(request)),
  )
  await Promise.all(clients.map((client) => client.close()))
  expect(seen.throttled).toBeGreaterThan(0)
  expect(seen.arrivals).toHaveLength(24 + seen.throttled)
  expect(
    mostWithin(
      answers.map(({ sentAt }) => sentAt),
      1000,
    ),
  ).toBeLessThanOrEqual(perSecond)
  // Requests may arrive late, but a burst would still show.
  expect(mostWithin(seen.arrivals, 800)).toBeLessThanOrEqual(perSecond)
  expect(seen.most).toBeLessThanOrEqual(8)
})

test.each([1, 5])('http.concurrency %i is reached and never exceeded', async (concurrency) => {
  const { baseUrl, seen } = await counting(() => 30)
  const configuration = configurationFor(baseUrl, { http: { concurrency } })
  const clients = [new Client(configuration), new Client({ ...configuration })]
  await Promise.all(
    Array.from({ length: 30 }, (_, number) => {
      const client = clients[number % 2] as Client
      return number % 7 === 0 ? client.connection().send(request) : client.send(request)
    }),
  )
  await Promise.all(clients.map((client) => client.close()))
  expect(seen.most).toBe(concurrency)
})
