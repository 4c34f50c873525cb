/** The contents of the portal, to compare before and after a run, and other users' data that a run must not change. */
import { createWorkspace } from '../handlers.ts'
import { honestParts } from '../honest-parts.ts'
import type { Collaboration, Store } from '../store.ts'
import { addUser, usernameOf } from '../users.ts'

/** Fields to leave out: secrets, and the state of syncs. */
const leftOut = ['password', 'sync', 'syncs', 'done']

/** All contents of the store, one line for each object: kind, id and fields. Tokens are left out. */
export function inventoryOf(store: Store): string[] {
  const { users, groups, roles, items, recycleBin, tasks, federations, collaborations } = store
  const kinds = { users, groups, roles, items, recycleBin, tasks, federations, collaborations }
  const shown = (name: string, value: unknown): unknown => {
    if (leftOut.includes(name)) return undefined
    if (value instanceof Map) return Object.fromEntries([...value].sort())
    return value instanceof Set ? [...value].sort() : value
  }
  return Object.entries(kinds).flatMap(([kind, things]) =>
    [...things]
      // Guests may still see a deleted collaboration for a moment.
      .filter(([, thing]) => (thing as Partial<Collaboration>).deletedAt === undefined)
      .map(([id, thing]) => `${kind} ${id}: ${JSON.stringify(thing, shown)}`)
      .sort(),
  )
}

/** Adds data as of a deployment in use. Some names look like those that a run gives. */
export function furnish(store: Store): void {
  const parts = honestParts()
  const owner = usernameOf('hostAdministrator')
  const { host, guest } = store.portals
  const group = (title: string, organization: 'host' | 'guest', of: string): string => {
    const id = parts.newId('group')
    store.groups.set(id, { id, title, owner: of, organization, access: 'org', tags: ['pc'] })
    return id
  }
  const groupId = group('pc group 1', 'host', owner)
  group('Roads', 'host', owner)
  group('pc group 2', 'guest', usernameOf('guestAdministrator'))
  const roleId = parts.newId('role')
  const privileges = ['portal:user:createItem']
  const named = { name: 'pc role 1', description: '' }
  store.roles.set(roleId, { id: roleId, ...named, organization: 'host', privileges })
  const planner = { username: 'pc_planner', organization: 'host', role: 'user', roleId, privileges } as const
  addUser(store, planner).folders.add('pc folder')
  store.users.get(owner)?.folders.add('pc_plans')
  for (const [username, folder] of [
    [planner.username, 'pc folder'],
    [owner, 'pc_plans'],
    [owner, ''],
  ] as const) {
    const id = parts.newId('item')
    const type = { type: 'Web Map', typeKeywords: ['Web Map'], url: null }
    const groups = new Set([groupId])
    store.items.set(id, { id, ...type, folder, title: 'pc item 1', tags: ['pc'], owner: username, groups })
  }
  const task = { id: parts.newId('task'), owner, runs: new Map([['1', { id: '1', status: 'succeeded' }]]) }
  store.tasks.set(task.id, task)
  const collaboration: Collaboration = {
    id: parts.newId('collaboration'),
    hostPortalId: host,
    designatedPortalId: guest,
    participants: new Map([
      [host, { firstname: 'Ada', lastname: 'Host', email: 'ada@example.org' }],
      [guest, { firstname: 'Bo', lastname: 'Guest', email: 'bo@example.org', status: 'active' }],
    ]),
    workspaces: new Map(),
    about: {
      name: 'pc collaboration 1',
      description: '',
      created: parts.now(),
      invitations: [],
    },
  }
  store.collaborations.set(collaboration.id, collaboration)
  createWorkspace(parts, collaboration, { name: 'Roads', description: '', portalGroupId: groupId })
}
