/** The one place that sends requests to the target. */
import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Configuration } from '../configuration/configuration.ts'
import { formatDuration } from '../configuration/duration.ts'
import { ConnectionPool, type ConnectionSource, dispatcherFactory, SingleConnection } from './dispatcher.ts'
import { type Answer, TransportError } from './exchange.ts'
import { type Limiter, limiterOf, type Slot } from './limiter.ts'
import { type OutgoingRequest, type PreparedRequest, requestBuilder } from './outgoing-request.ts'
import { Exchange, faultMessage } from './receive.ts'
import { throttleWait } from './throttling.ts'

/** One socket of its own: requests go one after the other, and a closed socket is opened anew for the next. */
export interface Connection {
  send(request: OutgoingRequest): Promise<Answer>
  close(): Promise<void>
}

export class Client {
  readonly #configuration: Configuration
  readonly #prepare: (request: OutgoingRequest) => PreparedRequest
  readonly #open: ReturnType<typeof dispatcherFactory>
  readonly #pool: ConnectionPool
  readonly #connections = new Set<Connection>()
  readonly #limiter: Limiter
  readonly #running = new Set<Exchange>()
  readonly #stop = new AbortController()
  readonly #signal: AbortSignal | undefined
  readonly #onAbort = () => this.#interrupt()
  #requests = 0

  /** Reads the TLS files of the configuration; throws where one is unreadable. An aborted signal ends everything. */
  constructor(configuration: Configuration, options: { signal?: AbortSignal } = {}) {
    const { http } = configuration
    this.#configuration = configuration
    // Every throttled request listens while it waits.
    setMaxListeners(0, this.#stop.signal)
    this.#prepare = requestBuilder(configuration)
    this.#open = dispatcherFactory(http)
    this.#pool = new ConnectionPool(this.#open)
    this.#limiter = limiterOf(http)
    this.#signal = options.signal
    if (this.#signal?.aborted) this.#interrupt()
    else this.#signal?.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** Requests that were handed to a connection so far, repetitions for a throttling target included. */
  get requests(): number {
    return this.#requests
  }

  /**
   * Sends the request and resolves with the complete answer, whatever its status; redirects are answers. Rejects
   * with a TransportError where none came. Repeats only what the target throttled, within `http.throttleWait`.
   */
  send(request: OutgoingRequest): Promise<Answer> {
    return this.#sendOn(this.#pool, request)
  }

  /** A connection of its own, for what depends on the order of requests on one socket. */
  connection(): Connection {
    const single = new SingleConnection(this.#open)
    let previous: Promise<unknown> = Promise.resolve()
    const connection: Connection = {
      send: (request) => {
        const answer = previous.then(() => this.#sendOn(single, request))
        previous = answer.catch(() => undefined)
        return answer
      },
      close: async () => {
        this.#connections.delete(connection)
        await single.close()
      },
    }
    this.#connections.add(connection)
    return connection
  }

  /** Closes all connections; requests that are still under way end as interrupted. */
  async close(): Promise<void> {
    this.#signal?.removeEventListener('abort', this.#onAbort)
    this.#interrupt()
    await Promise.all([this.#pool, ...this.#connections].map((open) => open.close()))
  }

  async #sendOn(connections: ConnectionSource, request: OutgoingRequest): Promise<Answer> {
    const prepared = this.#prepare(request)
    const { throttleWaitMs } = this.#configuration.http
    let waitedMs = 0
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#sendOnce(connections, request, prepared)
      const waitMs = throttleWait(answer, attempt)
      if (waitMs === undefined) return answer
      waitedMs += waitMs
      if (waitedMs > throttleWaitMs) {
        const allowed = formatDuration(throttleWaitMs)
        const what = `throttled (HTTP ${answer.status}), and waiting would take longer than ${allowed} (http.throttleWait)`
        throw new TransportError('throttled', faultMessage(prepared, what), prepared.sent)
      }
      await sleep(waitMs, undefined, { signal: this.#stop.signal }).catch(() => undefined)
    }
  }

  async #sendOnce(
    connections: ConnectionSource,
    request: OutgoingRequest,
    prepared: PreparedRequest,
  ): Promise<Answer> {
    const slot = await this.#limiter.acquire(this.#stop.signal, request.urgent ?? request.gate !== undefined)
    try {
      if (this.#stop.signal.aborted) {
        request.atGate?.()
        throw new TransportError('interrupted', faultMessage(prepared, 'interrupted'), prepared.sent)
      }
      const dispatcher = connections.take(prepared.origin)
      const exchange = this.#exchange(prepared, request, slot)
      this.#running.add(exchange)
      try {
        exchange.start(dispatcher)
        const answer = await exchange.answer
        connections.giveBack(prepared.origin, dispatcher)
        return answer
      } catch (error) {
        connections.drop(dispatcher)
        throw error
      } finally {
        this.#running.delete(exchange)
      }
    } finally {
      slot.release()
    }
  }

  #exchange(prepared: PreparedRequest, { gate, atGate }: OutgoingRequest, slot: Slot): Exchange {
    const opened = gate === undefined ? undefined : { opened: gate, reached: once(atGate) }
    const onSent = (at: number) => {
      slot.sent(at)
      this.#requests += 1
    }
    return new Exchange(prepared, this.#configuration.http, onSent, opened)
  }

  #interrupt(): void {
    this.#stop.abort()
    for (const exchange of this.#running) exchange.fail('interrupted', 'interrupted')
  }
}

function once(callback: (() => void) | undefined): () => void {
  let pending = callback
  return () => {
    const call = pending
    pending = undefined
    call?.()
  }
}
