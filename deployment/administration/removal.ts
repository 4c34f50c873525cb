/** Removes what a run made and nothing else: whatever bears a name of its journal, in the order that a deployment needs. */
import type { PortalName } from '../configuration/actors.ts'
import { baseUrlOf, type Configuration } from '../configuration/configuration.ts'
import type { SignIns } from '../credentials/sign-ins.ts'
import type { JournalEntry, MadeKind, MakingEntry } from '../journal/journal-entry.ts'
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
import { federationPath } from './federation.ts'
import { Workshop } from './workshop.ts'

/** Something that could not be removed. */
export interface Kept {
  readonly kind: MadeKind
  readonly name: string
  readonly id: string
  readonly why: string
  /** Where it is. */
  readonly portal: PortalName
  /** Below the base URL of that portal: what removes it. */
  readonly path: string
}

/** Items go in batches of so many; a list is looked through so often for more. */
const batch = 100
const mostPasses = 5

/** Told how much of what was made is removed. */
export type OnRemoved = (removed: number, of: number) => void

interface Removing {
  readonly signIns: SignIns
  readonly signal: AbortSignal
  readonly onProgress?: OnRemoved | undefined
}

/** Resolves with what is still there. Throws an AdministrationError where the host cannot be asked at all. */
export async function removeMade(
  configuration: Configuration,
  entries: readonly JournalEntry[],
  { signIns, signal, onProgress }: Removing,
): Promise<Kept[]> {
  const { administration } = configuration
  const making = entries.filter((entry): entry is MakingEntry => entry.entry === 'making')
  if (administration === undefined || making.length === 0) return []
  const workshop = new Workshop(configuration, administration, { signIns, note: () => undefined, signal })
  try {
    return await new Removal(workshop, making, entries, onProgress).all()
  } finally {
    await workshop.close()
  }
}

class Removal {
  readonly #workshop: Workshop
  readonly #names = new Map<MadeKind, Map<string, MakingEntry>>()
  readonly #ids = new Map<string, string>()
  /** The ids of all that is known to be made. */
  readonly #known: ReadonlySet<string>
  readonly #removed = new Set<string>()
  readonly #onProgress: OnRemoved
  #kept: Kept[] = []

  constructor(
    workshop: Workshop,
    making: readonly MakingEntry[],
    entries: readonly JournalEntry[],
    onProgress: OnRemoved = () => undefined,
  ) {
    this.#workshop = workshop
    this.#onProgress = onProgress
    for (const entry of making) {
      const named = this.#names.get(entry.kind) ?? new Map()
      this.#names.set(entry.kind, named.set(entry.name, entry))
    }
    for (const entry of entries) if (entry.entry === 'made') this.#ids.set(entry.name, entry.id)
    this.#known = new Set(this.#ids.values())
  }

  /** What one of them cannot read or remove keeps none of the others from going. Throws the first of such errors, at the end. */
  async all(): Promise<Kept[]> {
    let first: AdministrationError | undefined
    const steps = [
      () => this.#tasks(),
      () => this.#federation(),
      () => this.#collaborations(),
      () => this.#content(),
      () => this.#copies(),
      () => this.#groups(),
      () => this.#groupsAgain(),
      () => this.#users(),
      () => this.#roles(),
    ]
    for (const step of steps) {
      const refusal = await refusalOf(step())
      first ??= refusal
    }
    if (first !== undefined) throw first
    // What had gone by itself is removed as well.
    const all = this.#known.size
    if (all > 0) this.#onProgress(Math.max(0, all - this.#kept.length), all)
    return this.#kept
  }

  #noteRemoved(id: unknown): void {
    if (!this.#known.has(String(id))) return
    this.#removed.add(String(id))
    this.#onProgress(this.#removed.size, this.#known.size)
  }

