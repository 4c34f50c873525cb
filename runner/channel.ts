/** The one way from a run to its target: what is sent goes through here, until the target counts as gone. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isStranger } from '../clauses/exchange.ts'
import { speaksLikeAPortal } from '../clauses/portal-like.ts'
import type { Configuration } from '../deployment/configuration/configuration.ts'
import { Client } from '../deployment/http/client.ts'
import { type Answer, BodyLimitError, TransportError } from '../deployment/http/exchange.ts'
import type { OperationId } from '../specs/operations.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import type { Identity } from './context/calls.ts'
import { Unproven } from './findings.ts'

export class Channel {
  readonly client: Client
  readonly #breaker = new CircuitBreaker()
  readonly #stop: AbortSignal
  readonly #mostRequests: number
  #spoken = false
  #answers = 0
  #answeringMs = 0

  /** Once the signal is aborted nothing is sent any more. */
  constructor(configuration: Configuration, signal?: AbortSignal) {
    this.#stop = AbortSignal.any([this.#breaker.signal, ...(signal === undefined ? [] : [signal])])
    this.client = new Client(configuration, { signal: this.#stop })
    this.#mostRequests = configuration.run.maxRequests ?? Number.POSITIVE_INFINITY
  }

  /** Whether any answer so far was one of a portal. */
  get spoken(): boolean {
    return this.#spoken
  }

  /** Whether the budget of requests is used up; generated checks then end early. */
  get exhausted(): boolean {
    return this.client.requests >= this.#mostRequests
  }

  /** Whether the run was ended or the target counts as gone: nothing more is sent, and what waits is not sent either. */
  get gone(): boolean {
    return this.#stop.aborted
  }

  /** Why nothing more is sent to a target that has gone; undefined where it has not. */
  get whyGone(): string | undefined {
    return this.#breaker.signal.aborted ? this.#breaker.reason : undefined
  }

  /** How long one answer took on average, in ms; 0 before the first. */
  get latencyMs(): number {
    return this.#answers === 0 ? 0 : this.#answeringMs / this.#answers
  }

  /** Sends by the given means. Rejects with `Unproven` where the target counts as gone or the run was ended. */
  async send(means: () => Promise<Answer>): Promise<Answer> {
    for (let left = this.#breaker.restMs; left > 0 && !this.gone; left = this.#breaker.restMs)
      await sleep(left)
    if (this.gone) throw this.#nothingMore()
    const began = performance.now()
    try {
      const answer = await means()
      this.#spoken ||= speaksLikeAPortal(answer)
      this.#breaker.held()
      this.#answers += 1
      this.#answeringMs += answer.answeredAt - answer.sentAt
      return answer
    } catch (error) {
      if (!(error instanceof TransportError || error instanceof BodyLimitError)) throw error
      const stopped = error instanceof TransportError && error.fault === 'interrupted'
      if (stopped) throw this.gone ? this.#nothingMore() : error
      const fault = error instanceof TransportError ? error.fault : undefined
      // One operation that is put off for ever is no target that has gone, and what was never sent shows nothing.
      const putOff = fault === 'throttled' || fault === 'unavailable'
      if (fault !== 'not-sent') this.#breaker.broke(error.message, { began, putOff })
      throw error
    }
  }

  /** An answer to a request of that operation by that identity: a firewall may answer in place of the target. */
  saw(answer: Answer, operation: OperationId, { actor, credential }: Identity): void {
    if (actor === 'impostor') this.#breaker.wrongCredential()
    if (!isStranger(actor) && credential !== undefined) this.#breaker.saw(answer, `${actor} ${operation}`)
  }

  close(): Promise<void> {
    return this.client.close()
  }

  #nothingMore(): Unproven {
    return new Unproven(this.whyGone ?? 'the run was ended')
  }
}
