/** What administrators may not do. Tests of `deployment/administration` show what they can do. */
import { expect, it } from 'vitest'
import {
  beginRun,
  configurationFor,
  portalWith,
} from '../../deployment/administration/administered.fixture.ts'
import type { EmbeddedPortal } from '../portal.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Body = any

const headers = { referer: 'test' }

async function tokenOf({ logins }: EmbeddedPortal, name: 'host' | 'guest'): Promise<string> {
  const { baseUrl, username, password } = logins[name]
  const body = new URLSearchParams({ username, password, client: 'referer', referer: 'test', f: 'json' })
  const answer = await fetch(`${baseUrl}/generateToken`, { method: 'POST', body })
  return ((await answer.json()) as Body).token
}

/** Sends a request of the administrator of that portal. */
async function ask(
  portal: EmbeddedPortal,
  name: 'host' | 'guest',
  path: string,
  fields: Record<string, string> = {},
): Promise<Body> {
  const body = new URLSearchParams({ f: 'json', token: await tokenOf(portal, name), ...fields })
  return (await fetch(portal.logins[name].baseUrl + path, { method: 'POST', body, headers })).json()
}

it('a guest cannot delete a linked group, and cannot sync without one', async () => {
  const portal = await portalWith()
  const { obtain } = await beginRun(configurationFor(portal))
  const { collaborationId, workspaceId } = (await obtain('workspace')) as Record<string, string>
  const workspace = portal.store.collaborations.get(collaborationId!)?.workspaces.get(workspaceId!)
  const link = workspace?.links?.get(portal.store.portals.guest)
  const sync = `/portals/self/collaborations/${collaborationId}/workspaces/${workspaceId}/sync`
  expect((await ask(portal, 'guest', `/community/groups/${link?.groupId}/delete`)).error).toMatchObject({
    message: 'It is still in use.',
  })
  expect(await ask(portal, 'guest', sync, { async: 'false' })).toMatchObject({ success: true })
  delete link?.groupId
  expect((await ask(portal, 'guest', sync, { async: 'false' })).error.code).toBe(400)
})

it('no user can be deleted who owns items, no role that a user has, and no user is made twice', async () => {
  const portal = await portalWith()
  const { obtain } = await beginRun(configurationFor(portal))
  const { owner = '' } = (await obtain('items', { owner: 'itemOwner', count: 1 })) as Record<string, string>
  const user = portal.store.users.get(owner)
  expect((await ask(portal, 'host', `/community/users/${owner}/delete`)).error.message).toContain('owns')
  expect((await ask(portal, 'host', `/portals/self/roles/${user?.roleId}/delete`)).error).toMatchObject({
    message: 'It is still in use.',
  })
  // Users are made outside the base path.
  const again = { username: owner, password: 'correct horse 1', role: 'org_user' }
  expect(await ask(portal, 'host', '/../../portaladmin/security/users/createUser', again)).toMatchObject({
    status: 'error',
    messages: [`The user ${owner} exists already.`],
  })
})

it('an item keeps its URL, and no other item of the folder can have that URL', async () => {
  const portal = await portalWith()
  const add = (fields: Record<string, string>) =>
    ask(portal, 'host', `/content/users/${portal.logins.host.username}/addItem`, {
      title: 'An item',
      ...fields,
    })
  const map = await add({ type: 'Web Map', text: '{}' })
  expect((await ask(portal, 'host', `/content/items/${map.id}`)).url).toBeNull()
  const link = { type: 'Document Link', url: 'https://example.com/1' }
  const linked = await add(link)
  expect((await ask(portal, 'host', `/content/items/${linked.id}`)).url).toBe(link.url)
  expect((await add(link)).error.message).toContain('URL')
})

it('a scheduled task runs each minute until its last occurrence', async () => {
  const portal = await portalWith()
  const { username } = portal.logins.host
  const item = { title: 'N', type: 'Notebook', text: '{}' }
  const { id: itemId } = await ask(portal, 'host', `/content/users/${username}/addItem`, item)
  const tasks = `/community/users/${username}/tasks`
  const schedule = { title: 'T', type: 'ExecuteNotebook', itemId, minute: '*/1', maxOccurrences: '2' }
  const { taskId } = await ask(portal, 'host', `${tasks}/createTask`, schedule)
  const statuses = async () =>
    (await ask(portal, 'host', `${tasks}/${taskId}/runs`)).runs.map((run: Body) => run.status)
  await expect.poll(statuses, { timeout: 5000 }).toEqual(['succeeded', 'succeeded'])
  expect((await ask(portal, 'host', `${tasks}/${taskId}`)).active).toBe(false)
})

it('a token is accepted only with its referer', async () => {
  const portal = await portalWith()
  const self = `${portal.baseUrl}/community/self?f=json&token=${await tokenOf(portal, 'host')}`
  expect(((await (await fetch(self)).json()) as Body).error.code).toBe(498)
  expect((await (await fetch(self, { headers })).json()) as Body).toHaveProperty('username')
})