  /** Groups go when no workspace is linked with them: a collaboration may have been too new to be listed. */
  async #groupsAgain(): Promise<void> {
    if (!this.#kept.some(({ kind }) => kind === 'group')) return
    this.#kept = this.#kept.filter(({ kind }) => kind !== 'group')
    await this.#collaborations()
    await this.#groups()
  }

  #of(kind: MadeKind): MakingEntry[] {
    return [...(this.#names.get(kind)?.values() ?? [])]
  }

  #made(kind: MadeKind, name: unknown): name is string {
    return typeof name === 'string' && this.#names.get(kind)?.has(name) === true
  }

  /** By the given means; what is not there any more counts as removed. */
  async #remove(what: Omit<Kept, 'why' | 'portal'>, by = this.#workshop.host): Promise<void> {
    const remove = () => refusalOf(by.performAgain(what.path, forGood(what.kind)))
    let refusal = await remove()
    if (refusal === undefined) return this.#noteRemoved(what.id)
    await this.#makeWay(what, by)
    // Leaving a deleted collaboration takes its guests a moment, as counting what a user owns may take.
    const gone = await this.#workshop.until(async () => {
      if (refusal !== undefined && (await this.#isGone(what, by, refusal))) return true
      refusal = await remove()
      return refusal === undefined || undefined
    }, this.#workshop.knownWithinMs)
    if (gone === true) this.#noteRemoved(what.id)
    else this.#kept.push({ ...what, portal: by.portal, why: refusal.message })
  }

