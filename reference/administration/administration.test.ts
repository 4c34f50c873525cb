import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EmbeddedPortal, startPortal } from '../portal.ts'
import type { PortalName } from '../store.ts'

let portal: EmbeddedPortal

beforeAll(async () => {
  portal = await startPortal()
})

afterAll(() => portal.close())

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Body = any

const tokens = new Map<string, string>()

async function tokenOf(name: PortalName): Promise<string> {
  const known = tokens.get(name)
  if (known !== undefined) return known
  const { baseUrl, username, password } = portal.logins[name]
  const body = new URLSearchParams({ username, password, client: 'referer', referer: 'test', f: 'json' })
  const answer = await fetch(`${baseUrl}/generateToken`, { method: 'POST', body })
  const { token } = (await answer.json()) as { token: string }
  tokens.set(name, token)
  return token
}

async function send(
  name: PortalName,
  path: string,
  fields: Record<string, string | Blob> = {},
): Promise<Response> {
  const { baseUrl } = portal.logins[name]
  const all = { f: 'json', token: await tokenOf(name), ...fields }
  const isFile = Object.values(all).some((value) => typeof value !== 'string')
  const body = isFile ? new FormData() : new URLSearchParams()
  for (const [key, value] of Object.entries(all))
    typeof value === 'string' ? body.append(key, value) : (body as FormData).append(key, value, 'file')
  return fetch(baseUrl + path, { method: 'POST', body, headers: { referer: 'test' } })
}

const ask = async (
  name: PortalName,
  path: string,
  fields: Record<string, string | Blob> = {},
): Promise<Body> => (await send(name, path, fields)).json()

async function group(name: PortalName, title: string): Promise<string> {
  const made = await ask(name, '/community/createGroup', { title, access: 'private', tags: 'a,b' })
  return made.group.id
}

/** Creates a collaboration with a guest and one workspace. */
async function shared(name: string) {
  const created = await ask('host', '/portals/self/createCollaboration', {
    name,
    workspaceName: 'First',
    portalGroupId: await group('host', `${name} host`),
    accessMode: 'sendAndReceive',
  })
  const id = created.collaboration.id as string
  const at = `/portals/self/collaborations/${id}`
  const { workspaces } = await ask('host', `${at}/workspaces`)
  const workspace = workspaces[0].id as string
  const guestPortalUrl = portal.logins.guest.baseUrl.replace('/sharing/rest', '')
  const access = JSON.stringify([{ [workspace]: 'sendAndReceive' }])
  const invitation = await send('host', `${at}/inviteParticipant`, {
    guestPortalUrl,
    collaborationWorkspacesParticipantConfigJSON: access,
  })
  const invitationFile = await invitation.blob()
  await ask('guest', '/portals/self/acceptCollaborationInvitation', { invitationFile })
  const response = await send('guest', `${at}/exportInvitationResponse`)
  const imported = await ask('host', `${at}/importInvitationResponse`, {
    invitationResponseFile: await response.blob(),
  })
  expect(imported).toEqual({ success: true })
  return { id, at, workspace }
}

