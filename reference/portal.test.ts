import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drive } from './portal.fixture.ts'
import type { ActorName } from './users.ts'

let to: Awaited<ReturnType<typeof drive>>

beforeAll(async () => {
  to = await drive()
})

afterAll(() => to.portal.close())

test('addWorkspace returns the workspace as requested', async () => {
  const { collaborationId, path, form } = await to.workspaceRequest()
  const name = '100%25 + é & 💡 %41;# <b>'
  const { json, accepted } = await to.post('hostAdministrator', path, {
    ...form,
    collaborationWorkspaceName: name,
  })
  expect(accepted).toBe(true)
  expect(json.workspace).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
    name,
    description: 'All roads',
    collaborationId,
    config: {
      maxItemSizeInMB: expect.any(Number),
      maxReplicationPackageSizeInMB: expect.any(Number),
      bidirectionalSyncCapable: true,
    },
    created: expect.any(Number),
    modified: expect.any(Number),
    lastSyncSuccess: -1,
  })
})

test('only a host administrator can add, update and delete, and only under the host id', async () => {
  const { collaborationId, path, guestPath, form } = await to.workspaceRequest()
  const others: ActorName[] = [
    'hostMember',
    'guestAdministrator',
    'syncNonInitiator',
    'outsider',
    'customAdministrator',
  ]
  const { participantPortalId } = await to.fixture('participant', { collaborationId })
  for (const portalPath of [path, guestPath]) {
    const collaboration = portalPath.replace(/\/addWorkspace$/, '')
    for (const operation of ['addWorkspace', 'delete', `participants/${participantPortalId}/updateInfo`]) {
      const target = `${collaboration}/${operation}`
      for (const caller of others) expect((await to.post(caller, target, form)).json.error.code).toBe(403)
      expect((await to.post(null, target, form)).json.error.code).toBe(499)
      expect((await to.post({ credential: 'made-up' }, target, form)).json.error.code).toBe(498)
    }
  }
  expect((await to.post('hostAdministrator', guestPath, form)).accepted).toBe(false)
  expect((await to.post('hostAdministrator', path, form)).accepted).toBe(true)
})

test('a token is accepted in form, query and both headers', async () => {
  const { path, form } = await to.workspaceRequest()
  const { credential } = to.portal.configuration.actors.hostAdministrator
  expect((await to.post(null, `${path}?token=${credential}`, form)).accepted).toBe(true)
  const bearer = `Bearer ${credential}`
  expect((await to.post(null, path, form, { authorization: bearer })).accepted).toBe(true)
  expect((await to.post(null, path, form, { 'x-esri-authorization': bearer })).accepted).toBe(true)
  expect((await to.post(null, path, form)).accepted).toBe(false)
})

test('GET, another content type and an unknown format are refused without effect', async () => {
  const { collaborationId, path, form } = await to.workspaceRequest()
  const url = to.portal.baseUrl + path
  const { credential } = to.portal.configuration.actors.hostAdministrator
  const fields = new URLSearchParams({ ...form, f: 'json', token: credential })
  const get = await fetch(`${url}?${fields}`)
  expect(get.status).toBe(405)
  const headers = { 'content-type': 'application/json' }
  const wrongType = await fetch(`${url}?f=json`, { method: 'POST', headers, body: JSON.stringify(form) })
  expect(await wrongType.json()).toMatchObject({ error: { code: 415 } })
  expect((await to.post('hostAdministrator', path, { ...form, f: 'xml' })).accepted).toBe(false)
  expect(to.portal.store.collaborations.get(String(collaborationId))?.workspaces.size).toBe(0)
})

test('answers are HTML, JSON or pretty JSON, depending on f', async () => {
  const { path, form } = await to.workspaceRequest()
  const page = await fetch(to.portal.baseUrl + path, { method: 'POST', body: new URLSearchParams(form) })
  expect(page.headers.get('content-type')).toContain('text/html')
  const compact = await to.post('hostAdministrator', path, { ...form, f: 'json' })
  expect(compact.text).not.toContain('\n')
  const pretty = await to.post('hostAdministrator', path, form)
  expect(pretty.text).toContain('\n  "success": true')
  expect(pretty.headers.get('content-type')).toContain('application/json')
})

test('a body over the limit is refused, and the next request is accepted', async () => {
  const { path, form } = await to.workspaceRequest()
  const huge = await to.post('hostAdministrator', path, { ...form, padding: 'x'.repeat(5_000_001) })
  expect(huge.accepted).toBe(false)
  expect((await to.post('hostAdministrator', path, form)).accepted).toBe(true)
})

