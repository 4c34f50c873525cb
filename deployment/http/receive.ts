/** One exchange on one connection: writes the request and collects the answer within the time-outs; and how long a run waits. */
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { HttpSettings } from '../configuration/configuration.ts'
import { proxyAddress, proxyFor } from '../configuration/connection-settings.ts'
import { formatDuration } from '../configuration/duration.ts'
import { classify } from './diagnosis.ts'
import {
  Answer,
  DecodingError,
  decodeContent,
  type HeaderValues,
  TransportError,
  type TransportFault,
} from './exchange.ts'
import type { PreparedRequest } from './outgoing-request.ts'

/** Where a request waits between getting its connection and being written. */
interface Gate {
  readonly opened: Promise<void>
  readonly reached: () => void
}

const mostChunks = 10_000

/** A handler for undici that turns one request into one Answer or one TransportError. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>
  readonly #request: PreparedRequest
  readonly #http: HttpSettings
  readonly #onSent: (sentAt: number) => void
  readonly #gate: Gate | undefined
  #chunks: Buffer[] = []
  #length = 0
  /** Ends the wait for a connection. */
  #connecting: NodeJS.Timeout | undefined
  /** Ends the wait for the whole answer. */
  #waiting: NodeJS.Timeout | undefined
  #resolve!: (answer: Answer) => void
  #reject!: (error: TransportError) => void
  #settled = false
  #started = false
  #fresh = false
  #sentAt: number | undefined
  #used = false
  #lost = false
  #status = 0
  #headers: HeaderValues = {}

  /** Calls `onSent` when the request goes to the connection. */
  constructor(request: PreparedRequest, http: HttpSettings, onSent: (sentAt: number) => void, gate?: Gate) {
    this.#request = request
    this.#http = http
    this.#onSent = onSent
    this.#gate = gate
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  /**
   * Sends the request on the connection. `answer` settles within the time-outs, whatever the target does. `used`: the
   * connection has brought answers before.
   */
  start(dispatcher: Dispatcher, used: boolean): void {
    this.#used = used
    const { sent, origin, target } = this.#request
    this.#limitTime()
    const gated = this.#gate !== undefined && sent.body !== ''
    const headers = gated
      ? { ...sent.headers, 'content-length': String(Buffer.byteLength(sent.body)) }
      : // A copy: some dispatchers add to what they are given.
        { ...sent.headers }
    const body = gated
      ? Readable.from(this.#bodyBehindGate(this.#gate!))
      : (this.#request.bytes ?? sent.body) || null
    try {
      dispatcher.dispatch({ origin, path: target, method: sent.method as 'POST', headers, body }, this)
      // An open connection has written the request by now.
      this.#fresh = !this.#started
    } catch (error) {
      this.onResponseError(undefined, error as Error)
    }
  }

  /** Ends the exchange with that fault, unless it is over. */
  fail(fault: TransportFault, what: string): void {
    if (this.#settled) return
    this.#settle()
    const message = faultMessage(this.#request, what)
    this.#reject(new TransportError(fault, message, this.#request.sent, { sentAt: this.#sentAt }))
  }

  /** Whether the request went to the connection. */
  get sent(): boolean {
    return this.#sentAt !== undefined
  }

  /** Whether the target had closed the reused connection before it answered. */
  get lost(): boolean {
    return this.#lost
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#settled || this.#started) {
      // undici would silently repeat a request whose connection was lost.
      controller.abort(new Error('not sent twice'))
      this.#lost = !this.#settled && this.#used
      this.fail('broken', 'the connection was lost before an answer was complete')
      return
    }
    this.#started = true
    clearTimeout(this.#connecting)
    if (this.#gate === undefined) this.#markSent()
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: HeaderValues): void {
    if (status < 200 || this.#settled) return
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return
    const { maxAnswerBytes } = this.#http
    this.#length += chunk.length
    if (this.#length > maxAnswerBytes) {
      this.fail('too-large', `the answer is larger than ${maxAnswerBytes} bytes (http.maxAnswerBytes)`)
      return
    }
    this.#chunks.push(chunk)
    // An answer may come in a million tiny chunks.
    if (this.#chunks.length >= mostChunks) this.#chunks = [Buffer.concat(this.#chunks)]
  }

  onResponseEnd(): void {
    if (this.#settled) return
    const answeredAt = performance.now()
    let body: Buffer
    try {
      const encoding = this.#headers['content-encoding']
      body = decodeContent(Buffer.concat(this.#chunks), encoding, this.#http.maxAnswerBytes)
    } catch (error) {
      if (!(error instanceof DecodingError)) throw error
      this.fail(error.fault, `the answer ${error.message}`)
      return
    }
    this.#settle()
    const { sent } = this.#request
    const sentAt = this.#sentAt ?? 0
    const [status, headers] = [this.#status, this.#headers]
    this.#resolve(new Answer({ request: sent, status, headers, body, sentAt, answeredAt }))
  }

  onResponseError(_controller: unknown, error: Error): void {
    const { origin } = this.#request
    const proxy = proxyFor(this.#http.proxy, origin)
    const [fault, what] = classify(error, {
      secure: origin.startsWith('https:'),
      started: this.#started,
      fresh: this.#fresh,
      answering: this.#status !== 0,
      ...(proxy === undefined ? {} : { proxy: { address: proxyAddress(proxy), from: proxy.from } }),
    })
    // A parser error means that bytes came.
    const unanswered = this.#status === 0 && error.name !== 'HTTPParserError'
    this.#lost = fault === 'broken' && this.#started && this.#used && unanswered
    this.fail(fault, what)
  }

  async *#bodyBehindGate(gate: Gate): AsyncGenerator<Buffer> {
    gate.reached()
    await gate.opened
    if (this.#settled) return
    clearTimeout(this.#waiting)
    this.#limitWait()
    this.#markSent()
    yield Buffer.from(this.#request.sent.body)
  }

  #markSent(): void {
    this.#sentAt = performance.now()
    this.#onSent(this.#sentAt)
  }

  /** Sets the time-outs of the configuration. The one for the answer begins again at an open gate. */
  #limitTime(): void {
    const { connectTimeoutMs } = this.#http
    this.#limitWait()
    if (connectTimeoutMs === undefined) return
    const what = `no connection within ${formatDuration(connectTimeoutMs)} (http.connectTimeout)`
    this.#connecting = setTimeout(() => this.fail('timeout', what), connectTimeoutMs)
  }

  #limitWait(): void {
    const { timeoutMs } = this.#http
    const limit = formatDuration(timeoutMs)
    this.#waiting = setTimeout(() => {
      const what = this.#started
        ? `no complete answer within ${limit} (${timeoutAdvice})`
        : `no connection within ${limit} (http.timeout)`
      this.fail('timeout', what)
    }, timeoutMs)
  }

  #settle(): void {
    this.#settled = true
    clearTimeout(this.#connecting)
    clearTimeout(this.#waiting)
    this.#gate?.reached()
  }
}

/** The request and what happened, on one line. The query is left out because it may hold a credential. */
export function faultMessage({ sent, origin, target }: PreparedRequest, what: string): string {
  return `${sent.method} ${origin}${target.split('?', 1)[0]}: ${what}`
}

/** Longest wait for a service that may be restarting and does not say how long, in milliseconds. */
const longestUnaskedMs = 7000
/** After this many time-outs, if they are at least this share of all requests, no more requests of the kind are sent. */
const timeoutsUntilNone = 10
const shareUntilNone = 0.02

/** Advice about time-outs. */
const timeoutAdvice = 'a target that may take longer needs a longer http.timeout'

interface Known {
  requests: number
  timeouts: number
  /** Consecutive requests that were given up because of throttling. */
  givenUp: number
}

/** How long a run waits for answers. It waits less for kinds of requests that keep failing. */
export class Patience {
  readonly #askedMs: number
  readonly #known = new Map<string, Known>()

  /** `throttleWaitMs`: the longest total wait for one throttled request. */
  constructor({ throttleWaitMs }: Pick<HttpSettings, 'throttleWaitMs'>) {
    this.#askedMs = throttleWaitMs
  }

  answered(about: string): void {
    const known = this.#of(about)
    known.requests += 1
    known.givenUp = 0
  }

  timedOut(about: string): void {
    const known = this.#of(about)
    known.requests += 1
    known.timeouts += 1
  }

  /** Notes a request that the run gave up waiting for. */
  gaveUp(about: string): void {
    this.#of(about).givenUp += 1
  }

  /** Why no more requests of the kind are sent, in one line. Undefined: they are. */
  over(about: string): string | undefined {
    const { timeouts, requests } = this.#of(about)
    if (timeouts < timeoutsUntilNone || timeouts < requests * shareUntilNone) return undefined
    return `not sent: ${timeouts} of ${requests} requests of ${about} had no answer in time (${timeoutAdvice})`
  }

  /** Whether a request that has waited for `waitedMs` may wait for `ms` more. `asked`: the target said how long. */
  waits(about: string, { waitedMs, ms, asked }: { waitedMs: number; ms: number; asked: boolean }): boolean {
    return waitedMs + ms <= this.#longestMs(about, asked)
  }

  /** The longest total wait of a request of the kind, and the setting or the rule that limits it. */
  limit(about: string, asked: boolean): string {
    const longest = formatDuration(this.#longestMs(about, asked))
    const [setting, unasked] = [this.#askedMs, longestUnaskedMs].map(formatDuration)
    const from =
      asked || this.#askedMs <= longestUnaskedMs
        ? `http.throttleWait: ${setting}`
        : `${unasked} where the target does not say how long`
    const halved = this.#of(about).givenUp > 0 ? ', halved by each request given up' : ''
    return `${longest} (${from}${halved})`
  }

  /** Each request that was given up halves the wait of the next. */
  #longestMs(about: string, asked: boolean): number {
    const longest = asked ? this.#askedMs : Math.min(longestUnaskedMs, this.#askedMs)
    return longest / 2 ** this.#of(about).givenUp
  }

  #of(about: string): Known {
    const nothing = { requests: 0, timeouts: 0, givenUp: 0 }
    const known = this.#known.get(about) ?? nothing
    this.#known.set(about, known)
    return known
  }
}
