/**
 * How many requests are under way at once, and how fast they follow each other: never more than so many in any second, at
 * even intervals where they can be.
 */

import type { HttpSettings } from '../configuration/configuration.ts'
import { type Answer, errorCodeOf } from './exchange.ts'

const second = 1000

export class Pace {
  #most = 1
  #windowMs = second
  #intervalMs = second
  readonly #waiting: (() => void)[] = []
  /** When the last requests were sent, in ms of `performance.now()`: those that the window still holds. */
  readonly #sent: number[] = []
  /** Requests that may be sent at any moment, since their turn has come. */
  #underWay = 0
  #nextAt: number
  #timer: NodeJS.Timeout | undefined

  /** Above 1 per second a fraction is left out; below 1, it is one request in so many seconds. */
  constructor(perSecond: number) {
    this.change(perSecond)
    // What another part of the command has just sent is not known here: the first window counts as full.
    this.#nextAt = performance.now() + this.#windowMs
  }

  /** From now on so many per second. */
  change(perSecond: number): void {
    this.#most = Math.max(1, Math.floor(perSecond))
    this.#windowMs = Math.max(second, second / perSecond)
    this.#intervalMs = second / perSecond
  }

  /** Nobody goes before that time, in ms of `performance.now()`. */
  holdUntil(time: number): void {
    this.#nextAt = Math.max(this.#nextAt, time)
  }

  /** Resolves with true when it is the turn of the caller, and with false once the signal aborts. */
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

  /** To be called for every turn that was had: when its request was sent, or with nothing where it never was. */
  over(sentAt?: number): void {
    this.#underWay -= 1
    if (sentAt !== undefined) this.#sent.push(sentAt)
    this.#proceed()
  }