  /** What was refused may be protected against being deleted; users may own something, and may go from the list alone. */
  async #makeWay(
    { kind, name, path }: Pick<Kept, 'kind' | 'name' | 'path'>,
    by: Administrator,
  ): Promise<void> {
    if (kind === 'user') {
      await refusalOf(this.#emptied(name))
      await by.does('/portals/self/removeUsers', { users: name })
    } else if (/\/(?:items|groups)\/[^/]+\/delete$/.test(path)) await unprotect(path, by)
  }

  /** Takes from a user who was made what the deployment gave him: what is older than he is was somebody else's. */
  async #emptied(username: string): Promise<void> {
    const { host } = this.#workshop
    const { created: since, groups } = await this.#read(below('/community/users', username))
    const his = Array.isArray(groups) ? (groups as Body[]).filter(({ owner }) => owner === username) : []
    await each(his, ({ id }) => this.#forced(below('/community/groups', id, 'delete')))
    const at = below('/content/users', username)
    const sinceThen = async () =>
      (await this.#contentOf(at)).items.filter(
        ({ created }) => typeof since === 'number' && typeof created === 'number' && created >= since,
      )
    await this.#deleteInBatches(at, await sinceThen(), host)
    await each(await sinceThen(), ({ id }) => this.#forced(below(at, 'items', id, 'delete'), forGood('item')))
    const { folders } = await this.#contentOf(at)
    await each(await this.#emptyOnes(at, folders), async ({ id }) => {
      await host.does(below(at, id, 'delete'), forGood('item'))
    })
  }

  /** Deletes what may be protected. */
  async #forced(path: string, fields: Fields = {}): Promise<void> {
    const { host } = this.#workshop
    if (!(await host.does(path, fields)) && (await unprotect(path, host))) await host.does(path, fields)
  }

  async #emptyOnes(at: string, folders: readonly Body[]): Promise<Body[]> {
    const { host } = this.#workshop
    const items = await Promise.all(folders.map(({ id }) => host.readAny(below(at, id), 'items')))
    return folders.filter((_, place) => items[place]?.length === 0)
  }

  /** All of a kind that stand below one path, each called by that field. */
  #removeAll(
    kind: MadeKind,
    at: string,
    things: readonly Body[],
    called: 'name' | 'title',
    by = this.#workshop.host,
  ): Promise<void> {
    return each(things, (thing) => {
      const id = String(thing.id)
      return this.#remove({ kind, name: String(thing[called]), id, path: below(at, id, 'delete') }, by)
    })
  }

  /** Where its page is kept from us, what its deletion was answered with tells it. */
  async #isGone(
    { path }: Pick<Kept, 'path'>,
    by: Administrator,
    deleting: AdministrationError,
  ): Promise<boolean> {
    const page = path.replace(/\/(?:delete|unregister)$/, '').replace(/^.*(?=\/items\/)/, '/content')
    try {
      return (await ifAbsent(by.read(page), undefined)) === undefined
    } catch {
      return [404, 410].includes(deleting.code ?? 0)
    }
  }

  async #tasks(): Promise<void> {
    const owners = new Set(this.#of('task').map(({ owner = '' }) => owner))
    await each([...owners], async (owner) => {
      const at = below('/community/users', owner, 'tasks')
      const tasks = await this.#workshop.host.readAny(at, 'tasks')
      const ours = tasks.filter((each) => this.#isNamed('task', each))
      await this.#removeAll('task', at, ours, 'title')
    })
  }

  /** Its name may have been changed by a check: then its id tells that it is ours. */
  async #federation(): Promise<void> {
    const [made] = this.#of('federation')
    if (made === undefined) return
    const { id, name } = await this.#ofFederation(made.name)
    if (typeof id !== 'string' || (this.#ids.get(made.name) !== id && name !== made.name)) return
    const path = below(federationPath, id, 'unregister')
    const refusal = await refusalOf(this.#workshop.host.performAgain(path))
    if (refusal === undefined || (await this.#read(federationPath)).id !== id) return this.#noteRemoved(id)
    const { message: why } = refusal
    this.#kept.push({ kind: 'federation', name: made.name, id, portal: 'host', path, why })
  }

  /** Who may not read it has registered none, unless one is known. */
  #ofFederation(made: string): Promise<Body> {
    return ifRefused(this.#read(federationPath), (error) => {
      if (error.code === 403 && !this.#ids.has(made)) return {}
      throw error
    })
  }

  #read(path: string, by: Administrator = this.#workshop.host): Promise<Body> {
    return ifAbsent(by.read(path), {})
  }

  async #collaborations(): Promise<void> {
    if (this.#of('collaboration').length === 0) return
    const at = '/portals/self/collaborations'
    const { host, guests } = this.#workshop
    await this.#removeAll('collaboration', at, await this.#hostedBy(host, at), 'name')
    for (const guest of guests) {
      // Some were made in the name of a guest, as their host.
      await this.#removeAll('collaboration', at, await this.#hostedBy(guest, at), 'name', guest)
      await this.#lingering(guest, at)
    }
  }

  /** Where a portal does not show its collaborations, those whose ids are known. */
  async #hostedBy(host: Administrator, at: string): Promise<Body[]> {
    const made = this.#of('collaboration').filter(({ portal }) => portal === host.portal)
    if (made.length === 0) return []
    const all = await ifRefused(host.readAny(at, 'collaborations'), (error) => {
      const known = made.filter(({ name }) => this.#ids.has(name))
      if (known.length === 0) throw error
      return known.map(({ name }): Body => ({ name, id: this.#ids.get(name) }))
    })
    return all.filter((each) => made.some(({ name }) => name === each.name) || this.#isRenamed(each))
  }

  /** A guest loses a deleted collaboration at its next refresh, or leaves it by itself. */
  async #lingering(guest: Administrator, at: string): Promise<void> {
    const ours = async (): Promise<Body[]> => {
      // Where nobody sees them they go by themselves.
      const all = await ifRefused(guest.readAny(at, 'collaborations'), () => [])
      return all.filter((each) => this.#isNamed('collaboration', each))
    }
    const gone = async () => ((await ours()).length === 0 ? true : undefined)
    if ((await this.#workshop.until(gone, this.#workshop.settleMs)) === true) return
    // What is refused goes with the next refresh.
    await each(await ours(), async ({ id }) => {
      await refusalOf(guest.performAgain(below(at, id, 'removeParticipation')))
    })
  }

  /** Of the users who were made all that bears a name of ours; of others what is known by its id. */
  async #content(): Promise<void> {
    const made = this.#of('user').map(({ name }) => name)
    const owners = new Set([...made, ...this.#of('item').map(({ owner = '' }) => owner)])
    const removed = new Set<string>()
    await each([...owners], async (owner) => {
      const at = below('/content/users', owner)
      // Who may not list it removes what is known by its id.
      const there = await ifRefused(this.#contentOf(at), (error) => {
        if (error.code === 403) return { items: [], folders: [] }
        throw error
      })
      for (const title of await this.#deleteOurs(at, there.items)) removed.add(title)
      // Folders of others are their own; those of users who go are emptied first.
      if (made.includes(owner))
        await this.#removeAll('item', at, await this.#emptyOnes(at, there.folders), 'title')
    })
    await each(
      this.#of('item').filter(({ name }) => !removed.has(name) && this.#ids.has(name)),
      ({ name }) => this.#strayed(name, this.#ids.get(name) as string),
    )
  }

  /** What syncs copied to a guest stays there when the collaboration goes; its group shows whose it is. */
  async #copies(): Promise<void> {
    if (this.#of('item').length === 0 || this.#of('collaboration').length === 0) return
    for (const guest of this.#workshop.guests) {
      const groups = this.#of('group').filter(
        ({ name, portal }) => portal === guest.portal && this.#ids.has(name),
      )
      const shared = await Promise.all(
        groups.map(({ name }) =>
          ifRefused(guest.readAny(below('/content/groups', this.#ids.get(name)), 'items'), () => []),
        ),
      )
      const theirs = shared.flat().filter((item) => this.#isOurs('item', item))
      const owners = new Set([await usernameOf(guest), ...theirs.map(({ owner }) => String(owner))])
      await each([...owners], async (owner) => {
        const at = below('/content/users', owner)
        await this.#deleteOurs(at, (await this.#contentOf(at, guest)).items, guest)
      })
    }
  }

  async #contentOf(
    at: string,
    by: Administrator = this.#workshop.host,
  ): Promise<{ items: Body[]; folders: Body[] }> {
    const { folders = [] } = await this.#read(at, by)
    const all = Array.isArray(folders) ? (folders as Body[]) : []
    const lists = await Promise.all(
      [at, ...all.map(({ id }) => below(at, id))].map((path) => by.readAny(path, 'items')),
    )
    return { items: lists.flat(), folders: all }
  }

  /**
   * Those of them that bear a name and the stamp of the run, and those that a list shows only then: its order may change
   * from page to page. Resolves with their titles.
   */
  async #deleteOurs(at: string, all: readonly Body[], by = this.#workshop.host): Promise<string[]> {
    const removed = new Map<unknown, string>()
    const further = (items: readonly Body[]): Body[] =>
      items.filter((item) => !removed.has(item.id) && this.#isOurs('item', item))
    for (let ours = further(all), left = mostPasses; ours.length > 0 && left > 0; left--) {
      for (const { id, title } of ours) removed.set(id, String(title))
      ours = further(await this.#deleteItems(at, ours, by))
    }
    return [...removed.values()]
  }

  /** Resolves with what is there afterwards. */
  async #deleteItems(at: string, items: readonly Body[], by: Administrator): Promise<Body[]> {
    await this.#deleteInBatches(at, items, by)
    // What a batch left is removed, or told, one by one; a list may show for a while what is gone.
    let there: Body[] = []
    let still = items
    await this.#workshop.until(async () => {
      there = (await this.#contentOf(at, by)).items
      const left = new Set(there.map(({ id }) => id))
      still = items.filter(({ id }) => left.has(id))
      return still.length === 0 || undefined
    }, this.#workshop.settleMs)
    await this.#removeAll('item', `${at}/items`, still, 'title', by)
    return there
  }

  /** As many of them as the deployment lets go together. */
  async #deleteInBatches(at: string, items: readonly Body[], by: Administrator): Promise<void> {
    for (let from = 0; from < items.length; from += batch) {
      const some = items.slice(from, from + batch)
      const ids = some.map(({ id }) => String(id)).join(',')
      const refusal = await refusalOf(
        by.performAgain(`${at}/deleteItems`, { items: ids, ...forGood('item') }),
      )
      if (refusal === undefined) for (const { id } of some) this.#noteRemoved(id)
    }
  }

  /** An item that is where none of ours should be. */
  async #strayed(name: string, id: string): Promise<void> {
    const item = await this.#read(below('/content/items', id))
    if (!this.#isOurs('item', item)) return
    const path = below('/content/users', item.owner, 'items', id, 'delete')
    await this.#remove({ kind: 'item', name, id, path })
  }

  async #groups(): Promise<void> {
    for (const administrator of [this.#workshop.host, ...this.#workshop.guests]) {
      if (!this.#of('group').some(({ portal }) => portal === administrator.portal)) continue
      const username = await usernameOf(administrator)
      const { groups = [] } = await administrator.read(below('/community/users', username))
      const ours = (Array.isArray(groups) ? (groups as Body[]) : []).filter((group) =>
        this.#isOurs('group', group),
      )
      await this.#removeAll('group', '/community/groups', ours, 'title', administrator)
    }
  }

  /** By its name and tag. A deployment may change the one and drop the other. */
  #isOurs(kind: MadeKind, thing: Body): boolean {
    const { title, tags } = thing
    const isTagged = Array.isArray(tags) ? tags.includes(this.#workshop.stamp) : kind === 'group'
    return (isTagged && this.#made(kind, title)) || this.#isRenamed(thing)
  }

  /** By its name, also where the deployment has changed that. */
  #isNamed(kind: MadeKind, thing: Body): boolean {
    return this.#made(kind, thing.name ?? thing.title) || this.#isRenamed(thing)
  }

  /** A deployment may write a name in its own way: an id that is known, and what is left of the name, show what is ours. */
  #isRenamed({ id, title, name = title }: Body): boolean {
    const called = String(name).toLowerCase()
    return this.#known.has(String(id)) && called.includes(this.#workshop.stamp.toLowerCase())
  }

  async #users(): Promise<void> {
    await each(this.#of('user'), ({ name }) =>
      this.#remove({
        kind: 'user',
        name,
        id: name,
        path: below('/community/users', name, 'delete'),
      }),
    )
  }

  async #roles(): Promise<void> {
    if (this.#of('role').length === 0) return
    const at = '/portals/self/roles'
    const all = await this.#workshop.host.readAny(at, 'roles')
    const ours = all.filter((each) => this.#isNamed('role', each))
    await this.#removeAll('role', at, ours, 'name')
  }
}

/** Deleted items may go to a recycle bin, where they still are their owner's; a deployment without one ignores it. */
const forGood = (kind: MadeKind): Fields => (kind === 'item' ? { permanentDelete: 'true' } : {})

/** Takes the protection from what that path deletes; whether there was one to take. */
const unprotect = (path: string, by: Administrator): Promise<boolean> =>
  by.does(path.replace(/delete$/, 'unprotect'))

async function usernameOf(administrator: Administrator): Promise<string> {
  return String((await administrator.read('/community/self')).username ?? '')
}

async function each<T>(things: readonly T[], remove: (thing: T) => Promise<void>): Promise<void> {
  await Promise.all(things.map(remove))
}

/** What is left, one line each with what removes it. */
export function keptLines(kept: readonly Kept[], configuration: Configuration): string[] {
  return kept.map(({ kind, name, id, why, portal, path }) => {
    const form = kind === 'item' ? ' -d permanentDelete=true' : ''
    return `${kind} ${id} (${name}): ${why}; to remove it: curl -d f=json -d token=TOKEN${form} ${baseUrlOf(configuration, portal)}${path}`
  })
}
