/** Where a run makes things: names that nothing else has, each noted before it is used. */
import { setMaxListeners } from 'node:events'
import { textAt } from '../../schemas/any-value.ts'
import { type Administration, type Configuration, longestOf } from '../configuration/configuration.ts'
import type { SignIns } from '../credentials/sign-ins.ts'
import type { MadeEntry, MadeKind, MakingEntry } from '../journal/journal-entry.ts'
import { growing, patiently, type RetryPolicy } from '../patiently.ts'
import { AdministrationError, Administrator, isOfDeployment } from './administrator.ts'
import { type Announcement, Budget, isUsedUp, nothingToMake } from './announcement.ts'
import { stampOf } from './settings.ts'

/** Notes what is about to be made, and what came of it. */
export type Note = (entry: MakingEntry | MadeEntry) => void

/** Where it is made, on the host where nothing is said, and who owns it. */
type Whose = Partial<Pick<MakingEntry, 'portal' | 'owner'>>

/** Wrong callers and missing rights do not pass by waiting. */
const final = [401, 403]
/** Something new is known everywhere within that time, or within the settle time, in ms. */
const knownWithinMs = 5000

const toMake: RetryPolicy<string> = {
  times: 5,
  pauseMs: () => 200,
  mayPass: (error) =>
    error instanceof AdministrationError && !final.includes(error.code ?? 0) && !isUsedUp(error),
}

/** What was made shows a moment later. */
const toSee = { pauseMs: growing(50, 2000) }

interface Makes {
  readonly signIns: SignIns
  readonly note: Note
  readonly signal: AbortSignal
  /** What may be made at most; absent: nothing. */
  readonly announced?: Announcement
}

export class Workshop {
  readonly configuration: Configuration
  readonly administration: Administration
  readonly host: Administrator
  /** Those whose logins are known, the first of them first to take part. */
  readonly guests: readonly Administrator[]
  /** Stands in every name and tag. */
  readonly stamp: string
  readonly settleMs: number
  readonly knownWithinMs: number
  readonly signIns: SignIns
  /** How long each step by which a guest comes to take part may take, in milliseconds. */
  readonly trustMs: number
  readonly signal: AbortSignal
  /** Keeps the run to what it announced. */
  readonly budget: Budget
  readonly #note: Note
  readonly #opened: Administrator[] = []
  #number = 0

  constructor(
    configuration: Configuration,
    administration: Administration,
    { signIns, note, signal, announced = nothingToMake }: Makes,
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
    // Everybody who acts here listens to it.
    setMaxListeners(0, signal)
    this.#note = note
    const { host, guest, otherGuest } = administration.logins
    this.host = this.as(host)
    this.guests = [guest, otherGuest].flatMap((login) => (login === undefined ? [] : [this.as(login)]))
  }

  /** Somebody who acts here until the workshop is closed. */
  as(actor: Administrator['actor']): Administrator {
    const administrator = new Administrator(this.configuration, actor, this.signIns, this.signal)
    this.#opened.push(administrator)
    return administrator
  }

  /** A name that was not used before. */
  name(kind: MadeKind): string {
    this.#number += 1
    return `${this.stamp} ${kind} ${this.#number}`
  }

  /**
   * Makes something by the given means, which resolve with its id. Each try has a name of its own, so that what an
   * unanswered one made is found by its name.
   */
  async make(kind: MadeKind, means: (name: string) => Promise<string>, whose: Whose = {}): Promise<string> {
    const makeOne = () => {
      const name = this.name(kind)
      return this.makeAs(kind, name, () => means(name), whose)
    }
    return patiently(makeOne, { ...toMake, signal: this.signal })
  }

  /** The same under a name that is given, in one try. */
  async makeAs(
    kind: MadeKind,
    name: string,
    means: () => Promise<string>,
    whose: Whose = {},
  ): Promise<string> {
    this.signal.throwIfAborted()
    return this.budget.spend(kind, async () => {
      const time = new Date().toISOString()
      this.#note({ entry: 'making', time, kind, name, portal: 'host', ...whose })
      const id = await means()
      this.#note({ entry: 'made', name, id })
      return id
    })
  }

  /**
   * Repeats a read until it says what is wanted; undefined once the time is over. A first read may take all of the time
   * and say what was so before: there is a second one, unless there is no time at all.
   */
  async until<T>(read: () => Promise<T | undefined>, withinMs: number): Promise<T | undefined> {
    return patiently(read, {
      ...{ ...toSee, withinMs, least: withinMs > 0 ? 2 : 1, signal: this.signal },
      isDone: (found) => found !== undefined,
    })
  }

  /** Does by the given means what may be refused until something new is known everywhere. Rejects with the last error. */
  async untilDone<T>(means: () => Promise<T>): Promise<T> {
    const { knownWithinMs: withinMs, signal } = this
    return patiently(means, {
      ...{ ...toSee, withinMs, least: 2, signal },
      mayPass: isOfDeployment,
    })
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.map((each) => each.close()))
  }
}

/** The text that an answer should have there. Throws an AdministrationError where it has none. */
export function textIn(body: unknown, what: string, ...keys: readonly string[]): string {
  const found = textAt(body, ...keys)
  if (found) return found
  throw new AdministrationError(`${what} was answered without ${keys.join('.')}`)
}
