/** Opens connections. Each dispatcher has at most one socket, so that the caller decides which requests share one. */
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import type { Agent, buildConnector, Dispatcher, ProxyAgent } from 'undici'
import { type HttpSettings, isLoopback, type NamedProxy } from '../configuration/configuration.ts'
import { proxyFor, tlsFor, trustOf } from '../configuration/connection-settings.ts'
import { percentDecoded } from './outgoing-request.ts'

const load = createRequire(import.meta.url)

/** undici, loaded with the first connection: commands that send nothing start faster without it. */
export const undici = (): typeof import('undici') => load('undici')

/** The exchange has its own deadlines. undici's end only abandoned attempts, this many milliseconds later. */
const graceMs = 1000

/** Makes a function that opens a dispatcher for an origin. Reads the TLS files at once and throws if one is unreadable. */
export function dispatcherFactory(http: HttpSettings): (origin: string) => Dispatcher {
  const tls = tlsFor(http)
  const timeout = (http.connectTimeoutMs ?? http.timeoutMs) + graceMs
  const { Client: SocketClient, buildConnector } = undici()
  const options = { pipelining: 1, headersTimeout: 0, bodyTimeout: 0, allowH2: false }
  return (origin) => {
    const connect = { ...tls(origin), timeout, allowH2: false }
    const proxy = proxyFor(http.proxy, origin)
    if (proxy === undefined)
      return new SocketClient(origin, { ...options, connect: withoutInterimAnswers(buildConnector(connect)) })
    const factory = (to: URL | string, further: object) => new SocketClient(to, { ...further, ...options })
    return throughProxy(proxy, { ...options, factory, requestTls: connect, proxyTls: toProxy(http, proxy) })
  }
}

/**
 * Connections to a fixture provider: as to the target, but without the client certificate, which is for the target alone,
 * and without a proxy to this machine.
 */
export function providerConnections(http: HttpSettings, url: string, options: Agent.Options): Dispatcher {
  const connect = trustOf(http)(url)
  const proxy = isLoopback(url) ? undefined : proxyFor(http.proxy, url)
  if (proxy === undefined) return new (undici().Agent)({ ...options, connect })
  return throughProxy(proxy, { ...options, requestTls: connect, proxyTls: toProxy(http, proxy) })
}

const toProxy = (http: HttpSettings, { url }: NamedProxy) => ({
  ...trustOf(http)(url),
  timeout: (http.connectTimeoutMs ?? http.timeoutMs) + graceMs,
})

function throughProxy(proxy: NamedProxy, options: Omit<ProxyAgent.Options, 'uri'>): Dispatcher {
  const token = proxyAuthorization(proxy)
  return new (undici().ProxyAgent)({
    ...options,
    uri: proxy.url,
    ...(token === undefined ? {} : { token }),
    // As in other clients, plain HTTP goes to the proxy and HTTPS through a tunnel.
    proxyTunnel: false,
  })
}

/** A user name without a password counts: some proxies expect a key there. */
function proxyAuthorization({ url }: NamedProxy): string | undefined {
  const { username, password } = new URL(url)
  if (username === '' && password === '') return undefined
  const pair = [username, password].map(percentDecoded).join(':')
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

/** After this many silently closed connections, no connection is used twice. */
const mostClosed = 3

/** Keeps the idle connections of each origin. The caller limits how many are in use: one after the other share one. */
export class ConnectionPool {
  readonly #open: (origin: string) => Dispatcher
  readonly #idle = new Map<string, Dispatcher[]>()
  /** How often the target had closed an idle connection. */
  #closed = 0

  constructor(open: (origin: string) => Dispatcher) {
    this.#open = open
  }

  /** The connection used last, or a new one. */
  take(origin: string): Dispatcher {
    return this.#idle.get(origin)?.pop() ?? this.#open(origin)
  }

  /** After a complete answer. */
  giveBack(origin: string, dispatcher: Dispatcher): void {
    if (this.#closed >= mostClosed) {
      this.drop(dispatcher)
      return
    }
    const idle = this.#idle.get(origin)
    if (idle) idle.push(dispatcher)
    else this.#idle.set(origin, [dispatcher])
  }

  /** After anything else: the connection may still bring parts of an old answer. */
  drop(dispatcher: Dispatcher): void {
    void dispatcher.destroy()
  }

  /** The target closed a connection silently, so it may have closed the idle ones, too. */
  distrust(): void {
    this.#closed += 1
    void this.#destroyIdle()
  }

  /** Closes the idle connections, and each that comes back later. */
  async close(): Promise<void> {
    this.#closed = mostClosed
    await this.#destroyIdle()
  }

  async #destroyIdle(): Promise<void> {
    const all = [...this.#idle.values()].flat()
    this.#idle.clear()
    await Promise.all(all.map((dispatcher) => dispatcher.destroy()))
  }
}

// A target may send interim answers (1xx) before any answer (RFC 9110, 15.2). undici breaks at a 100.

/** The start of an interim answer. 101 is none: it changes the protocol. */
const interim = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r\n]/
const statusLine = 'HTTP/1.1 100 '.length
/** A longer head is left to undici, in bytes. */
const longestHead = 16 * 1024

/** Connections as that connector makes them, without interim answers. */
const withoutInterimAnswers =
  (connect: buildConnector.connector): buildConnector.connector =>
  (to, callback) =>
    connect(to, (...outcome) => {
      const [error, socket] = outcome
      if (error === null) skipInterim(socket)
      callback(...outcome)
    })

/** An interim answer can only come at the start, after a request was written. */
function skipInterim(socket: Socket): void {
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean
  const read = socket.read.bind(socket)
  let atStart = false
  let held: Buffer | undefined
  socket.write = ((...given: unknown[]) => {
    atStart = true
    return write(...given)
  }) as Socket['write']
  socket.read = (size?: number): unknown => {
    for (;;) {
      const chunk = read(size) as Buffer | null
      if (!atStart || chunk === null) return chunk
      const rest = withoutInterim(held === undefined ? chunk : Buffer.concat([held, chunk]))
      held = rest.undecided ? rest.bytes : undefined
      atStart = rest.undecided || rest.bytes.length === 0
      if (!atStart) return rest.bytes
    }
  }
}

/** The bytes after all interim answers. Undecided: more bytes are needed to tell. */
function withoutInterim(bytes: Buffer): { bytes: Buffer; undecided: boolean } {
  let rest = bytes
  while (rest.length > 0) {
    const start = rest.subarray(0, statusLine).toString('latin1')
    if (!interim.test(start)) {
      return { bytes: rest, undecided: rest.length < statusLine && couldBegin(start) }
    }
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) return { bytes: rest, undecided: rest.length <= longestHead }
    rest = rest.subarray(end + 4)
  }
  return { bytes: rest, undecided: false }
}

const couldBegin = (start: string): boolean =>
  ['HTTP/1.0 1', 'HTTP/1.1 1'].some((head) => head.startsWith(start.slice(0, head.length)))
