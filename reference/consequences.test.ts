import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drive } from './portal.fixture.ts'
import type { ActorName } from './users.ts'

let to: Awaited<ReturnType<typeof drive>>

beforeAll(async () => {
  to = await drive()
})

afterAll(() => to.portal.close())

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('reassigning', () => {
  const reassign = (
    caller: ActorName | null,
    owner: unknown,
    items: string[],
    target: unknown,
    folder?: string,
  ) =>
    to.post(caller, `/content/users/${owner}/reassignItems`, {
      items: items.join(','),
      targetUsername: String(target),
      ...(folder === undefined ? {} : { targetFoldername: folder }),
    })
  const handOut = async (owner: ActorName, count: number) =>
    (await to.fixture('items', { owner, count })) as unknown as { owner: string; itemIds: string[] }
  const receiver = async () => (await to.fixture('eligibleUser')).username

  test.each(['contentAdministrator', 'customAdministrator', 'itemOwner'] as const)(
    '%s may',
    async (caller) => {
      const { owner, itemIds } = await handOut('itemOwner', 2)
      const target = await receiver()
      const { json } = await reassign(caller, owner, itemIds, target, 'New folder')
      expect(json).toEqual({ success: true, itemId: itemIds[0] })
      expect(itemIds.map((id) => to.portal.store.items.get(id)?.owner)).toEqual([target, target])
      expect((await reassign('contentAdministrator', owner, itemIds, await receiver())).accepted).toBe(false)
      expect((await reassign('contentAdministrator', target, itemIds, await receiver())).accepted).toBe(true)
    },
  )

  test('others may not, and nothing moves', async () => {
    const { owner, itemIds } = await handOut('itemOwnerUnprivileged', 1)
    for (const caller of [
      'itemOwnerUnprivileged',
      'itemOwner',
      'outsider',
      'guestAdministrator',
      null,
    ] as const) {
      expect((await reassign(caller, owner, itemIds, await receiver())).accepted).toBe(false)
    }
    expect(to.portal.store.items.get(itemIds[0] as string)?.owner).toBe(owner)
  })

  test('takes up to 100 items, all or none', async () => {
    const { owner, itemIds } = await handOut('itemOwner', 101)
    const target = await receiver()
    expect((await reassign('itemOwner', owner, itemIds, target)).accepted).toBe(false)
    const foreign = (await handOut('itemOwnerUnprivileged', 1)).itemIds
    expect((await reassign('itemOwner', owner, [...itemIds.slice(0, 2), ...foreign], target)).accepted).toBe(
      false,
    )
    expect((await reassign('itemOwner', owner, [itemIds[0] as string, 'unknown'], target)).accepted).toBe(
      false,
    )
    expect(itemIds.every((id) => to.portal.store.items.get(id)?.owner === owner)).toBe(true)
    expect((await reassign('itemOwner', owner, itemIds.slice(1), target)).accepted).toBe(true)
  })

  test('needs items and a target user who exists', async () => {
    const { owner, itemIds } = await handOut('itemOwner', 1)
    const path = `/content/users/${owner}/reassignItems`
    const target = String(await receiver())
    expect((await to.post('itemOwner', path, { targetUsername: target })).accepted).toBe(false)
    expect((await to.post('itemOwner', path, { items: itemIds.join() })).accepted).toBe(false)
    expect((await reassign('itemOwner', owner, itemIds, 'no-one')).accepted).toBe(false)
  })

  test('says which items a user without privileges cannot receive', async () => {
    const { owner, itemIds } = await handOut('itemOwner', 3)
    const { username } = await to.fixture('ineligibleUser')
    const { json, status } = await reassign('itemOwner', owner, itemIds, username)
    expect(status).toBe(200)
    expect(json).toEqual({
      error: {
        code: 403,
        messageCode: expect.stringMatching(/^CONT_\d+$/),
        message: expect.stringContaining('no right privileges'),
        details: itemIds.map((itemId) => ({
          itemId,
          type: expect.any(String),
          url: expect.stringMatching(/^https:/),
          reservedTypeKeywords: expect.arrayContaining([expect.any(String)]),
          owner,
        })),
      },
    })
    expect((await reassign('itemOwner', owner, itemIds, await receiver())).accepted).toBe(true)
  })

  test('gives an item to one of two who ask at once', async () => {
    const { owner, itemIds } = await handOut('itemOwner', 1)
    const targets = await Promise.all([receiver(), receiver()])
    const both = await Promise.all(targets.map((target) => reassign('itemOwner', owner, itemIds, target)))
    expect(both.filter(({ accepted }) => accepted)).toHaveLength(1)
  })
})

