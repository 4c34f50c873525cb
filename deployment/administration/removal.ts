/** Removes what a run made according to its journal, and nothing else, in the order that a deployment needs. */
import { setTimeout as sleep } from 'node:timers/promises'
import { byKey } from '../../schemas/values.ts'
import type { Configuration } from '../configuration/configuration.ts'
import type { SignIns } from '../credentials/sign-ins.ts'
import type { Thing, Things } from '../journal/journal.ts'
import { type Administrator, type Body, below } from './administrator.ts'
import { markFederation } from './federation.ts'
import { andMore, type Kept, kindOf, pathOf, removalOrder } from './kinds.ts'
import { Maker } from './maker.ts'
import { ifHidden, ifRefused, refusalOf, SilentPortalError } from './refusals.ts'
import { collaborationPath } from './trust.ts'

/** Receives how many of all things are removed. */
export type OnRemoved = (removed: number, of: number) => void

/** Who hears of the clean-up. */
export interface RemovalListener {
  readonly onProgress?: OnRemoved | undefined
  /** Receives what could not be checked. */
  readonly warn?: (message: string) => void
}

interface Removing extends RemovalListener {
  readonly signIns: SignIns
  readonly signal: AbortSignal
}

/** Resolves with the leftovers. */
export async function removeMade(
  configuration: Configuration,
  things: Things,
  { signIns, signal, ...listener }: Removing,
): Promise<Kept[]> {
  const { administration } = configuration
  const made = things.all.filter(({ name }) => name !== undefined)
  if (administration === undefined || made.length === 0) return []
  const maker = new Maker(configuration, administration, { signIns, signal })
  try {
    return await new Removal(maker, things, listener).all(made)
  } finally {
    await maker.close()
  }
}

/** Long enough for two tries, as `Maker.until` counts them. */
const twiceMs = 1
/** Of things that are refused alike, this many are tried again before the rest is given up. */
const mostRefused = 8

class Removal {
  readonly #maker: Maker
  readonly #things: Things
  readonly #listener: RemovalListener
  /** Why things could not be removed. */
  readonly #kept = new Map<Thing, string>()
  #removed = 0
  #all = 0

  constructor(maker: Maker, things: Things, listener: RemovalListener) {
    this.#maker = maker
    this.#things = things
    this.#listener = listener
  }

