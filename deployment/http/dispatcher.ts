/**
 * Opens connections, and names what happened where one fails. Each dispatcher holds at most one socket, so that who sends
 * on it decides what goes where.
 */
import type { Socket } from 'node:net'
import type { Agent, buildConnector, Dispatcher, ProxyAgent } from 'undici'
import { type HttpSettings, isLoopback, type NamedProxy } from '../configuration/configuration.ts'
import { proxyFor } from '../configuration/proxy-environment.ts'
import { tlsFor, trustOf } from '../configuration/tls-settings.ts'
import type { TransportFault } from './exchange.ts'
import { percentDecoded } from './outgoing-request.ts'
import { undici } from './undici.ts'

/** The deadlines of a request are the exchange's: this one only ends what nobody waits for any more. */
const graceMs = 1000

/** A function that makes a dispatcher for an origin. Reads the TLS files at once; throws where one is unreadable. */
export function dispatcherFactory(http: HttpSettings): (origin: string) => Dispatcher {
  const tls = tlsFor(http)
  const timeout = (http.connectTimeoutMs ?? http.timeoutMs) + graceMs
  const allowH2 = http.version === '2'
  const { Client: SocketClient } = undici()
  const options = { pipelining: 1, headersTimeout: 0, bodyTimeout: 0, allowH2 }
  return (origin) => {
    const connect = { ...tls(origin), timeout, allowH2 }
    const proxy = proxyFor(http.proxy, origin)
    if (proxy === undefined)
      return new SocketClient(origin, { ...options, connect: connectorWithoutInterim(connect) })
    const factory = (to: URL | string, further: object) => new SocketClient(to, { ...further, ...options })
    return throughProxy(proxy, { ...options, factory, requestTls: connect, proxyTls: toProxy(http, proxy) })
  }
}

/**
 * Connections to a fixture provider: as to the target, but without the client certificate, which is meant for the
 * target alone, and never through a proxy to this machine.
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
    // As other clients do: plain HTTP is asked of the proxy, HTTPS goes through a tunnel.
    proxyTunnel: false,
  })
}

/** The user name alone counts, too: some proxies take a key in its place. */
function proxyAuthorization({ url }: NamedProxy): string | undefined {
  const { username, password } = new URL(url)
  if (username === '' && password === '') return undefined
  const pair = [username, password].map(percentDecoded).join(':')
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

/** Where requests get their connections from. */
export interface ConnectionSource {
  take(origin: string): Dispatcher
  /** After a complete answer. */
  giveBack(origin: string, dispatcher: Dispatcher): void
  /** After anything else: what the connection would still bring belongs to nobody. */
  drop(dispatcher: Dispatcher): void
  /** The target closes connections without a word: what is idle may be closed as well. */
  distrust(): void
  close(): Promise<void>
}

/** After so many that were closed without a word, no connection is used twice. */
const mostClosed = 3

/** Keeps the idle connections of each origin. Its user bounds how many are out at once. */
export class ConnectionPool implements ConnectionSource {
  readonly #open: (origin: string) => Dispatcher
  readonly #idle = new Map<string, Dispatcher[]>()
  /** How often a connection turned out to be closed when it was used again. */
  #closed = 0

  constructor(open: (origin: string) => Dispatcher) {
    this.#open = open
  }

  /** The connection that was used last, or a new one. */
  take(origin: string): Dispatcher {
    return this.#idle.get(origin)?.pop() ?? this.#open(origin)
  }

  giveBack(origin: string, dispatcher: Dispatcher): void {
    if (this.#closed >= mostClosed) {
      this.drop(dispatcher)
      return
    }
    const idle = this.#idle.get(origin)
    if (idle) idle.push(dispatcher)
    else this.#idle.set(origin, [dispatcher])
  }

  drop(dispatcher: Dispatcher): void {
    void dispatcher.destroy()
  }

  distrust(): void {
    this.#closed += 1
    void this.close()
  }

  /** Closes the idle connections. */
  async close(): Promise<void> {
    const all = [...this.#idle.values()].flat()
    this.#idle.clear()
    await Promise.all(all.map((dispatcher) => dispatcher.destroy()))
  }
}

/** Always the same connection, as long as it holds and the origin stays. For one request at a time. */
export class SingleConnection implements ConnectionSource {
  readonly #open: (origin: string) => Dispatcher
  #current: { origin: string; dispatcher: Dispatcher } | undefined

  constructor(open: (origin: string) => Dispatcher) {
    this.#open = open
  }

  take(origin: string): Dispatcher {
    if (this.#current?.origin !== origin) {
      void this.close()
      this.#current = { origin, dispatcher: this.#open(origin) }
    }
    return this.#current.dispatcher
  }

  giveBack(): void {
    // It is kept for the next request.
  }

  drop(): void {
    void this.close()
  }

  distrust(): void {
    // The one there was is dropped already.
  }

  async close(): Promise<void> {
    const dispatcher = this.#current?.dispatcher
    this.#current = undefined
    await dispatcher?.destroy()
  }
}

/** What the head of an interim answer begins with; 101 is none: it changes the protocol. */
const interim = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r\n]/
const statusLine = 'HTTP/1.1 100 '.length
/** A head that goes on for longer is left to whom it was meant for, in bytes. */
const longestHead = 16 * 1024

/** A connector as undici makes it, whose connections bring only what is meant to stay. */
function connectorWithoutInterim(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = undici().buildConnector(options)
  return (to, callback) =>
    connect(to, (...outcome) => {
      const [error, socket] = outcome
      if (error === null && (socket as { alpnProtocol?: string }).alpnProtocol !== 'h2') skipInterim(socket)
      callback(...outcome)
    })
}

/** An answer begins after each request that is written: only there is looked. */
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

/** The bytes after all interim answers at their beginning; undecided where more must come to tell. */
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

/** What is known of an exchange when its connection fails. */
interface Progress {
  readonly secure: boolean
  /** The request was handed to a connection. */
  readonly started: boolean
  /** The connection was made for this exchange. */
  readonly fresh?: boolean
  /** The head of the answer has come. */
  readonly answering: boolean
  /** The address of the proxy that is asked, and what names it; absent: there is none. */
  readonly proxy?: { readonly address: string; readonly from: string }
}

const unreachable: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  EADDRNOTAVAIL: 'the address is not available',
}

