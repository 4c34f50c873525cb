/** Ends a run whose target has gone, or has shut the run out: after many broken exchanges in a row nothing more is sent. */
import { looksFailed } from '../clauses/portal-like.ts'
import { type Answer, bodyFields } from '../deployment/http/exchange.ts'

/** After so many exchanges in a row that broke, the target counts as gone. */
const mostInARow = 20

/** After each so many in a row nothing is sent to a target that has answered before for a moment, in ms: it may be restarting. */
const fewInARow = 4
const restMs = 2000

/** So many pages in a row, in place of what several actors or operations were granted before, are a firewall's. */
const mostPages = 30
const leastAsked = 3
/** So many times as many, where so many pages came between what was accepted: the target's own refusals are pages. */
const ownPagesFactor = 10

export class CircuitBreaker {
  readonly #gone = new AbortController()
  #broken = 0
  #lastFault = ''
  #heldAt = Number.NEGATIVE_INFINITY
  /** When the last rest began. */
  #restedAt = Number.NEGATIVE_INFINITY
  #what = `${mostInARow} broken exchanges in a row`
  /** Credentials that nobody was given, as far as they were answered. */
  #wrongCredentials = 0
  /** What was accepted before; and in place of what of it pages came since anything was. */
  readonly #worked = new Set<string>()
  readonly #pages: string[] = []
  /** Pages after which something was accepted again: no firewall's. */
  #ownPages = 0

  /** Aborted once the target counts as gone. */
  get signal(): AbortSignal {
    return this.#gone.signal
  }

  /** Why nothing more is sent, in one line. */
  get reason(): string {
    const said = `nothing more is sent after ${this.#what}; the last: ${this.#lastFault}`
    const wrong = this.#wrongCredentials
    return wrong === 0
      ? said
      : `${said}; before that ${wrong} requests with wrong credentials had been answered, for which some firewalls shut an address out`
  }

  /** For how long nothing is to be sent from now on, in ms. */
  get restMs(): number {
    return this.#broken < fewInARow ? 0 : Math.max(0, this.#restedAt + restMs - performance.now())
  }

  /** An answer came, whatever it says. */
  held(): void {
    this.#broken = 0
    this.#heldAt = performance.now()
  }

  /** A request with a credential that nobody was given was answered. */
  wrongCredential(): void {
    this.#wrongCredentials += 1
  }

  /** An answer to who is known; `asked`: who, and for what. A firewall that shuts the run out answers with its page whatever that is. */
  saw(answer: Answer, asked: string): void {
    if (bodyFields(answer).success === true) {
      this.#worked.add(asked)
      this.#ownPages += this.#pages.length
      this.#pages.length = 0
    } else if (answer.status >= 400 && looksFailed(answer) && this.#worked.has(asked)) {
      this.#pages.push(asked)
      const most = this.#ownPages < mostPages ? mostPages : mostPages * ownPagesFactor
      if (this.#pages.length < most || new Set(this.#pages).size < leastAsked) return
      this.#lastFault = `HTTP ${answer.status}`
      this.#what = `${this.#pages.length} requests in a row were answered with a page, all for what was accepted before`
      this.#gone.abort()
    }
  }

  /**
   * An exchange broke that was begun then, in ms of `performance.now()`. What was put off is counted only where nothing was
   * answered meanwhile; what broke with others that led to a rest says no more than they.
   */
  broke(fault: string, { began, putOff }: { readonly began: number; readonly putOff: boolean }): void {
    if (began < (putOff ? this.#heldAt : this.#restedAt)) return
    this.#broken += 1
    this.#lastFault = fault
    const mayBeBack = this.#heldAt > Number.NEGATIVE_INFINITY
    if (mayBeBack && this.#broken % fewInARow === 0) this.#restedAt = performance.now()
    if (this.#broken >= mostInARow) this.#gone.abort()
  }
}
