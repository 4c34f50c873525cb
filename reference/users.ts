/** Users: what each may do (§5), how a request proves who sends it, and how the portal describes itself to them. */
import { randomBytes } from 'node:crypto'
import { compareReleases } from '../specs/operations.ts'
import { type Reason, shown } from './answers.ts'
import type { Answer, Arrival, Call, May, Parts } from './parts.ts'
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
function issueToken(store: Store, user: User, terms?: TokenTerms): string {
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

/** The token of a `Bearer` header. */
export function bearerOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? /^bearer +(\S+)$/i.exec(header)?.[1] : undefined
}

/** The first credential in the request, in the order in which clients look for a place. Empty ones do not count. */
export function findCredential({ form, query, headers }: Arrival): string | undefined {
  return (
    form.get('token') ||
    query.get('token') ||
    bearerOf(headers.authorization) ||
    bearerOf(headers['x-esri-authorization']) ||
    undefined
  )
}

/** The user of a token, unless the token is expired or bound to another referer. */
export function userOfToken(
  store: Store,
  token: string,
  { headers }: Arrival,
  now: number,
): User | undefined {
  const user = store.tokens.get(token)
  const terms = store.tokenTerms.get(token)
  if (user === undefined || terms === undefined) return user
  const bound = terms.referer !== undefined && terms.referer !== headers.referer
  return now >= terms.expires || bound ? undefined : user
}

/** Issues a token for a user name and a password. Binds it to a referer if the request names one. */
export function generateToken(parts: Parts, store: Store, { form }: Arrival, at: PortalName): Answer {
  const user = store.users.get(form.get('username') ?? '')
  const elsewhere = at !== 'host' && user?.organization !== at
  if (user === undefined || elsewhere || user.password !== form.get('password')) {
    return parts.refuse('bad-login', ['Invalid username or password.'])
  }
  const minutes = Number(form.get('expiration') ?? 60) || 60
  const expires = parts.now() + Math.min(minutes * 60_000, parts.administration.longestTokenMs)
  const referer = form.get('client') === 'referer' ? form.get('referer') : undefined
  const token = issueToken(store, user, { expires, ...(referer === undefined ? {} : { referer }) })
  return shown({ token, expires, ssl: true })
}

/** The description of the portal, and of the caller if there is one. */
export function describePortal(
  parts: Parts,
  store: Store,
  arrival: Arrival,
  { at, contextUrl }: { readonly at: PortalName; contextUrl(name: PortalName): string },
): Answer {
  const user = parts.identify(arrival, store)
  const { hosted } = parts.administration
  const name = user?.organization ?? at
  const self = user === undefined ? {} : { user: viewUser(store, user) }
  return shown({
    id: store.portals[name],
    name: 'Embedded portal',
    portalHostname: contextUrl(name).replace(/^https?:\/\//, ''),
    portalName: hosted ? 'ArcGIS Online' : 'Embedded portal',
    portalMode: hosted ? 'multitenant' : 'singletenant',
    isPortal: true,
    allSSL: true,
    supportsHostedServices: false,
    ...releaseFields(parts),
    ...self,
  })
}

/** The description of the server, with the URL that issues tokens. */
export function describeServer(parts: Parts, base: string): Answer {
  const authInfo = { isTokenBasedSecurity: true, tokenServicesUrl: `${base}/generateToken` }
  const owningSystemUrl = base.replace(/\/sharing\/rest$/, '')
  return shown({ owningSystemUrl, ...releaseFields(parts), authInfo })
}

/** The description of the caller. */
export function describeCaller(parts: Parts, store: Store, arrival: Arrival): Answer {
  const user = parts.identify(arrival, store)
  return user === undefined ? refuseCaller({ user, arrival, parts }) : shown(viewUser(store, user))
}

/** A custom role with administrative privileges also shows org_admin. Its id distinguishes it. */
const roles = { administrator: 'org_admin', custom: 'org_admin', user: 'org_user' }

/** Privileges of the default administrator role. */
const ofAdministrators = [
  'portal:admin:manageCollaborations',
  'portal:admin:manageRoles',
  'portal:admin:reassignItems',
  'portal:admin:viewUsers',
  'portal:user:createGroup',
  'portal:user:createItem',
]

/** A user's own view of the account. */
export function viewUser(store: Store, user: User): Record<string, unknown> {
  const { username, role, privileges, organization } = user
  const custom = role === 'custom' ? 'customadministrt' : undefined
  const roleId = user.roleId ?? custom
  return {
    username,
    fullName: username,
    role: roles[role],
    ...(roleId === undefined ? {} : { roleId }),
    privileges: [...privileges, ...(role === 'administrator' ? ofAdministrators : [])],
    orgId: store.portals[organization],
  }
}

/** The first release whose answers contain `enterpriseVersion`. */
const firstThatSays = '11.3'

/**
 * `currentVersion` is an internal number: 7.1 for release 10.7, 10.1 for 11.0, and a year for newer releases and the
 * hosted edition. A client's source warns that it "may not match the version of the product".
 */
function internalNumber(release: string): string {
  const [major, minor] = release.split('.').map(Number)
  if (major === 10) return `${minor}.1`
  return compareReleases(release, '11.1') < 0 ? '10.1' : '2024.1'
}

/** The fields of answers that contain the release. */
export function releaseFields({ administration: { release, hosted } }: Parts): Record<string, string> {
  if (hosted) return { currentVersion: '2024.1' }
  return {
    currentVersion: internalNumber(release),
    ...(compareReleases(release, firstThatSays) < 0 ? {} : { enterpriseVersion: release }),
  }
}
