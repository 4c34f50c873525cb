/** The JavaScript client besides the operations; `cli/recordings/validate.test.ts` uses all seven. */
import {
  createGroup,
  createItem,
  getGroup,
  getItem,
  getSelf,
  getUser,
  removeGroup,
  removeItem,
} from '@esri/arcgis-rest-portal'
import { ApiKeyManager, ArcGISIdentityManager, ArcGISRequestError, request } from '@esri/arcgis-rest-request'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drive } from './portal.fixture.ts'

let to: Awaited<ReturnType<typeof drive>>
let authentication: ArcGISIdentityManager

beforeAll(async () => {
  to = await drive()
  const { username, password } = to.portal.logins.host
  authentication = await ArcGISIdentityManager.signIn({ username, password, portal: to.portal.baseUrl })
})

afterAll(() => to.portal.close())

test('the JavaScript client throws ArcGISRequestError for a refusal', async () => {
  const { path, form } = await to.workspaceRequest()
  const authentication = ApiKeyManager.fromKey(to.portal.configuration.actors.hostMember.credential)
  const refused = request(to.portal.baseUrl + path, { authentication, params: form })
  await expect(refused).rejects.toBeInstanceOf(ArcGISRequestError)
  await expect(refused).rejects.toMatchObject({ code: 'GWM_0003' })
})

test('the JavaScript client cannot sign in with a wrong password', async () => {
  await expect(
    ArcGISIdentityManager.signIn({ username: 'no-one', password: 'x', portal: to.portal.baseUrl }),
  ).rejects.toThrow('Unable to generate token')
})

test('the JavaScript client reads its own user and portal', async () => {
  expect((await getUser({ authentication })).username).toBe(to.portal.logins.host.username)
  expect(await getSelf({ authentication })).toMatchObject({
    id: to.portal.store.portals.host,
    isPortal: true,
  })
})

test('the JavaScript client creates a group and removes it', async () => {
  const { group } = await createGroup({
    group: { title: 'Roads', access: 'private', tags: ['a', 'b'] },
    authentication,
  })
  expect(await getGroup(group.id, { authentication })).toMatchObject({ title: 'Roads', tags: ['a', 'b'] })
  expect(await removeGroup({ id: group.id, authentication })).toMatchObject({ success: true })
  expect(to.portal.store.groups.has(group.id)).toBe(false)
})

test('the JavaScript client creates an item and removes it', async () => {
  const item = { title: 'Map', type: 'Web Map', tags: ['a'], text: {} }
  const { id } = await createItem({ item, authentication })
  expect(await getItem(id, { authentication })).toMatchObject({
    owner: to.portal.logins.host.username,
    tags: ['a'],
  })
  expect(await removeItem({ id, authentication })).toMatchObject({ success: true })
  await expect(getItem(id, { authentication })).rejects.toThrow('Item does not exist')
})