  /** Lets go whoever may; a turn that was had holds its place in the window until a second after it was used. */
  #proceed(): void {
    clearTimeout(this.#timer)
    while (this.#waiting.length > 0) {
      const now = performance.now()
      while (this.#sent[0] !== undefined && this.#sent[0] + this.#windowMs <= now) this.#sent.shift()
      const full = this.#underWay + this.#sent.length >= this.#most
      // Where all of it is under way, `over` goes on.
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
/** So often who is told with 403 to come again comes again. */
const forbiddenTries = 3
/** The first wait where the target does not say how long, in milliseconds; each further one is twice as long. */
const firstWaitMs = { throttled: 250, unavailable: 200 } as const

/** `throttled`: turned away (429); `unavailable`: a gateway or a service that is not there (502, 503, 504). */
export type Busy = 'throttled' | 'unavailable'

interface Wait {
  readonly busy: Busy
  readonly ms: number
  /** The target said how long. */
  readonly asked: boolean
}

/** Undefined where the answer is one to be judged. `attempt` counts from 0. */
export function waitAfter(answer: Answer, attempt: number): Wait | undefined {
  const isForbidden = answer.status === 403
  const busy = busyIn(answer) ?? (isForbidden && attempt < forbiddenTries ? 'throttled' : undefined)
  if (busy === undefined) return undefined
  const asked = retryAfterMs(answer)
  // Some say 403 of who asks too often; what is forbidden for good names no time to come again.
  if (isForbidden && asked === undefined) return undefined
  // A target that asks for no wait at all would otherwise be asked without end.
  const ms = asked === undefined ? unaskedWait(busy, attempt) : Math.max(asked, leastWaitMs * 2 ** attempt)
  return { busy, ms, asked: asked !== undefined }
}

/** A part of such a wait: those who were turned away together would only meet again. */
export const outOfStep = (): number => 0.5 + Math.random() / 2

/** How long to wait where nothing says it. */
export const unaskedWait = (busy: Busy, attempt: number): number => firstWaitMs[busy] * 2 ** attempt

/** Whether that status is of a moment; undefined where the answer is one to be judged. */
export function busyOf(status: number): Busy | undefined {
  if (status === 429) return 'throttled'
  return status >= 502 && status <= 504 ? 'unavailable' : undefined
}

/** The same of an answer: some report under HTTP 200, as the code of an error, what others report as the status. */
export function busyIn(answer: Answer): Busy | undefined {
  const isSuccess = answer.status >= 200 && answer.status <= 299
  return busyOf(isSuccess ? errorCodeOf(answer) : answer.status)
}

/** How such an answer reports it: `HTTP 504`, or `HTTP 200 with error code 504`. */
export function busyWords(answer: Answer): string {
  const code = errorCodeOf(answer)
  const inBody = busyOf(answer.status) === undefined && code !== answer.status
  return `HTTP ${answer.status}${inBody ? ` with error code ${code}` : ''}`
}

/** Milliseconds that an answer asks to wait, whatever its status; undefined where it does not say. */
export function retryAfterMs({ headers }: Pick<Answer, 'headers'>): number | undefined {
  const header = headers['retry-after']
  const value = (Array.isArray(header) ? header[0] : header)?.trim()
  if (!value) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const date = dateIn(value)
  // By the clock of the target, which may be off.
  const now = dateIn(String(headers.date)) ?? Date.now()
  return date === undefined ? undefined : Math.max(0, date - now)
}

function dateIn(value: string): number | undefined {
  const date = /^[A-Za-z]{3}/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : date
}

const windowMs = 1000
/** So many requests turned away, and such a share of all, are the target as a whole and not one thing that must cool down. */
const leastTurnedAway = 3
const leastShare = 0.1
const leastServed = 3
const down = 0.8
const upPerSecond = 1.05
/** It goes faster only where it goes as fast as it may. */
const leastUse = 0.7
/** In requests per second. */
const slowest = 0.5
/** After so many requests at a slower pace, a share like that before shows that the pace is not why. */
const enoughAsked = 30
const alike = { least: 0.7, most: 1.4 } as const

/** Times are in ms of `performance.now()`. */
export class PaceOfTarget {
  /** When the last requests were served and turned away, as far as the window reaches. */
  readonly #served: number[] = []
  readonly #turned: number[] = []
  #servedSince = 0
  #changedAt = Number.NEGATIVE_INFINITY
  #perSecond: number | undefined
  /** The share that was turned away before it was asked slower, and how many since. */
  #shareBefore = 0
  #turnedSince = 0
  /** It turns requests away whatever the pace is. */
  #indifferent = false

  /** In requests per second; undefined: as fast as it goes. */
  get perSecond(): number | undefined {
    return this.#perSecond
  }

  /** A request was served. True where it may go faster now. */
  served(now: number): boolean {
    this.#servedSince += 1
    this.#served.push(now)
    trim(this.#served, now)
    if (this.#perSecond === undefined || now < this.#changedAt + windowMs) return false
    // What was not asked for was not shown either.
    if (this.#served.length < this.#perSecond * leastUse) return false
    this.#perSecond *= upPerSecond
    this.#changedAt = now
    return true
  }

  /** A request that was sent then was turned away. True where all must go slower now. */
  turnedAway(now: number, sentAt: number): boolean {
    if (this.#indifferent) return false
    // It was under way when the pace was changed: that it came too fast is known.
    if (sentAt < this.#changedAt && this.#perSecond !== undefined) return false
    this.#turned.push(now)
    this.#turnedSince += 1
    if (this.#isNoMatterOfPace) {
      this.#indifferent = true
      this.#perSecond = undefined
      return true
    }
    trim(this.#turned, now)
    trim(this.#served, now)
    const share = this.#turned.length / (this.#turned.length + this.#served.length)
    // A target that serves next to nothing is not one that is asked too fast.
    if (this.#turned.length < leastTurnedAway || share < leastShare || this.#servedSince < leastServed)
      return false
    this.#perSecond = Math.max(slowest, down * (this.#perSecond ?? Math.max(1, this.#served.length)))
    this.#shareBefore = share
    this.#turnedSince = 0
    this.#changedAt = now
    this.#servedSince = 0
    this.#turned.length = 0
    return true
  }

  /** Whether it turns as large a share away as before it was asked slower. */
  get #isNoMatterOfPace(): boolean {
    const asked = this.#turnedSince + this.#servedSince
    if (this.#perSecond === undefined || asked < enoughAsked) return false
    const ratio = this.#turnedSince / asked / this.#shareBefore
    return ratio > alike.least && ratio < alike.most
  }
}

function trim(times: number[], now: number): void {
  let old = 0
  while (old < times.length && (times[old] as number) < now - windowMs) old += 1
  if (old > 0) times.splice(0, old)
}

/** A place among the requests under way. */
export interface Slot {
  /** To be called when the request is handed to its connection, with the time of `performance.now()`. */
  sent(at: number): void
  /** To be called once, when the request is over. */
  release(): void
}

const limiters = new WeakMap<HttpSettings, Limiter>()

/** The limiter of these settings: one for all clients that have them, so that logins and checks keep them together. */
export function limiterOf(http: HttpSettings): Limiter {
  const known = limiters.get(http) ?? new Limiter(http.concurrency, http.requestsPerSecond)
  limiters.set(http, known)
  return known
}

/**
 * Hands out slots first come, first served, to the urgent before all others; with a rate, the holders go at its pace,
 * and at that of the target where it is slower.
 */
export class Limiter {
  readonly #waiting: (() => void)[] = []
  readonly #urgent: (() => void)[] = []
  readonly #mostPerSecond: number
  readonly #target = new PaceOfTarget()
  #pace: Pace | undefined
  #free: number

  /** `perSecond` absent: as fast as slots become free. */
  constructor(slots: number, perSecond?: number) {
    this.#free = slots
    this.#mostPerSecond = perSecond ?? Number.POSITIVE_INFINITY
    this.#pace = perSecond === undefined ? undefined : new Pace(perSecond)
  }

  /** The pace that the target keeps up with, in requests per second; undefined: it never said that it was too fast. */
  get found(): number | undefined {
    return this.#target.perSecond
  }

  /** The target served a request. */
  served(now: number): void {
    if (this.#target.served(now)) this.#follow()
  }

  /** The target turned a request away that was sent then, and is not asked for so long where it asked that of all. */
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
   * Resolves once the caller holds a slot and its turn has come; an aborted signal ends the wait for the turn.
   * Urgent is what measures time: it must not grow old in a queue.
   */
  async acquire(signal: AbortSignal, urgent = false): Promise<Slot> {
    const queue = urgent ? this.#urgent : this.#waiting
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => queue.push(resolve))
    const pace = this.#pace
    // Whose turn is to be given back.
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

  /** Gives a slot to whoever has waited longest, the urgent first. */
  #next(): void {
    const next = this.#urgent.shift() ?? this.#waiting.shift()
    if (next) next()
    else this.#free += 1
  }
}
