/** The actors of a run, the users of fixtures, and what each may do (§5). */
import { randomBytes } from 'node:crypto'
import type { Reason } from './answers.ts'
import type { Answer, Call, May } from './parts.ts'
import type { Collaboration, PortalName, Role, Store, TokenTerms, User } from './store.ts'

/** The privilege of an owner to transfer content, and the privilege of a user to receive it. */
export const transferPrivilege = 'portal:user:reassignItems'
export const receivePrivilege = 'portal:user:receiveItems'

interface ActorRole {
  readonly organization: PortalName
  readonly role: Role
  readonly privileges?: readonly string[]
}

const ofHost = (role: Role, ...privileges: string[]): ActorRole => ({
  organization: 'host',
  role,
  privileges,
})

const roleOf = {
  hostAdministrator: ofHost('administrator'),
  hostMember: ofHost('user'),
  guestAdministrator: { organization: 'guest', role: 'administrator' },
  organizationAdministrator: ofHost('administrator'),
  contentAdministrator: ofHost('administrator', receivePrivilege),
  customAdministrator: ofHost('custom', receivePrivilege),
  itemOwner: ofHost('user', transferPrivilege, receivePrivilege),
  itemOwnerUnprivileged: ofHost('user', receivePrivilege),
  outsider: ofHost('user'),
  taskOwner: ofHost('user'),
  syncInitiator: { organization: 'guest', role: 'administrator' },
  syncNonInitiator: { organization: 'otherGuest', role: 'administrator' },
} as const satisfies Record<string, ActorRole>

export type ActorName = keyof typeof roleOf

export const actorNames = Object.keys(roleOf) as ActorName[]

/** The user name of an actor: `host_administrator` for `hostAdministrator`. */
export function usernameOf(actor: ActorName): string {
  return actor.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Adds a user without a token. */
export function addUser(
  store: Store,
  user: Omit<User, 'password' | 'folders' | 'privileges'> & {
    password?: string
    privileges?: readonly string[]
  },
): User {
  const added: User = {
    ...user,
    password: user.password ?? randomBytes(12).toString('hex'),
    privileges: new Set(user.privileges),
    folders: new Set(),
  }
  store.users.set(added.username, added)
  return added
}

/** Issues a new token for a user, with an expiry or a referer if `terms` are given. */
export function issueToken(store: Store, user: User, terms?: TokenTerms): string {
  const token = randomBytes(24).toString('base64url')
  store.tokens.set(token, user)
  if (terms !== undefined) store.tokenTerms.set(token, terms)
  return token
}

const tokensOf = (issue: (actor: ActorName) => string): Record<ActorName, string> =>
  Object.fromEntries(actorNames.map((actor) => [actor, issue(actor)])) as Record<ActorName, string>

/** Adds every actor and issues a token for each. */
export const addActors = (store: Store): Record<ActorName, string> =>
  tokensOf((actor) =>
    issueToken(store, addUser(store, { ...roleOf[actor], actor, username: usernameOf(actor) })),
  )

/** An expired token for each actor. */
export const endedTokens = (store: Store): Record<ActorName, string> =>
  tokensOf((actor) => issueToken(store, store.users.get(usernameOf(actor)) as User, { expires: 0 }))

export function organizationOf(actor: ActorName): PortalName {
  return roleOf[actor].organization
}

/** Whether the user has the default administrator role. */
export function isAdministrator(user: User | undefined): user is User {
  return user?.role === 'administrator'
}

/** Whether the caller is an administrator of the host. */
export const isHostAdministrator = ({ user }: Pick<Call, 'user'>): boolean =>
  isAdministrator(user) && user.organization === 'host'

/** Whether the caller is an administrator of a guest. */
export const isGuestAdministrator = ({ user }: Pick<Call, 'user'>): boolean =>
  isAdministrator(user) && user.organization !== 'host'

/** Whether the caller is a member of the host, administrators included. */
export const isOfHost = ({ user }: Pick<Call, 'user'>): boolean => user?.organization === 'host'

/** Whether the caller is one of these actors. */
export const isOneOf =
  (...actors: readonly ActorName[]) =>
  ({ user }: Pick<Call, 'user'>): boolean =>
    actors.some((actor) => actor === user?.actor)

function administersHost(call: Call, collaboration: Collaboration): boolean {
  return (
    isAdministrator(call.user) &&
    call.store.portals[call.user.organization] === collaboration.hostPortalId &&
    call.params.portalID === collaboration.hostPortalId
  )
}

export const honestMay: May = {
  'add-workspace': administersHost,
  'update-participant': administersHost,
  'delete-collaboration': administersHost,

  /** The designated participant, under its own portal's id or the host's. */
  'sync-workspace'({ user, store, params }, { designatedPortalId, hostPortalId }) {
    return (
      isAdministrator(user) &&
      store.portals[user.organization] === designatedPortalId &&
      (params.portalID === designatedPortalId || params.portalID === hostPortalId)
    )
  },

  'update-federation'({ user, store, params }, { portalId }) {
    return (
      isAdministrator(user) && store.portals[user.organization] === portalId && params.portalID === portalId
    )
  },

  'update-task-run'(call, task) {
    return call.user?.username === task.owner || isHostAdministrator(call)
  },

  'reassign-items'({ user }, owner) {
    if (user === undefined || user.organization !== owner.organization) return false
    if (user.role === 'administrator' || user.role === 'custom') return true
    return user.username === owner.username && user.privileges.has(transferPrivilege)
  },
}

/** The refusal of a caller: forbidden with a valid credential, otherwise the credential is missing or invalid. */
export function refuseCaller({ user, arrival, parts }: Pick<Call, 'user' | 'arrival' | 'parts'>): Answer {
  if (user !== undefined) return parts.refuse('forbidden')
  return parts.refuse(parts.credentialOf(arrival) === undefined ? 'token-required' : 'invalid-token')
}

/** The reasons that refuse a caller. */
export const forCaller: readonly Reason[] = ['forbidden', 'token-required', 'invalid-token']
