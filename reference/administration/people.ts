/** Users, roles and groups. */
import { done, shown } from '../answers.ts'
import type { Answer } from '../parts.ts'
import type { CustomRole, Group, Role, User } from '../store.ts'
import { addUser, isAdministrator, viewUser as viewOneself } from '../users.ts'
import {
  type Access,
  type AdministrativeCall,
  administrator,
  isProtected,
  owner,
  page,
  paged,
  type Route,
  signedIn,
  unprotect,
  within,
  wordsOf,
} from './call.ts'

const rolesByName: Readonly<Record<string, Role>> = {
  org_admin: 'administrator',
  org_publisher: 'user',
  org_user: 'user',
}

/** Gives the user a default role, by its name, or a custom role, by its id. False: no such role exists. */
function giveRole({ store, portal }: AdministrativeCall, user: User, named: string): boolean {
  const standard = rolesByName[named]
  const custom = store.roles.get(named)
  if (standard !== undefined) {
    user.role = standard
    user.privileges = new Set(standard === 'administrator' ? [] : ['portal:user:createItem'])
    delete user.roleId
    return true
  }
  if (custom === undefined || custom.organization !== portal) return false
  user.roleId = custom.id
  user.role = custom.privileges.some((each) => each === 'portal:admin:reassignItems') ? 'custom' : 'user'
  user.privileges = new Set(custom.privileges)
  return true
}

/** Unlike all other answers, those of createUser have a `status` and `messages`. */
export const createUser = (call: AdministrativeCall): Answer => {
  const { field, parts, user } = call
  const refused = (code: number, message: string): Answer => ({
    status: 200,
    body: { status: 'error', messages: [message], code },
    refused: 'forbidden',
  })
  if (parts.administration.hosted) return { ...parts.refuse('not-found'), status: 404 }
  if (user === undefined) return refused(499, 'Token Required.')
  if (typeof administrator(call) === 'string' || !parts.administration.createsUsers)
    return refused(403, 'You do not have permission to create users.')
  const wrong = addMember(call, {
    username: field('username'),
    password: field('password'),
    role: field('role'),
  })
  return wrong === undefined ? shown({ status: 'success' }) : refused(400, wrong)
}

interface NewMember {
  readonly username?: string | undefined
  readonly password?: string | undefined
  readonly role?: string | undefined
}

/** Adds a user. Returns the reason if that is not possible. */
function addMember(
  call: AdministrativeCall,
  { username, password, role = 'org_user' }: NewMember,
): string | undefined {
  const { parts, portal, store } = call
  if (username === undefined || !/^[A-Za-z0-9_.@-]{6,24}$/.test(username))
    return 'The username must have 6 to 24 letters, digits or _ . @ -'
  if (password === undefined || !/^(?=.*[A-Za-z])(?=.*\d).{8,}$/.test(password))
    return 'The password must have 8 characters, with a letter and a digit.'
  if (store.users.has(username)) return `The user ${username} exists already.`
  if (!Object.hasOwn(rolesByName, role)) return `There is no role ${role}.`
  const created = parts.now()
  const user = { username, password, organization: portal, role: 'user', created } as const
  giveRole(call, addUser(store, user), role)
  if (parts.administration.usersOwnFromTheStart) welcome(call, username)
  return undefined
}

/** Creates an item and a group for a new user. */
function welcome({ parts, portal, store }: AdministrativeCall, owner: string): void {
  const [item, group] = [parts.newId('item'), parts.newId('group')]
  store.items.set(item, {
    id: item,
    type: 'Web Map',
    typeKeywords: ['Web Map'],
    title: 'Welcome',
    url: null,
    owner,
    folder: '',
    created: parts.now(),
  })
  const title = `Group of ${owner}`
  store.groups.set(group, { id: group, title, owner, organization: portal, access: 'private', tags: [] })
}

function viewUser(
  { store }: AdministrativeCall,
  { username, role, roleId, organization, created = 0 }: User,
) {
  return {
    username,
    fullName: username,
    email: `${username}@example.com`,
    role: role === 'administrator' || role === 'custom' ? 'org_admin' : 'org_user',
    ...(roleId === undefined ? {} : { roleId }),
    userLicenseTypeId: 'creatorUT',
    orgId: store.portals[organization],
    created,
    groups: [...store.groups.values()].filter(({ owner }) => owner === username).map(viewGroup),
  }
}

function viewGroup({ id, title, owner, access, tags }: Group) {
  return { id, title, owner, access, tags }
}

const viewRole = ({ id, name, description }: CustomRole) => ({ id, name, description })

/** Deletes a user. False: the user is an actor, or still owns items or groups. */
function remove({ store }: AdministrativeCall, user: User): boolean {
  const owns = [...store.items.values(), ...store.groups.values()].some(
    (each) => each.owner === user.username,
  )
  if (owns || user.actor !== undefined) return false
  store.users.delete(user.username)
  for (const [id, task] of store.tasks) if (task.owner === user.username) store.tasks.delete(id)
  for (const [token, holder] of store.tokens) if (holder === user) store.tokens.delete(token)
  return true
}

/** The user with this name in the portal of the path. */
function memberOf({ store, portal }: AdministrativeCall, username = ''): User | undefined {
  const user = store.users.get(username)
  return user?.organization === portal ? user : undefined
}

const ofPortal = <Thing extends { readonly organization: string }>(
  { portal }: AdministrativeCall,
  things: ReadonlyMap<string, Thing>,
): Thing[] => [...things.values()].filter(({ organization }) => organization === portal)

