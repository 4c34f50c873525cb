/** Servers on localhost for tests. All close at the end of the test. */
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Socket,
  type Server as SocketServer,
} from 'node:net'
import { onTestFinished } from 'vitest'
import type { Configuration } from '../configuration/configuration.ts'
import { loadConfiguration } from '../configuration/load-configuration.ts'
import { Client } from './client.ts'
import { type Answer, TransportError } from './exchange.ts'
import type { OutgoingRequest } from './outgoing-request.ts'

/** Listens on a free port. Resolves with the base URL. */
export async function listen(server: Server | SocketServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  onTestFinished(() => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts an HTTP server with this listener. Resolves with the base URL. */
export function serve(listener: RequestListener): Promise<string> {
  return listen(createServer(listener))
}

/** Starts a TCP server: calls `onRequest` at the first bytes of each connection. */
export function serveRaw(onRequest: (socket: Socket) => void): Promise<string> {
  return listen(
    createSocketServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => onRequest(socket))
      onTestFinished(() => {
        socket.destroy()
      })
    }),
  )
}

/** Reads a request to its end. */
export { text as received } from 'node:stream/consumers'

export function answerJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** A configuration for this base URL, with a fixed seed; `changes` replace its sections. */
export function configurationFor(
  baseUrl: string,
  changes: Record<string, Record<string, unknown>> = {},
  environment: NodeJS.ProcessEnv = {},
): Configuration {
  const value = {
    target: { baseUrl },
    portals: { host: { id: 'host' } },
    ...changes,
    run: { seed: 1, ...changes.run },
  }
  return loadConfiguration({ value, name: 'test' }, { effects: 'all' }, environment)
}

/** The simplest request. */
export const request: OutgoingRequest = { portal: 'host', path: '/x', fields: [['f', 'pjson']] }

/** A client for this base URL. Closes at the end of the test; `changes` replace other sections. */
export function clientFor(
  baseUrl: string,
  http: Record<string, unknown> = {},
  changes: Record<string, Record<string, unknown>> = {},
  environment: NodeJS.ProcessEnv = {},
): Client {
  const client = new Client(configurationFor(baseUrl, { ...changes, http }, environment))
  onTestFinished(() => client.close())
  return client
}

/** The answer, or the transport error. */
export const outcomeOf = (client: Client, outgoing = request): Promise<Answer | TransportError> =>
  client.send(outgoing).catch((error) => {
    if (error instanceof TransportError) return error
    throw error
  })
