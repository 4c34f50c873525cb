/** Sends everything that a run sends, until the target counts as gone. */
import { setTimeout as sleep } from 'node:timers/promises'
import { speaksLikeAPortal } from '../clauses/acceptance.ts'
import { isStranger } from '../clauses/exchange.ts'
import type { Configuration } from '../deployment/configuration/configuration.ts'
import { Client } from '../deployment/http/client.ts'
import { type Answer, BodyLimitError, TransportError } from '../deployment/http/exchange.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { Unproven } from './findings.ts'
import { Lanes } from './lanes.ts'
import type { RunExchange } from './log/exchange.ts'
import type { Fold } from './log/run-log.ts'

export class Channel implements Fold {
  readonly client: Client
  /** For requests that start together. */
  readonly races = new Lanes(1)
  readonly #breaker = new CircuitBreaker()
  readonly #stop: AbortSignal
  readonly #mostRequests: number
  #spoken = false
  #answers = 0
  #answeringMs = 0

  /** Sends nothing after the signal is aborted. */
  constructor(configuration: Configuration, signal?: AbortSignal) {
    this.#stop = AbortSignal.any([this.#breaker.signal, ...(signal === undefined ? [] : [signal])])
    this.client = new Client(configuration, { signal: this.#stop })
    this.#mostRequests = configuration.run.maxRequests ?? Number.POSITIVE_INFINITY
  }

  /** Whether any answer so far looked like a portal's. */
  get spoken(): boolean {
    return this.#spoken
  }

  /** Whether the request budget is used up. Generated checks then end early. */
  get exhausted(): boolean {
    return this.client.requests >= this.#mostRequests
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

  /** Sends a request. Rejects with `Unproven` if the target is gone or the run has ended. */
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

  #nothingMore(): Unproven {
    return new Unproven(this.whyGone ?? 'the run was ended')
  }
}