/** The fault, and what happened in a few words without anything from the request. */
export function classify(error: Error, progress: Progress): [fault: TransportFault, what: string] {
  const code = codeOf(error)
  const known = unreachable[code]
  if (known) return ['unreachable', unreachedBy(known, progress)]
  const tls = tlsFault(code)
  if (tls !== undefined) return ['tls', tls]
  if (code === 'UND_ERR_PRX_TLS')
    return ['tls', 'TLS with the proxy failed: its certificate is for another host']
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW') {
    return ['too-large', 'the headers of the answer are larger than 16 KiB']
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return ['timeout', 'the connection timed out']
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return ['truncated', 'the answer is not as long as its Content-Length says']
  }
  const breach = breachOfHttp(error)
  if (progress.answering && code !== 'ECONNRESET' && breach === undefined) {
    return ['truncated', 'the connection was closed in the middle of the answer']
  }
  const proxy = /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(error.message)
  if (proxy) return ['unreachable', refusedByProxy(proxy[1] as string, progress)]
  if (breach !== undefined) return ['broken', `the answer is not HTTP/1.1 (${breach})`]
  if (!progress.started && progress.secure)
    return ['tls', 'the connection was closed during the TLS handshake']
  if (code === 'UND_ERR_INVALID_ARG') return ['broken', 'the request cannot be sent over HTTP as it is']
  const how = code === 'ECONNRESET' ? 'reset' : 'closed'
  return ['broken', `the connection was ${how} before an answer was complete${certificateHint(progress)}`]
}

// With TLS 1.3 the handshake is over before a server says that it wants one, and some only hang up.
const certificateHint = ({ secure, started, fresh, answering }: Progress): string =>
  secure && started && fresh && !answering
    ? '; so does a target that wants a client certificate, or another one (http.cert and http.key name it)'
    : ''

function unreachedBy(what: string, { proxy }: Progress): string {
  if (proxy === undefined) return `${what} (check the base URL, and that the service is up)`
  return `${what} (the proxy ${proxy.address}: check ${proxy.from}, and that it is up)`
}

function refusedByProxy(status: string, { proxy }: Progress): string {
  const { address = '', from = 'http.proxy' } = proxy ?? {}
  if (status === '407')
    return `the proxy ${address} wants a user name and password, or others than it got (HTTP 407): put them into ${from}, as in http://NAME:PASSWORD@HOST`
  if (status.startsWith('5'))
    return `the proxy ${address} cannot connect to the target (HTTP ${status}; check the base URL, and that the service is up)`
  return `the proxy ${address} does not let the connection through (HTTP ${status}; http.noProxy names hosts that need none)`
}

function codeOf(error: Error): string {
  const { code, cause, errors } = error as NodeJS.ErrnoException & { cause?: Error; errors?: Error[] }
  if (code !== undefined) return code
  const inner = cause ?? errors?.[0]
  return inner === undefined ? '' : codeOf(inner)
}

// A stream that ends too early is reported by the parser, too: that one is no breach of the protocol.
function breachOfHttp(error: Error): string | undefined {
  if (error.name !== 'HTTPParserError' || /EOF/i.test(error.message)) return undefined
  return /\(([^)]+)\)$/.exec(error.message)?.[1] ?? 'it cannot be parsed'
}

const tlsCode =
  /^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|CRL_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/

const causes: readonly (readonly [codes: RegExp, says: string])[] = [
  [/^CERT_HAS_EXPIRED$/, 'a certificate of the target has expired, or the clock of this machine is wrong'],
  [
    /^CERT_NOT_YET_VALID$/,
    'a certificate of the target is not valid yet, or the clock of this machine is wrong',
  ],
  [
    /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    'the certificate is for another host; the base URL must name the host as its certificate does',
  ],
  [
    /SELF_SIGNED|DEPTH_ZERO|^UNABLE_TO_(GET_ISSUER|VERIFY)/,
    'nobody who is trusted has signed the certificate; http.ca names a certificate authority to trust',
  ],
  [/ALERT_CERTIFICATE_REQUIRED/, 'the target wants a client certificate; http.cert and http.key name it'],
  [
    /ALERT_(HANDSHAKE_FAILURE|NO_CERTIFICATE|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_\w+|UNKNOWN_CA|ACCESS_DENIED)/,
    'the target wants a client certificate, or another one; http.cert and http.key name it',
  ],
  [/ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/, 'the target speaks only versions of TLS that are not safe'],
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH/, 'no TLS is spoken there; is the base URL one for http://?'],
  [
    /^UNABLE_TO_GET_CRL|^CRL_|^CERT_REVOKED/,
    'a certificate of the target was revoked, or that cannot be told',
  ],
]

/** One line for an error code of TLS; undefined where it is none. */
function tlsFault(code: string): string | undefined {
  if (!tlsCode.test(code)) return undefined
  const known = causes.find(([codes]) => codes.test(code))
  return `TLS failed (${code})${known === undefined ? '' : `: ${known[1]}`}`
}
