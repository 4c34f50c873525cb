import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Client } from './client.ts'
import type { OutgoingRequest } from './outgoing-request.ts'
import { answerJson, configurationFor, listen } from './server.fixture.ts'

const request: OutgoingRequest = { portal: 'host', path: '/x', fields: [['f', 'pjson']] }

/** A server that counts. */
async function counting(delay: (number: number) => number) {
  const seen = { arrivals: [] as number[], atOnce: 0, most: 0, throttled: 0 }
  const server = createServer(async (_, response) => {
    seen.arrivals.push(performance.now())
    seen.most = Math.max(seen.most, ++seen.atOnce)
    await sleep(delay(seen.arrivals.length))
    seen.atOnce -= 1
    // Some are to be repeated, which counts as well.
    if (seen.arrivals.length % 10 === 5 && seen.throttled < 3) {
      seen.throttled += 1
      response.writeHead(429, { 'retry-after': '0' }).end()
    } else answerJson(response, {})
  })
  return { baseUrl: await listen(server), seen }
}

/** The most that fall into any stretch of that length, its end left out. */
const mostWithin = (times: readonly number[], length: number): number =>
  Math.max(...times.map((from) => times.filter((time) => time >= from && time < from + length).length))

test('http.requestsPerSecond holds in every second, over connections that open slowly, repetitions and two clients', async () => {
  const perSecond = 16
  const { baseUrl, seen } = await counting((number) => (number * 37) % 90)
  const configuration = configurationFor(baseUrl, { http: { requestsPerSecond: perSecond, concurrency: 8 } })
  // As a login beside the checks: another client with the same settings.
  const clients = [new Client(configuration), new Client({ ...configuration })]
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, number) => (clients[number % 2] as Client).send(request)),
  )
  await Promise.all(clients.map((client) => client.close()))
  expect(seen.throttled).toBeGreaterThan(0)
  expect(seen.arrivals).toHaveLength(40 + seen.throttled)
  expect(
    mostWithin(
      answers.map(({ sentAt }) => sentAt),
      1000,
    ),
  ).toBeLessThanOrEqual(perSecond)
  // What is sent may be seen late: a burst would show anyway.
  expect(mostWithin(seen.arrivals, 800)).toBeLessThanOrEqual(perSecond)
  expect(seen.most).toBeLessThanOrEqual(8)
})

test.each([1, 2, 5])(
  'http.concurrency %i: never more at once, and never fewer while there is work',
  async (concurrency) => {
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
  },
)
