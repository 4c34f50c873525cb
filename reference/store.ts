/** What the portal remembers: plain maps, so that what is deleted is really gone. */

/** The portals that the embedded deployment plays. */
export type PortalName = 'host' | 'guest' | 'otherGuest'

/** `administrator`: the default administrator role; `custom`: a custom role with administrative privileges. */
export type Role = 'administrator' | 'custom' | 'user'

export interface User {
  readonly username: string
  readonly password: string
  readonly organization: PortalName
  role: Role
  /** Of a custom role. */
  roleId?: string
  privileges: ReadonlySet<string>
  readonly folders: Set<string>
  /** The part that the user plays in a run; absent for users whom a fixture made. */
  readonly actor?: string
  /** In ms since 1970; absent: before the portal began. */
  readonly created?: number
  /** From then on others know of the user, in ms of `performance.now()`; absent: always. */
  readonly shownFrom?: number
}

export interface Contact {
  firstname?: string
  lastname?: string
  email?: string
  /** Absent: active. */
  status?: 'invited' | 'answering' | 'active'
  /** Ids of the workspaces that were there when this guest was invited, or at its last configuration sync. */
  hasHeardOf?: ReadonlySet<string>
  /** When that last sync was, in Unix time in milliseconds. */
  lastConfigSync?: number
}

/** How a portal takes part in a workspace. */
export interface GroupLink {
  accessMode: string
  /** A group of that portal; absent: none is linked. */
  groupId?: string
}

/** A sync in progress; `done` settles when it is over. */
export interface SyncJob {
  readonly id: string
  readonly key: string
  /** Unix times in milliseconds; -1: not over. */
  readonly startTime: number
  endTime: number
  readonly done: Promise<void>
  /** When it began and when it is over, in ms of `performance.now()`. */
  readonly begunAt: number
  readonly dueAt: number
  /** It runs on schedule: no one asked for it. */
  readonly scheduled: boolean
}

export interface Workspace {
  readonly id: string
  name: string
  description: string
  readonly collaborationId: string
  readonly portalGroupId: string
  readonly created: number
  modified: number
  /** Unix time in milliseconds; -1: never synced. */
  lastSyncSuccess: number
  /** How long each of its syncs takes, in milliseconds. */
  syncMs: number
  sync?: SyncJob
  /** Every sync so far. */
  readonly syncs: SyncJob[]
  /** By portal id, where administrators linked groups; absent: all are, as in fixtures. */
  readonly links?: Map<string, GroupLink>
  /** Ids of the items that its syncs have copied. */
  readonly copied: Set<string>
  schedule?: SyncSchedule
}

/** When a workspace is synced without being asked. Unix times in milliseconds. */
export interface SyncSchedule {
  readonly startTime: number
  readonly intervalHours: number
  /** -1: without end. */
  readonly repeatCount: number
  timesTriggered: number
  paused: boolean
}

export interface Collaboration {
  readonly id: string
  readonly hostPortalId: string
  /** The portal that the trust establishment designated to initiate syncs; empty: none yet. */
  designatedPortalId: string
  /** By portal id. */
  readonly participants: Map<string, Contact>
  readonly workspaces: Map<string, Workspace>
  /** In milliseconds of `performance.now()`. */
  deletedAt?: number
  /** What an administrator said of it who made it; absent: a fixture. */
  readonly about?: CollaborationAbout
}

interface CollaborationAbout {
  readonly name: string
  readonly description: string
  readonly creator: string
  readonly created: number
  readonly invitations: Map<string, Invitation>
}

/** An invitation of a guest; its key is in the file that the guest is sent. */
export interface Invitation {
  readonly id: string
  readonly guest: PortalName
  readonly key: string
  readonly created: number
  status: 'host_created' | 'guest_accepted' | 'invalidated'
}

export interface Group {
  readonly id: string
  readonly title: string
  readonly owner: string
  readonly organization: PortalName
  readonly access: string
  readonly tags: readonly string[]
  /** It is linked to a workspace and takes no other. */
  taken?: true
}

/** A custom role. */
export interface CustomRole {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly organization: PortalName
  privileges: readonly string[]
}

export interface Item {
  readonly id: string
  readonly type: string
  readonly typeKeywords: readonly string[]
  /** Null for items that hold no link, such as web maps. */
  readonly url: string | null
  owner: string
  /** Its title; empty: none. */
  folder: string
  readonly title?: string
  readonly tags?: readonly string[]
  readonly created?: number
  /** Groups that it is shared with. */
  readonly groups?: Set<string>
  /** User names of those who can receive it; absent: every user who can receive any. */
  readonly receivers?: ReadonlySet<string>
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
  /** What the scheduler knows of it; absent: a fixture, which no scheduler fires. */
  readonly schedule?: Schedule
}

export interface Schedule {
  readonly title: string
  readonly type: string
  readonly itemId: string
  readonly cron: string
  readonly maxOccurrences: number
  active: boolean
  fired: number
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
  /** How long a token holds and which referer it is bound to; absent: for ever, and to none. */
  readonly tokenTerms: Map<string, TokenTerms>
  readonly collaborations: Map<string, Collaboration>
  readonly groups: Map<string, Group>
  readonly roles: Map<string, CustomRole>
  readonly items: Map<string, Item>
  /** Deleted items that their owners can still restore. */
  readonly recycleBin: Map<string, Item>
  readonly tasks: Map<string, Task>
  readonly federations: Map<string, Federation>
}

export interface TokenTerms {
  /** Unix time in milliseconds. */
  readonly expires: number
  readonly referer?: string
}

/** An empty store for three portals. */
export function createStore(portals: Store['portals']): Store {
  return {
    portals,
    users: new Map(),
    tokens: new Map(),
    tokenTerms: new Map(),
    collaborations: new Map(),
    groups: new Map(),
    roles: new Map(),
    items: new Map(),
    recycleBin: new Map(),
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
  store.roles.clear()
  store.items.clear()
  store.recycleBin.clear()
  store.tasks.clear()
  store.federations.clear()
  for (const [username, user] of store.users) {
    user.folders.clear()
    if (user.actor === undefined) store.users.delete(username)
  }
}