/** The custom role in the path. */
const role: Access<CustomRole> = within(administrator, ({ params, portal, store }) => {
  const found = store.roles.get(params.role as string)
  return found?.organization === portal ? found : 'unknown-role'
})

/** The group in the path, for every user of its organization. */
const group: Access<Group> = within(signedIn, ({ params, store }, { organization }) => {
  const found = store.groups.get(params.group as string)
  return found?.organization === organization ? found : 'unknown-group'
})

const isLinked = ({ store }: AdministrativeCall, { id }: Group): boolean =>
  [...store.collaborations.values()]
    .filter(({ deletedAt, about }) => deletedAt === undefined && about !== undefined)
    .flatMap(({ workspaces }) => [...workspaces.values()])
    .some(({ links }) => [...(links?.values() ?? [])].some(({ groupId }) => groupId === id))

const groupRoutes: readonly Route[] = [
  page(
    '/community/createGroup',
    signedIn,
    ({ field, parts, store }, { username, organization }) => {
      const title = field('title') as string
      const same = (each: Group) =>
        each.organization === organization && each.title.toLowerCase() === title.toLowerCase()
      if ([...store.groups.values()].some(same)) return 'name-taken'
      const access = field('access') as string
      const tags = wordsOf(field('tags'))
      const added = { id: parts.newId('group'), title, owner: username, organization, access, tags }
      store.groups.set(added.id, added)
      return done({ group: viewGroup(added) })
    },
    ['title', 'access'],
  ),
  page('/community/groups/:group', group, (_, found) => shown(viewGroup(found))),
  page('/community/groups/:group/delete', group, (call, found) => {
    const { store, user } = call
    if (user?.username !== found.owner && !isAdministrator(user)) return 'caller'
    if (isLinked(call, found) || isProtected(call, found.id)) return 'in-use'
    store.groups.delete(found.id)
    return done({ groupId: found.id })
  }),
  page('/community/groups/:group/unprotect', group, unprotect),
]

const userRoutes: readonly Route[] = [
  page('/community/users/:user', signedIn, (call, caller) => {
    const user = call.store.users.get(call.params.user as string)
    if (user === undefined || user.organization !== caller.organization) return 'unknown-user'
    // Only users themselves see their privileges.
    return shown({ ...(user === caller ? viewOneself(call.store, user) : {}), ...viewUser(call, user) })
  }),
  page('/community/users/:user/delete', owner, (call, user) =>
    remove(call, user) ? done({ username: user.username }) : 'still-owns',
  ),
  // For the hosted edition. An invitation with a password creates the account at once.
  page('/portals/:portal/invite', administrator, (call) => {
    const { field, parts } = call
    if (!parts.administration.hosted) return 'not-found'
    if (!parts.administration.createsUsers) return 'forbidden'
    const { invitations = [] } = JSON.parse(field('invitationList') ?? '{}') as { invitations?: NewMember[] }
    const notInvited = invitations.filter((each) => addMember(call, each) !== undefined)
    return done({ notInvited: notInvited.map(({ username }) => username) })
  }),
  page('/portals/:portal/removeUsers', administrator, (call) => {
    const named = (call.field('users') ?? '').split(',')
    const notRemoved = named.filter((name) => {
      const user = memberOf(call, name)
      return user === undefined || !remove(call, user)
    })
    return shown({ notRemoved })
  }),
  page('/portals/:portal/updateUserRole', administrator, (call) => {
    const user = memberOf(call, call.field('user'))
    if (user === undefined) return 'unknown-user'
    return giveRole(call, user, call.field('role') ?? '') ? done() : 'unknown-role'
  }),
]

const roles = '/portals/:portal/roles'

const roleRoutes: readonly Route[] = [
  page(
    '/portals/:portal/createRole',
    administrator,
    ({ field, parts, portal, store }) => {
      const name = field('name') as string
      if ([...store.roles.values()].some((each) => each.name === name)) return 'name-taken'
      const id = parts.newId('role')
      const description = field('description') ?? ''
      store.roles.set(id, { id, name, description, organization: portal, privileges: [] })
      return done({ id })
    },
    ['name'],
  ),
  page(roles, administrator, (call) => {
    const views = ofPortal(call, call.store.roles).map(viewRole)
    return shown(paged(call, 'roles', views, 10))
  }),
  page(`${roles}/:role`, role, (_, found) => shown(viewRole(found))),
  page(`${roles}/:role/privileges`, role, (_, { privileges }) => shown({ privileges })),
  page(`${roles}/:role/setPrivileges`, role, ({ field, parts }, found) => {
    const privileges = privilegesIn(field('privileges'))
    if (privileges === undefined) return 'bad-value'
    found.privileges = [...new Set([...privileges, ...parts.administration.rolesAlsoHold])]
    return done()
  }),
  page(`${roles}/:role/delete`, role, ({ store }, { id }) => {
    if ([...store.users.values()].some(({ roleId }) => roleId === id)) return 'in-use'
    store.roles.delete(id)
    return done()
  }),
]

/** Parses `{"privileges":["portal:…"]}`. Undefined: invalid. */
function privilegesIn(text = ''): string[] | undefined {
  try {
    const { privileges } = JSON.parse(text) as { privileges: string[] }
    return privileges.every((each) => /^(?:portal|premium|features):/.test(each)) ? privileges : undefined
  } catch {
    return undefined
  }
}

export const peopleRoutes: readonly Route[] = [...groupRoutes, ...userRoutes, ...roleRoutes]