test('updateInfo accepts only known participants and valid email addresses', async () => {
  const { collaborationId, participantPortalId } = await to.fixture('participant')
  const path = (id: unknown) => `${to.collaborationPath(collaborationId)}/participants/${id}/updateInfo`
  const form = { contactFirstname: 'Åsa', contactLastname: '李', contactEmailAddress: 'asa+gis@example.org' }
  const { json } = await to.post('hostAdministrator', path(participantPortalId), form)
  expect(json).toEqual({ success: true, collaborationId, portalId: participantPortalId })
  expect((await to.post('hostAdministrator', path('no-one'), form)).accepted).toBe(false)
  const bad = { ...form, contactEmailAddress: 'no address' }
  expect((await to.post('hostAdministrator', path(participantPortalId), bad)).accepted).toBe(false)
})

test('a federation accepts only valid settings, and only from an administrator', async () => {
  const { federationId } = await to.fixture('federation')
  const { host, guest } = to.portal.configuration.portals
  const path = `/portals/${host.id}/idp/federation/${federationId}/update`
  const form = {
    name: 'Universities',
    discoveryServiceUrl: 'https://example.org/discover?a=b',
    metadataServiceUrl: 'https://example.org/metadata.xml',
    certificate: '-----BEGIN CERTIFICATE-----\nMIIB+w/=\n-----END CERTIFICATE-----\n',
    userCreditAssignment: '-1',
    groups: '["g1","g2"]',
    signUpMode: 'Automatic',
    userType: 'platformonly',
  }
  for (const caller of ['organizationAdministrator', 'hostAdministrator'] as const) {
    expect((await to.post(caller, path, form)).json).toEqual({ success: true, federationId })
  }
  for (const caller of ['hostMember', 'guestAdministrator', null] as const) {
    expect((await to.post(caller, path, form)).accepted).toBe(false)
    expect((await to.post(caller, path.replace(host.id, guest.id), form)).accepted).toBe(false)
  }
  const wrong = {
    discoveryServiceUrl: 'not a url',
    metadataServiceUrl: 'ftp//x',
    certificate: 'MIIB w*',
    userCreditAssignment: '1.5',
    groups: '{"id":"g1"}',
    signUpMode: 'Sometimes',
    userType: 'none',
  }
  for (const [name, value] of Object.entries(wrong)) {
    expect((await to.post('organizationAdministrator', path, { ...form, [name]: value })).accepted).toBe(
      false,
    )
  }
  const unknown = path.replace(String(federationId), 'no-one')
  expect((await to.post('organizationAdministrator', unknown, form)).accepted).toBe(false)
})

test('concurrent syncs run one after another with second-sync-held', async () => {
  const held = await drive({ variants: ['second-sync-held'] })
  const { collaborationId, workspaceId } = await held.fixture('workspace', { minimumSyncMs: 40 })
  const path = `${held.collaborationPath(collaborationId)}/workspaces/${workspaceId}/sync`
  const started = performance.now()
  const all = await Promise.all([1, 2, 3].map(() => held.post('syncInitiator', path, { async: 'false' })))
  expect(new Set(all.map(({ json }) => json.jobId)).size).toBe(3)
  expect(performance.now() - started).toBeGreaterThanOrEqual(120)
  await held.portal.close()
})

test('delete removes a collaboration on the host at once, and on the guest at its refresh', async () => {
  const { collaborationId, workspaceId } = await to.fixture('workspace', { minimumSyncMs: 0 })
  const { collaborationId: other } = await to.fixture('collaboration')
  const { participantPortalId } = await to.fixture('participant', { collaborationId })
  const path = to.collaborationPath(collaborationId)
  expect((await to.post('hostAdministrator', `${path}/delete`)).json).toEqual({ success: true })
  const gone = ['addWorkspace', 'delete', `participants/${participantPortalId}/updateInfo`]
  for (const operation of gone) {
    expect((await to.post('hostAdministrator', `${path}/${operation}`)).accepted).toBe(false)
  }
  await sleep(400)
  const sync = `${path}/workspaces/${workspaceId}/sync`
  expect((await to.post('syncInitiator', sync, { async: 'false' })).accepted).toBe(false)
  expect(to.portal.store.collaborations.has(String(collaborationId))).toBe(false)
  expect((await to.post('hostAdministrator', `${to.collaborationPath(other)}/delete`)).accepted).toBe(true)
})
