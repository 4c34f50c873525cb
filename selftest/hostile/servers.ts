/** Servers on loopback that hostile targets are made of. */
import { createServer, request as forward, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { startPortal } from '../../reference/portal.ts'

/** A configuration in the format of the file. */
export type ConfigurationFile = Readonly<Record<string, unknown>>

export interface RunningTarget {
  readonly configuration: ConfigurationFile
  /** What may stand in no byte of any output. */
  readonly secrets: readonly string[]
  /** What happened that must not, one line each; asked once the run is over. */
  wrongs?(): readonly string[]
  close(): Promise<void>
}

export interface Listening {
  /** Scheme, host and port. */
  readonly origin: string
  close(): Promise<void>
}

/** How long one answer may take, and how long a throttling target is waited for, in milliseconds. */
export const timeoutMs = 1000
export const throttleWaitMs = 2000

/** How many exchanges are under way at once. */
export const concurrency = 8

export const http = { timeout: `${timeoutMs}ms`, throttleWait: `${throttleWaitMs}ms`, concurrency } as const

/** Listens on a free port of 127.0.0.1; closing ends every connection. */
export async function listen(server: Server, scheme = 'http'): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    // Whom a hostile server talks to may go away at any time.
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

/** A server below HTTP. */
export function serveSockets(onConnection: (socket: Socket) => void): Promise<Listening> {
  return listen(createSocketServer(onConnection))
}

/** A port at which no one listens. */
export async function closedPort(): Promise<string> {
  const { origin, close } = await serveSockets(() => undefined)
  await close()
  return origin
}

/** An answer of the portal, on its way through the proxy. */
export interface Answered {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

/** What the proxy makes of an answer of an operation. */
type Rewriting = (answer: Answered) => Answered | Promise<Answered>

/** Starts both; the fixtures come from the portal unless `changes`, which replace whole sections, say otherwise. */
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
      // Long enough to tell by timing whether a sync blocks: this target answers.
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