  async all(made: readonly Thing[]): Promise<Kept[]> {
    this.#all = made.length
    const there = await this.#locate(made)
    for (const kind of removalOrder) {
      const those = there.filter((thing) => thing.kind === kind)
      await this.#removeAll(those)
      if (kind === 'collaboration')
        await Promise.all(this.#maker.guests.map((guest) => refusalOf(this.#leaveDeleted(guest, those))))
      if (kind === 'item' && made.some((thing) => thing.kind === 'collaboration'))
        for (const guest of this.#maker.guests) await refusalOf(this.#removeCopies(guest, made))
    }
    await this.#look(there)
    await this.#markFederation()
    return [...this.#kept].map(([thing, why]) => ({ thing, why }))
  }

  /**
   * The things that are there, with their ids. One without an id was made if its list shows its name: the answer was
   * lost, or the run was killed before it came.
   */
  async #locate(made: readonly Thing[]): Promise<Thing[]> {
    // A thing made just now may show a moment later.
    if (made.some(({ id }) => id === undefined))
      await sleep(this.#maker.settleMs, undefined, { signal: this.#maker.signal })
    const lists = new Map<string, Promise<Body[]>>()
    const locate = async (thing: Thing): Promise<Thing[]> => {
      if (thing.id !== undefined) return [thing]
      const id = await this.#maker.find(thing, () => this.#listOnce(thing, lists))
      if (id === undefined) {
        this.#noteRemoved(thing)
        return []
      }
      const found = { ...thing, id, remove: pathOf({ ...thing, id }) }
      this.#things.add(found)
      return [found]
    }
    const all = made.map((thing) =>
      ifRefused(locate(thing), ({ message }) => {
        this.#kept.set(thing, `whether it is there is not known: ${message}`)
        return []
      }),
    )
    return (await Promise.all(all)).flat()
  }

  /** The list that shows the thing, read once for all things of that list. */
  #listOnce(thing: Thing, lists: Map<string, Promise<Body[]>>): Promise<Body[]> {
    const list = lists.get(placeOf(thing)) ?? this.#maker.list(thing)
    lists.set(placeOf(thing), list)
    return list
  }

  #noteRemoved(thing: Thing): void {
    this.#kept.delete(thing)
    this.#things.gone(thing)
    this.#removed += 1
    this.#listener.onProgress?.(this.#removed, this.#all)
  }

  /**
   * Removes the things. Those that are refused are retried: a refusal may pass. Of those that are refused alike, the first
   * shows whether it does. If not, the others are tried twice: the first refusal may tell what is in the way. Once several
   * are refused and none is removed, the rest would only be refused as well.
   */
  async #removeAll(things: readonly Thing[]): Promise<void> {
    await this.#maker.inTurns(things, (thing) => this.#remove(thing, 0))
    const refused = things.filter((thing) => this.#kept.has(thing))
    const alike = byKey(refused, (thing) => JSON.stringify([thing.portal, this.#kept.get(thing)]))
    const { knownWithinMs } = this.#maker
    const retry = async ([first, ...others]: readonly Thing[]) => {
      if (first !== undefined) await this.#remove(first, knownWithinMs)
      if (first === undefined || !this.#kept.has(first))
        return Promise.all(others.map((thing) => this.#remove(thing, knownWithinMs)))
      let tried = 0
      return this.#maker.inTurns(others, async (thing) => {
        if (tried < mostRefused || !others.every((each) => this.#kept.has(each))) {
          tried += 1
          await this.#remove(thing, twiceMs)
        }
      })
    }
    await Promise.all([...alike.values()].map(retry))
  }

  /** Removes the thing, or keeps it with the reason. */
  #remove(thing: Thing, withinMs: number): Promise<void> {
    return ifRefused(this.#tryToRemove(thing, withinMs), ({ message }) => void this.#kept.set(thing, message))
  }

  async #tryToRemove(thing: Thing, withinMs: number): Promise<void> {
    const by = this.#maker.of(thing.portal)
    const { removalFields } = kindOf(thing)
    let now = thing
    await this.#maker.until(async () => {
      const refusal = await refusalOf(by.performAgain(pathOf(now), removalFields))
      const isTried = !(refusal instanceof SilentPortalError)
      if (refusal !== undefined && (isTried || !this.#kept.has(thing))) this.#kept.set(thing, refusal.message)
      if (!isTried) return true
      if (refusal === undefined || !(await ifRefused(this.#isThere(thing), () => true))) {
        this.#noteRemoved(thing)
        return true
      }
      // The path names the present owner of an item: checks reassign items.
      if (thing.kind === 'item') now = { ...thing, owner: await this.#ownerOf(thing, by) }
      // A user may count as an owner for a moment after the deletion of all that was owned.
      await this.#removeObstacles(now, by)
      return undefined
    }, withinMs)
  }

  /**
   * Looks at what is there in the end: a delete may be answered with success and delete nothing, and what could not be
   * deleted may be gone with its owner.
   */
  async #look(things: readonly Thing[]): Promise<void> {
    let left = things
    let unknown: readonly Thing[] = []
    let why = ''
    await this.#maker.until(async () => {
      const lists = new Map<string, Promise<Body[]>>()
      const looks = left.map((thing) =>
        ifRefused(this.#isThere(thing, lists), ({ message }) => {
          why = message
          return undefined
        }),
      )
      const there = await Promise.all(looks)
      const were = left
      for (const [at, thing] of were.entries())
        if (there[at] === false && this.#kept.has(thing)) this.#noteRemoved(thing)
      unknown = [...unknown, ...were.filter((thing, at) => there[at] === undefined && !this.#kept.has(thing))]
      left = were.filter((thing, at) => there[at] === true && !this.#kept.has(thing))
      return left.length === 0 || undefined
    }, this.#maker.settleMs)
    for (const thing of left) {
      this.#things.add(thing)
      this.#kept.set(thing, 'its deletion was answered with success, and it is still there')
    }
    if (unknown.length > 0)
      this.#listener.warn?.(
        `${unknown[0]?.kind} ${unknown[0]?.id}${andMore(unknown.length - 1)}: deleted, but whether it is gone could not be checked: ${why}`,
      )
  }

  /** Other leftovers still have names of the run. */
  async #markFederation(): Promise<void> {
    for (const [thing, why] of this.#kept) {
      if (thing.kind !== 'federation' || thing.id === undefined) continue
      if ((await refusalOf(markFederation(this.#maker, thing))) !== undefined)
        this.#kept.set(thing, `${why}; checks may have given it another name`)
    }
  }

  /**
   * Whether the deployment shows the thing. Rejects with an AdministrationError if the deployment does not say: of a thing
   * that was not deleted, a refusal alone proves nothing. A list, read once, is enough for what was deleted: a user who
   * owns moved items could not have been.
   */
  async #isThere(thing: Thing, lists = new Map<string, Promise<Body[]>>()): Promise<boolean> {
    const { list: ofAll, page } = kindOf(thing)
    const isListed = async () => (await this.#listOnce(thing, lists)).some(({ id }) => id === thing.id)
    const by = this.#maker.of(thing.portal)
    const isShown = () => by.read(below(page ?? '', thing.id ?? thing.name)).then(() => true)
    if (!this.#kept.has(thing)) return ifHidden(ofAll === undefined ? isShown() : isListed(), () => false)
    if (ofAll === undefined) return by.hasUser(thing.name)
    if (page === undefined) return isListed()
    // Deployments may answer that the page of a deleted collaboration is forbidden.
    return (thing.kind === 'collaboration' ? ifRefused : ifHidden)(isShown(), isListed)
  }

  async #ownerOf({ id, owner: before = '' }: Thing, by: Administrator): Promise<string> {
    const { owner } = await ifRefused(by.read(below('/content/items', id)), (): Body => ({}))
    return typeof owner === 'string' ? owner : before
  }

  /** Removes obstacles: protection, and whatever a user owns. Some deployments remove users only by removeUsers. */
  async #removeObstacles(thing: Thing, by: Administrator): Promise<void> {
    if (thing.kind === 'item' || thing.kind === 'group') await unprotect(pathOf(thing), by)
    if (thing.kind !== 'user') return
    await refusalOf(this.#deleteBelongings(String(thing.name)))
    await by.does('/portals/self/removeUsers', { users: String(thing.name) })
  }

  /**
   * Deletes what the deployment gave to a created user. Older items belonged to others before, and what the run made was
   * tried before.
   */
  async #deleteBelongings(username: string): Promise<void> {
    const { host } = this.#maker
    const tried = new Set([...this.#kept.keys()].map(({ id }) => id))
    const { created: since, groups } = await host.read(below('/community/users', username))
    const at = below('/content/users', username)
    const { folders } = await host.read(at)
    const places = [at, ...bodiesIn(folders).map(({ id }) => below(at, id))]
    const items = (await Promise.all(places.map((path) => host.readAll(path, 'items')))).flat()
    const paths = [
      ...items
        .filter(({ id, created }) => Number(created) >= Number(since) && !tried.has(String(id)))
        .map(({ id }) => below(at, 'items', id, 'delete')),
      ...bodiesIn(groups)
        .filter(({ id, owner }) => owner === username && !tried.has(String(id)))
        .map(({ id }) => below('/community/groups', id, 'delete')),
    ]
    await Promise.all(
      paths.map(async (path) => {
        await unprotect(path, host)
        await host.does(path, { permanentDelete: 'true' })
      }),
    )
  }

  /** A guest loses a deleted collaboration at its next refresh. If that takes too long, the guest leaves. */
  async #leaveDeleted(guest: Administrator, collaborations: readonly Thing[]): Promise<void> {
    if (collaborations.length === 0) return
    const ids = new Set(collaborations.map(({ id }) => id))
    const list = () => guest.readAll('/portals/self/collaborations', 'collaborations')
    const stillThere = async () =>
      (await ifRefused(list(), () => [])).map(({ id }) => String(id)).filter((id) => ids.has(id))
    const hasLost = async () => (await stillThere()).length === 0 || undefined
    if ((await this.#maker.until(hasLost, this.#maker.settleMs)) === true) return
    for (const id of await stillThere())
      await refusalOf(guest.performAgain(`${collaborationPath(id)}/removeParticipation`))
  }

  /** Items that syncs copied to a guest stay after the collaboration is deleted. Name and tag identify them. */
  async #removeCopies(guest: Administrator, made: readonly Thing[]): Promise<void> {
    const titles = new Set(made.flatMap(({ kind, name }) => (kind === 'item' ? name : [])))
    const owner = guest.actor.username ?? ''
    const tried = new Set<string>()
    const newCopies = async () => {
      const items = await ifRefused(guest.readAll(below('/content/users', owner), 'items'), () => [])
      const ours = items.filter(
        ({ title, tags }) => titles.has(String(title)) && listOf(tags).includes(this.#maker.stamp),
      )
      return ours.map(({ id }) => String(id)).filter((id) => !tried.has(id))
    }
    // Deployments promise no order of lists, so a list of several pages may omit some copies.
    for (let copies = await newCopies(); copies.length > 0; copies = await newCopies()) {
      for (const id of copies) tried.add(id)
      const thing = { entry: 'thing', kind: 'item', portal: guest.portal, owner } as const
      this.#all += copies.length
      await this.#removeAll(copies.map((id) => ({ ...thing, id, name: id })))
    }
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const bodiesIn = (list: unknown): readonly Body[] => listOf(list) as readonly Body[]

/** Removes the protection from what that path deletes. */
const unprotect = (path: string, by: Administrator): Promise<boolean> =>
  by.does(path.replace(/delete$/, 'unprotect'))

/** Things of one list are in one place. */
const placeOf = ({ kind, portal, owner }: Thing): string => JSON.stringify([kind, portal, owner])
