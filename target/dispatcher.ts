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

/** Keeps the idle connections of each origin. Its user bounds how many are out at once. */
export class ConnectionPool {
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

  /** Closes the idle connections. */
  async close(): Promise<void> {
    const all = [...this.#idle.values()].flat()
    this.#idle.clear()
    await Promise.all(all.map((dispatcher) => dispatcher.destroy()))
  }
}
