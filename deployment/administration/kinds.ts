/** The kinds of things that a run makes: how each is made, listed, shown and removed, and what is said of leftovers. */
import { byKey } from '../../schemas/values.ts'
import { baseUrlOf, type Configuration } from '../configuration/configuration.ts'
import type { MadeKind, Thing } from '../journal/journal.ts'
import { below, type Fields } from './administrator.ts'

export const federationPath = '/portals/self/idp/federation'

/** Paths are below the base URL of the portal. */
interface Kind {
  /** The operation that makes one, and where its answer may hold the id. Absent: it is made in another way. */
  readonly creation?: readonly [path: string, ...ids: string[]]
  /** Where each has a path of its own, by id or name. */
  readonly at: string
  /** Where each is shown. Absent: the list decides whether it is still there. */
  readonly page?: string
  /** The page with the list of all, and the list in it. Without a name the page shows the only one. */
  readonly list?: readonly [path: string, name?: string]
  /** What removes it, if that is not `delete`, and what the request says. */
  readonly removal?: string
  readonly removalFields?: Fields
}

/** All kinds in the order in which they are removed: a thing that others use goes after them. */
function kinds(owner: string | undefined): Readonly<Record<MadeKind, Kind>> {
  const [tasks, content] = [below('/community/users', owner, 'tasks'), below('/content/users', owner)]
  const [collaborations, roles] = ['/portals/self/collaborations', '/portals/self/roles']
  return {
    task: { creation: [`${tasks}/createTask`, 'taskId'], at: tasks, list: [tasks, 'tasks'] },
    federation: { at: federationPath, list: [federationPath], removal: 'unregister' },
    collaboration: {
      creation: ['/portals/self/createCollaboration', 'collaboration.id', 'collaborationId'],
      at: collaborations,
      page: collaborations,
      list: [collaborations, 'collaborations'],
    },
    item: {
      creation: [`${content}/addItem`, 'id'],
      at: `${content}/items`,
      page: '/content/items',
      list: [content, 'items'],
      // Without it, deleted items go to the recycle bin. A deployment that has none ignores it.
      removalFields: { permanentDelete: 'true' },
    },
    group: {
      creation: ['/community/createGroup', 'group.id'],
      at: '/community/groups',
      page: '/community/groups',
      list: [below('/community/users', owner), 'groups'],
    },
    user: { at: '/community/users', page: '/community/users' },
    role: { creation: ['/portals/self/createRole', 'id'], at: roles, list: [roles, 'roles'] },
  }
}

export const removalOrder = Object.keys(kinds(undefined)) as readonly MadeKind[]

export const kindOf = ({ kind, owner }: Pick<Thing, 'kind' | 'owner'>): Kind => kinds(owner)[kind]

/** The path that removes a thing. */
export function pathOf(thing: Thing): string {
  const { at, removal = 'delete' } = kindOf(thing)
  return below(at, thing.id ?? thing.name, removal)
}

/** A leftover: a thing that could not be removed. */
export interface Kept {
  readonly thing: Thing
  readonly why: string
}

/** Words after the first of several. */
export const andMore = (count: number): string => (count === 0 ? '' : ` and ${count} more`)

/** The leftovers, one line for each kind and reason, with a command that removes the first. */
export function keptLines(kept: readonly Kept[], configuration: Configuration): string[] {
  // A group stays if its collaboration does.
  const inOrder = removalOrder.flatMap((kind) => kept.filter(({ thing }) => thing.kind === kind))
  const alike = byKey(inOrder, ({ thing, why }) => JSON.stringify([thing.kind, thing.portal, why]))
  return [...alike.values()].map(([first, ...others]) => {
    const { thing, why } = first as Kept
    return `${thing.kind} ${thing.id ?? ''} (${thing.name})${andMore(others.length)}: ${why}${howToRemove(thing, configuration)}`
  })
}

function howToRemove(thing: Thing, configuration: Configuration): string {
  if (thing.id === undefined) return ''
  const fields = Object.entries(kindOf(thing).removalFields ?? {}).map(
    ([name, value]) => ` -d ${name}=${value}`,
  )
  return `; to remove it: curl -d f=json -d token=TOKEN${fields.join('')} ${baseUrlOf(configuration, thing.portal)}${pathOf(thing)}`
}
