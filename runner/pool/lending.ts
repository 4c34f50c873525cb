/** Lends things to one holder at a time. Returned things go to the next holder, so that a few serve many. */
import { setTimeout as sleep } from 'node:timers/promises'
import { FixtureNotOffered } from '../../deployment/fixtures/fixture-kinds.ts'
import { Unproven } from '../findings.ts'

/** The identity of a holder. */
export type Holder = object

/** Equal things. `most`: how many are drawn as long as others will be returned. */
export interface Shelf {
  readonly name: string
  readonly most: number
}

interface Lease<Thing> {
  readonly shelf: string
  /** Undefined until the provider hands it out. */
  thing?: Thing
  holder?: Holder | undefined
  /** When the next holder may use it, by what is known now, in ms of `performance.now()`. */
  usableFrom: () => number
}

export interface Lent<Thing> {
  readonly thing: Thing
  /** Whether another holder had it before. */
  readonly usedBefore: boolean
}

export class Lending<Thing> {
  readonly #interchangeable: boolean
  #leases: Lease<Thing>[] = []
  readonly #ended = new WeakSet<Holder>()
  readonly #waiting: (() => void)[] = []
  /** A holder waits for a second thing. Two such holders could wait for each other forever. */
  #waitsForMore = false

  /** `interchangeable`: if no more can be drawn, a thing of another shelf serves as well. */
  constructor({ interchangeable }: { readonly interchangeable: boolean }) {
    this.#interchangeable = interchangeable
  }

  /**
   * A thing of that shelf that no other holder has. Rejects with the FixtureNotOffered of `draw` if there is none and
   * none will be returned.
   */
  async take(holder: Holder, { name, most }: Shelf, draw: () => Promise<Thing>): Promise<Lent<Thing>> {
    for (let refused: FixtureNotOffered | undefined; ; ) {
      this.#refuseEnded(holder)
      const hasOne = this.has(holder)
      const anyServes = this.#interchangeable && refused !== undefined
      const fitting = this.#leases.filter(({ shelf }) => anyServes || shelf === name)
      const isEnough = refused !== undefined || fitting.length >= most
      const free = firstUsable(fitting)
      // Drawing another one is better than waiting for a busy one.
      if (free !== undefined && (isEnough || free.usableFrom() <= performance.now()))
        return this.#lend(free, holder)
      const comesBack = fitting.some((each) => each.holder !== undefined && each.holder !== holder)
      // A holder that others wait for does not wait itself while more can be drawn.
      const waits =
        isEnough && comesBack && (refused !== undefined ? !(hasOne && this.#waitsForMore) : !hasOne)
      if (waits) await this.#waitForReturn(hasOne)
      else if (refused !== undefined) throw refused
      else {
        try {
          return { thing: await this.#drawn(holder, name, draw), usedBefore: false }
        } catch (error) {
          if (!(error instanceof FixtureNotOffered)) throw error
          refused = error
        }
      }
    }
  }

  /** Whether the holder has anything that others may wait for. */
  has(holder: Holder): boolean {
    return this.#leases.some((each) => each.holder === holder)
  }

  /** Returns everything that the holder has. `spent`: no other holder gets it. */
  giveBack(holder: Holder, { spent = false }: { readonly spent?: boolean } = {}): void {
    if (spent) this.#leases = this.#leases.filter((each) => each.holder !== holder)
    for (const lease of this.#leases)
      if (lease.holder === holder && lease.thing !== undefined) lease.holder = undefined
    this.#wake()
  }

  /** Returns everything that the holder has, and everything still on its way to it. */
  end(holder: Holder): void {
    this.#ended.add(holder)
    this.giveBack(holder)
  }

  /** Keeps those things from the next holder until that time in ms of `performance.now()`, which may change. */
  keepUnused(which: (thing: Thing) => boolean, until: () => number): void {
    for (const lease of this.#leases)
      if (lease.thing !== undefined && which(lease.thing)) lease.usableFrom = until
  }

  async #lend(lease: Lease<Thing>, holder: Holder): Promise<Lent<Thing>> {
    lease.holder = holder
    let left: number
    do {
      left = Math.max(0, lease.usableFrom() - performance.now())
      await sleep(left)
    } while (left > 0)
    this.#refuseEnded(holder)
    return { thing: lease.thing as Thing, usedBefore: true }
  }

  async #drawn(holder: Holder, shelf: string, draw: () => Promise<Thing>): Promise<Thing> {
    const lease: Lease<Thing> = { shelf, holder, usableFrom: () => 0 }
    this.#leases.push(lease)
    try {
      lease.thing = await draw()
    } catch (error) {
      this.#leases = this.#leases.filter((each) => each !== lease)
      this.#wake()
      throw error
    }
    this.#refuseEnded(holder)
    return lease.thing
  }

  async #waitForReturn(hasOne: boolean): Promise<void> {
    if (hasOne) this.#waitsForMore = true
    // A holder that others wait for goes first.
    const at = hasOne ? 0 : this.#waiting.length
    await new Promise<void>((resolve) => this.#waiting.splice(at, 0, resolve))
    if (hasOne) this.#waitsForMore = false
  }

  /** Lets all waiting holders try again. */
  #wake(): void {
    for (const again of this.#waiting.splice(0)) again()
  }

  /** Refuses requests for a holder that has ended. */
  #refuseEnded(holder: Holder): void {
    if (!this.#ended.has(holder)) return
    this.giveBack(holder)
    throw new Unproven('the attempt for which a workspace was asked is over')
  }
}

/** The free thing that can be used first. */
function firstUsable<Thing>(leases: readonly Lease<Thing>[]): Lease<Thing> | undefined {
  const [first] = leases
    .filter(({ thing, holder }) => thing !== undefined && holder === undefined)
    .sort((one, other) => one.usableFrom() - other.usableFrom())
  return first
}
