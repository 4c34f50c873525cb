/** Targets that close connections early, send interim answers, or are down for a moment. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { answerJson, clientFor, received, request, serve, serveRaw } from './server.fixture.ts'

/** A server that answers this many requests per connection and closes the connection at the next one. */
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

test('a request lost on a used connection is retried on a new one, as the answer shows', async () => {
  const client = clientFor(await closingAfter(1), { concurrency: 1 })
  expect((await client.send(request)).repeatedAfter).toBeUndefined()
  const second = await client.send(request)
  expect(second.status).toBe(200)
  expect(second.repeatedAfter).toEqual(['a connection that the target had closed'])
})

test('an unrepeatable request is not retried', async () => {
  const client = clientFor(await closingAfter(1), { concurrency: 1 })
  const unrepeatable = { ...request, unrepeatable: true }
  await client.send(unrepeatable)
  await expect(client.send(unrepeatable)).rejects.toMatchObject({ fault: 'broken' })
  expect(client.requests).toBe(2)
})

test('after several lost requests no connection is used twice', async () => {
  const client = clientFor(await closingAfter(1), { concurrency: 1 })
  for (let count = 0; count < 8; count += 1) await client.send(request)
  expect((await client.send(request)).repeatedAfter).toBeUndefined()
})

test('a request lost on a new connection is not retried', async () => {
  const client = clientFor(await closingAfter(0))
  await expect(client.send(request)).rejects.toMatchObject({ fault: 'broken' })
  expect(client.requests).toBe(1)
})

const start = (port: number): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((incoming, response) => {
      incoming.resume()
      answerJson(response, {})
    })
    server.listen(port, '127.0.0.1', () => resolve(server))
  })

test('the client waits for a target that refuses connections for a moment', async () => {
  const first = await start(0)
  const { port } = first.address() as AddressInfo
  const client = clientFor(`http://127.0.0.1:${port}`)
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
})

const answer =
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 16\r\n\r\n{"success":true}'

/** Writes the pieces with pauses between them. */
async function inPieces(socket: Socket, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    socket.write(piece)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

test.each([
  ['100', ['HTTP/1.1 100 Continue\r\n\r\n', answer]],
  ['100 in the same piece', [`HTTP/1.1 100 Continue\r\n\r\n${answer}`]],
  [
    '102 and 103',
    ['HTTP/1.1 102 Processing\r\n\r\n', `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${answer}`],
  ],
  [
    '100, split into pieces',
    ['HTT', 'P/1.1 1', '00 Continue\r\n', '\r', `\n${answer.slice(0, 5)}`, answer.slice(5)],
  ],
  ['no interim answer, split into pieces', ['HTTP/1.1 ', answer.slice(9)]],
])('interim answers before the real one are ignored: %s', async (_, pieces) => {
  const baseUrl = await serveRaw((socket) => void inPieces(socket, pieces))
  const client = clientFor(baseUrl)
  const { status, body } = await client.send(request)
  expect([status, body.toString()]).toEqual([200, '{"success":true}'])
})

test('an interim answer before each answer on one connection is ignored', async () => {
  const baseUrl = await serveRaw((socket) => {
    const both = `HTTP/1.1 100 Continue\r\n\r\n${answer}`
    socket.write(both)
    socket.on('data', () => socket.write(both))
  })
  const client = clientFor(baseUrl, { concurrency: 1 })
  for (let count = 0; count < 3; count += 1) expect((await client.send(request)).status).toBe(200)
})

test('an interim answer without a real one is a broken answer', async () => {
  const baseUrl = await serveRaw((socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\n'))
  const client = clientFor(baseUrl)
  await expect(client.send(request)).rejects.toMatchObject({ fault: 'broken' })
})
