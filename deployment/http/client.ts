/** The one place that sends requests to the target. */
import { setMaxListeners } from 'node:events'
import type { Dispatcher } from 'undici'
import type { Configuration, HttpSettings } from '../configuration/configuration.ts'
import { formatDuration } from '../configuration/duration.ts'
import { patiently } from '../patiently.ts'
import { ConnectionPool, dispatcherFactory } from './dispatcher.ts'
import { type Answer, TransportError } from './exchange.ts'
import { type OutgoingRequest, type PreparedRequest, requestBuilder } from './outgoing-request.ts'
import {
  busyWords,
  type Limiter,
  limiterOf,
  outOfStep,
  type Rank,
  type Slot,
  unaskedWait,
  waitAfter,
} from './pace.ts'
import { Exchange, faultMessage, Patience } from './receive.ts'

/** One socket. Requests go one after the other; a closed socket is opened again for the next one. */
export interface Connection {
  send(request: OutgoingRequest): Promise<Answer>
  close(): Promise<void>
}

/** How often the target could not serve a request of this client. */
export interface PutOff {
  /** Answers with 429, as the status or as the error code. */
  readonly throttled: number
  /** Answers with 502, 503 or 504, and refused connections. */
  readonly unavailable: number
  /** Requests per second that a throttling target can serve. */
  readonly perSecond?: number
}

export class Client {
  readonly #configuration: Configuration
  readonly #prepare: (request: OutgoingRequest) => PreparedRequest
  readonly #open: ReturnType<typeof dispatcherFactory>
  readonly #pool: ConnectionPool
  readonly #connections = new Set<Connection>()
  readonly #limiter: Limiter
  readonly #patience: Patience
  readonly #running = new Set<Exchange>()
  readonly #stop = new AbortController()
  /** Aborted once nothing more is sent: the client is closed, or the caller ends everything. */
  readonly #ended: AbortSignal
  #requests = 0
  /** Requests that count against the limit: those sent, and those that are about to be. */
  #places = 0
  readonly #mostRequests: number
  /** Connected dispatchers that have brought an answer. */
  readonly #used = new WeakSet<Dispatcher>()
  #throttled = 0
  #unavailable = 0
  #longAddressesRefused = false
  /** Whether the target has answered at all. */
  #reached = false

  /**
   * Reads the TLS files of the configuration and throws if one is unreadable. An aborted signal ends everything. After
   * `mostRequests`, repetitions included, every further one rejects as not sent.
   */
  constructor(
    configuration: Configuration,
    { signal, mostRequests }: { signal?: AbortSignal | undefined; mostRequests?: number | undefined } = {},
  ) {
    const { http } = configuration
    this.#configuration = configuration
    this.#mostRequests = mostRequests ?? Number.POSITIVE_INFINITY
    this.#ended = AbortSignal.any([this.#stop.signal, ...(signal === undefined ? [] : [signal])])
    // Every throttled request listens to it while it waits.
    setMaxListeners(0, this.#ended)
    this.#ended.addEventListener('abort', () => {
      for (const exchange of this.#running) exchange.fail('interrupted', 'interrupted')
    })
    this.#prepare = requestBuilder(configuration)
    this.#open = dispatcherFactory(http)
    this.#pool = new ConnectionPool(this.#open)
    this.#limiter = limiterOf(http)
    this.#patience = new Patience(http)
  }

  /** Requests handed to a connection so far, including repetitions. */
  get requests(): number {
    return this.#requests
  }

  /** Whether nothing more may be sent. */
  get exhausted(): boolean {
    return this.#places >= this.#mostRequests
  }

  /** How often the target could not serve a request, and the pace that it can serve. */
  get putOff(): PutOff {
    const perSecond = this.#limiter.found
    return {
      throttled: this.#throttled,
      unavailable: this.#unavailable,
      ...(perSecond && { perSecond: Math.round(perSecond * 10) / 10 }),
    }
  }

  /**
   * Sends the request and resolves with the complete answer, whatever its status; redirects are answers. Rejects with a
   * TransportError if no complete answer came. Retries within bounds after 429, 502, 503 or 504 (as the status, or as the
   * error code under HTTP 2xx), after a refused connection, and after a connection that the target had closed. The answer
   * says what came before.
   */
  send(request: OutgoingRequest): Promise<Answer> {
    return this.#sendOn(this.#pool, request)
  }

