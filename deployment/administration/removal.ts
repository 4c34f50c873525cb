/** Removes what a run made according to its journal, and nothing else, in the order that a deployment needs. */
import { setTimeout as sleep } from 'node:timers/promises'
import { baseUrlOf, type Configuration } from '../configuration/configuration.ts'
import type { SignIns } from '../credentials/sign-ins.ts'
import type { Thing, Things } from '../journal/journal.ts'
import { type Administrator, type Body, below, ifRefused, refusalOf } from './administrator.ts'
import { kindOf, pathOf, removalOrder } from './kinds.ts'
import { Maker } from './maker.ts'
import { collaborationPath } from './trust.ts'

/** A leftover: a thing that could not be removed. */
export interface Kept {
  readonly thing: Thing
  readonly why: string
}

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
    const there = await this.#locate(made)
    for (const kind of removalOrder) {
      const those = there.filter((thing) => thing.kind === kind)
      await Promise.all(
        those.map(async (thing) => {
          if (await this.#tryToRemove(thing)) this.#noteRemoved(thing)
        }),
      )
      if (kind === 'collaboration')
        await Promise.all(this.#maker.guests.map((guest) => refusalOf(this.#leaveDeleted(guest, those))))
      if (kind === 'item' && made.some((thing) => thing.kind === 'collaboration'))
        for (const guest of this.#maker.guests) await refusalOf(this.#removeCopies(guest, made))
    }
    return this.#kept
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
      const place = JSON.stringify([thing.kind, thing.portal, thing.owner])
      const list = lists.get(place) ?? this.#maker.list(thing)
      lists.set(place, list)
      const id = await this.#maker.find(thing, () => list)
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
        this.#kept.push({ thing, why: `whether it is there is not known: ${message}` })
        return []
      }),
    )
    return (await Promise.all(all)).flat()
  }

  #noteRemoved(thing: Thing): void {
    this.#things.gone(thing)
    this.#removed += 1
    this.#onProgress(this.#removed, this.#all)
  }

  /** Whether the thing could be removed. If it may still be there, it is kept with the reason. */
  #tryToRemove(thing: Thing): Promise<boolean> {
    return ifRefused(this.#remove(thing), ({ message }) => {
      this.#kept.push({ thing, why: message })
      return false
    })
  }

  async #remove(thing: Thing): Promise<boolean> {
    const by = this.#maker.of(thing.portal)
    const { removalFields } = kindOf(thing)
    let [now, why] = [thing, '']
    const removed = await this.#maker.until(async () => {
      const refusal = await refusalOf(by.performAgain(pathOf(now), removalFields))
      if (refusal === undefined || (await ifRefused(this.#isGone(thing, by), () => false))) return true
      why = refusal.message
      // The path names the present owner of an item: checks reassign items.
      if (thing.kind === 'item') now = { ...thing, owner: await this.#ownerOf(thing, by) }
      // A user may count as an owner for a moment after the deletion of all that was owned.
      await this.#removeObstacles(now, by)
      return undefined
    }, this.#maker.knownWithinMs)
    if (removed !== true) this.#kept.push({ thing, why })
    return removed === true
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

  /** Deletes what the deployment gave to a created user. Older items belonged to others before. */
  async #deleteBelongings(username: string): Promise<void> {
    const { host } = this.#maker
    const { created: since, groups } = await host.read(below('/community/users', username))
    const at = below('/content/users', username)
    const { folders } = await host.read(at)
    const places = [at, ...bodiesIn(folders).map(({ id }) => below(at, id))]
    const items = (await Promise.all(places.map((path) => host.readAny(path, 'items')))).flat()
    const paths = [
      ...items
        .filter(({ created }) => Number(created) >= Number(since))
        .map(({ id }) => below(at, 'items', id, 'delete')),
      ...bodiesIn(groups)
        .filter(({ owner }) => owner === username)
        .map(({ id }) => below('/community/groups', id, 'delete')),
    ]
    await Promise.all(
      paths.map(async (path) => {
        await unprotect(path, host)
        await host.does(path, { permanentDelete: 'true' })
      }),
    )
  }

  /** Deployments may answer that the page of a deleted collaboration is forbidden: then the list decides. */
  async #isGone(thing: Thing, by: Administrator): Promise<boolean> {
    const { page } = kindOf(thing)
    const inList = async () => (await this.#maker.list(thing)).some(({ id }) => id === thing.id)
    if (page === undefined) return !(await inList())
    return !(await ifRefused(by.shows(below(page, thing.id ?? thing.name)), (error) => {
      if (thing.kind !== 'collaboration') throw error
      return inList()
    }))
  }

  /** A guest loses a deleted collaboration at its next refresh. If that takes too long, the guest leaves. */
  async #leaveDeleted(guest: Administrator, collaborations: readonly Thing[]): Promise<void> {
    if (collaborations.length === 0) return
    const ids = new Set(collaborations.map(({ id }) => id))
    const list = () => guest.readAny('/portals/self/collaborations', 'collaborations')
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
      const items = await ifRefused(guest.readAny(below('/content/users', owner), 'items'), () => [])
      const ours = items.filter(
        ({ title, tags }) => titles.has(String(title)) && listOf(tags).includes(this.#maker.stamp),
      )
      return ours.map(({ id }) => String(id)).filter((id) => !tried.has(id))
    }
    // Deployments promise no order of lists, so a list of several pages may omit some copies.
    for (let copies = await newCopies(); copies.length > 0; copies = await newCopies()) {
      for (const id of copies) tried.add(id)
      const thing = { entry: 'thing', kind: 'item', portal: guest.portal, owner } as const
      await Promise.all(copies.map((id) => this.#tryToRemove({ ...thing, id, name: id })))
    }
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const bodiesIn = (list: unknown): readonly Body[] => listOf(list) as readonly Body[]

/** Removes the protection from what that path deletes. */
const unprotect = (path: string, by: Administrator): Promise<boolean> =>
  by.does(path.replace(/delete$/, 'unprotect'))

/** The leftovers, one line each with the command that removes it. */
export function keptLines(kept: readonly Kept[], configuration: Configuration): string[] {
  return kept.map(({ thing, why }) => {
    const fields = Object.entries(kindOf(thing).removalFields ?? {}).map(
      ([name, value]) => ` -d ${name}=${value}`,
    )
    const how =
      thing.id === undefined
        ? ''
        : `; to remove it: curl -d f=json -d token=TOKEN${fields.join('')} ${baseUrlOf(configuration, thing.portal)}${pathOf(thing)}`
    return `${thing.kind} ${thing.id ?? ''} (${thing.name}): ${why}${how}`
  })
}
