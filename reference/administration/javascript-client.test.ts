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
import { ArcGISIdentityManager } from '@esri/arcgis-rest-request'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EmbeddedPortal, startPortal } from '../portal.ts'

let portal: EmbeddedPortal
let authentication: ArcGISIdentityManager

beforeAll(async () => {
  portal = await startPortal()
  const { username, password } = portal.logins.host
  authentication = await ArcGISIdentityManager.signIn({ username, password, portal: portal.baseUrl })
})

afterAll(() => portal.close())

test('the JavaScript client says who it is and where', async () => {
  expect((await getUser({ authentication })).username).toBe(portal.logins.host.username)
  expect(await getSelf({ authentication })).toMatchObject({ id: portal.store.portals.host, isPortal: true })
})

test('the JavaScript client creates a group and removes it', async () => {
  const { group } = await createGroup({
    group: { title: 'Roads', access: 'private', tags: ['a', 'b'] },
    authentication,
  })
  expect(await getGroup(group.id, { authentication })).toMatchObject({ title: 'Roads', tags: ['a', 'b'] })
  expect(await removeGroup({ id: group.id, authentication })).toMatchObject({ success: true })
  expect(portal.store.groups.size).toBe(0)
})

test('the JavaScript client creates an item and removes it', async () => {
  const item = { title: 'Map', type: 'Web Map', tags: ['a'], text: {} }
  const { id } = await createItem({ item, authentication })
  expect(await getItem(id, { authentication })).toMatchObject({
    owner: portal.logins.host.username,
    tags: ['a'],
  })
  expect(await removeItem({ id, authentication })).toMatchObject({ success: true })
  await expect(getItem(id, { authentication })).rejects.toThrow('Item does not exist')
})
