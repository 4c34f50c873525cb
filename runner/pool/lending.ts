/** Things that one holder has at a time: the next holder gets what comes back, so that few of them serve many. */
import { setTimeout as sleep } from 'node:timers/promises'
import { FixtureNotOffered } from '../../deployment/fixtures/fixture-kinds.ts'
import { Unproven } from '../findings.ts'

/** Has things until it gives them back. */
export type Holder = object

/** Things that are alike. `most`: how many are drawn while others are in use and will come back. */
export interface Shelf {
  readonly name: string
  readonly most: number
}

interface Lease<Thing> {
  readonly shelf: string
  /** Undefined until the provider hands it out. */
  thing?: Thing
  holder?: Holder | undefined
  /** When the next holder may use it, in ms of `performance.now()`. */
  quietAt: number
}

export interface Lent<Thing> {
  readonly thing: Thing
  /** Whether another holder had it before. */
  readonly secondHand: boolean
}

export class Lending<Thing> {
  readonly #alike: boolean
  #leases: Lease<Thing>[] = []
  readonly #ended = new WeakSet<Holder>()
  readonly #waiting: (() => void)[] = []
  /** A holder waits for one more than it has: two of them could wait for each other for ever. */
  #waitsForMore = false

  /** `alike`: where no more can be drawn, a thing of another shelf serves as well. */
  constructor({ alike }: { readonly alike: boolean }) {
    this.#alike = alike
  }

  /**
   * A thing of that shelf that no other holder has. Rejects with the FixtureNotOffered of `draw` where there is no other
   * thing that serves and none comes back.
   */
  async take(holder: Holder, { name, most }: Shelf, draw: () => Promise<Thing>): Promise<Lent<Thing>> {
    for (let refused: FixtureNotOffered | undefined; ; ) {
      this.#refuseLate(holder)
      const hasOne = this.#leases.some((each) => each.holder === holder)
      const anyServes = this.#alike && refused !== undefined
      const fitting = this.#leases.filter(({ shelf }) => anyServes || shelf === name)
      const isEnough = refused !== undefined || fitting.length >= most
      const free = quietestOf(fitting)
      // Rather another one than one that has to be waited for.
      if (free !== undefined && (isEnough || free.quietAt <= performance.now()))
        return this.#lend(free, holder)
      const comesBack = fitting.some((each) => each.holder !== undefined && each.holder !== holder)
      // What others wait for does not wait itself as long as there is more to draw.
      const waits =
        isEnough && comesBack && (refused !== undefined ? !(hasOne && this.#waitsForMore) : !hasOne)
      if (waits) await this.#oneComesBack(hasOne)
      else if (refused !== undefined) throw refused
      else {
        try {
          return { thing: await this.#drawn(holder, name, draw), secondHand: false }
        } catch (error) {
          if (!(error instanceof FixtureNotOffered)) throw error
          refused = error
        }
      }
    }
  }

  /** Gives back all that the holder has. `spent`: no other holder gets it. */
  giveBack(holder: Holder, { spent = false }: { readonly spent?: boolean } = {}): void {
    if (spent) this.#leases = this.#leases.filter((each) => each.holder !== holder)
    for (const lease of this.#leases)
      if (lease.holder === holder && lease.thing !== undefined) lease.holder = undefined
    this.#wake()
  }

  /** Gives back all that the holder has, and all that is still on its way to it. */
  end(holder: Holder): void {
    this.#ended.add(holder)
    this.giveBack(holder)
  }

  /** Keeps those things from the next holder for a time, in ms. */
  keep(which: (thing: Thing) => boolean, forMs: number): void {
    for (const lease of this.#leases)
      if (lease.thing !== undefined && which(lease.thing)) lease.quietAt = performance.now() + forMs
  }

  async #lend(lease: Lease<Thing>, holder: Holder): Promise<Lent<Thing>> {
    lease.holder = holder
    await sleep(Math.max(0, lease.quietAt - performance.now()))
    this.#refuseLate(holder)
    return { thing: lease.thing as Thing, secondHand: true }
  }

  async #drawn(holder: Holder, shelf: string, draw: () => Promise<Thing>): Promise<Thing> {
    const lease: Lease<Thing> = { shelf, holder, quietAt: 0 }
    this.#leases.push(lease)
    try {
      lease.thing = await draw()
    } catch (error) {
      this.#leases = this.#leases.filter((each) => each !== lease)
      this.#wake()
      throw error
    }
    this.#refuseLate(holder)
    return lease.thing
  }

  async #oneComesBack(hasOne: boolean): Promise<void> {
    if (hasOne) this.#waitsForMore = true
    // A holder for which others wait goes first.
    const at = hasOne ? 0 : this.#waiting.length
    await new Promise<void>((resolve) => this.#waiting.splice(at, 0, resolve))
    if (hasOne) this.#waitsForMore = false
  }

  /** Has all who wait look again. */
  #wake(): void {
    for (const again of this.#waiting.splice(0)) again()
  }

  /** What still runs in the name of a holder that has ended gets nothing any more. */
  #refuseLate(holder: Holder): void {
    if (!this.#ended.has(holder)) return
    this.giveBack(holder)
    throw new Unproven('the attempt for which a workspace was asked is over')
  }
}

/** The free one that the next holder may use first. */
function quietestOf<Thing>(leases: readonly Lease<Thing>[]): Lease<Thing> | undefined {
  const [first] = leases
    .filter(({ thing, holder }) => thing !== undefined && holder === undefined)
    .sort((one, other) => one.quietAt - other.quietAt)
  return first
}
