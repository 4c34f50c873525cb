/** Users, roles and groups. */
import { done, shown } from '../answers.ts'
import type { Answer } from '../parts.ts'
import type { CustomRole, Group, Role, User } from '../store.ts'
import { addUser, isShown, refuseCaller, viewUser as viewOneself } from '../users.ts'
import {
  type AdministrativeCall,
  administers,
  forAdministrators,
  forOwner,
  isProtected,
  paged,
  type Route,
  unprotect,
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
  if (!administers(call) || !parts.administration.createsUsers)
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
  const shownFrom = performance.now() + parts.administration.newUserShowsMs
  const created = parts.now()
  const user = { username, password, organization: portal, role: 'user', shownFrom, created } as const
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

/** For the hosted edition. An invitation with a password creates the account at once. */
const invite = forAdministrators((call) => {
  const { field, parts } = call
  if (!parts.administration.hosted) return parts.refuse('not-found')
  if (!parts.administration.createsUsers) return parts.refuse('forbidden')
  const { invitations } = JSON.parse(field('invitationList') ?? '{}') as { invitations?: NewMember[] }
  const notInvited = (invitations ?? []).filter((each) => addMember(call, each) !== undefined)
  return done({ notInvited: notInvited.map(({ username }) => username) })
})

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

const readUser = (call: AdministrativeCall) => {
  const user = call.store.users.get(call.params.user as string)
  if (call.user === undefined) return refuseCaller(call)
  if (user === undefined || user.organization !== call.user.organization || !isShown(user))
    return call.parts.refuse('unknown-user')
  // Only users themselves see their privileges.
  const own = user === call.user ? viewOneself(call.store, user) : {}
  return shown({ ...own, ...viewUser(call, user) })
}

/** Deletes a user. False: the user is an actor, or still owns items or groups. */
function remove({ store }: AdministrativeCall, user: User): boolean {
  const owns = [...store.items.values(), ...store.groups.values()].some(
    ({ owner }) => owner === user.username,
  )
  if (owns || user.actor !== undefined) return false
  store.users.delete(user.username)
  for (const [id, task] of store.tasks) if (task.owner === user.username) store.tasks.delete(id)
  for (const [token, holder] of store.tokens) if (holder === user) store.tokens.delete(token)
  return true
}

const deleteUser = forOwner((call, user) => {
  if (!remove(call, user)) return call.parts.refuse('still-owns')
  return done({ username: user.username })
})

const removeUsers = forAdministrators((call) => {
  const named = (call.field('users') ?? '').split(',')
  const notRemoved = named.filter((name) => {
    const user = call.store.users.get(name)
    return user === undefined || user.organization !== call.portal || !remove(call, user)
  })
  return shown({ notRemoved })
})

const listUsers = forAdministrators((call) => {
  const all = [...call.store.users.values()].filter(({ organization }) => organization === call.portal)
  const views = all.map((user) => viewUser(call, user))
  return shown(paged(call, 'users', views, 10))
})

const updateUserRole = forAdministrators((call) => {
  const user = call.store.users.get(call.field('user') ?? '')
  if (user === undefined || user.organization !== call.portal || !isShown(user))
    return call.parts.refuse('unknown-user')
  return giveRole(call, user, call.field('role') ?? '') ? done() : call.parts.refuse('unknown-role')
})

const createRole = forAdministrators(({ field, parts, portal, store }) => {
  const name = field('name')
  if (name === undefined) return parts.refuse('missing-parameter')
  if ([...store.roles.values()].some((each) => each.name === name)) return parts.refuse('name-taken')
  const id = parts.newId('role')
  store.roles.set(id, {
    id,
    name,
    description: field('description') ?? '',
    organization: portal,
    privileges: [],
  })
  return done({ id })
})

const withRole = (handle: (call: AdministrativeCall, role: CustomRole) => Answer) =>
  forAdministrators((call) => {
    const role = call.store.roles.get(call.params.role as string)
    return role === undefined || role.organization !== call.portal
      ? call.parts.refuse('unknown-role')
      : handle(call, role)
  })

const setPrivileges = withRole(({ field, parts }, role) => {
  try {
    const { privileges } = JSON.parse(field('privileges') ?? '') as { privileges: string[] }
    if (!privileges.every((each) => /^(?:portal|premium|features):/.test(each)))
      return parts.refuse('bad-value')
    role.privileges = [...new Set([...privileges, ...parts.administration.rolesAlsoHold])]
    return done()
  } catch {
    return parts.refuse('bad-value')
  }
})

const deleteRole = withRole(({ parts, store }, { id }) => {
  if ([...store.users.values()].some(({ roleId }) => roleId === id)) return parts.refuse('in-use')
  store.roles.delete(id)
  return done()
})

const listRoles = forAdministrators((call) => {
  const all = [...call.store.roles.values()].filter(({ organization }) => organization === call.portal)
  const views = all.map(({ id, name, description }) => ({ id, name, description }))
  return shown(paged(call, 'roles', views, 10))
})

const createGroup = (call: AdministrativeCall) => {
  const { field, parts, store, user } = call
  if (user === undefined) return refuseCaller(call)
  const title = field('title')
  if (title === undefined || field('access') === undefined) return parts.refuse('missing-parameter')
  const same = (each: Group) =>
    each.organization === user.organization && each.title.toLowerCase() === title.toLowerCase()
  if ([...store.groups.values()].some(same)) return parts.refuse('name-taken')
  const group: Group = {
    id: parts.newId('group'),
    title,
    owner: user.username,
    organization: user.organization,
    access: field('access') ?? 'private',
    tags: wordsOf(field('tags')),
  }
  store.groups.set(group.id, group)
  return done({ group: viewGroup(group) })
}

function viewGroup({ id, title, owner, access, tags }: Group) {
  return { id, title, owner, access, tags }
}

const withGroup =
  (handle: (call: AdministrativeCall, group: Group) => Answer) =>
  (call: AdministrativeCall): Answer => {
    const group = call.store.groups.get(call.params.group as string)
    if (call.user === undefined) return refuseCaller(call)
    if (group === undefined || group.organization !== call.user.organization)
      return call.parts.refuse('unknown-group')
    return handle(call, group)
  }

const deleteGroup = withGroup((call, group) => {
  const { parts, store, user } = call
  if (user?.username !== group.owner && user?.role !== 'administrator') return refuseCaller(call)
  const linked = [...store.collaborations.values()]
    .filter(({ deletedAt, about }) => deletedAt === undefined && about !== undefined)
    .flatMap(({ workspaces }) =>
      [...workspaces.values()].flatMap(({ links }) => [...(links?.values() ?? [])]),
    )
    .some(({ groupId }) => groupId === group.id)
  if (linked || isProtected(call, group.id)) return parts.refuse('in-use')
  store.groups.delete(group.id)
  return done({ groupId: group.id })
})

const roles = '/portals/:portal/roles'

export const peopleRoutes: readonly Route[] = [
  { path: '/community/createGroup', handle: createGroup },
  { path: '/community/groups/:group', handle: withGroup((_, group) => shown(viewGroup(group))) },
  { path: '/community/groups/:group/delete', handle: deleteGroup },
  { path: '/community/groups/:group/unprotect', handle: withGroup(unprotect('group')) },
  {
    path: '/community/groups/:group/users',
    handle: withGroup((_, { owner }) => shown({ owner, admins: [owner], users: [] })),
  },
  { path: '/community/users/:user', handle: readUser },
  { path: '/community/users/:user/delete', handle: deleteUser },
  { path: '/portals/:portal/users', handle: listUsers },
  { path: '/portals/:portal/invite', handle: invite },
  { path: '/portals/:portal/removeUsers', handle: removeUsers },
  { path: '/portals/:portal/updateUserRole', handle: updateUserRole },
  { path: '/portals/:portal/createRole', handle: createRole },
  { path: roles, handle: listRoles },
  {
    path: `${roles}/:role`,
    handle: withRole((_, { id, name, description }) => shown({ id, name, description })),
  },
  { path: `${roles}/:role/privileges`, handle: withRole((_, { privileges }) => shown({ privileges })) },
  { path: `${roles}/:role/setPrivileges`, handle: setPrivileges },
  { path: `${roles}/:role/delete`, handle: deleteRole },
]
