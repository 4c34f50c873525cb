/** Who calls: the actors of a run, each with a role in one organisation, and the users that fixtures make. */
import { randomBytes } from 'node:crypto'
import type { PortalName, Role, Store, TokenTerms, User } from './store.ts'

/** The privilege of an owner to transfer content, and of a user to receive it. */
export const transferPrivilege = 'portal:user:reassignItems'
export const receivePrivilege = 'portal:user:receiveItems'

interface Casting {
  readonly organization: PortalName
  readonly role: Role
  readonly privileges?: readonly string[]
}

const ofHost = (role: Role, ...privileges: string[]): Casting => ({ organization: 'host', role, privileges })

const cast = {
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
} as const satisfies Record<string, Casting>

export type ActorName = keyof typeof cast

export const actorNames = Object.keys(cast) as ActorName[]

/** `hostAdministrator` as a user name: `host_administrator`. */
export function usernameOf(actor: ActorName): string {
  return actor.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Adds a user who has no token yet. */
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

/** A new token of that user, on these terms. */
export function issueToken(store: Store, user: User, terms?: TokenTerms): string {
  const token = randomBytes(24).toString('base64url')
  store.tokens.set(token, user)
  if (terms !== undefined) store.tokenTerms.set(token, terms)
  return token
}

const tokensOf = (issue: (actor: ActorName) => string): Record<ActorName, string> =>
  Object.fromEntries(actorNames.map((actor) => [actor, issue(actor)])) as Record<ActorName, string>

/** Adds every actor and gives each a token. */
export const addActors = (store: Store): Record<ActorName, string> =>
  tokensOf((actor) =>
    issueToken(store, addUser(store, { ...cast[actor], actor, username: usernameOf(actor) })),
  )

/** A token of each actor that has ended. */
export const endedTokens = (store: Store): Record<ActorName, string> =>
  tokensOf((actor) => issueToken(store, store.users.get(usernameOf(actor)) as User, { expires: 0 }))

export function organizationOf(actor: ActorName): PortalName {
  return cast[actor].organization
}
