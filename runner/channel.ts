/** Sends everything that a run sends, until the target counts as gone. */
import { setTimeout as sleep } from 'node:timers/promises'
import { looksFailed, speaksLikeAPortal } from '../clauses/acceptance.ts'
import { isStranger } from '../clauses/exchange.ts'
import type { Configuration } from '../deployment/configuration/configuration.ts'
import { Client } from '../deployment/http/client.ts'
import { type Answer, BodyLimitError, bodyFields, TransportError } from '../deployment/http/exchange.ts'
import { NothingSent, NotTested } from './findings.ts'
import { Lanes } from './lanes.ts'
import type { Fold, RunExchange } from './log/run-log.ts'

/** After this many broken exchanges in a row, the target counts as gone. */
const mostInARow = 20

/** After each group of this many, sending pauses if the target has answered before: it may be restarting. */
const pauseEvery = 4
const pauseMs = 2000

/** This many HTML pages in a row, instead of answers that were accepted before, mean that a firewall answers. */
const pagesOfFirewall = 30
const callsOfFirewall = 3
/** Raises that limit for a target that uses pages as refusals: it sent that number between accepted requests. */
const ownPagesFactor = 10

export class CircuitBreaker {
  readonly #gone = new AbortController()
  #broken = 0
  #lastFault = ''
  #heldAt = Number.NEGATIVE_INFINITY
  /** When the last pause began. */
  #pausedAt = Number.NEGATIVE_INFINITY
  #what = `${mostInARow} broken exchanges in a row`
  /** Answered requests with an invalid credential. */
  #wrongCredentials = 0
  /** What was accepted before, and the pages that came instead since the last acceptance. */
  readonly #worked = new Set<string>()
  readonly #pages: string[] = []
  /** Pages that an acceptance followed, so they were the target's own. */
  #ownPages = 0

  /** Aborted when the target counts as gone. */
  get signal(): AbortSignal {
    return this.#gone.signal
  }

  /** Why nothing more is sent, in one line. */
  get reason(): string {
    const said = `the run stopped sending after ${this.#what}; the last: ${this.#lastFault}`
    const wrong = this.#wrongCredentials
    return wrong === 0
      ? said
      : `${said}; before that ${wrong} requests with wrong credentials had been answered, for which some firewalls shut an address out`
  }

  /** How long to send nothing, in ms. */
  get pauseLeftMs(): number {
    return this.#broken < pauseEvery ? 0 : Math.max(0, this.#pausedAt + pauseMs - performance.now())
  }

  /** An answer came, whatever it says. */
  answered(): void {
    this.#broken = 0
    this.#heldAt = performance.now()
  }

  /** A request with an invalid credential was answered. */
  wrongCredential(): void {
    this.#wrongCredentials += 1
  }

