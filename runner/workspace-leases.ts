/** Workspaces for the checks that sync: one that a check has done with goes to the next, once its syncs are over. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type FixtureAnswers, FixtureNotOffered } from '../deployment/fixtures/fixture-kinds.ts'
import { Unproven } from './findings.ts'
import { Lanes } from './lanes.ts'

type Workspace = FixtureAnswers['workspace']

/** Whoever has workspaces until he gives them back. */
export type Holder = object

interface Wish {
  readonly minimumSyncMs?: number
}

/** Where a holder stands. */
interface Place {
  several?: Promise<unknown>
  /** Called when it gives back. */
  readonly leave: (() => void)[]
}

interface Lease {
  readonly workspace: Workspace
  /** Whether somebody else has had it before. */
  readonly secondHand: boolean
}

/** Rather than on one whose syncs take so many times as long, a holder waits for one that is in use. */
const muchLonger = 3

/** So many of one wished length go round. */
const mostOfLength = 2

export class WorkspaceLeases {
  readonly #most: number
  readonly #longestOf: (workspaceId: string) => number
  readonly #held = new Map<Holder, Workspace[]>()
  readonly #free: Workspace[] = []
  /** When the syncs of a workspace are over, in ms of `performance.now()`. */
  readonly #quietAt = new Map<string, number>()
  /** How many were drawn for whoever wished for syncs of that length, in ms. */
  readonly #drawn = new Map<number, number>()
  /** What holders have asked the provider for, until it comes. */
  readonly #coming = new Set<{ readonly holder: Holder; readonly minimumSyncMs: number }>()
  /** One holder at a time takes more than one: two that each wait for what the other has would wait for ever. */
  readonly #several = new Lanes(1)
  /** Who waits for that. */
  readonly #wanting = new Set<Holder>()
  readonly #places = new Map<Holder, Place>()
  readonly #waiting: (() => void)[] = []
  readonly #ended = new WeakSet<Holder>()

  /** `most`: so many go round of those whose syncs may take any time; `longestOf`: how long a sync of a workspace may take, in ms. */
  constructor(most: number, longestOf: (workspaceId: string) => number) {
    this.#most = most
    this.#longestOf = longestOf
  }

  /** A sync was asked for and answered just now; what was refused may have been started all the same. */
  asked(workspaceId: string): void {
    const workspace = [...this.#held.values()].flat().find((each) => each.workspaceId === workspaceId)
    if (workspace === undefined) return
    this.#quietAt.set(workspaceId, performance.now() + this.#longestOf(workspaceId))
  }

  /** A workspace that nobody else has and in which nothing goes on. Rejects as `draw` does where there is none any more. */
  async take(holder: Holder, wish: Wish, draw: () => Promise<Workspace>): Promise<Lease> {
    const known = this.#places.get(holder)
    const place = known ?? { leave: [] }
    this.#places.set(holder, place)
    try {
      if (known !== undefined) await this.#takesSeveral(holder, place)
      this.#refuseLate(holder)
      const lease = await this.#freeOrDrawn(holder, wish, draw)
      this.#refuseLate(holder)
      const busyMs = this.#readyAt(lease.workspace) - performance.now()
      if (busyMs > 0) await sleep(busyMs)
      return lease
    } finally {
      if (this.#ended.has(holder)) this.#release(holder, place)
    }
  }

  /** What still goes on in the name of somebody who has ended has nothing to wait for. */
  #refuseLate(holder: Holder): void {
    if (this.#ended.has(holder)) throw new Unproven('the attempt for which a workspace was asked is over')
  }

  /** Gives back all that the holder has, and all that is still on its way to him. */
  end(holder: Holder): void {
    this.#ended.add(holder)
    this.giveBack(holder)
  }

  /** Gives back all that the holder has. */
  giveBack(holder: Holder): void {
    const place = this.#places.get(holder)
    this.#places.delete(holder)
    this.#release(holder, place)
  }

  #release(holder: Holder, place: Place | undefined): void {
    this.#free.push(...(this.#held.get(holder) ?? []))
    this.#held.delete(holder)
    for (const leave of place?.leave.splice(0) ?? []) leave()
    this.#wake()
  }

  /** Has all who wait look again: whether something has come back, and whether anything still can. */
  #wake(): void {
    for (const again of this.#waiting.splice(0)) again()
  }

  async #takesSeveral(holder: Holder, place: Place): Promise<void> {
    if (place.several === undefined) {
      this.#wanting.add(holder)
      this.#wake()
      place.several = enter(this.#several, place.leave).then(() => this.#wanting.delete(holder))
    }
    await place.several
  }

  async #freeOrDrawn(holder: Holder, wish: Wish, draw: () => Promise<Workspace>): Promise<Lease> {
    let { minimumSyncMs = 0 } = wish
    let exhausted: FixtureNotOffered | undefined
    for (;;) {
      const best = this.#bestFree(minimumSyncMs, exhausted !== undefined)
      if (best !== undefined) {
        const sooner = (leastMs: number) =>
          leastMs >= minimumSyncMs && leastMs * muchLonger < best.minimumSyncMs
        if (this.#comesBack(holder, sooner)) {
          await this.#oneComesBack(holder)
          continue
        }
        this.#free.splice(this.#free.indexOf(best), 1)
        this.#hold(holder, best)
        return { workspace: best, secondHand: true }
      }
      // Rather one that fits and is in use than more than should go round.
      const fits = (leastMs: number) =>
        leastMs >= minimumSyncMs && (minimumSyncMs === 0 || leastMs <= muchLonger * minimumSyncMs)
      if ((exhausted !== undefined || !this.#mayDraw(minimumSyncMs)) && this.#comesBack(holder, fits)) {
        await this.#oneComesBack(holder)
        continue
      }
      if (exhausted !== undefined) throw exhausted
      try {
        return { workspace: await this.#drawFor(holder, minimumSyncMs, draw), secondHand: false }
      } catch (error) {
        if (!(error instanceof FixtureNotOffered)) throw error
        // Where there are no more, one whose syncs are shorter is better than none.
        exhausted = error
        minimumSyncMs = 0
      }
    }
  }

  async #drawFor(holder: Holder, minimumSyncMs: number, draw: () => Promise<Workspace>): Promise<Workspace> {
    const coming = { holder, minimumSyncMs }
    this.#coming.add(coming)
    this.#drawn.set(minimumSyncMs, this.#drawnFor(minimumSyncMs) + 1)
    try {
      const workspace = await draw()
      this.#hold(holder, workspace)
      return workspace
    } catch (error) {
      this.#drawn.set(minimumSyncMs, this.#drawnFor(minimumSyncMs) - 1)
      this.#wake()
      throw error
    } finally {
      this.#coming.delete(coming)
    }
  }

  #drawnFor(minimumSyncMs: number): number {
    return this.#drawn.get(minimumSyncMs) ?? 0
  }

