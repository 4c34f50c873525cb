/** Makes things under new names, notes each in the journal first, and says how each is removed. */
import { setMaxListeners } from 'node:events'
import { textAt, withoutUndefined } from '../../schemas/values.ts'
import type { PortalName } from '../configuration/actors.ts'
import { type Administration, type Configuration, longestOf } from '../configuration/configuration.ts'
import type { SignIns } from '../credentials/sign-ins.ts'
import type { FixtureKind } from '../fixtures/fixture-kinds.ts'
import { type MadeKind, type Thing, Things } from '../journal/journal.ts'
import { growing, patiently, type RetryPolicy } from '../patiently.ts'
import { Administrator, type Body, type Fields, shortOf } from './administrator.ts'
import { type Announcement, Budget } from './announcement.ts'
import { kindOf, pathOf } from './kinds.ts'
import { AdministrationError, ifHidden, ifRefused, isRefusal, notSent, refusalOf } from './refusals.ts'
import { kindsThrough, stampOf } from './settings.ts'

/** After this many things that could not be made, if none could, the next one would only wait for nothing. */
const mostRefused = 8

/** Things that were made ahead. */
export class Stock<Thing> {
  readonly #maker: Maker
  readonly #make: () => Promise<Thing>
  readonly #ready: Thing[] = []
  #hasMade = false
  /** How many could not be made before one could, and why the first could not. */
  #refused = 0
  #refusal: AdministrationError | undefined

  constructor(maker: Maker, make: () => Promise<Thing>) {
    this.#maker = maker
    this.#make = make
  }

  /** Makes that many. Resolves when all have ended; one that could not be made is made anew when it is taken. */
  async ahead(count: number, made: () => void): Promise<void> {
    const makeOne = async () => {
      this.#ready.push(await this.#makeOne())
      made()
    }
    await this.#maker.inTurns(Array.from({ length: count }), () => refusalOf(makeOne()))
  }

  /** A thing that was made ahead, or else a new one. */
  async take(): Promise<Thing> {
    return this.#ready.shift() ?? this.#makeOne()
  }

  async #makeOne(): Promise<Thing> {
    if (!this.#hasMade && this.#refused >= mostRefused) throw this.#refusal
    const made = await ifRefused(this.#make(), (refusal) => {
      this.#refusal ??= refusal
      this.#refused += 1
      throw refusal
    })
    this.#hasMade = true
    return made
  }
}

/** Waiting does not help a request that is not sent, or missing rights. */
const final = [notSent, 403]
/** A new thing is known everywhere within this time, or within the settle time if that is longer, in ms. */
const knownWithinMs = 5000

const toInsist: RetryPolicy<unknown> = {
  times: 6,
  pauseMs: growing(200, 2000),
  mayPass: (error) => error instanceof AdministrationError && !final.includes(error.code ?? 0),
}

/** A new thing may show a moment later. */
const toSee = { pauseMs: growing(50, 2000) }

interface Makes {
  readonly signIns: SignIns
  /** Notes each thing before it is made. Absent: nothing is made. */
  readonly things?: Things
  readonly signal: AbortSignal
  /** The most that may be made. Absent: nothing. */
  readonly announced?: Partial<Announcement>
}

export class Maker {
  readonly configuration: Configuration
  readonly administration: Administration
  readonly host: Administrator
  /** The guests with a login that can take part. The first one joins first. */
  guests: readonly Administrator[]
  /** Part of every name and tag. */
  readonly stamp: string
  readonly settleMs: number
  readonly knownWithinMs: number
  readonly signIns: SignIns
  /** How long each step of the handshake with a guest may take, in milliseconds. */
  readonly trustMs: number
  readonly signal: AbortSignal
  /** Limits the run to what it announced. */
  readonly budget: Budget
  /** Why a guest with a login takes no part. */
  readonly leftOut = new Map<PortalName, string>()
  /** Why fixtures of a kind are not offered. */
  readonly lacking: Partial<Record<FixtureKind, string>>
  readonly #things: Things
  readonly #opened: Administrator[] = []
  #number = 0

  constructor(
    configuration: Configuration,
    administration: Administration,
    { signIns, signal, things = new Things(), announced = {} }: Makes,
  ) {
    this.configuration = configuration
    this.administration = administration
    this.stamp = stampOf(administration)
    this.settleMs = configuration.run.settleMs
    this.knownWithinMs = Math.max(knownWithinMs, this.settleMs)
    this.signIns = signIns
    this.trustMs = longestOf(configuration, 'trust')
    this.signal = signal
    this.budget = new Budget(announced)
    this.lacking = { ...administration.lacks }
    // Every administrator listens to it.
    setMaxListeners(0, signal)
    this.#things = things
    const { host, guest, otherGuest } = administration.logins
    this.host = this.as(host)
    this.guests = [guest, otherGuest].flatMap((login) => (login === undefined ? [] : [this.as(login)]))
  }

  /** An administrator for that actor, until the maker is closed. */
  as(actor: Administrator['actor']): Administrator {
    const administrator = new Administrator(this.configuration, actor, this.signIns, this.signal)
    this.#opened.push(administrator)
    return administrator
  }

