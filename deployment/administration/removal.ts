/** Removes what a run made according to its journal, and nothing else, in the order that a deployment needs. */
import { textAt } from '../../schemas/values.ts'
import type { PortalName } from '../configuration/actors.ts'
import { baseUrlOf, type Configuration } from '../configuration/configuration.ts'
import type { SignIns } from '../credentials/sign-ins.ts'
import type { MadeKind, Thing, Things } from '../journal/journal.ts'
import {
  type AdministrationError,
  type Administrator,
  type Body,
  below,
  type Fields,
  ifAbsent,
  ifRefused,
  refusalOf,
} from './administrator.ts'
import { federationPath, kindOf, pathOf, removalOrder } from './kinds.ts'
import { Maker } from './maker.ts'

/** A leftover: a thing that could not be removed. */
export interface Kept {
  readonly thing: Thing
  readonly why: string
}

/** Items per batch. */
const batch = 100

/** Receives how many of all things are removed. */
export type OnRemoved = (removed: number, of: number) => void

interface Removing {
  readonly signIns: SignIns
  readonly signal: AbortSignal
  readonly onProgress?: OnRemoved | undefined
}

/** Resolves with the leftovers. */
export async function removeMade(
  configuration: Configuration,
  things: Things,
  { signIns, signal, onProgress }: Removing,
): Promise<Kept[]> {
  const { administration } = configuration
  const made = things.all.filter(({ name }) => name !== undefined)
  if (administration === undefined || made.length === 0) return []
  const maker = new Maker(configuration, administration, { signIns, signal })
  try {
    return await new Removal(maker, things, onProgress).all(made)
  } finally {
    await maker.close()
  }
}

class Removal {
  readonly #maker: Maker
  readonly #things: Things
  readonly #onProgress: OnRemoved
  readonly #kept: Kept[] = []
  #removed = 0
  #all = 0

  constructor(maker: Maker, things: Things, onProgress: OnRemoved = () => undefined) {
    this.#maker = maker
    this.#things = things
    this.#onProgress = onProgress
  }

  async all(made: readonly Thing[]): Promise<Kept[]> {
    this.#all = made.length
    const known = await this.#locate(made)
    const of = (kind: MadeKind): Thing[] => known.filter((thing) => thing.kind === kind)
    for (const kind of removalOrder) {
      if (kind === 'item') await this.#removeItems(of('item'))
      else await Promise.all(of(kind).map((thing) => this.#remove(thing)))
      if (kind === 'collaboration')
        await Promise.all(this.#maker.guests.map((guest) => this.#leaveDeleted(guest, of('collaboration'))))
      if (kind === 'item') await this.#removeCopies(made)
    }
    return this.#kept
  }

  /**
   * The things that are there, with their ids. One without an id was made if its list shows its name: the answer was
   * lost, or the run was killed before it came.
   */
  async #locate(made: readonly Thing[]): Promise<Thing[]> {
    const isKnown = ({ kind, id }: Thing) => id !== undefined || kind === 'user'
    const unknown = made.filter((thing) => !isKnown(thing))
    const found = new Map<Thing, Thing>()
    let unread = new Map<Thing, string>()
    // A thing made just now may show a moment later.
    await this.#maker.until(
      async () => {
        unread = await this.#lookFor(unknown, found)
        return unknown.every((thing) => found.has(thing)) || undefined
      },
      unknown.length > 0 ? this.#maker.settleMs : 0,
    )
    for (const thing of unknown) {
      const [there, why] = [found.get(thing), unread.get(thing)]
      if (there !== undefined) this.#things.add(there)
      else if (why === undefined) this.#noteRemoved(thing)
      else this.#kept.push({ thing, why: `whether it is there is not known: ${why}` })
    }
    return made.flatMap((thing) => (isKnown(thing) ? thing : (found.get(thing) ?? [])))
  }

  /** Reads each list once. Resolves with the things whose list cannot be read, and why. */
  async #lookFor(things: readonly Thing[], found: Map<Thing, Thing>): Promise<Map<Thing, string>> {
    const unread = new Map<Thing, string>()
    const lists = new Map<string, Promise<Body[]>>()
    const lookFor = async (thing: Thing) => {
      const place = JSON.stringify([thing.kind, thing.portal, thing.owner])
      const list = lists.get(place) ?? this.#readList(thing)
      lists.set(place, list)
      const id = textAt(
        (await list).find(({ name, title }) => (name ?? title) === thing.name),
        'id',
      )
      if (id !== undefined) found.set(thing, { ...thing, id, remove: pathOf({ ...thing, id }) })
    }
    await Promise.all(
      things.map((thing) => ifRefused(lookFor(thing), ({ message }) => void unread.set(thing, message))),
    )
    return unread
  }

