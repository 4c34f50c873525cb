import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { Client } from './client.ts'
import type { OutgoingRequest } from './outgoing-request.ts'
import { configurationFor, serveRaw } from './server.fixture.ts'

const request: OutgoingRequest = { portal: 'host', path: '/x', fields: [['f', 'pjson']] }
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
  const client = new Client(configurationFor(baseUrl))
  const { status, body } = await client.send(request)
  await client.close()
  expect([status, body.toString()]).toEqual([200, '{"success":true}'])
})

test('an interim answer to each request of one connection', async () => {
  const baseUrl = await serveRaw((socket) => {
    const both = `HTTP/1.1 100 Continue\r\n\r\n${answer}`
    socket.write(both)
    socket.on('data', () => socket.write(both))
  })
  const client = new Client(configurationFor(baseUrl, { http: { concurrency: 1 } }))
  for (let count = 0; count < 3; count += 1) expect((await client.send(request)).status).toBe(200)
  await client.close()
})

test('nothing but an interim answer is a broken one', async () => {
  const baseUrl = await serveRaw((socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\n'))
  const client = new Client(configurationFor(baseUrl))
  await expect(client.send(request)).rejects.toMatchObject({ fault: 'broken' })
  await client.close()
})
