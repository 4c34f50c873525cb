/** A provider that hands out the lists of a configuration. What a check uses up is handed out once. */
import type { Configuration, FixtureSource } from './configuration.ts'
import { FixtureNotOffered } from './fixture-errors.ts'
import type { FixtureAnswers, FixtureKind, FixtureOptions } from './fixture-kinds.ts'

type Lists = Extract<FixtureSource, { static: unknown }>['static']
type Entry = Readonly<Record<string, unknown>>

/** Entries of these kinds serve again and again, each in its turn; a group may say that it does not. */
const lasting: readonly FixtureKind[] = [
  'group',
  'eligibleUser',
  'ineligibleUser',
  'federation',
  'participant',
]

/** A provider of every kind, which removes nothing: what stands in a list is its author's. */
export type StaticFixtures = {
  readonly [Kind in FixtureKind]: (options: FixtureOptions[Kind]) => FixtureAnswers[Kind]
}

/** `actors` tells the user names of item owners. Entries with a field `actor` belong to that actor. */
export function staticFixtures(lists: Lists, actors: Configuration['actors'] = {}): StaticFixtures {
  const pools = new Map(Object.entries(lists).map(([kind, entries]) => [kind, new Pool(kind, entries)]))
  const take = <Kind extends FixtureKind>(kind: Kind, ...wishes: Wish[]): FixtureAnswers[Kind] => {
    const pool = pools.get(kind) ?? new Pool(kind, [])
    return pool.take(kind, wishes) as FixtureAnswers[Kind]
  }
  const disposable = among(lists.collaboration)
  // Where no collaboration is named, rather one that no other check deletes.
  const lastingPlace = (named: string | undefined): Wish => {
    return (entry) => named !== undefined || !disposable(entry)
  }
  return {
    collaboration: ({ with: kind }) => {
      if (kind !== undefined) return take('collaboration', among(lists[kind]))
      const peopled = among([...(lists.participant ?? []), ...(lists.workspace ?? [])])
      return take('collaboration', (entry) => !peopled(entry), peopled)
    },
    workspace: (options) => {
      const inCollaboration = ofCollaboration(options.collaborationId)
      const kept = lastingPlace(options.collaborationId)
      const { minimumSyncMs = 0 } = options
      const longEnough: Wish = ({ minimumSyncMs: least }) =>
        typeof least === 'number' && least >= minimumSyncMs
      // A workspace of unknown duration is better than none.
      const both: Wish = (entry) => inCollaboration(entry) && longEnough(entry)
      const wishes = [both, inCollaboration]
      const keptFirst = [
        ...wishes.map(
          (wish): Wish =>
            (entry) =>
              wish(entry) && kept(entry),
        ),
        ...wishes,
      ]
      const { minimumSyncMs: least = 0, ...others } = take('workspace', ...keptFirst)
      return { ...others, minimumSyncMs: least }
    },
    scheduledSync: () => take('scheduledSync'),
    participant: ({ collaborationId }) => {
      const there = ofCollaboration(collaborationId)
      const kept = lastingPlace(collaborationId)
      return take('participant', (entry) => there(entry) && kept(entry), there)
    },
    group: () => take('group'),
    items: (options) => takeItems(pools.get('items'), options, actors),
    eligibleUser: () => take('eligibleUser'),
    ineligibleUser: () => take('ineligibleUser'),
    taskRun: () => take('taskRun'),
    federation: () => take('federation'),
  }
}

/** Which entries will do; of several wishes the first that any entry meets counts. */
type Wish = (entry: Entry) => boolean

class Pool {
  readonly #left: Entry[]
  readonly #size: number
  readonly #lasting: boolean

  constructor(kind: string, entries: readonly Entry[]) {
    this.#left = [...entries]
    this.#size = entries.length
    this.#lasting = lasting.some((known) => known === kind)
  }

  /** The next entry that is wanted. Throws FixtureNotOffered where there is none. */
  take(kind: FixtureKind, wishes: readonly Wish[]): Entry {
    const index = (wishes.length === 0 ? [() => true] : wishes)
      .map((wish) => this.#left.findIndex(wish))
      .find((found) => found >= 0)
    if (index === undefined) throw new FixtureNotOffered(kind, this.#whyNone(kind))
    const [entry] = this.#left.splice(index, 1) as [Entry]
    if (this.#lasting && entry.reusable !== false) this.#left.push(entry)
    return entry
  }

  /** Puts back what remains of an entry, to be handed out next. */
  putBack(entry: Entry): void {
    this.#left.unshift(entry)
  }

  #whyNone(kind: FixtureKind): string {
    const list = `fixtures.static.${kind}`
    if (this.#size === 0) return `${list} holds none; add some to it`
    if (this.#left.length === 0) return `all ${this.#size} of ${list} are used up; add more to it`
    return `none of the ${this.#left.length} left in ${list} is what was asked for; add more to it`
  }
}

/** An entry whose collaboration one of these entries names too. */
function among(entries: readonly Entry[] = []): Wish {
  const ids = new Set(entries.map(({ collaborationId }) => collaborationId))
  return ({ collaborationId }) => ids.has(collaborationId)
}

function ofCollaboration(collaborationId: string | undefined): Wish {
  return (entry) => collaborationId === undefined || entry.collaborationId === collaborationId
}

function takeItems(
  pool: Pool | undefined,
  { owner, count }: FixtureOptions['items'],
  actors: Configuration['actors'],
): FixtureAnswers['items'] {
  const username = actors[owner]?.username
  const belongs: Wish = (entry) =>
    entry.actor === undefined
      ? entry.owner === owner || (username !== undefined && entry.owner === username)
      : entry.actor === owner
  const idsOf = (entry: Entry) => (Array.isArray(entry.itemIds) ? (entry.itemIds as string[]) : [])
  const wish: Wish = (entry) => belongs(entry) && idsOf(entry).length >= count
  let entry: Entry
  try {
    entry = (pool ?? new Pool('items', [])).take('items', [wish])
  } catch (error) {
    if (!(error instanceof FixtureNotOffered)) throw error
    const asked = `${count} items of ${owner}${username === undefined ? '' : ` (${username})`}`
    throw new FixtureNotOffered('items', `${error.message} (${asked} were asked for)`)
  }
  const ids = idsOf(entry)
  if (ids.length > count) pool?.putBack({ ...entry, itemIds: ids.slice(count) })
  const name = entry.owner === owner ? (username ?? owner) : String(entry.owner)
  return { owner: name, itemIds: ids.slice(0, count) }
}
