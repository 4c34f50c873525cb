import { expect, test } from 'vitest'
import { faults, readBackFaults } from './faults/index.ts'
import { honestParts } from './honest-parts.ts'
import { drive } from './portal.fixture.ts'
import { startPortal } from './portal.ts'
import { administrationVariants } from './variants/administration.ts'
import { variants } from './variants/index.ts'

const changes = [...faults, ...readBackFaults, ...variants, ...administrationVariants]

test('ids of faults and variants are unique', () => {
  const ids = changes.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([])
})

test('every fault and variant alters the parts of a portal', () => {
  for (const { id, alter } of changes) expect(() => alter?.(honestParts()), id).not.toThrow()
})

test.each(['throttled-429', 'throttled-503'])(
  '%s refuses a request now and then, and accepts the next one',
  async (id) => {
    const to = await drive({ variants: [id] })
    const { path, form } = await to.workspaceRequest()
    const statuses: number[] = []
    for (let each = 0; each < 41; each++)
      statuses.push((await to.post('hostAdministrator', path, form)).status)
    expect(statuses.filter((status) => status !== 200)).toEqual([Number(id.slice(-3))])
    expect(statuses.at(-1)).toBe(200)
    await to.portal.close()
  },
)

test('portals-apart accepts a sync only at the base URL of the guest', async () => {
  const { portal, fixture, collaborationPath } = await drive({ variants: ['portals-apart'] })
  const { portals, actors, target } = portal.configuration
  const { collaborationId, workspaceId } = await fixture('workspace', { minimumSyncMs: 0 })
  const path = `${collaborationPath(collaborationId, portals.guest.id)}/workspaces/${workspaceId}/sync`
  const sync = async (baseUrl: string | undefined) => {
    const body = new URLSearchParams({ f: 'json', async: 'false', token: actors.syncInitiator.credential })
    return (await fetch(baseUrl + path, { method: 'POST', body })).json()
  }
  expect(await sync(target.baseUrl)).toHaveProperty('error')
  expect(await sync(portals.guest.baseUrl)).toMatchObject({ success: true })
  await portal.close()
})

test('startPortal throws for an unknown id, and names the nearest one', async () => {
  await expect(startPortal({ faults: ['plus-keept'] })).rejects.toThrow(/no fault "plus-keept".*plus-kept/)
  await expect(startPortal({ variants: ['gzipp'] })).rejects.toThrow(/no variant "gzipp".*gzip/)
})
