/** The one place that sends requests to the target. */
import { setMaxListeners } from 'node:events'
import type { Dispatcher } from 'undici'
import type { Configuration, HttpSettings } from '../configuration/configuration.ts'
import { formatDuration } from '../configuration/duration.ts'
import { patiently } from '../patiently.ts'
import { ConnectionPool, type ConnectionSource, dispatcherFactory, SingleConnection } from './dispatcher.ts'
import { type Answer, TransportError } from './exchange.ts'
import { type OutgoingRequest, type PreparedRequest, requestBuilder } from './outgoing-request.ts'
import {
  type Busy,
  busyWords,
  type Limiter,
  limiterOf,
  outOfStep,
  type Slot,
  unaskedWait,
  waitAfter,
} from './pace.ts'
import { Patience } from './patience.ts'
import { Exchange, faultMessage } from './receive.ts'

/** One socket of its own: requests go one after the other, and a closed socket is opened anew for the next. */
export interface Connection {
  send(request: OutgoingRequest): Promise<Answer>
  close(): Promise<void>
}

/** What a target made of requests that it neither accepted nor refused, for all of a client. */
export interface PutOff {
  /** Answers with 429, as the status or as the code of an error. */
  readonly throttled: number
  /** Answers with 502, 503 or 504, likewise, and connections that were refused. */
  readonly unavailable: number
  /** Requests per second that a throttling target was found to keep up with. */
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
  readonly #signal: AbortSignal | undefined
  readonly #onAbort = () => this.#interrupt()
  #requests = 0
  /** Those whose connection has brought an answer. */
  readonly #used = new WeakSet<Dispatcher>()
  /** Faults of connections that were closed before they were used again. */
  readonly #lost = new WeakSet<TransportError>()
  #throttled = 0
  /** How often who was told to come again with 403 was told the same then; below zero once that helped. */
  #forbidden = 0
  #unavailable = 0
  #longAddressesRefused = false
  /** The target was there at some time. */
  #reached = false