  /** Reads a page by GET; by POST from then on if the target says that an address is too long (414). */
  async read(request: Omit<OutgoingRequest, 'method'>): Promise<Answer> {
    if (!this.#longAddressesRefused) {
      const answer = await this.send({ ...request, method: 'GET' })
      if (answer.status !== 414) return answer
      this.#longAddressesRefused = true
    }
    return this.send(request)
  }

  /** A separate connection, for checks that depend on the order of requests on one socket. */
  connection(): Connection {
    const single = new ConnectionPool(this.#open)
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

  /** Closes all connections. Requests under way end as interrupted. */
  async close(): Promise<void> {
    this.#stop.abort()
    await Promise.all([this.#pool, ...this.#connections].map((open) => open.close()))
  }

  async #sendOn(connections: ConnectionPool, request: OutgoingRequest): Promise<Answer> {
    const about = aboutOf(request, this.#configuration.http)
    const prepared = this.#prepare(request)
    const trial: Trial = { request, prepared, about, before: [], attempts: 0, waitedMs: 0, lost: false }
    const got = await patiently(() => this.#attempt(connections, trial), {
      isDone: (outcome) => typeof outcome !== 'number',
      pauseMs: (_, waitMs) => waitMs as number,
      signal: this.#ended,
    }).catch((error) => {
      throw error.name === 'AbortError' ? this.#interrupted(trial) : error
    })
    const answer = got as Answer
    return trial.before.length === 0 ? answer : answer.with({ repeatedAfter: trial.before })
  }

  /** The answer, or how long to wait before the next attempt. */
  async #attempt(connections: ConnectionPool, trial: Trial): Promise<Answer | number> {
    const outcome = await this.#sendOnce(connections, trial)
    const waitMs =
      outcome instanceof TransportError
        ? this.#waitAfterFault(outcome, trial, connections)
        : this.#waitAfterAnswer(outcome, trial, connections)
    if (waitMs === undefined) return outcome as Answer
    trial.attempts += 1
    trial.waitedMs += waitMs
    return waitMs
  }

  #interrupted({ request, prepared }: Trial): TransportError {
    request.atGate?.()
    return new TransportError('interrupted', faultMessage(prepared, 'interrupted'), prepared.sent)
  }

  /** How long to wait before the next attempt. Undefined: this answer counts. Throws if waiting is over. */
  #waitAfterAnswer(answer: Answer, trial: Trial, connections: ConnectionPool): number | undefined {
    const { request, prepared, about, waitedMs, attempts } = trial
    const wait = waitAfter(answer, attempts)
    this.#reached = true
    // The target sent it before the request arrived: the connection had been idle for too long.
    if (saysIdle(answer) && attempts < mostLost && request.once !== true) {
      connections.distrust()
      return 0
    }
    if (wait === undefined) {
      // A target may serve pages while it throttles operations.
      if (request.method !== 'GET') this.#limiter.served(answer.answeredAt)
      this.#patience.answered(about)
      return undefined
    }
    if (wait.busy === 'throttled') this.#throttled += 1
    else this.#unavailable += 1
    const mayBePerformed = wait.busy !== 'throttled'
    if (request.once === true || (request.unrepeatable === true && mayBePerformed)) return undefined
    // A throttling target gets as much time as one that says how long to wait.
    const { ms } = wait
    const asked = wait.asked || wait.busy === 'throttled'
    const waits = this.#patience.waits(about, { waitedMs, ms, asked })
    // A target over capacity that names a time also gets fewer requests.
    if (wait.busy === 'throttled' || (answer.status === 503 && wait.asked))
      this.#limiter.turnedAway(answer.sentAt, waits ? ms : 0)
    if (mayBePerformed) trial.before.push(busyWords(answer))
    if (waits) return wait.asked ? ms : ms * outOfStep()
    const limit = this.#patience.limit(about, asked)
    this.#patience.gaveUp(about)
    const how = wait.busy === 'throttled' ? 'throttled' : 'not available'
    const advice = '; set http.requestsPerSecond to a rate that the target serves'
    const what = `${how} (${busyWords(answer)}) after waits of ${formatDuration(inTenths(waitedMs))}, and the run does not wait another ${formatDuration(ms)}: its limit is ${limit}${wait.busy === 'throttled' ? advice : ''}`
    throw new TransportError(wait.busy, faultMessage(prepared, what), prepared.sent, { answer })
  }

