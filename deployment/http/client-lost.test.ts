/** Targets that close connections without a word, answer ahead of the real answer, or are away for a while. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { answerJson, clientFor, received, request, serve, serveRaw } from './server.fixture.ts'

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
  const client = clientFor(await closingAfter(1), { concurrency: 1 })
  expect((await client.send(request)).repeatedAfter).toBeUndefined()
  const second = await client.send(request)
  expect(second.status).toBe(200)
  expect(second.repeatedAfter).toEqual(['a connection that the target had closed'])
})

test('what must not be performed twice is not sent again', async () => {
  const client = clientFor(await closingAfter(1), { concurrency: 1 })
  const unrepeatable = { ...request, unrepeatable: true }
  await client.send(unrepeatable)
  await expect(client.send(unrepeatable)).rejects.toMatchObject({ fault: 'broken' })
  expect(client.requests).toBe(2)
})

test('after some of them, no connection is used twice', async () => {
  const client = clientFor(await closingAfter(1), { concurrency: 1 })
  for (let count = 0; count < 8; count += 1) await client.send(request)
  expect((await client.send(request)).repeatedAfter).toBeUndefined()
})

test('what is lost on a new connection is not sent again', async () => {
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

test('a target that is away for a moment is waited for; nothing of the request had reached it', async () => {
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

/** Writes the pieces with a little time between. */
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
    '100, torn apart',
    ['HTT', 'P/1.1 1', '00 Continue\r\n', '\r', `\n${answer.slice(0, 5)}`, answer.slice(5)],
  ],
  ['none, torn apart', ['HTTP/1.1 ', answer.slice(9)]],
])('an interim answer before the real one: %s', async (_, pieces) => {
  const baseUrl = await serveRaw((socket) => void inPieces(socket, pieces))
  const client = clientFor(baseUrl)
  const { status, body } = await client.send(request)
  expect([status, body.toString()]).toEqual([200, '{"success":true}'])
})

test('an interim answer to each request of one connection', async () => {
  const baseUrl = await serveRaw((socket) => {
    const both = `HTTP/1.1 100 Continue\r\n\r\n${answer}`
    socket.write(both)
    socket.on('data', () => socket.write(both))
  })
  const client = clientFor(baseUrl, { concurrency: 1 })
  for (let count = 0; count < 3; count += 1) expect((await client.send(request)).status).toBe(200)
})

test('nothing but an interim answer is a broken one', async () => {
  const baseUrl = await serveRaw((socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\n'))
  const client = clientFor(baseUrl)
  await expect(client.send(request)).rejects.toMatchObject({ fault: 'broken' })
})
