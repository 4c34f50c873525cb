/** How many requests are under way at once, and how fast they follow each other. */
import type { HttpSettings } from '../configuration/configuration.ts'
import { type Answer, errorCodeOf } from './exchange.ts'

const second = 1000

/** A rate limit that holds in every second, with even intervals where possible. */
export class Pace {
  #most = 1
  #windowMs = second
  #intervalMs = second
  readonly #waiting: (() => void)[] = []
  /** When the requests in the current window were sent, in ms of `performance.now()`. */
  readonly #sent: number[] = []
  /** Requests whose turn has come, and that are not sent yet. */
  #underWay = 0
  #nextAt: number
  #timer: NodeJS.Timeout | undefined

  /** Above 1, the rate is rounded down; below 1, it is one request every several seconds. */
  constructor(perSecond: number) {
    this.change(perSecond)
    // Another part of the command may have just sent requests, so the first window counts as full.
    this.#nextAt = performance.now() + this.#windowMs
  }

  /** Sets the rate from now on. */
  change(perSecond: number): void {
    this.#most = Math.max(1, Math.floor(perSecond))
    this.#windowMs = Math.max(second, second / perSecond)
    this.#intervalMs = second / perSecond
  }

  /** Gives no turn before that time, in ms of `performance.now()`. */
  holdUntil(time: number): void {
    this.#nextAt = Math.max(this.#nextAt, time)
  }

