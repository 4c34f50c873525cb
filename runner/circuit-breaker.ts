/**
 * Stops a run if the target is gone or has shut the run out: after many broken exchanges in a row, nothing more is
 * sent.
 */
import { looksFailed } from '../clauses/acceptance.ts'
import { type Answer, bodyFields } from '../deployment/http/exchange.ts'

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
    } else if (answer.status >= 400 && looksFailed(answer) && this.#worked.has(asked)) {
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