  /** Reads the TLS files of the configuration; throws where one is unreadable. An aborted signal ends everything. */
  constructor(configuration: Configuration, options: { signal?: AbortSignal | undefined } = {}) {
    const { http } = configuration
    this.#configuration = configuration
    // Every throttled request listens while it waits.
    setMaxListeners(0, this.#stop.signal)
    this.#prepare = requestBuilder(configuration)
    this.#open = dispatcherFactory(http)
    this.#pool = new ConnectionPool(this.#open)
    this.#limiter = limiterOf(http)
    this.#patience = new Patience(http)
    this.#signal = options.signal
    if (this.#signal?.aborted) this.#interrupt()
    else this.#signal?.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** Requests that were handed to a connection so far, repetitions included. */
  get requests(): number {
    return this.#requests
  }

  /** How often the target put requests off, and the pace that it was found to keep up with. */
  get putOff(): PutOff {
    const perSecond = this.#limiter.found
    return {
      throttled: this.#throttled,
      unavailable: this.#unavailable,
      ...(perSecond === undefined ? {} : { perSecond: Math.round(perSecond * 10) / 10 }),
    }
  }

  /**
   * Sends the request and resolves with the complete answer, whatever its status; redirects are answers. Rejects with
   * a TransportError where none came. Repeats what the target put off (429, 502, 503, 504 as the status, or under HTTP 2xx
   * as the code of an error), what it was not there for any more, and what was lost on a connection that it had closed, within bounds: the answer says so.
   */
  send(request: OutgoingRequest): Promise<Answer> {
    return this.#sendOn(this.#pool, request)
  }

  /** The same for a page, by GET; by POST from then on where the target says that an address is too long (414). */
  async read(request: Omit<OutgoingRequest, 'method'>): Promise<Answer> {
    if (!this.#longAddressesRefused) {
      const answer = await this.send({ ...request, method: 'GET' })
      if (answer.status !== 414) return answer
      this.#longAddressesRefused = true
    }
    return this.send(request)
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
    const about = aboutOf(request, this.#configuration.http)
    const prepared = this.#prepare(request)
    const trial: Trial = { request, prepared, about, before: [], attempts: 0, waitedMs: 0 }
    const { outcome } = await patiently(() => this.#attempt(connections, trial), {
      isDone: ({ waitMs }) => waitMs === undefined,
      pauseMs: (_, attempt) => attempt?.waitMs ?? 0,
      signal: this.#stop.signal,
      onAbort: () => {
        throw this.#interrupted(trial)
      },
    })
    const answer = outcome as Answer
    return trial.before.length === 0 ? answer : answer.with({ repeatedAfter: trial.before })
  }

  /** `waitMs`: how long to wait before the next attempt; undefined where the answer is one to judge. */
  async #attempt(connections: ConnectionSource, trial: Trial) {
    const outcome = await this.#sendOnce(connections, trial)
    const waitMs =
      outcome instanceof TransportError
        ? this.#waitAfterFault(outcome, trial, connections)
        : this.#waitAfterAnswer(outcome, trial)
    if (waitMs !== undefined) {
      trial.attempts += 1
      trial.waitedMs += waitMs
    }
    return { outcome, waitMs }
  }

  #interrupted({ request, prepared }: Trial): TransportError {
    request.atGate?.()
    return new TransportError('interrupted', faultMessage(prepared, 'interrupted'), prepared.sent)
  }

  /** How long to wait before the repetition, or undefined where the answer is one to judge. Throws where it is not waited for. */
  #waitAfterAnswer(answer: Answer, trial: Trial): number | undefined {
    const { request, prepared, about, waitedMs, attempts } = trial
    if (attempts === 1 && trial.forbidden === true)
      this.#forbidden += answer.status === 403 ? 1 : Number.NEGATIVE_INFINITY
    const found = waitAfter(answer, attempts)
    trial.forbidden = found !== undefined && answer.status === 403
    const wait = trial.forbidden && this.#forbidden >= mostForbidden ? undefined : found
    this.#reached = true
    // It was on its way before the request was: the connection had been idle for too long.
    if (saysIdle(answer) && attempts === 0 && request.once !== true) return 0
    if (wait === undefined) {
      // A page that only shows something may be served while all else is turned away.
      if (request.method !== 'GET') this.#limiter.served(answer.answeredAt)
      this.#patience.answered(about, answer.answeredAt - answer.sentAt)
      return undefined
    }
    if (wait.busy === 'throttled') this.#throttled += 1
    else this.#unavailable += 1
    if (request.once === true) return undefined
    // A target that turns requests away is waited for as if it had said how long.
    const { ms } = wait
    const asked = wait.asked || wait.busy === 'throttled'
    const waits = this.#patience.waits(about, { waitedMs, ms, asked })
    // Who is over capacity and says until when is asked slower as well.
    if (wait.busy === 'throttled' || (answer.status === 503 && wait.asked))
      this.#limiter.turnedAway(answer.sentAt, waits ? ms : 0)
    if (wait.busy !== 'throttled') trial.before.push(busyWords(answer))
    if (waits) return wait.asked ? ms : ms * outOfStep()
    this.#patience.gaveUp(about)
    const { throttleWaitMs } = this.#configuration.http
    const why =
      waitedMs + ms > throttleWaitMs
        ? `and waiting would take longer than ${formatDuration(throttleWaitMs)} (http.throttleWait)`
        : `still so after ${formatDuration(waitedMs)}`
    const what = `${inWords[wait.busy]} (${busyWords(answer)}), ${why}`
    throw new TransportError(wait.busy, faultMessage(prepared, what), prepared.sent, { answer })
  }

  /** How long to wait before the repetition. Throws the fault where it is not waited for. */
  #waitAfterFault(fault: TransportError, trial: Trial, connections: ConnectionSource): number {
    const { request, about, attempts, waitedMs } = trial
    if (fault.fault === 'timeout' && fault.sentAt !== undefined) this.#patience.timedOut(about)
    if (request.once === true) throw fault
    if (this.#lost.has(fault) && trial.before.length < mostLost) {
      connections.distrust()
      trial.before.push('a connection that the target had closed')
      return 0
    }
    // A target that was there may be there again soon: it may be restarting. Nothing of the request has reached it.
    const ms = unaskedWait('unavailable', attempts)
    if (fault.fault === 'unreachable' && this.#reached) {
      this.#unavailable += 1
      if (this.#patience.waits(about, { waitedMs, ms, asked: false })) return ms
      this.#patience.gaveUp(about)
    }
    throw fault
  }