  /** Resolves with true at the caller's turn, or with false if the signal aborts. */
  turn(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false)
    return new Promise((resolve) => {
      const go = () => {
        signal.removeEventListener('abort', onAbort)
        resolve(true)
      }
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1)
        resolve(false)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      this.#waiting.push(go)
      this.#proceed()
    })
  }

  /** Ends a turn; call it for each. `sentAt` is absent if the request was never sent. */
  over(sentAt?: number): void {
    this.#underWay -= 1
    if (sentAt !== undefined) this.#sent.push(sentAt)
    this.#proceed()
  }

  /** Gives the next turns. A used turn holds its place in the window for a second. */
  #proceed(): void {
    clearTimeout(this.#timer)
    while (this.#waiting.length > 0) {
      const now = performance.now()
      while (this.#sent[0] !== undefined && this.#sent[0] + this.#windowMs <= now) this.#sent.shift()
      const full = this.#underWay + this.#sent.length >= this.#most
      // If all of the window is under way, `over` continues.
      if (full && this.#sent[0] === undefined) return
      const at = full ? Math.max(this.#nextAt, (this.#sent[0] as number) + this.#windowMs) : this.#nextAt
      if (at > now) {
        this.#timer = setTimeout(() => this.#proceed(), Math.ceil(at - now))
        return
      }
      this.#nextAt = Math.max(now, this.#nextAt) + this.#intervalMs
      this.#underWay += 1
      this.#waiting.shift()?.()
    }
  }
}

const leastWaitMs = 100
/** How often a request is retried after a 403 with Retry-After. */
const forbiddenTries = 3
/** The first wait if the target does not say how long, in milliseconds. Each further one is twice as long. */
const firstWaitMs = { throttled: 250, unavailable: 200 } as const

/** `throttled`: 429; `unavailable`: 502, 503 or 504. */
export type Busy = 'throttled' | 'unavailable'

interface Wait {
  readonly busy: Busy
  readonly ms: number
  /** The target said how long. */
  readonly asked: boolean
}

/** How long to wait before a retry. Undefined: the answer counts. `attempt` counts from 0. */
export function waitAfter(answer: Answer, attempt: number): Wait | undefined {
  const isForbidden = answer.status === 403
  const busy = busyIn(answer) ?? (isForbidden && attempt < forbiddenTries ? 'throttled' : undefined)
  if (busy === undefined) return undefined
  const asked = retryAfterMs(answer)
  // Some targets throttle with 403. A real refusal has no Retry-After.
  if (isForbidden && asked === undefined) return undefined
  // Retry-After: 0 must not cause endless requests.
  const ms = asked === undefined ? unaskedWait(busy, attempt) : Math.max(asked, leastWaitMs * 2 ** attempt)
  return { busy, ms, asked: asked !== undefined }
}

/** A random share of a wait, so that requests throttled together do not come back together. */
export const outOfStep = (): number => 0.5 + Math.random() / 2

/** How long to wait if the target does not say. */
export const unaskedWait = (busy: Busy, attempt: number): number => firstWaitMs[busy] * 2 ** attempt

/** How the target is busy by that status. Undefined: it is not. */
export function busyOf(status: number): Busy | undefined {
  if (status === 429) return 'throttled'
  return status >= 502 && status <= 504 ? 'unavailable' : undefined
}

/** Whether a gateway that answers so does not know what became of the request (RFC 9110, 15.6.3 and 15.6.5). */
export const isLost = (code: number | undefined): boolean => code === 502 || code === 504

/** How the target is busy by that answer: some deployments put the status into the error code under HTTP 200. */
export function busyIn(answer: Answer): Busy | undefined {
  const isSuccess = answer.status >= 200 && answer.status <= 299
  return busyOf(isSuccess ? errorCodeOf(answer) : answer.status)
}

/** The busy answer in words: `HTTP 504`, or `HTTP 200 with error code 504`. */
export function busyWords(answer: Answer): string {
  const code = errorCodeOf(answer)
  const inBody = busyOf(answer.status) === undefined && code !== answer.status
  return `HTTP ${answer.status}${inBody ? ` with error code ${code}` : ''}`
}

/** Milliseconds of the answer's Retry-After, whatever its status. Undefined: it has none. */
export function retryAfterMs({ headers }: Pick<Answer, 'headers'>): number | undefined {
  const header = headers['retry-after']
  const value = (Array.isArray(header) ? header[0] : header)?.trim()
  if (!value) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const date = dateIn(value)
  // The target's clock may be off.
  const now = dateIn(String(headers.date)) ?? Date.now()
  return date === undefined ? undefined : Math.max(0, date - now)
}

function dateIn(value: string): number | undefined {
  const date = /^[A-Za-z]{3}/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : date
}

const windowMs = 1000
/** With this many throttled requests, and this share of all, the whole target is throttling and not one operation. */
const leastTurnedAway = 3
const leastShare = 0.1
const leastServed = 3
const down = 0.8
const upPerSecond = 1.05
/** The pace rises only if this share of it is used. */
const leastUse = 0.7
/** In requests per second. */
const slowest = 0.5

/** Finds the pace that a throttling target can serve. Times are in ms of `performance.now()`. */
export class PaceOfTarget {
  /** When requests in the window were served and throttled. */
  readonly #served: number[] = []
  readonly #turned: number[] = []
  #servedSince = 0
  #changedAt = Number.NEGATIVE_INFINITY
  #perSecond: number | undefined

  /** In requests per second. Undefined: no limit. */
  get perSecond(): number | undefined {
    return this.#perSecond
  }

  /** Notes a served request. True if the pace rises. */
  served(now: number): boolean {
    this.#servedSince += 1
    this.#served.push(now)
    trim(this.#served, now)
    if (this.#perSecond === undefined || now < this.#changedAt + windowMs) return false
    // A pace that was not used was not tried.
    if (this.#served.length < this.#perSecond * leastUse) return false
    this.#perSecond *= upPerSecond
    this.#changedAt = now
    return true
  }

  /** Notes a throttled request. True if the pace changes. */
  turnedAway(now: number, sentAt: number): boolean {
    // It was sent before the last change of pace.
    if (sentAt < this.#changedAt && this.#perSecond !== undefined) return false
    this.#turned.push(now)
    trim(this.#turned, now)
    trim(this.#served, now)
    const share = this.#turned.length / (this.#turned.length + this.#served.length)
    // A target that serves hardly anything has another problem than the pace.
    if (this.#turned.length < leastTurnedAway || share < leastShare || this.#servedSince < leastServed)
      return false
    this.#perSecond = Math.max(slowest, down * (this.#perSecond ?? Math.max(1, this.#served.length)))
    this.#changedAt = now
    this.#servedSince = 0
    this.#turned.length = 0
    return true
  }
}

function trim(times: number[], now: number): void {
  let old = 0
  while (old < times.length && (times[old] as number) < now - windowMs) old += 1
  if (old > 0) times.splice(0, old)
}

/** A permission to have one request under way. */
export interface Slot {
  /** Call it when the request goes to its connection, with the time of `performance.now()`. */
  sent(at: number): void
  /** Call it once, when the request is over. */
  release(): void
}

const limiters = new WeakMap<HttpSettings, Limiter>()

/** The limiter of these settings. All clients with them share it, so that logins and checks keep the limits together. */
export function limiterOf(http: HttpSettings): Limiter {
  const known = limiters.get(http) ?? new Limiter(http.concurrency, http.requestsPerSecond)
  limiters.set(http, known)
  return known
}

/** Who goes first. `waited-for`: other requests wait for the answer. */
export type Rank = 'urgent' | 'waited-for' | 'ordinary'

/** At most this many slots in a row go to `waited-for` requests while an ordinary one waits. */
const mostInARow = 3

/** Hands out slots by rank, first come, first served, at the configured rate or the target's pace if that is slower. */
export class Limiter {
  readonly #waiting: Readonly<Record<Rank, (() => void)[]>> = { urgent: [], 'waited-for': [], ordinary: [] }
  readonly #mostPerSecond: number
  readonly #target = new PaceOfTarget()
  #pace: Pace | undefined
  /** Slots since the last ordinary request. */
  #sinceOrdinary = 0
  #free: number

  /** `perSecond` absent: no rate limit. */
  constructor(slots: number, perSecond?: number) {
    this.#free = slots
    this.#mostPerSecond = perSecond ?? Number.POSITIVE_INFINITY
    this.#pace = perSecond === undefined ? undefined : new Pace(perSecond)
  }

  /** The pace that the target can serve, in requests per second. Undefined: it did not throttle. */
  get found(): number | undefined {
    return this.#target.perSecond
  }

  /** Notes a served request. */
  served(now: number): void {
    if (this.#target.served(now)) this.#follow()
  }

  /** Notes a throttled request. If the whole target throttles, nothing is sent for `waitMs`. */
  turnedAway(sentAt: number, waitMs: number): void {
    const now = performance.now()
    if (!this.#target.turnedAway(now, sentAt)) return
    this.#follow()
    this.#pace?.holdUntil(now + waitMs)
  }

  #follow(): void {
    const perSecond = Math.min(this.#mostPerSecond, this.#target.perSecond ?? Number.POSITIVE_INFINITY)
    if (this.#pace === undefined) this.#pace = new Pace(perSecond)
    else this.#pace.change(perSecond)
  }

  /**
   * Resolves once the caller holds a slot and its turn has come. An aborted signal ends the wait for the turn. Requests
   * that measure time are urgent: a wait would spoil the measurement.
   */
  async acquire(signal: AbortSignal, rank: Rank = 'ordinary'): Promise<Slot> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting[rank].push(resolve))
    const pace = this.#pace
    // The pace that gets the turn back.
    let turn = (await pace?.turn(signal)) === true ? pace : undefined
    return {
      sent: (at) => {
        turn?.over(at)
        turn = undefined
      },
      release: () => {
        turn?.over()
        this.#next()
      },
    }
  }

  /** Gives the slot to the next request by rank. Ordinary requests get one now and then, so that none waits for ever. */
  #next(): void {
    const { urgent, 'waited-for': waitedFor, ordinary } = this.#waiting
    const isTurn = this.#sinceOrdinary >= mostInARow
    const next =
      urgent.shift() ?? (isTurn ? ordinary.shift() : undefined) ?? waitedFor.shift() ?? ordinary.shift()
    this.#sinceOrdinary = isTurn ? 0 : this.#sinceOrdinary + 1
    if (next) next()
    else this.#free += 1
  }
}
