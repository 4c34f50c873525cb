/** What the portal remembers: plain maps, so that what is deleted is really gone. */
import type { PortalName } from './portal-name.ts'
import type { User } from './user.ts'

interface Contact {
  firstname?: string
  lastname?: string
  email?: string
}

/** A sync in progress; `done` settles when it is over. */
export interface SyncJob {
  readonly id: string
  readonly key: string
  readonly done: Promise<void>
  /** It runs on schedule: nobody asked for it. */
  readonly scheduled: boolean
}

export interface Workspace {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly collaborationId: string
  readonly portalGroupId: string
  readonly created: number
  modified: number
  /** Unix time in milliseconds; -1: never synced. */
  lastSyncSuccess: number
  /** How long each of its syncs takes, in milliseconds. */
  syncMs: number
  sync?: SyncJob
}

export interface Collaboration {
  readonly id: string
  readonly hostPortalId: string
  /** The portal that the trust establishment designated to initiate syncs. */
  readonly designatedPortalId: string
  /** By portal id. */
  readonly participants: Map<string, Contact>
  readonly workspaces: Map<string, Workspace>
  /** In milliseconds of `performance.now()`. */
  deletedAt?: number
}

export interface Item {
  readonly id: string
  readonly type: string
  readonly typeKeywords: readonly string[]
  readonly url: string
  owner: string
  folder: string
}

export interface Run {
  readonly id: string
  status: string
  result?: string
}

export interface Task {
  readonly id: string
  readonly owner: string
  readonly runs: Map<string, Run>
}

export interface Federation {
  readonly id: string
  readonly portalId: string
  settings: Record<string, string>
}

export interface Store {
  readonly portals: Readonly<Record<PortalName, string>>
  readonly users: Map<string, User>
  /** Users by token. */
  readonly tokens: Map<string, User>
  readonly collaborations: Map<string, Collaboration>
  readonly groups: Set<string>
  readonly items: Map<string, Item>
  readonly tasks: Map<string, Task>
  readonly federations: Map<string, Federation>
}

/** An empty store for three portals. */
export function createStore(portals: Store['portals']): Store {
  return {
    portals,
    users: new Map(),
    tokens: new Map(),
    collaborations: new Map(),
    groups: new Set(),
    items: new Map(),
    tasks: new Map(),
    federations: new Map(),
  }
}

/** Ids of what fixtures handed out, by where the store keeps it; users by their names. */
export type HandedOut = Readonly<
  Record<'collaborations' | 'groups' | 'items' | 'tasks' | 'federations' | 'users', Set<string>>
>

/** Forgets those and what was made in them; folders that others got from those users or for that run go as well. */
export function removeFromStore(store: Store, given: HandedOut, runId: string): void {
  for (const kind of ['collaborations', 'groups', 'items', 'tasks', 'federations', 'users'] as const)
    for (const id of given[kind]) store[kind].delete(id)
  const named = (folder: string): boolean =>
    folder.includes(runId) || (folder.endsWith('_root') && given.users.has(folder.slice(0, -'_root'.length)))
  for (const { folders } of store.users.values())
    for (const folder of folders) if (named(folder)) folders.delete(folder)
}

/** Forgets all that fixtures handed out and what was made in it; the actors stay, with empty hands. */
export function clearStore(store: Store): void {
  store.collaborations.clear()
  store.groups.clear()
  store.items.clear()
  store.tasks.clear()
  store.federations.clear()
  for (const [username, user] of store.users) {
    user.folders.clear()
    if (user.actor === undefined) store.users.delete(username)
  }
}