  /** The administrator of that portal. Throws an AdministrationError if there is none whose login works. */
  of(portal: PortalName): Administrator {
    const known = [this.host, ...this.guests].find((each) => each.portal === portal)
    const [kind] = kindsThrough[portal]
    if (known !== undefined) return known
    throw new AdministrationError((kind && this.lacking[kind]) ?? `administration.${portal} is missing`)
  }

  /** Goes on as if there were no login of that guest. */
  leaveOut(guest: Administrator, why: string): void {
    this.guests = this.guests.filter((each) => each !== guest)
    const reason = `the ${guest.portal} portal cannot join a collaboration: ${why}`
    this.leftOut.set(guest.portal, reason)
    for (const kind of kindsThrough[guest.portal]) this.lacking[kind] ??= reason
  }

  /** A new name. */
  name(kind: MadeKind): string {
    this.#number += 1
    return `${this.stamp} ${kind} ${this.#number}`
  }

  /** Creates a thing as its owner, under a new name for each try. Resolves with its id. */
  create(kind: MadeKind, by: Administrator, fieldsOf: (name: string) => Fields): Promise<string> {
    const tryOnce = () =>
      this.budget.spend(kind, () => {
        const thing = this.#newThing(kind, this.name(kind), by)
        const { creation: [path, ...ids] = [''] } = kindOf(thing)
        const create = async () => idIn(await by.perform(path, fieldsOf(thing.name)), path, ids)
        return ifRefused(this.#noted(thing, create), (error) => {
          if (isRefusal(error)) this.#things.gone(thing)
          throw error
        })
      })
    return this.insist(tryOnce)
  }

  /**
   * Makes the one thing of that name as the host; `means` resolves with its id. If a try is refused, an earlier one may
   * have been performed without an answer, so the thing is looked for.
   */
  makeAs(kind: MadeKind, name: string, means: () => Promise<string>): Promise<string> {
    const thing = this.#newThing(kind, name, this.host)
    let mayBeDone = false
    const makeOrFind = () =>
      ifRefused(means(), async (refusal) => {
        mayBeDone ||= !isRefusal(refusal)
        const found = await ifRefused(this.find(thing), () => undefined)
        if (found === undefined) throw refusal
        return found
      })
    const all = () =>
      ifRefused(this.insist(makeOrFind), (refusal) => {
        if (!mayBeDone) this.#things.gone(thing)
        throw refusal
      })
    return this.budget.spend(kind, () => this.#noted(thing, all))
  }

  /** The id of the thing of that name. Users have no other id. Undefined: there is none. */
  async find(thing: Thing, list = () => this.list(thing)): Promise<string | undefined> {
    if (kindOf(thing).list === undefined)
      return (await this.of(thing.portal).hasUser(thing.name)) ? thing.name : undefined
    const found = (await list()).find(({ name, title }) => (name ?? title) === thing.name)
    return textAt(found, 'id')
  }

  /**
   * The list that would show such a thing, among those of others. A refused list is no empty list, unless its owner is
   * gone.
   */
  async list(thing: Thing): Promise<Body[]> {
    const by = this.of(thing.portal)
    const [path = '', name] = kindOf(thing).list ?? []
    if (name === undefined) return [await by.read(path)]
    return ifHidden(by.readAll(path, name), async (refusal) => {
      if (await by.hasUser(thing.owner)) throw refusal
      return []
    })
  }

  #newThing(kind: MadeKind, name: string, { portal, actor }: Administrator) {
    return withoutUndefined({ entry: 'thing', kind, name, portal, owner: actor.username })
  }

  /** Notes the thing before it is made, and its id afterwards. */
  async #noted(thing: Thing, means: () => Promise<string>): Promise<string> {
    this.signal.throwIfAborted()
    this.#things.add(thing)
    const id = await means()
    this.#things.add({ ...thing, id, remove: pathOf({ ...thing, id }) })
    return id
  }

  /**
   * Repeats a read until it has a result. Undefined: the time is over. The first read may take all the time and be
   * outdated, so there is always a second one, unless the time is 0.
   */
  async until<T>(read: () => Promise<T | undefined>, withinMs: number): Promise<T | undefined> {
    return patiently(read, {
      ...toSee,
      withinMs,
      least: withinMs > 0 ? 2 : 1,
      signal: this.signal,
      isDone: (found) => found !== undefined,
    })
  }

  /** Repeats a request: a new thing is known everywhere a moment later, and gateways fail at times. */
  insist<T>(means: () => Promise<T>): Promise<T> {
    return patiently(means, { ...toInsist, signal: this.signal })
  }

  /** Does it for each of them, up to `http.concurrency` at once. */
  async inTurns<T>(all: readonly T[], means: (one: T) => Promise<unknown>): Promise<void> {
    const left = all.values()
    const inTurn = async () => {
      for (const one of left) await means(one)
    }
    await Promise.all(Array.from({ length: this.configuration.http.concurrency }, inTurn))
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.map((each) => each.close()))
  }
}

/** The id in an answer, at the first of these places that has one. Throws an AdministrationError if none has. */
export function idIn(answer: Body, path: string, places: readonly string[]): string {
  for (const place of places) {
    const found = textAt(answer, ...place.split('.'))
    if (found) return found
  }
  throw new AdministrationError(`${shortOf(path)} was answered without ${places[0]}`)
}
