/** TLS servers and HTTP proxies between a client and a target, on localhost. */
import { writeFileSync } from 'node:fs'
import { createServer, request as forward, type IncomingMessage } from 'node:http'
import { connect, createServer as createSocketServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'
import { testFolder } from '../../cli/process/test-folder.fixture.ts'
import { privateKey } from './certificates.fixture.ts'
import { listen } from './server.fixture.ts'

/** Starts a TLS server in front of this address. Resolves with the base URL at https://127.0.0.1. */
export async function secured(
  baseUrl: string,
  certificate: string,
  options: TlsOptions = {},
): Promise<string> {
  const { port, pathname } = new URL(baseUrl)
  const joined = joiner()
  const server = createTlsServer({ cert: certificate, key: privateKey, ...options }, (socket) =>
    joined(socket, connect(Number(port), '127.0.0.1')),
  )
  const url = new URL(await listen(server))
  return `https://127.0.0.1:${url.port}${pathname === '/' ? '' : pathname}`
}

/** Whether this machine has ::1. */
export async function hasIpv6(): Promise<boolean> {
  const server = createSocketServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(0, '::1', () => server.close(() => resolve(true)))
  })
}

export interface TestProxy {
  /** The URL without user name and password. */
  readonly url: string
  /** The received requests: the target of each tunnel, and the URL of each plain request. */
  readonly asked: string[]
}

/** A proxy that forwards and tunnels every host to this machine. `credentials` are required if given. */
export async function proxyServer(credentials?: string): Promise<TestProxy> {
  const asked: string[] = []
  const joined = joiner()
  const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`
  const isAuthenticated = ({ headers }: IncomingMessage) =>
    expected === undefined || headers['proxy-authorization'] === expected
  const server = createServer((request, response) => {
    if (!isAuthenticated(request)) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm="proxy"' }).end('who are you?')
      return
    }
    asked.push(request.url as string)
    const { port, pathname, search } = new URL(request.url as string)
    const { 'proxy-authorization': _, ...headers } = request.headers
    const options = { host: '127.0.0.1', port, path: pathname + search, method: request.method, headers }
    const onward = forward(options, (answer) => {
      response.writeHead(answer.statusCode as number, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.writeHead(502).end())
    request.pipe(onward)
  })
  server.on('connect', (request, socket: Socket) => {
    if (!isAuthenticated(request)) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n\r\n')
      return
    }
    asked.push(request.url as string)
    const onward = connect(Number((request.url as string).split(':').at(-1)), '127.0.0.1')
    onward.once('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      joined(socket, onward)
    })
    onward.once('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
  })
  return { url: await listen(server), asked }
}

/** Joins sockets in both directions, and closes all of them at the end of the test. */
function joiner(): (one: Socket, other: Socket) => void {
  const sockets = new Set<Socket>()
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  return (one, other) => {
    for (const socket of [one, other]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
    }
    one.pipe(other).pipe(one)
  }
}

/** Writes the contents as .pem files into a temporary folder. Returns their paths. */
export function filesWith<Name extends string>(
  contents: Readonly<Record<Name, string>>,
): Record<Name, string> {
  const folder = testFolder()
  return Object.fromEntries(
    Object.entries<string>(contents).map(([name, content]) => {
      const file = join(folder, `${name}.pem`)
      writeFileSync(file, content)
      return [name, file]
    }),
  ) as Record<Name, string>
}
