/** Servers on loopback that hostile targets use. */
import { createServer, request as forward, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { startPortal } from '../../reference/portal.ts'

/** A configuration in the format of the configuration file. */
export type ConfigurationFile = Readonly<Record<string, unknown>>

export interface RunningTarget {
  readonly configuration: ConfigurationFile
  /** Secrets that no output may contain. */
  readonly secrets: readonly string[]
  /** Forbidden things that happened, one line each. Called after the run. */
  wrongs?(): readonly string[]
  close(): Promise<void>
}

export interface Listening {
  /** Scheme, host and port. */
  readonly origin: string
  close(): Promise<void>
}

/** How long an answer may take, and how long a run waits for a throttling target, in ms. */
export const timeoutMs = 1000
export const throttleWaitMs = 2000

/** The number of concurrent exchanges. */
export const concurrency = 8

export const http = { timeout: `${timeoutMs}ms`, throttleWait: `${throttleWaitMs}ms`, concurrency } as const

/** Listens on a free port of 127.0.0.1. Closing ends every connection. */
export async function listen(server: Server, scheme = 'http'): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    // The client may disconnect at any time.
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    origin: `${scheme}://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

export function serve(listener: RequestListener): Promise<Listening> {
  return listen(createServer(listener))
}

/** A server for raw TCP connections. */
export function serveSockets(onConnection: (socket: Socket) => void): Promise<Listening> {
  return listen(createSocketServer(onConnection))
}

/** The origin of a port without a listener. */
export async function closedPort(): Promise<string> {
  const { origin, close } = await serveSockets(() => undefined)
  await close()
  return origin
}

/** An answer of the portal that the proxy forwards. */
export interface Answered {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/** How the proxy changes the answer of an operation. */
type Rewriting = (answer: Answered) => Answered | Promise<Answered>

/** Starts a portal and a proxy. Fixtures come from the portal, unless `changes` replace that section. */
export async function portalBehindProxy(
  rewrite: Rewriting,
  changes: ConfigurationFile = {},
): Promise<RunningTarget> {
  const portal = await startPortal()
  const { origin, pathname } = new URL(portal.baseUrl)
  const proxy = await serve(async (request, response) => {
    const answer = await ask(origin, request)
    const { status, contentType, body } = request.method === 'GET' ? answer : await rewrite(answer)
    response.writeHead(status, { 'content-type': contentType }).end(body)
  })
  const { configuration } = portal
  return {
    configuration: {
      ...configuration,
      target: { ...configuration.target, baseUrl: proxy.origin + pathname },
      // Long enough to measure whether a sync blocks, because this target answers.
      http: { ...http, timeout: '5s' },
      ...changes,
    },
    secrets: Object.values(configuration.actors).map(({ credential }) => credential),
    close: async () => {
      await Promise.all([portal.close(), proxy.close()])
    },
  }
}

async function ask(origin: string, request: IncomingMessage): Promise<Answered> {
  const body = await text(request)
  const { host: _host, connection: _connection, ...headers } = request.headers
  return new Promise((resolve, reject) => {
    const { method = 'POST', url = '/' } = request
    const asked = forward(origin + url, { method, headers, agent: false }, async (answer) => {
      const { statusCode = 0, headers } = answer
      resolve({ status: statusCode, contentType: headers['content-type'] ?? '', body: await text(answer) })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}