  /** Once; resolves with the fault where no complete answer came. */
  async #sendOnce(connections: ConnectionSource, trial: Trial): Promise<Answer | TransportError> {
    const { request, prepared } = trial
    const slot = await this.#limiter.acquire(this.#stop.signal, request.urgent ?? request.gate !== undefined)
    try {
      if (this.#stop.signal.aborted) return this.#interrupted(trial)
      const over = this.#patience.over(trial.about)
      if (over !== undefined) {
        request.atGate?.()
        return new TransportError('not-sent', faultMessage(prepared, over), prepared.sent)
      }
      const dispatcher = connections.take(prepared.origin)
      const exchange = this.#exchange(trial, slot)
      this.#running.add(exchange)
      try {
        exchange.start(dispatcher, this.#used.has(dispatcher))
        const answer = await exchange.answer
        this.#keepsConnection(dispatcher)
        connections.giveBack(prepared.origin, dispatcher)
        return answer
      } catch (error) {
        connections.drop(dispatcher)
        if (!(error instanceof TransportError)) throw error
        if (exchange.lost) this.#lost.add(error)
        return error
      } finally {
        this.#running.delete(exchange)
      }
    } finally {
      slot.release()
    }
  }

  /** It is connected for as long as nothing else is heard of it. */
  #keepsConnection(dispatcher: Dispatcher): void {
    if (this.#used.has(dispatcher)) return
    this.#used.add(dispatcher)
    dispatcher.once('disconnect', () => this.#used.delete(dispatcher))
  }

  #exchange({ request: { gate, atGate, longestMs }, prepared, about }: Trial, slot: Slot): Exchange {
    const opened = gate === undefined ? undefined : { opened: gate, reached: once(atGate) }
    const onSent = (at: number) => {
      slot.sent(at)
      this.#requests += 1
    }
    const http = httpFor(longestMs, this.#configuration.http)
    const timeoutMs = this.#patience.timeout(about, http.timeoutMs)
    if (timeoutMs === undefined) return new Exchange(prepared, http, onSent, opened)
    const whyTimeout = this.#patience.shortened(about, http.timeoutMs)
    return new Exchange(prepared, { ...http, timeoutMs, whyTimeout }, onSent, opened)
  }

  #interrupt(): void {
    this.#stop.abort()
    for (const exchange of this.#running) exchange.fail('interrupted', 'interrupted')
  }
}

/** One request on its way, with all its repetitions. */
interface Trial {
  readonly request: OutgoingRequest
  readonly prepared: PreparedRequest
  /** What it asks for, in messages. */
  readonly about: string
  /** What it met with that may have had its effect. */
  readonly before: string[]
  attempts: number
  waitedMs: number
  /** Whether the last answer may have said that this is asked too often. */
  forbidden?: boolean
}

const isSlow = (longestMs: number | undefined, { timeoutMs }: HttpSettings): longestMs is number =>
  longestMs !== undefined && longestMs > timeoutMs

/** What is asked for, in messages. Patience with slow requests is apart from that with others. */
function aboutOf({ about = 'this kind', longestMs }: OutgoingRequest, http: HttpSettings): string {
  return isSlow(longestMs, http) ? `${about} that may take ${formatDuration(longestMs)}` : about
}

/** The settings for one request: the head of a slow answer may be as late as all of it. */
function httpFor(longestMs: number | undefined, http: HttpSettings): HttpSettings {
  if (!isSlow(longestMs, http)) return http
  const { headersTimeoutMs: _, ...others } = http
  return { ...others, timeoutMs: longestMs, connectTimeoutMs: http.connectTimeoutMs ?? http.timeoutMs }
}

/** Whether it closes the connection, and says that no request came on it. */
const saysIdle = ({ status, headers: { connection } }: Answer): boolean =>
  status === 408 && /\bclose\b/i.test(String(connection))

/** Once so many were told the same again, a 403 that names a time to come again is a refusal like others. */
const mostForbidden = 3

/** So often a request is sent again whose connection had been closed. */
const mostLost = 3

const inWords: Record<Busy, string> = { throttled: 'throttled', unavailable: 'not available' }

function once(callback: (() => void) | undefined): () => void {
  let pending = callback
  return () => {
    const call = pending
    pending = undefined
    call?.()
  }
}
