/** Opens connections: each dispatcher holds at most one socket, so that who sends on it decides what goes where. */
import { readFileSync } from 'node:fs'
import { type Dispatcher, ProxyAgent, Client as SocketClient } from 'undici'
import type { HttpSettings } from './configuration.ts'

/** A function that makes a dispatcher for an origin. Reads the TLS files at once; throws where one is unreadable. */
export function dispatcherFactory(http: HttpSettings): (origin: string) => Dispatcher {
  const tls = {
    ...(http.ca === undefined ? {} : { ca: readFileSync(http.ca) }),
    ...(http.cert === undefined ? {} : { cert: readFileSync(http.cert) }),
    ...(http.key === undefined ? {} : { key: readFileSync(http.key) }),
    rejectUnauthorized: !http.insecure,
  }
  const connect = { ...tls, timeout: http.timeoutMs }
  // The one deadline of a request is the exchange's: the socket client measures nothing itself.
  const options = { pipelining: 1, headersTimeout: 0, bodyTimeout: 0 }
  const { proxy } = http
  if (proxy === undefined) return (origin) => new SocketClient(origin, { ...options, connect })
  return () =>
    new ProxyAgent({
      ...options,
      uri: proxy,
      connections: 1,
      // As other clients do: plain HTTP is asked of the proxy, HTTPS goes through a tunnel.
      proxyTunnel: false,
      requestTls: connect,
      proxyTls: { timeout: http.timeoutMs },
    })
}

/** Where requests get their connections from. */
export interface ConnectionSource {
  take(origin: string): Dispatcher
  /** After a complete answer. */
  giveBack(origin: string, dispatcher: Dispatcher): void
  /** After anything else: what the connection would still bring belongs to nobody. */
  drop(dispatcher: Dispatcher): void
  close(): Promise<void>
}

/** Keeps the idle connections of each origin. Its user bounds how many are out at once. */
export class ConnectionPool implements ConnectionSource {
  readonly #open: (origin: string) => Dispatcher
  readonly #idle = new Map<string, Dispatcher[]>()

  constructor(open: (origin: string) => Dispatcher) {
    this.#open = open
  }

  /** The connection that was used last, or a new one. */
  take(origin: string): Dispatcher {
    return this.#idle.get(origin)?.pop() ?? this.#open(origin)
  }

  giveBack(origin: string, dispatcher: Dispatcher): void {
    const idle = this.#idle.get(origin)
    if (idle) idle.push(dispatcher)
    else this.#idle.set(origin, [dispatcher])
  }

  drop(dispatcher: Dispatcher): void {
    void dispatcher.destroy()
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

  async close(): Promise<void> {
    const dispatcher = this.#current?.dispatcher
    this.#current = undefined
    await dispatcher?.destroy()
  }
}