  #mayDraw(minimumSyncMs: number): boolean {
    return this.#drawnFor(minimumSyncMs) < (minimumSyncMs === 0 ? this.#most : mostOfLength)
  }

  #hold(holder: Holder, workspace: Workspace): void {
    this.#held.set(holder, [...(this.#held.get(holder) ?? []), workspace])
  }

  async #oneComesBack(holder: Holder): Promise<void> {
    // Who keeps others waiting for what he has goes first.
    const place = this.#held.has(holder) ? 0 : this.#waiting.length
    await new Promise<void>((resolve) => this.#waiting.splice(place, 0, resolve))
    this.#refuseLate(holder)
  }

  /** The one on which the next sync will be over first. */
  #bestFree(minimumSyncMs: number, exhausted: boolean): Workspace | undefined {
    const [best] = this.#free
      .filter((each) => each.minimumSyncMs >= minimumSyncMs)
      .sort((a, b) => this.#overAt(a) - this.#overAt(b))
    if (best === undefined) return undefined
    // Rather another one than one that has to be waited for.
    const busy = this.#readyAt(best) > performance.now()
    return busy && !exhausted && this.#mayDraw(minimumSyncMs) ? undefined : best
  }

  #overAt(workspace: Workspace): number {
    return Math.max(this.#readyAt(workspace), performance.now()) + workspace.minimumSyncMs
  }

  #readyAt({ workspaceId }: Workspace): number {
    return this.#quietAt.get(workspaceId) ?? 0
  }

  /** Whether another holder will give one that fits back without waiting for this one. */
  #comesBack(holder: Holder, fits: (leastMs: number) => boolean = () => true): boolean {
    const takesSeveral = this.#places.get(holder)?.several !== undefined
    const gives = (each: Holder) => each !== holder && !(takesSeveral && this.#wanting.has(each))
    return (
      [...this.#held].some(
        ([each, workspaces]) => gives(each) && workspaces.some(({ minimumSyncMs }) => fits(minimumSyncMs)),
      ) || [...this.#coming].some((each) => gives(each.holder) && fits(each.minimumSyncMs))
    )
  }
}

/** Resolves in the lane; what is put into `leave` ends that. */
function enter(lanes: Lanes, leave: (() => void)[]): Promise<void> {
  return new Promise((entered) => {
    void lanes.run(
      () =>
        new Promise<void>((left) => {
          leave.push(left)
          entered()
        }),
    )
  })
}
