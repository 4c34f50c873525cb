/** Single answers, looked at by hand. The embedded portal stands in for a deployment. */
import { type EmbeddedPortal, startPortal } from 'portal-conformance/reference'
import { afterAll, beforeAll, expect, test } from 'vitest'

let portal: EmbeddedPortal

beforeAll(async () => {
  portal = await startPortal()
})

afterAll(() => portal.close())

async function deleteCollaboration(id: string, token: string) {
  const { baseUrl, configuration } = portal
  const url = `${baseUrl}/portals/${configuration.portals.host.id}/collaborations/${id}/delete`
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ f: 'json', token }) })
  return { status: response.status, body: await response.text() }
}

async function newCollaboration(): Promise<string> {
  const { url } = portal.configuration.fixtures
  const response = await fetch(`${url}/collaboration`, { method: 'POST', body: '{}' })
  const { collaborationId } = (await response.json()) as { collaborationId: string }
  return collaborationId
}

test('an administrator of the host deletes a collaboration', async () => {
  const { credential } = portal.configuration.actors.hostAdministrator
  const answer = await deleteCollaboration(await newCollaboration(), credential)
  expect(answer).toBeAccepted()
  expect(answer).toMatchSchema('delete-collaboration.response')
})

test('no one else does', async () => {
  const answer = await deleteCollaboration(await newCollaboration(), 'not-a-token')
  expect(answer).toBeRefused()
  expect(answer).toMatchSchema('error')
})