  /** How long to wait before the next attempt. Throws the fault if there is none. */
  #waitAfterFault(fault: TransportError, trial: Trial, connections: ConnectionPool): number {
    const { request, about, attempts, waitedMs } = trial
    if (fault.fault === 'timeout' && fault.sentAt !== undefined) this.#patience.timedOut(about)
    if (request.once === true) throw fault
    if (trial.lost && request.unrepeatable !== true && trial.before.length < mostLost) {
      connections.distrust()
      trial.before.push('a connection that the target had closed')
      return 0
    }
    // The target may be restarting. Nothing of the request has reached it.
    const ms = unaskedWait('unavailable', attempts)
    if (fault.fault === 'unreachable' && this.#reached) {
      this.#unavailable += 1
      if (this.#patience.waits(about, { waitedMs, ms, asked: false })) return ms
      this.#patience.gaveUp(about)
    }
    throw fault
  }

  /** One attempt. Resolves with the fault if no complete answer came. */
  async #sendOnce(connections: ConnectionPool, trial: Trial): Promise<Answer | TransportError> {
    const { request, prepared } = trial
    trial.lost = false
    const slot = await this.#limiter.acquire(this.#ended, rankOf(request))
    try {
      if (this.#ended.aborted) return this.#interrupted(trial)
      const over = this.exhausted ? 'no more requests are allowed' : this.#patience.over(trial.about)
      if (over !== undefined) {
        request.atGate?.()
        return new TransportError('not-sent', faultMessage(prepared, over), prepared.sent)
      }
      const dispatcher = connections.take(prepared.origin)
      const exchange = this.#exchange(trial, slot)
      this.#running.add(exchange)
      this.#places += 1
      try {
        exchange.start(dispatcher, this.#used.has(dispatcher))
        const answer = await exchange.answer
        this.#keepsConnection(dispatcher)
        connections.giveBack(prepared.origin, dispatcher)
        return answer
      } catch (error) {
        connections.drop(dispatcher)
        if (!(error instanceof TransportError)) throw error
        trial.lost = exchange.lost
        return error
      } finally {
        this.#running.delete(exchange)
        if (!exchange.sent) this.#places -= 1
      }
    } finally {
      slot.release()
    }
  }

  /** A dispatcher that answered once stays connected until it says otherwise. */
  #keepsConnection(dispatcher: Dispatcher): void {
    if (this.#used.has(dispatcher)) return
    this.#used.add(dispatcher)
    dispatcher.once('disconnect', () => this.#used.delete(dispatcher))
  }

  #exchange({ request: { gate, atGate, longestMs }, prepared }: Trial, slot: Slot): Exchange {
    const opened = gate === undefined ? undefined : { opened: gate, reached: () => atGate?.() }
    const onSent = (at: number) => {
      slot.sent(at)
      this.#requests += 1
    }
    return new Exchange(prepared, httpFor(longestMs, this.#configuration.http), onSent, opened)
  }
}

/** One request with all its attempts. */
interface Trial {
  readonly request: OutgoingRequest
  readonly prepared: PreparedRequest
  /** What the request asks for, in words for messages. */
  readonly about: string
  /** Earlier attempts that the target may have performed, in words. */
  readonly before: string[]
  attempts: number
  waitedMs: number
  /** Whether the target had closed the idle connection of the last attempt. */
  lost: boolean
}

const isSlow = (longestMs: number | undefined, { timeoutMs }: HttpSettings): longestMs is number =>
  longestMs !== undefined && longestMs > timeoutMs

/** What the request asks for, in words for messages. Slow requests have a patience of their own. */
function aboutOf({ about = 'this kind', longestMs }: OutgoingRequest, http: HttpSettings): string {
  return isSlow(longestMs, http) ? `${about} that may take ${formatDuration(longestMs)}` : about
}

/** The settings for one request. */
function httpFor(longestMs: number | undefined, http: HttpSettings): HttpSettings {
  if (!isSlow(longestMs, http)) return http
  return { ...http, timeoutMs: longestMs, connectTimeoutMs: http.connectTimeoutMs ?? http.timeoutMs }
}

/** Whether the target closed an idle connection (408). */
const saysIdle = ({ status, headers: { connection } }: Answer): boolean =>
  status === 408 && /\bclose\b/i.test(String(connection))

/** How often a request is sent again because its connection had been closed. */
const mostLost = 3

/** A measured wait in ms, for messages. Tenths of a second suffice. */
const inTenths = (ms: number): number => (ms < 1000 ? ms : Math.round(ms / 100) * 100)

function rankOf({ urgent, waitedFor, gate }: OutgoingRequest): Rank {
  if (urgent ?? gate !== undefined) return 'urgent'
  return waitedFor === true ? 'waited-for' : 'ordinary'
}