  /** The list that would show such a thing, among those of others. */
  async #readList(thing: Thing): Promise<Body[]> {
    const by = this.#administratorOf(thing.portal)
    const { at, list: [name, path = at] = [] } = kindOf(thing)
    if (name !== undefined) return by.readAny(path, name)
    if (thing.kind === 'federation') return [await this.#federation(by)]
    const { groups } = await by.read(below('/community/users', await usernameOf(by)))
    return Array.isArray(groups) ? (groups as Body[]) : []
  }

  /** A login that may not read federations has registered none. */
  #federation(by: Administrator): Promise<Body> {
    return ifRefused(ifAbsent(by.read(federationPath), {}), (error) => {
      if (error.code === 403) return {}
      throw error
    })
  }

  #administratorOf(portal: PortalName): Administrator {
    const { host, guests } = this.#maker
    return guests.find((guest) => guest.portal === portal) ?? host
  }

  #noteRemoved(thing: Thing): void {
    this.#things.gone(thing)
    this.#removed += 1
    this.#onProgress(this.#removed, this.#all)
  }

  async #remove(thing: Thing): Promise<void> {
    const refusal = await this.#tryToRemove(thing)
    if (refusal === undefined) this.#noteRemoved(thing)
    else this.#kept.push({ thing, why: refusal.message })
  }

  /** Removes the thing. Resolves with the refusal if it is still there. */
  async #tryToRemove(thing: Thing): Promise<AdministrationError | undefined> {
    const by = this.#administratorOf(thing.portal)
    const remove = async () =>
      refusalOf(by.performAgain(pathOf(await this.#withPresentOwner(thing, by)), forGood(thing.kind)))
    let refusal = await remove()
    if (refusal === undefined) return undefined
    const gone = await this.#maker.until(async () => {
      if (await ifRefused(this.#isGone(thing, by), () => false)) return true
      await this.#removeObstacles(thing, by)
      // A user may count as an owner for a moment after the deletion of all that was owned.
      refusal = await remove()
      return refusal === undefined || undefined
    }, this.#maker.knownWithinMs)
    return gone === true ? undefined : refusal
  }

  /** Removes obstacles: protection, and whatever a user owns. Some deployments remove users only by removeUsers. */
  async #removeObstacles(thing: Thing, by: Administrator): Promise<void> {
    if (thing.kind === 'item' || thing.kind === 'group')
      await unprotect(pathOf(await this.#withPresentOwner(thing, by)), by)
    if (thing.kind !== 'user') return
    await refusalOf(this.#deleteBelongings(String(thing.name)))
    await by.does('/portals/self/removeUsers', { users: String(thing.name) })
  }

  /** Deletes what the deployment gave to a created user. Older items belonged to others before. */
  async #deleteBelongings(username: string): Promise<void> {
    const { host } = this.#maker
    const { created, groups } = await host.read(below('/community/users', username))
    const since = Number(created)
    const at = below('/content/users', username)
    const { folders } = await host.read(at)
    const places = [at, ...bodiesIn(folders).map(({ id }) => below(at, id))]
    const items = (await Promise.all(places.map((path) => host.readAny(path, 'items')))).flat()
    const paths = [
      ...items.flatMap(({ id, created }) =>
        Number(created) >= since ? below(at, 'items', id, 'delete') : [],
      ),
      ...bodiesIn(groups).flatMap(({ id, owner }) =>
        owner === username ? below('/community/groups', id, 'delete') : [],
      ),
    ]
    await Promise.all(
      paths.map(async (path) => {
        if (await host.does(path, forGood('item'))) return
        if (await unprotect(path, host)) await host.does(path, forGood('item'))
      }),
    )
  }

  /** Deployments may answer that the page of a deleted collaboration is forbidden: then the list decides. */
  async #isGone(thing: Thing, by: Administrator): Promise<boolean> {
    if (thing.kind === 'federation') return (await by.read(federationPath)).id !== thing.id
    const { at, page = at } = kindOf(thing)
    const isAbsent = ifAbsent(
      by.read(below(page, thing.id ?? thing.name)).then(() => false),
      true,
    )
    return ifRefused(isAbsent, async (error) => {
      if (thing.kind !== 'collaboration') throw error
      return (await this.#readList(thing)).every(({ id }) => id !== thing.id)
    })
  }

  /** Deletes items in batches, and one by one what is left, such as items that checks reassigned. */
  async #removeItems(items: readonly Thing[]): Promise<void> {
    for (const owner of new Set(items.map((thing) => thing.owner))) {
      const theirs = items.filter((thing) => thing.owner === owner)
      const by = this.#administratorOf(theirs[0]?.portal ?? 'host')
      for (let from = 0; from < theirs.length; from += batch) {
        const some = theirs.slice(from, from + batch)
        const ids = some.map(({ id }) => id).join(',')
        const path = below('/content/users', owner, 'deleteItems')
        const { results } = await ifRefused(
          by.performAgain(path, { items: ids, ...forGood('item') }),
          (): Body => ({}),
        )
        const deleted = new Set(
          bodiesIn(results).flatMap(({ itemId, success }) => (success === true ? String(itemId) : [])),
        )
        for (const thing of some) if (deleted.has(String(thing.id))) this.#noteRemoved(thing)
        const left = some.filter(({ id }) => !deleted.has(String(id)))
        await Promise.all(left.map((thing) => this.#remove(thing)))
      }
    }
  }

  /** The thing with its present owner, whose name is in the path: checks reassign items. */
  async #withPresentOwner(thing: Thing, by: Administrator): Promise<Thing> {
    if (thing.kind !== 'item') return thing
    const { owner } = await ifRefused(by.read(below('/content/items', thing.id)), (): Body => ({}))
    return typeof owner === 'string' ? { ...thing, owner } : thing
  }

  /** A guest loses a deleted collaboration at its next refresh. If that takes too long, the guest leaves. */
  async #leaveDeleted(guest: Administrator, collaborations: readonly Thing[]): Promise<void> {
    if (collaborations.length === 0) return
    const at = '/portals/self/collaborations'
    const ids = new Set(collaborations.map(({ id }) => id))
    const ours = async () =>
      (await ifRefused(guest.readAny(at, 'collaborations'), () => [])).filter(({ id }) => ids.has(String(id)))
    const gone = await this.#maker.until(
      async () => (await ours()).length === 0 || undefined,
      this.#maker.settleMs,
    )
    if (gone === true) return
    await Promise.all(
      (await ours()).map(({ id }) => refusalOf(guest.performAgain(below(at, id, 'removeParticipation')))),
    )
  }

  /** Items that syncs copied to a guest stay after the collaboration is deleted. Name and tag identify them. */
  async #removeCopies(made: readonly Thing[]): Promise<void> {
    const titles = new Set(made.flatMap(({ kind, name }) => (kind === 'item' ? name : [])))
    if (titles.size === 0 || !made.some(({ kind }) => kind === 'collaboration')) return
    for (const guest of this.#maker.guests) {
      const tried = new Set<string | undefined>()
      // Deployments promise no order of lists, so a list of several pages may omit some copies.
      for (;;) {
        const copies = (await this.#copiesAt(guest, titles)).filter(({ id }) => !tried.has(id))
        if (copies.length === 0) break
        for (const { id } of copies) tried.add(id)
        await Promise.all(copies.map((copy) => this.#remove(copy)))
      }
    }
  }

  /** The listed copies of items with these titles. */
  async #copiesAt(guest: Administrator, titles: ReadonlySet<string | undefined>): Promise<Thing[]> {
    const owner = await usernameOf(guest)
    const items = await ifRefused(guest.readAny(below('/content/users', owner), 'items'), () => [])
    const ours = items.filter(
      ({ title, tags }) =>
        titles.has(String(title)) && Array.isArray(tags) && tags.includes(this.#maker.stamp),
    )
    return ours.map(({ id, title }): Thing => {
      const names = { id: String(id), name: String(title) }
      return { entry: 'thing', kind: 'item', portal: guest.portal, owner, ...names }
    })
  }
}

const bodiesIn = (list: unknown): Body[] => (Array.isArray(list) ? (list as Body[]) : [])

/** Without it, deleted items go to the recycle bin. A deployment that has none ignores it. */
const forGood = (kind: MadeKind): Fields => (kind === 'item' ? { permanentDelete: 'true' } : {})

/** Removes the protection from what that path deletes. False: it has none. */
const unprotect = (path: string, by: Administrator): Promise<boolean> =>
  by.does(path.replace(/delete$/, 'unprotect'))

async function usernameOf(administrator: Administrator): Promise<string> {
  return String((await administrator.read('/community/self')).username ?? '')
}

/** The leftovers, one line each with the command that removes it. */
export function keptLines(kept: readonly Kept[], configuration: Configuration): string[] {
  return kept.map(({ thing, why }) => {
    const form = thing.kind === 'item' ? ' -d permanentDelete=true' : ''
    const how =
      thing.id === undefined
        ? ''
        : `; to remove it: curl -d f=json -d token=TOKEN${form} ${baseUrlOf(configuration, thing.portal)}${pathOf(thing)}`
    return `${thing.kind} ${thing.id ?? ''} (${thing.name}): ${why}${how}`
  })
}
