/** The neighbouring endpoints that ordinary clients ask first: signing in, who am I, which release. */
import type { Answer, Arrival, Parts } from './parts.ts'
import type { Store } from './store.ts'
import type { User } from './user.ts'
import { issueToken } from './users.ts'

/** The release that the portal says it is. */
export const release = '11.0'

/** A token for a user name and a password. Its life is not limited: the portal itself does not live long. */
export function generateToken(parts: Parts, store: Store, { form }: Arrival): Answer {
  const user = store.users.get(form.get('username') ?? '')
  if (user === undefined || user.password !== form.get('password')) {
    return parts.refuse('bad-login', ['Invalid username or password.'])
  }
  const minutes = Number(form.get('expiration') ?? 60) || 60
  const token = issueToken(store, user)
  return { status: 200, body: { token, expires: parts.now() + minutes * 60_000, ssl: false } }
}

/** What the portal says of itself, and of the caller where there is one. */
export function describePortal(store: Store, user: User | undefined): Answer {
  const id = store.portals[user?.organization ?? 'host']
  const self = user === undefined ? {} : { user: viewUser(store, user) }
  return {
    status: 200,
    body: { id, name: 'Embedded portal', isPortal: true, currentVersion: release, ...self },
  }
}

/** What the portal says of the caller. */
export function describeCaller(parts: Parts, store: Store, user: User | undefined): Answer {
  return user === undefined ? parts.refuse('token-required') : { status: 200, body: viewUser(store, user) }
}

const roles = { administrator: 'org_admin', custom: 'custom_administrator', user: 'org_user' }

function viewUser(store: Store, { username, role, privileges, organization }: User): Record<string, unknown> {
  return {
    username,
    fullName: username,
    role: roles[role],
    privileges: [...privileges],
    orgId: store.portals[organization],
  }
}
