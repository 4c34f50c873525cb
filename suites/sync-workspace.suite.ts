/** §4.4 Sync workspace: shape and relations. What depends on time has a file of its own. */
import { suite } from './check.ts'

const check = suite({ operation: 'sync-workspace', actors: ['syncInitiator'], fixtures: ['workspace'] })

check('sync-workspace/starts', {}, async ({ as, given, expect }) => {
  for (let time = 0; time < 3; time += 1) {
    const { collaborationId, workspaceId } = await given.workspace()
    const answer = await as.syncInitiator('sync-workspace', { collaborationId, workspaceId })
    expect(answer).toBeAccepted()
    expect(answer).toMatch('sync-workspace.response', (path) => path === 'jobId' || path === 'key')
  }
})

check('sync-workspace/unknown-workspace', {}, async ({ as, given, control, expect, unknownLike }) => {
  const one = await given.workspace()
  const other = await given.workspace()
  const sync = (collaborationId: string, workspaceId: string) =>
    as.syncInitiator('sync-workspace', { collaborationId, workspaceId })
  expect(await sync(one.collaborationId, unknownLike(one.workspaceId))).toBeRefused(
    () => 'a workspace that does not exist was synced',
  )
  if (one.collaborationId !== other.collaborationId) {
    expect(await sync(one.collaborationId, other.workspaceId)).toBeRefused(
      () => 'a workspace of another collaboration was synced',
    )
  }
  for (const { collaborationId, workspaceId } of [one, other])
    control(await sync(collaborationId, workspaceId))
})

check('sync-workspace/unknown-collaboration', {}, async ({ as, given, control, expect, unknownLike }) => {
  const { collaborationId, workspaceId } = await given.workspace()
  const unknown = { collaborationId: unknownLike(collaborationId), workspaceId }
  expect(await as.syncInitiator('sync-workspace', unknown)).toBeRefused()
  control(await as.syncInitiator('sync-workspace', { collaborationId, workspaceId }))
})
