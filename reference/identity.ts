/** How a request proves its caller: a token in the form, the query or a header. */
import { shown } from './answers.ts'
import type { Answer, Arrival, Parts } from './parts.ts'
import { releaseFields } from './release.ts'
import type { PortalName, Store, User } from './store.ts'
import { issueToken, refuseCaller } from './users.ts'

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

/** Whether the user is visible yet. */
export const isShown = ({ shownFrom = 0 }: User): boolean => performance.now() >= shownFrom

/** Issues a token for a user name and a password. Binds it to a referer if the request names one. */
export function generateToken(parts: Parts, store: Store, { form }: Arrival, at: PortalName): Answer {
  const user = store.users.get(form.get('username') ?? '')
  const elsewhere = at !== 'host' && user?.organization !== at
  if (user === undefined || elsewhere || !isShown(user) || user.password !== form.get('password')) {
    return parts.refuse('bad-login', ['Invalid username or password.'])
  }
  const minutes = Number(form.get('expiration') ?? 60) || 60
  const expires = parts.now() + Math.min(minutes * 60_000, parts.administration.longestTokenMs)
  if (parts.administration.oneToken)
    for (const [token, holder] of store.tokens) if (holder === user) store.tokens.delete(token)
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
