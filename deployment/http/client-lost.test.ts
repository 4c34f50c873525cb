/** Targets that close connections without a word, or are away for a while. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import type { OutgoingRequest } from './outgoing-request.ts'
import { answerJson, configurationFor, received, serve } from './server.fixture.ts'

const request: OutgoingRequest = { portal: 'host', path: '/x', fields: [['f', 'pjson']] }

/** A server that answers this many requests of a connection, and closes it without an answer at the next. */
function closingAfter(answers: number): Promise<string> {
  const served = new WeakMap<object, number>()
  return serve(async (incoming, response) => {
    await received(incoming)
    const count = (served.get(incoming.socket) ?? 0) + 1
    served.set(incoming.socket, count)
    if (count > answers) incoming.socket.destroy()
    else answerJson(response, {})
  })
}

test('what was lost on a used connection is sent again on a new one, and the answer says it', async () => {
  const client = new Client(configurationFor(await closingAfter(1), { http: { concurrency: 1 } }))
  expect((await client.send(request)).repeatedAfter).toBeUndefined()
  const second = await client.send(request)
  expect(second.status).toBe(200)
  expect(second.repeatedAfter).toEqual(['a connection that the target had closed'])
  await client.close()
})

test('what must not be performed twice is not sent again', async () => {
  const client = new Client(configurationFor(await closingAfter(1), { http: { concurrency: 1 } }))
  const unrepeatable = { ...request, unrepeatable: true }
  await client.send(unrepeatable)
  await expect(client.send(unrepeatable)).rejects.toMatchObject({ fault: 'broken' })
  expect(client.requests).toBe(2)
  await client.close()
})

test('after some of them, no connection is used twice', async () => {
  const client = new Client(configurationFor(await closingAfter(1), { http: { concurrency: 1 } }))
  for (let count = 0; count < 8; count += 1) await client.send(request)
  expect((await client.send(request)).repeatedAfter).toBeUndefined()
  await client.close()
})

test('what is lost on a new connection is not sent again', async () => {
  const client = new Client(configurationFor(await closingAfter(0)))
  await expect(client.send(request)).rejects.toMatchObject({ fault: 'broken' })
  expect(client.requests).toBe(1)
  await client.close()
})

const start = (port: number): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((incoming, response) => {
      incoming.resume()
      answerJson(response, {})
    })
    server.listen(port, '127.0.0.1', () => resolve(server))
  })

test('a target that is away for a moment is waited for; nothing of the request had reached it', async () => {
  const first = await start(0)
  const { port } = first.address() as AddressInfo
  const client = new Client(configurationFor(`http://127.0.0.1:${port}`))
  await client.send(request)
  first.closeAllConnections()
  await new Promise((resolve) => first.close(resolve))
  await new Promise((resolve) => setTimeout(resolve, 50))
  const sending = client.send(request)
  await new Promise((resolve) => setTimeout(resolve, 100))
  const again = await start(port)
  onTestFinished(() => {
    again.closeAllConnections()
    again.close()
  })
  const answer = await sending
  expect([answer.status, answer.repeatedAfter]).toEqual([200, undefined])
  await client.close()
})
