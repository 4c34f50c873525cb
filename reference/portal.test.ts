import { afterAll, beforeAll, expect, test } from 'vitest'
import { drive } from './portal.fixture.ts'
import { startPortal } from './portal.ts'

let to: Awaited<ReturnType<typeof drive>>

beforeAll(async () => {
  to = await drive()
})

afterAll(() => to.portal.close())

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

test.each([
  ['discoveryServiceUrl', 'not a url', 'https://example.org/discover?a=b'],
  ['metadataServiceUrl', 'ftp//x', 'https://example.org/metadata.xml'],
  ['certificate', 'MIIB w*', '-----BEGIN CERTIFICATE-----\nMIIB+w/=\n-----END CERTIFICATE-----\n'],
  ['userCreditAssignment', '1.5', '-1'],
  ['groups', '{"id":"g1"}', '["g1","g2"]'],
  ['signUpMode', 'Sometimes', 'Automatic'],
  ['userType', 'none', 'platformonly'],
])('a federation refuses an invalid %s', async (name, wrong, right) => {
  const { federationId } = await to.fixture('federation')
  const path = `/portals/${to.portal.configuration.portals.host.id}/idp/federation/${federationId}/update`
  const update = async (value: string) =>
    (await to.post('organizationAdministrator', path, { [name]: value })).accepted
  expect([await update(wrong), await update(right)]).toEqual([false, true])
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

test('startPortal throws for an unknown id, and names the nearest one', async () => {
  await expect(startPortal({ faults: ['plus-keept'] })).rejects.toThrow(/no fault "plus-keept".*plus-kept/)
  await expect(startPortal({ variants: ['gzipp'] })).rejects.toThrow(/no variant "gzipp".*gzip/)
})