describe('the administration of the embedded portal', () => {
  it('creates a collaboration that a guest joins by invitation, and deletes it', async () => {
    const { id, at, workspace } = await shared('trust')
    const { participants } = await ask('host', `${at}/participants`)
    expect(participants).toMatchObject([
      { collaborationRole: 'Host', status: 'active' },
      { collaborationRole: 'Guest', status: 'active' },
    ])
    const sync = `${at}/workspaces/${workspace}/sync`
    expect((await ask('guest', sync, { async: 'false' })).error.code).toBe(400)
    const portalGroupId = await group('guest', 'trust guest')
    expect(
      await ask('guest', `${at}/workspaces/${workspace}/updatePortalGroupLink`, { portalGroupId }),
    ).toEqual({
      success: true,
    })
    expect(await ask('guest', sync, { async: 'false' })).toMatchObject({ success: true })
    const { status } = await ask('host', `${at}/workspaces/${workspace}/syncStatus`)
    expect(status).toMatchObject([{ status: 'completed' }])
    expect((await ask('host', `/community/groups/${portalGroupId}/delete`)).error).toBeDefined()
    expect(await ask('host', `${at}/delete`)).toEqual({ success: true })
    expect((await ask('host', at)).error.code).toBe(404)
    expect((await ask('host', '/portals/self/collaborations')).collaborations).toEqual([])
    expect(portal.store.collaborations.get(id)?.deletedAt).toBeDefined()
    expect(await ask('guest', `/community/groups/${portalGroupId}/delete`)).toMatchObject({ success: true })
  })

  it('creates users with roles, and deletes them only once they own nothing', async () => {
    const { id } = await ask('host', '/portals/self/createRole', { name: 'makers' })
    const privileges = JSON.stringify({ privileges: ['portal:user:createItem', 'portal:user:receiveItems'] })
    await ask('host', `/portals/self/roles/${id}/setPrivileges`, { privileges })
    const site = portal.logins.host.baseUrl.replace('/sharing/rest', '')
    const body = new URLSearchParams({
      username: 'maker_1',
      password: 'correct horse 1',
      role: 'org_user',
      token: await tokenOf('host'),
      f: 'json',
    })
    const create = () =>
      fetch(`${site}/portaladmin/security/users/createUser`, {
        method: 'POST',
        body,
        headers: { referer: 'test' },
      })
    expect(await (await create()).json()).toEqual({ status: 'success' })
    expect(await (await create()).json()).toMatchObject({ status: 'error' })
    expect(await ask('host', '/portals/self/updateUserRole', { user: 'maker_1', role: id })).toEqual({
      success: true,
    })
    expect(await ask('host', '/community/users/maker_1')).toMatchObject({ roleId: id })
    const login = new URLSearchParams({ username: 'maker_1', password: 'correct horse 1', f: 'json' })
    const { token } = (await (
      await fetch(`${portal.baseUrl}/generateToken`, { method: 'POST', body: login })
    ).json()) as { token: string }
    const item = await ask('host', '/content/users/maker_1/addItem', {
      token,
      title: 'Map',
      type: 'Web Map',
      text: '{}',
    })
    expect(await ask('host', `/content/items/${item.id}`)).toMatchObject({ owner: 'maker_1', title: 'Map' })
    expect((await ask('host', '/community/users/maker_1/delete')).error).toBeDefined()
    expect((await ask('host', `/portals/self/roles/${id}/delete`)).error).toBeDefined()
    expect(await ask('host', '/content/users/maker_1/deleteItems', { items: item.id })).toMatchObject({
      results: [{ success: true }],
    })
    expect(await ask('host', '/community/users/maker_1/delete')).toMatchObject({ success: true })
    expect(await ask('host', `/portals/self/roles/${id}/delete`)).toEqual({ success: true })
  })

  it('keeps the URL of an item, and accepts a URL once', async () => {
    const own = `/content/users/${portal.logins.host.username}`
    const add = (fields: Record<string, string>) =>
      ask('host', `${own}/addItem`, { title: 'An item', ...fields })
    const map = await add({ type: 'Web Map', text: '{}' })
    expect((await ask('host', `/content/items/${map.id}`)).url).toBeNull()
    const link = { type: 'Document Link', url: 'https://example.com/1' }
    const linked = await add(link)
    expect((await ask('host', `/content/items/${linked.id}`)).url).toBe(link.url)
    expect((await add(link)).error.message).toContain('URL')
    await ask('host', `${own}/deleteItems`, { items: `${map.id},${linked.id}` })
  })

  it('runs a scheduled task each minute until its last occurrence', async () => {
    const { username } = portal.logins.host
    const { id: itemId } = await ask('host', `/content/users/${username}/addItem`, {
      title: 'N',
      type: 'Notebook',
      text: '{}',
    })
    const tasks = `/community/users/${username}/tasks`
    const schedule = { title: 'T', type: 'ExecuteNotebook', itemId, minute: '*/1', maxOccurrences: '2' }
    const { taskId } = await ask('host', `${tasks}/createTask`, schedule)
    await expect
      .poll(async () => (await ask('host', `${tasks}/${taskId}/runs`)).runs.map((run: Body) => run.status), {
        timeout: 5000,
      })
      .toEqual(['succeeded', 'succeeded'])
    expect((await ask('host', `${tasks}/${taskId}`)).active).toBe(false)
    expect(await ask('host', `${tasks}/${taskId}/delete`)).toMatchObject({ success: true })
  })

  it('accepts a token only with its referer', async () => {
    const { baseUrl } = portal.logins.host
    const token = await tokenOf('host')
    const answer = await fetch(`${baseUrl}/community/self?f=json&token=${token}`)
    expect(((await answer.json()) as Body).error.code).toBe(498)
    expect((await ask('guest', '/portals/self')).id).toBe(portal.store.portals.guest)
  })
})
