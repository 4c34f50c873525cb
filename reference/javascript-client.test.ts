import { ApiKeyManager, ArcGISIdentityManager, ArcGISRequestError, request } from '@esri/arcgis-rest-request'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drive } from './portal.fixture.ts'

let to: Awaited<ReturnType<typeof drive>>

beforeAll(async () => {
  to = await drive()
})

afterAll(() => to.portal.close())

test('the JavaScript client updates a run and adds a workspace', async () => {
  const { actors } = to.portal.configuration
  const { userName, taskId, runId } = await to.fixture('taskRun')
  const update = `${to.portal.baseUrl}/community/users/${userName}/tasks/${taskId}/runs/${runId}/update`
  const authentication = ApiKeyManager.fromKey(actors.taskOwner.credential)
  expect(await request(update, { authentication, params: { status: 'executing' } })).toEqual({
    success: true,
    taskId,
    runId,
  })

  const { path, form, collaborationId } = await to.workspaceRequest()
  const added = await request(to.portal.baseUrl + path, {
    authentication: ApiKeyManager.fromKey(actors.hostAdministrator.credential),
    params: form,
  })
  expect(added.workspace).toMatchObject({ collaborationId, name: form.collaborationWorkspaceName })
})

test('the JavaScript client sees a refusal', async () => {
  const { path, form } = await to.workspaceRequest()
  const authentication = ApiKeyManager.fromKey(to.portal.configuration.actors.hostMember.credential)
  const refused = request(to.portal.baseUrl + path, { authentication, params: form })
  await expect(refused).rejects.toBeInstanceOf(ArcGISRequestError)
  await expect(refused).rejects.toMatchObject({ code: 'GWM_0003' })
})

test('the JavaScript client signs in with a password', async () => {
  const user = to.portal.store.users.get(to.portal.configuration.actors.hostAdministrator.username)
  const manager = await ArcGISIdentityManager.signIn({
    username: user?.username as string,
    password: user?.password as string,
    portal: to.portal.baseUrl,
  })
  const { path, form } = await to.workspaceRequest()
  const added = await request(to.portal.baseUrl + path, { authentication: manager, params: form })
  expect(added.success).toBe(true)
  await expect(
    ArcGISIdentityManager.signIn({ username: 'no-one', password: 'x', portal: to.portal.baseUrl }),
  ).rejects.toThrow('Unable to generate token')
})
