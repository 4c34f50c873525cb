import { expect, test } from 'vitest'
import { FixtureClient } from './fixture-client.ts'
import { FixtureNotOffered } from './fixture-errors.ts'
import { openFixtures } from './fixture-sources.ts'
import { staticFixtures } from './static-fixtures.ts'

const actors = { itemOwner: { credential: 'x', username: 'alice', portal: 'host' as const } }

test('what a check uses up is handed out once', () => {
  const provider = staticFixtures({ collaboration: [{ collaborationId: 'c1' }, { collaborationId: 'c2' }] })
  expect([provider.collaboration!({}), provider.collaboration!({})]).toEqual([
    { collaborationId: 'c1' },
    { collaborationId: 'c2' },
  ])
  expect(() => provider.collaboration!({})).toThrow(
    new FixtureNotOffered(
      'collaboration',
      'all 2 of fixtures.static.collaboration are used up; add more to it',
    ),
  )
  expect(() => provider.taskRun!({})).toThrow('fixtures.static.taskRun holds none; add some to it')
})

test('users, federations, participants and reusable groups serve in turn', () => {
  const provider = staticFixtures({
    eligibleUser: [{ username: 'a' }, { username: 'b' }],
    group: [{ groupId: 'once', reusable: false }, { groupId: 'g' }],
    participant: [
      { collaborationId: 'c1', participantPortalId: 'p1' },
      { collaborationId: 'c2', participantPortalId: 'p2' },
    ],
  })
  const users = [1, 2, 3].map(() => provider.eligibleUser!({}))
  expect(users).toEqual([{ username: 'a' }, { username: 'b' }, { username: 'a' }])
  const groups = [1, 2, 3].map(() => provider.group!({}))
  expect(groups).toEqual([{ groupId: 'once', reusable: false }, { groupId: 'g' }, { groupId: 'g' }])
  expect(provider.participant!({ collaborationId: 'c2' })).toMatchObject({ participantPortalId: 'p2' })
  expect(provider.participant!({ collaborationId: 'c2' })).toMatchObject({ participantPortalId: 'p2' })
})

test('a workspace is one of the collaboration asked for, and one that syncs long enough where there is one', () => {
  const provider = staticFixtures({
    workspace: [
      { collaborationId: 'c1', workspaceId: 'short' },
      { collaborationId: 'c2', workspaceId: 'other', minimumSyncMs: 900 },
      { collaborationId: 'c1', workspaceId: 'long', minimumSyncMs: 800, maximumSyncMs: 900 },
    ],
  })
  const asked = { collaborationId: 'c1', minimumSyncMs: 500 }
  expect(provider.workspace!(asked)).toEqual({
    collaborationId: 'c1',
    workspaceId: 'long',
    minimumSyncMs: 800,
    maximumSyncMs: 900,
  })
  expect(provider.workspace!(asked)).toEqual({
    collaborationId: 'c1',
    workspaceId: 'short',
    minimumSyncMs: 0,
  })
  expect(() => provider.workspace!(asked)).toThrow(
    'none of the 1 left in fixtures.static.workspace is what was asked for; add more to it',
  )
})

test('what may be deleted and what must last is kept apart where there is enough of both', () => {
  const provider = staticFixtures({
    collaboration: [{ collaborationId: 'both' }, { collaborationId: 'free' }, { collaborationId: 'more' }],
    participant: [
      { collaborationId: 'both', participantPortalId: 'p' },
      { collaborationId: 'lasting', participantPortalId: 'p' },
    ],
    workspace: [
      { collaborationId: 'more', workspaceId: 'w1' },
      { collaborationId: 'lasting', workspaceId: 'w2' },
    ],
  })
  expect(provider.collaboration({})).toEqual({ collaborationId: 'free' })
  expect([provider.participant({}), provider.participant({})]).toMatchObject([
    { collaborationId: 'lasting' },
    { collaborationId: 'lasting' },
  ])
  expect(provider.workspace({})).toMatchObject({ workspaceId: 'w2' })
  expect(provider.collaboration({ with: 'workspace' })).toEqual({ collaborationId: 'more' })
  expect(provider.workspace({ collaborationId: 'more' })).toMatchObject({ workspaceId: 'w1' })
  expect(() => provider.collaboration({ with: 'workspace' })).toThrow('what was asked for')
  // Rather one that others hold something in than none.
  expect(provider.collaboration({})).toEqual({ collaborationId: 'both' })
})

test('items are of the owner asked for; what is left of an entry is handed out later', () => {
  const provider = staticFixtures(
    {
      items: [
        { owner: 'bob', itemIds: ['b1', 'b2', 'b3'], actor: 'itemOwnerUnprivileged' },
        { owner: 'alice', itemIds: ['a1'] },
        { owner: 'alice', itemIds: ['a2', 'a3', 'a4'] },
      ],
    },
    actors,
  )
  const take = (owner: 'itemOwner' | 'itemOwnerUnprivileged', count: number) =>
    provider.items!({ owner, count })
  expect(take('itemOwner', 2)).toEqual({ owner: 'alice', itemIds: ['a2', 'a3'] })
  expect(take('itemOwner', 1)).toEqual({ owner: 'alice', itemIds: ['a4'] })
  expect(take('itemOwner', 1)).toEqual({ owner: 'alice', itemIds: ['a1'] })
  expect(take('itemOwnerUnprivileged', 2)).toEqual({ owner: 'bob', itemIds: ['b1', 'b2'] })
  expect(() => take('itemOwner', 1)).toThrow(
    'none of the 1 left in fixtures.static.items is what was asked for; add more to it (1 items of itemOwner (alice) were asked for)',
  )
})

test('over HTTP a pool that is used up is not offered, with its reason', async () => {
  const { url, cleanup, close } = await openFixtures({
    static: { taskRun: [{ userName: 'u', taskId: 't', runId: 'r' }] },
  })
  const client = new FixtureClient(url)
  expect(await client.obtain('taskRun', {})).toEqual({ userName: 'u', taskId: 't', runId: 'r' })
  await expect(client.obtain('taskRun', {})).rejects.toThrow(
    new FixtureNotOffered(
      'taskRun',
      'no fixture "taskRun": all 1 of fixtures.static.taskRun are used up; add more to it',
    ),
  )
  await cleanup()
  await close()
})