  /**
   * An answer to a known caller. `asked`: the caller and the operation. A firewall that shut the run out answers
   * everything with its page.
   */
  saw(answer: Answer, asked: string): void {
    if (bodyFields(answer).success === true) {
      this.#worked.add(asked)
      this.#ownPages += this.#pages.length
      this.#pages.length = 0
    } else if (looksFailed(answer) && this.#worked.has(asked)) {
      this.#pages.push(asked)
      const most = this.#ownPages < pagesOfFirewall ? pagesOfFirewall : pagesOfFirewall * ownPagesFactor
      if (this.#pages.length < most || new Set(this.#pages).size < callsOfFirewall) return
      this.#lastFault = `HTTP ${answer.status}`
      this.#what = `${this.#pages.length} requests in a row that were accepted before got an HTML page`
      this.#gone.abort()
    }
  }

  /**
   * An exchange broke that began at `began` in ms of `performance.now()`. Throttled requests count only if nothing was
   * answered meanwhile. Requests that began before the last pause do not count again.
   */
  broke(fault: string, { began, putOff }: { readonly began: number; readonly putOff: boolean }): void {
    if (began < (putOff ? this.#heldAt : this.#pausedAt)) return
    this.#broken += 1
    this.#lastFault = fault
    const mayBeBack = this.#heldAt > Number.NEGATIVE_INFINITY
    if (mayBeBack && this.#broken % pauseEvery === 0) this.#pausedAt = performance.now()
    if (this.#broken >= mostInARow) this.#gone.abort()
  }
}

export class Channel implements Fold {
  readonly client: Client
  /** For requests that start together. */
  readonly races = new Lanes(1)
  readonly #breaker = new CircuitBreaker()
  readonly #stop: AbortSignal
  readonly #mostRequests: number | undefined
  #spoken = false
  #answers = 0
  #answeringMs = 0

  /** Sends nothing after the signal is aborted. */
  constructor(configuration: Configuration, signal?: AbortSignal) {
    this.#stop = AbortSignal.any([this.#breaker.signal, ...(signal === undefined ? [] : [signal])])
    this.#mostRequests = configuration.run.maxRequests
    this.client = new Client(configuration, { signal: this.#stop, mostRequests: this.#mostRequests })
  }

  /** Whether any answer so far looked like a portal's. */
  get spoken(): boolean {
    return this.#spoken
  }

  /** Whether no more requests are allowed (`run.maxRequests`). */
  get exhausted(): boolean {
    return this.client.exhausted
  }

  /** Why a check that would send more is not tested. */
  get whyExhausted(): string {
    return `the ${this.#mostRequests} requests of run.maxRequests are used up`
  }

  /** Whether the run has ended or the target is gone. Nothing is sent any more. */
  get gone(): boolean {
    return this.#stop.aborted
  }

  /** Why the target counts as gone. Undefined while it does not. */
  get whyGone(): string | undefined {
    return this.#breaker.signal.aborted ? this.#breaker.reason : undefined
  }

  /** The average duration of an answer in ms; 0 before the first. */
  get latencyMs(): number {
    return this.#answers === 0 ? 0 : this.#answeringMs / this.#answers
  }

  /**
   * Sends a request. Rejects with `Unproven` if the target is gone or the run has ended, and with `NotTested` if no more
   * requests are allowed.
   */
  async send(means: () => Promise<Answer>): Promise<Answer> {
    for (let left = this.#breaker.pauseLeftMs; left > 0 && !this.gone; left = this.#breaker.pauseLeftMs)
      await sleep(left)
    if (this.gone) throw this.#nothingMore()
    const began = performance.now()
    try {
      const answer = await means()
      this.#spoken ||= speaksLikeAPortal(answer)
      this.#breaker.answered()
      this.#answers += 1
      this.#answeringMs += answer.answeredAt - answer.sentAt
      return answer
    } catch (error) {
      if (!(error instanceof TransportError || error instanceof BodyLimitError)) throw error
      const stopped = error instanceof TransportError && error.fault === 'interrupted'
      if (stopped) throw this.gone ? this.#nothingMore() : error
      const fault = error instanceof TransportError ? error.fault : undefined
      if (fault === 'not-sent' && this.exhausted) throw new NotTested(this.whyExhausted, [])
      // A throttled operation does not mean that the target is gone, and an unsent request shows nothing.
      const putOff = fault === 'throttled' || fault === 'unavailable'
      if (fault !== 'not-sent') this.#breaker.broke(error.message, { began, putOff })
      throw error
    }
  }

  /** Watches answers for signs of a firewall that answers instead of the target. */
  came(exchange: RunExchange): void {
    const { actor, operation, sent } = exchange.asked
    if (actor === 'impostor') this.#breaker.wrongCredential()
    if (!isStranger(actor) && sent.credential !== undefined)
      this.#breaker.saw(exchange, `${actor} ${operation}`)
  }

  close(): Promise<void> {
    return this.client.close()
  }

  #nothingMore(): NothingSent {
    return new NothingSent(this.whyGone ?? 'the run was ended')
  }
}
