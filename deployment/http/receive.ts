/** One exchange on one connection: writes the request and collects the answer within the time-outs. */
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
import { timeoutAdvice } from './patience.ts'

/** Where a request waits between getting its connection and being written. */
interface Gate {
  readonly opened: Promise<void>
  readonly reached: () => void
}

/** A handler for undici that turns one request into one Answer or one TransportError. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>
  readonly #request: PreparedRequest
  readonly #http: HttpSettings
  readonly #onSent: (sentAt: number) => void
  readonly #gate: Gate | undefined
  readonly #body: BodyCollector
  readonly #clock: AnswerClock
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
  constructor(
    request: PreparedRequest,
    http: HttpSettings & ClockLimits,
    onSent: (sentAt: number) => void,
    gate?: Gate,
  ) {
    this.#request = request
    this.#http = http
    this.#clock = new AnswerClock(http, (what) => this.fail('timeout', what))
    this.#onSent = onSent
    this.#gate = gate
    this.#body = new BodyCollector(http.maxAnswerBytes)
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
    this.#clock.begin('connect')
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
    if (this.#gate === undefined) this.#markSent()
    else this.#clock.enter('gate')
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: HeaderValues): void {
    if (status < 200 || this.#settled) return
    this.#status = status
    this.#headers = headers
    this.#clock.enter('body')
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return
    if (!this.#body.add(chunk)) this.fail('too-large', this.#tooLarge())
    else this.#clock.enter('body')
  }

  onResponseEnd(): void {
    if (this.#settled) return
    const answeredAt = performance.now()
    let body: Buffer
    try {
      body = decodeContent(this.#body.bytes(), this.#headers['content-encoding'], this.#http.maxAnswerBytes)
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
    this.#clock.begin('headers')
    this.#markSent()
    yield Buffer.from(this.#request.sent.body)
  }

  #markSent(): void {
    this.#sentAt = performance.now()
    this.#clock.enter('headers')
    this.#onSent(this.#sentAt)
  }

  #tooLarge(): string {
    return `the answer is larger than ${this.#http.maxAnswerBytes} bytes (http.maxAnswerBytes)`
  }

  #settle(): void {
    this.#settled = true
    this.#clock.stop()
    this.#gate?.reached()
  }
}

/** The request and what happened, on one line. The query is left out because it may hold a credential. */
export function faultMessage({ sent, origin, target }: PreparedRequest, what: string): string {
  return `${sent.method} ${origin}${target.split('?', 1)[0]}: ${what}`
}

class BodyCollector {
  readonly #limit: number
  #buffer: Buffer = Buffer.alloc(0)
  #length = 0

  /** The limit is in bytes. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Adds a chunk. False if the body is over the limit. */
  add(chunk: Buffer): boolean {
    const length = this.#length + chunk.length
    if (length > this.#limit) return false
    // Most answers come in one chunk, which needs no copy.
    if (this.#length === 0) this.#buffer = chunk
    else {
      this.#reserve(length)
      chunk.copy(this.#buffer, this.#length)
    }
    this.#length = length
    return true
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  // Doubling keeps an answer in a million tiny chunks cheap.
  #reserve(length: number): void {
    if (this.#buffer.length >= length) return
    const grown = Buffer.allocUnsafe(Math.max(length, Math.min(2 * length, this.#limit)))
    this.#buffer.copy(grown, 0, 0, this.#length)
    this.#buffer = grown
  }
}

type ClockLimits = Pick<
  HttpSettings,
  'timeoutMs' | 'connectTimeoutMs' | 'headersTimeoutMs' | 'bodyTimeoutMs'
> & {
  /** Why the time-out differs from the configured one. */
  readonly whyTimeout?: string
}

/** `gate`: the request waits for others before it is written; only the total time-out counts. */
type Phase = 'connect' | 'gate' | 'headers' | 'body'

const whatEnded = {
  connect: (limit: string) => `no connection within ${limit} (http.connectTimeout)`,
  headers: (limit: string) => `no answer had begun ${limit} after the request (http.headersTimeout)`,
  body: (limit: string) => `the answer stood still for ${limit} (http.bodyTimeout)`,
}

/** One timer for all time-outs, set for the one that ends first. */
class AnswerClock {
  readonly #limits: ClockLimits
  readonly #onEnd: (what: string) => void
  #phase: Phase = 'connect'
  #wholeEndsAt = 0
  #phaseEndsAt = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #firesAt = 0

  /** Calls `onEnd` once with the time-out that ended the exchange, in one line. */
  constructor(limits: ClockLimits, onEnd: (what: string) => void) {
    this.#limits = limits
    this.#onEnd = onEnd
  }

  /** Starts or restarts the total time-out. */
  begin(phase: Phase): void {
    this.#wholeEndsAt = performance.now() + this.#limits.timeoutMs
    this.enter(phase)
  }

  /** Starts or restarts the time-out of a phase. */
  enter(phase: Phase): void {
    this.#phase = phase
    const limit = this.#limitOf(phase)
    this.#phaseEndsAt = limit === undefined ? Number.POSITIVE_INFINITY : performance.now() + limit
    this.#set()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #limitOf(phase: Phase): number | undefined {
    return phase === 'gate' ? undefined : this.#limits[`${phase}TimeoutMs`]
  }

  #set(): void {
    const endsAt = Math.min(this.#wholeEndsAt, this.#phaseEndsAt)
    // A timer that fires early checks again, which is cheaper than a new timer for each chunk.
    if (this.#timer !== undefined && this.#firesAt <= endsAt) return
    clearTimeout(this.#timer)
    this.#firesAt = endsAt
    this.#timer = setTimeout(() => this.#look(), Math.ceil(endsAt - performance.now()))
  }

  #look(): void {
    this.#timer = undefined
    const now = performance.now()
    const limit = this.#limitOf(this.#phase)
    if (now >= this.#phaseEndsAt && limit !== undefined && this.#phase !== 'gate') {
      this.#onEnd(whatEnded[this.#phase](formatDuration(limit)))
    } else if (now >= this.#wholeEndsAt) this.#onEnd(this.#wholeEnded())
    else this.#set()
  }

  #wholeEnded(): string {
    const limit = formatDuration(this.#limits.timeoutMs)
    if (this.#phase === 'connect') return `no connection within ${limit} (http.timeout)`
    if (this.#limits.whyTimeout !== undefined)
      return `no complete answer within ${limit}, and it was ${this.#limits.whyTimeout}`
    return `no complete answer within ${limit} (${timeoutAdvice})`
  }
}
