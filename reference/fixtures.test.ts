import { expect, test } from 'vitest'
import { drive } from './portal.fixture.ts'

test('the fixture provider returns a new fixture at each call, and removes all on cleanup', async () => {
  const { portal, fixture, workspaceRequest, post } = await drive()
  const { store } = portal
  const before = store.users.size
  const kinds: [kind: string, field: string, options?: object][] = [
    ['collaboration', 'collaborationId'],
    ['workspace', 'workspaceId', { minimumSyncMs: 50 }],
    ['scheduledSync', 'workspaceId', { remainingMs: 20 }],
    ['participant', 'collaborationId'],
    ['group', 'groupId'],
    ['items', 'itemIds', { owner: 'itemOwner', count: 3 }],
    ['eligibleUser', 'username'],
    ['ineligibleUser', 'username'],
    ['taskRun', 'runId'],
    ['federation', 'federationId'],
    ['guestHosted', 'collaborationId'],
    ['participantElsewhere', 'elsewherePortalId'],
    ['partlyReceivable', 'username'],
  ]
  for (const [kind, field, options] of kinds) {
    const [one, other] = [await fixture(kind, options), await fixture(kind, options)]
    expect(one.status).toBe(200)
    expect(one[field]).toBeTruthy()
    expect(one[field]).not.toEqual(other[field])
  }
  const { path, form } = await workspaceRequest()
  expect((await post('hostAdministrator', path, form)).accepted).toBe(true)

  expect((await fixture('cleanup')).status).toBe(200)
  const left = [store.collaborations, store.groups, store.items, store.tasks, store.federations]
  expect(left.map(({ size }) => size)).toEqual([0, 0, 0, 0, 0])
  expect(store.users.size).toBe(before)
  expect((await post('hostAdministrator', path, form)).accepted).toBe(false)
  await portal.close()
})

test('the cleanup of one run removes its fixtures and their content, and nothing else', async () => {
  const { portal, post, fixture } = await drive()
  const { store } = portal
  const ask = (runId: string, kind: string, options: object = {}) =>
    fixture(kind, options, { 'x-portal-conformance-run': runId })
  const everything = async (runId: string) => {
    for (const kind of ['collaboration', 'workspace', 'scheduledSync', 'group', 'taskRun', 'federation'])
      await ask(runId, kind, kind === 'scheduledSync' ? { remainingMs: 1 } : {})
    const { itemIds } = await ask(runId, 'items', { owner: 'itemOwner', count: 2 })
    const { username } = await ask(runId, 'eligibleUser')
    // Moves back create folders: one named after the user of the run, and one named by the run.
    const moves: [from: string, to: string, folder?: string][] = [
      ['item_owner', username as string],
      [username as string, 'item_owner'],
      ['item_owner', 'content_administrator', `folder of ${runId}`],
    ]
    for (const [from, targetUsername, targetFoldername] of moves) {
      const form = { items: String(itemIds), targetUsername, ...(targetFoldername && { targetFoldername }) }
      const answer = await post('contentAdministrator', `/content/users/${from}/reassignItems`, form)
      expect(answer.accepted).toBe(true)
    }
  }
  const held = () => [
    // Running syncs are no fixtures: they end by themselves.
    ...Object.values(store).flatMap((part) => (part instanceof Map ? [...part.keys()] : [])),
    ...[...store.users.values()].flatMap(({ folders }) => [...folders]),
  ]
  await everything('pc-other')
  const before = held()
  await everything('pc-one')
  expect(held().length).toBeGreaterThan(before.length + 10)
  await ask('pc-one', 'cleanup', { runId: 'pc-one' })
  expect(held()).toEqual(before)
  await ask('pc-one', 'cleanup', { runId: 'pc-one' })
  expect(held()).toEqual(before)
  await portal.close()
})

test('the fixture provider answers 404 for an unknown kind, and 400 for invalid options', async () => {
  const { portal, fixture } = await drive()
  expect((await fixture('unicorn')).status).toBe(404)
  expect((await fixture('toString')).status).toBe(404)
  expect((await fixture('items', { owner: 'no-one', count: 1 })).status).toBe(400)
  expect((await fixture('items', { owner: 'itemOwner' })).status).toBe(400)
  expect((await fixture('workspace', { collaborationId: 'none' })).status).toBe(400)
  await portal.close()
})
