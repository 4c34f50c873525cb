/** The data of the portal, in plain maps. */

/** The portals of the embedded deployment. */
export type PortalName = 'host' | 'guest' | 'otherGuest'

/** `administrator`: the default administrator role; `custom`: a custom role with administrative privileges. */
export type Role = 'administrator' | 'custom' | 'user'

export interface User {
  readonly username: string
  readonly password: string
  readonly organization: PortalName
  role: Role
  /** Id of a custom role. */
  roleId?: string
  privileges: ReadonlySet<string>
  readonly folders: Set<string>
  /** The user's actor in a run. Absent: a fixture or an administrator created the user. */
  readonly actor?: string
  /** Unix time in milliseconds. Absent: before the portal started. */
  readonly created?: number
}

export interface Contact {
  firstname?: string
  lastname?: string
  email?: string
  /** Absent: active. */
  status?: 'invited' | 'answering' | 'active'
  /** Ids of the workspaces that existed at this guest's invitation, or at its last configuration sync. */
  hasHeardOf?: ReadonlySet<string>
}

/** How a portal takes part in a workspace. */
export interface GroupLink {
  accessMode: string
  /** The linked group of that portal. Absent: none. */
  groupId?: string
}

/** A sync of a workspace. `done` settles when it ends. */
export interface SyncJob {
  readonly id: string
  readonly key: string
  /** Unix times in milliseconds. -1: still running. */
  readonly startTime: number
  endTime: number
  readonly done: Promise<void>
  /** When it starts and ends, in ms of `performance.now()`. */
  readonly begunAt: number
  readonly dueAt: number
  /** Whether a schedule started it and not a request. */
  readonly scheduled: boolean
  /** A request that was refused, listed as a sync. */
  readonly failed?: true
  /** Ends it, if it is running. */
  readonly finish: () => void
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
  /** How long each sync takes, in ms. */
  syncMs: number
  sync?: SyncJob
  /** Every sync so far. */
  readonly syncs: SyncJob[]
  /** Group links by portal id. Absent: a fixture, in which every portal counts as linked. */
  readonly links?: Map<string, GroupLink>
  /** Ids of the items that its syncs have copied. */
  readonly copied: Set<string>
  /** When its schedule starts a sync, in Unix time in milliseconds. */
  scheduledAt?: number
}

export interface Collaboration {
  readonly id: string
  readonly hostPortalId: string
  /** The portal that may start syncs, designated when trust is established. Empty: none yet. */
  designatedPortalId: string
  /** By portal id. */
  readonly participants: Map<string, Contact>
  readonly workspaces: Map<string, Workspace>
  /** In ms of `performance.now()`. */
  deletedAt?: number
  /** The data from the administrator who created it. Absent: a fixture. */
  readonly about?: CollaborationAbout
}

interface CollaborationAbout {
  readonly name: string
  readonly description: string
  readonly created: number
  readonly invitations: Invitation[]
}

/** An invitation of a guest. The file for the guest contains its key. */
export interface Invitation {
  readonly guest: PortalName
  readonly key: string
  status: 'host_created' | 'guest_accepted'
}

export interface Group {
  readonly id: string
  readonly title: string
  readonly owner: string
  readonly organization: PortalName
  readonly access: string
  readonly tags: readonly string[]
  /** A workspace uses the group, and no other workspace may. */
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
  /** Null for items without a link, such as web maps. */
  readonly url: string | null
  owner: string
  /** The title of its folder. Empty: none. */
  folder: string
  readonly title?: string
  readonly tags?: readonly string[]
  readonly created?: number
  /** Groups that the item is shared with. */
  readonly groups?: Set<string>
  /** User names of the users who can receive it. Absent: every user who can receive items. */
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
  /** The schedule of the task. Absent: a fixture, which the scheduler never runs. */
  readonly schedule?: Schedule
}

export interface Schedule {
  readonly title: string
  readonly type: string
  readonly itemId: string
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
  /** The expiry and the referer of a token. Absent: it never expires, from any referer. */
  readonly tokenTerms: Map<string, TokenTerms>
  readonly collaborations: Map<string, Collaboration>
  readonly groups: Map<string, Group>
  readonly roles: Map<string, CustomRole>
  readonly items: Map<string, Item>
  /** Deleted items that their owners can still restore. */
  readonly recycleBin: Map<string, Item>
  readonly tasks: Map<string, Task>
  readonly federations: Map<string, Federation>
  /** The syncs that have not ended. */
  readonly running: Set<SyncJob>
  /** The timer of the scheduler, while there are tasks. */
  scheduler?: NodeJS.Timeout
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
    running: new Set(),
  }
}

const handedOutKinds = ['collaborations', 'groups', 'items', 'tasks', 'federations', 'users'] as const

/** Ids of fixtures by kind, with user names for users. */
export type HandedOut = Readonly<Record<(typeof handedOutKinds)[number], Set<string>>>

export const nothingHandedOut = (): HandedOut =>
  Object.fromEntries(handedOutKinds.map((kind) => [kind, new Set<string>()])) as HandedOut

/** Removes these fixtures and their contents, and folders that came from these users or contain the run id. */
export function removeFromStore(store: Store, given: HandedOut, runId: string): void {
  for (const kind of handedOutKinds) for (const id of given[kind]) store[kind].delete(id)
  const named = (folder: string): boolean =>
    folder.includes(runId) || (folder.endsWith('_root') && given.users.has(folder.slice(0, -'_root'.length)))
  for (const { folders } of store.users.values())
    for (const folder of folders) if (named(folder)) folders.delete(folder)
}

/** Removes everything but the actors, and empties their folders. */
export function clearStore(store: Store): void {
  const { users, collaborations, groups, roles, items, recycleBin, tasks, federations } = store
  for (const kind of [collaborations, groups, roles, items, recycleBin, tasks, federations]) kind.clear()
  for (const [username, user] of users) {
    user.folders.clear()
    if (user.actor === undefined) users.delete(username)
  }
}
