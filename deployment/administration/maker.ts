/** Makes things under new names, notes each in the journal first, and says how each is removed. */
import { setMaxListeners } from 'node:events'
import { textAt, withoutUndefined } from '../../schemas/values.ts'
import type { PortalName } from '../configuration/actors.ts'
import { type Administration, type Configuration, longestOf } from '../configuration/configuration.ts'
import type { SignIns } from '../credentials/sign-ins.ts'
import { type MadeKind, type Thing, Things } from '../journal/journal.ts'
import { growing, patiently, type RetryPolicy } from '../patiently.ts'
import {
  AdministrationError,
  Administrator,
  type Body,
  type Fields,
  ifRefused,
  isRefusal,
  notSent,
  shortOf,
} from './administrator.ts'
import { type Announcement, Budget } from './announcement.ts'
import { kindOf, pathOf } from './kinds.ts'
import { stampOf } from './settings.ts'

export class Stock<Thing> {
  readonly #make: () => Promise<Thing>
  readonly #ready: Promise<Thing>[] = []

  constructor(make: () => Promise<Thing>) {
    this.#make = make
  }

  /** Makes that many. Resolves when all have ended; an error shows when the thing is taken. */
  async ahead(count: number, made: () => void): Promise<void> {
    const all = Array.from({ length: count }, () => this.#make())
    for (const each of all) {
      each.catch(() => undefined)
      this.#ready.push(each)
    }
    await Promise.allSettled(all.map((each) => each.then(made)))
  }

  /** A thing that was made ahead, or else a new one. */
  async take(): Promise<Thing> {
    for (;;) {
      const ready = this.#ready.shift()
      if (ready === undefined) return this.#make()
      const [ended] = await Promise.allSettled([ready])
      if (ended.status === 'fulfilled') return ended.value
    }
  }
}

/** How to make a thing, and how to find it by its name. */
interface NamedMeans {
  readonly means: () => Promise<string>
  readonly find: () => Promise<string | undefined>
}

/** Waiting does not help a request that is not sent, or missing rights. */
const final = [notSent, 403]
/** A new thing is known everywhere within this time, or within the settle time if that is longer, in ms. */
const knownWithinMs = 5000

const toMake: RetryPolicy<string> = {
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
  /** The guests with a login. The first one joins first. */
  readonly guests: readonly Administrator[]
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

  /** A new name. */
  name(kind: MadeKind): string {
    this.#number += 1
    return `${this.stamp} ${kind} ${this.#number}`
  }

  /**
   * Makes a thing as its owner. Resolves with its id. Each try has a name of its own, so that the thing of an unanswered
   * try is found by its name.
   */
  make(kind: MadeKind, by: Administrator, fieldsOf: (name: string) => Fields): Promise<string> {
    const makeOne = () => {
      const thing = newThing(kind, this.name(kind), by.portal, by.actor.username)
      const { creation: [path, ...ids] = [''] } = kindOf(thing)
      const means = async () => idIn(await by.perform(path, fieldsOf(thing.name)), path, ids)
      return ifRefused(this.#makeNoted(thing, means), (error) => {
        if (isRefusal(error)) this.#things.gone(thing)
        throw error
      })
    }
    return patiently(makeOne, { ...toMake, signal: this.signal })
  }

  /**
   * Makes the one thing of that name; `means` resolves with its id. If a try is refused, an earlier one may have been
   * performed without an answer: `find` looks for the thing.
   */
  makeAs(kind: MadeKind, name: string, { means, find }: NamedMeans): Promise<string> {
    const makeOrFind = () =>
      ifRefused(means(), async (refusal) => {
        const found = await find().catch(() => undefined)
        if (found === undefined) throw refusal
        return found
      })
    return this.#makeNoted(newThing(kind, name, 'host'), () =>
      patiently(makeOrFind, { ...toMake, signal: this.signal }),
    )
  }

  /** Notes the thing before it is made, and its id afterwards. Users have no other id than their name. */
  #makeNoted(thing: Thing, means: () => Promise<string>): Promise<string> {
    this.signal.throwIfAborted()
    const { kind, name } = thing
    const noteId = (id: string | undefined) =>
      this.#things.add({ ...thing, ...(id === undefined ? {} : { id, remove: pathOf({ ...thing, id }) }) })
    return this.budget.spend(kind, async () => {
      noteId(kind === 'user' ? name : undefined)
      const id = await means()
      if (kind !== 'user') noteId(id)
      return id
    })
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

  /** Repeats a request that may be refused until a new thing is known everywhere. Rejects with the last error. */
  async untilAccepted<T>(means: () => Promise<T>): Promise<T> {
    const { knownWithinMs: withinMs, signal } = this
    return patiently(means, {
      ...toSee,
      withinMs,
      least: 2,
      signal,
      mayPass: (error) => error instanceof AdministrationError,
    })
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.map((each) => each.close()))
  }
}

const newThing = (kind: MadeKind, name: string, portal: PortalName, owner?: string) =>
  withoutUndefined({ entry: 'thing', kind, name, portal, owner })

/** The id in an answer, at the first of these places that has one. Throws an AdministrationError if none has. */
export function idIn(answer: Body, path: string, places: readonly string[]): string {
  for (const place of places) {
    const found = textAt(answer, ...place.split('.'))
    if (found) return found
  }
  throw new AdministrationError(`${shortOf(path)} was answered without ${places[0]}`)
}