describe('syncing', () => {
  const sync = (caller: ActorName | null, path: string, mode: 'true' | 'false') =>
    to.post(caller, `${path}/sync`, { async: mode })
  const workspacePath = async (options: object = {}, kind = 'workspace') => {
    const { collaborationId, workspaceId } = await to.fixture(kind, options)
    const { guest } = to.portal.configuration.portals
    return `${to.collaborationPath(collaborationId, guest.id)}/workspaces/${workspaceId}`
  }

  test('blocks in synchronous mode, and the next sync is accepted', async () => {
    const path = await workspacePath({ minimumSyncMs: 120 })
    const started = performance.now()
    const { json, accepted } = await sync('syncInitiator', path, 'false')
    expect(accepted).toBe(true)
    expect(performance.now() - started).toBeGreaterThanOrEqual(120)
    expect(json).toEqual({ success: true, jobId: expect.any(String), key: expect.any(String) })
    expect((await sync('syncInitiator', path, 'true')).accepted).toBe(true)
  })

  test('refuses a second sync while one runs, asked for or scheduled', async () => {
    const path = await workspacePath({ minimumSyncMs: 10_000 })
    expect((await sync('syncInitiator', path, 'true')).accepted).toBe(true)
    expect((await sync('syncInitiator', path, 'false')).accepted).toBe(false)
    const scheduled = await workspacePath({ remainingMs: 10_000 }, 'scheduledSync')
    expect((await sync('syncInitiator', scheduled, 'true')).accepted).toBe(false)
  })

  test('only the designated participant may, on its own path and on that of the host', async () => {
    const path = await workspacePath({ minimumSyncMs: 0 })
    const { host, guest, otherGuest } = to.portal.configuration.portals
    for (const portal of [host, guest, otherGuest]) {
      const tried = path.replace(guest.id, portal.id)
      for (const caller of ['syncNonInitiator', 'hostAdministrator', 'outsider', null] as const) {
        expect((await sync(caller, tried, 'false')).accepted).toBe(false)
      }
    }
    expect((await sync('syncInitiator', path.replace(guest.id, host.id), 'false')).accepted).toBe(true)
    const other = await to.fixture('collaboration')
    const elsewhere = path.replace(/collaborations\/\w+/, `collaborations/${other.collaborationId}`)
    expect((await sync('syncInitiator', elsewhere, 'false')).accepted).toBe(false)
  })

  test('of many at once one starts, also where the others are held', async () => {
    const held = await drive({ variants: ['second-sync-held'] })
    const { collaborationId, workspaceId } = await held.fixture('workspace', { minimumSyncMs: 40 })
    const path = `${held.collaborationPath(collaborationId)}/workspaces/${workspaceId}/sync`
    const started = performance.now()
    const all = await Promise.all([1, 2, 3].map(() => held.post('syncInitiator', path, { async: 'false' })))
    expect(new Set(all.map(({ json }) => json.jobId)).size).toBe(3)
    expect(performance.now() - started).toBeGreaterThanOrEqual(120)
    await held.portal.close()
  })
})

describe('deleting', () => {
  test('takes a collaboration from the host at once and from the guest at its refresh', async () => {
    const { collaborationId, workspaceId } = await to.fixture('workspace', { minimumSyncMs: 0 })
    const { collaborationId: other } = await to.fixture('collaboration')
    const { participantPortalId } = await to.fixture('participant', { collaborationId })
    const path = to.collaborationPath(collaborationId)
    expect((await to.post('hostAdministrator', `${path}/delete`)).json).toEqual({ success: true })
    const gone = ['addWorkspace', 'delete', `participants/${participantPortalId}/updateInfo`]
    for (const operation of gone) {
      expect((await to.post('hostAdministrator', `${path}/${operation}`)).accepted).toBe(false)
    }
    await pause(400)
    const sync = `${path}/workspaces/${workspaceId}/sync`
    expect((await to.post('syncInitiator', sync, { async: 'false' })).accepted).toBe(false)
    expect(to.portal.store.collaborations.has(String(collaborationId))).toBe(false)
    expect((await to.post('hostAdministrator', `${to.collaborationPath(other)}/delete`)).accepted).toBe(true)
  })

  test('of simultaneous deletes one is accepted', async () => {
    const { collaborationId } = await to.fixture('collaboration')
    const path = `${to.collaborationPath(collaborationId)}/delete`
    const all = await Promise.all([1, 2, 3, 4].map(() => to.post('hostAdministrator', path)))
    expect(all.filter(({ accepted }) => accepted)).toHaveLength(1)
  })
})
