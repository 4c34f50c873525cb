/** The kinds of things that a run makes: how each is made, listed, shown and removed. */
import type { MadeKind, Thing } from '../journal/journal.ts'
import { below } from './administrator.ts'

export const federationPath = '/portals/self/idp/federation'

/** Paths are below the base URL of the portal. */
interface Kind {
  /** The operation that makes one, and where its answer may hold the id. Absent: it is made in another way. */
  readonly creation?: readonly [path: string, ...ids: string[]]
  /** Where each has a path of its own, by id or name. */
  readonly at: string
  /** Where each is shown, if that is elsewhere. */
  readonly page?: string
  /** The list of things at `at`, or at another path. Absent: there is none. */
  readonly list?: readonly [name: string, path?: string]
}

/** All kinds in the order in which they are removed: a thing that others use goes after them. */
function kinds(owner: string | undefined): Readonly<Record<MadeKind, Kind>> {
  const [tasks, content] = [below('/community/users', owner, 'tasks'), below('/content/users', owner)]
  return {
    task: { creation: [`${tasks}/createTask`, 'taskId'], at: tasks, list: ['tasks'] },
    federation: { at: federationPath },
    collaboration: {
      creation: ['/portals/self/createCollaboration', 'collaboration.id', 'collaborationId'],
      at: '/portals/self/collaborations',
      list: ['collaborations'],
    },
    item: {
      creation: [`${content}/addItem`, 'id'],
      at: `${content}/items`,
      page: '/content/items',
      list: ['items', content],
    },
    group: { creation: ['/community/createGroup', 'group.id'], at: '/community/groups' },
    user: { at: '/community/users' },
    role: { creation: ['/portals/self/createRole', 'id'], at: '/portals/self/roles', list: ['roles'] },
  }
}

export const removalOrder = Object.keys(kinds(undefined)) as readonly MadeKind[]

export const kindOf = ({ kind, owner }: Pick<Thing, 'kind' | 'owner'>): Kind => kinds(owner)[kind]

/** The path that removes a thing. */
export const pathOf = (thing: Thing): string =>
  below(kindOf(thing).at, thing.id ?? thing.name, thing.kind === 'federation' ? 'unregister' : 'delete')
