/** How variants differ from the plain portal for a client, and what all faults and variants have in common. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { certificate } from '../../deployment/http/certificates.fixture.ts'
import { faults, readBackFaults } from '../faults/index.ts'
import { honestParts } from '../honest-parts.ts'
import { drive } from '../portal.fixture.ts'
import { administrationVariants } from './administration.ts'
import { variants } from './index.ts'

async function driveVariant(...ids: string[]) {
  const to = await drive({ variants: ids })
  onTestFinished(() => to.portal.close())
  return to
}

type Driver = Awaited<ReturnType<typeof driveVariant>>

async function add(to: Driver, name = 'Roads', collaborationId?: unknown) {
  const request = await to.workspaceRequest({ collaborationId })
  const form = { ...request.form, collaborationWorkspaceName: name }
  return { ...(await to.post('hostAdministrator', request.path, form)), ...request }
}

async function federationWith(
  to: Driver,
  settings: Record<string, string>,
  given?: { federationId?: unknown },
) {
  const { federationId } = given ?? (await to.fixture('federation'))
  const path = `/portals/${to.portal.configuration.portals.host.id}/idp/federation/${federationId}/update`
  return to.post('organizationAdministrator', path, settings)
}

const syncPath = (to: Driver, collaborationId: unknown, workspaceId: unknown): string =>
  `${to.collaborationPath(collaborationId, to.portal.configuration.portals.guest.id)}/workspaces/${workspaceId}/sync`

async function syncing(to: Driver, options: object = {}, kind = 'workspace') {
  const { collaborationId, workspaceId } = await to.fixture(kind, options)
  const path = syncPath(to, collaborationId, workspaceId)
  return { path, sync: (mode: 'true' | 'false') => to.post('syncInitiator', path, { async: mode }) }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20)
}

const allVariants = [...variants, ...administrationVariants]
const changes = [...faults, ...readBackFaults, ...allVariants]

it('ids of faults and variants are unique and in kebab-case', () => {
  const ids = changes.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([])
})

it('every fault and variant alters the parts of a portal', () => {
  for (const { id, alter } of changes) expect(() => alter?.(honestParts()), id).not.toThrow()
})

it('every variant names the evidence for such deployments', () => {
  expect(allVariants.filter(({ because }) => because.length < 20).map(({ id }) => id)).toEqual([])
  for (const { because } of variants.filter(({ because }) => because.startsWith('§')))
    expect(because).toMatch(/^§[1-9](?:\.[1-7])?[: ]/)
})

it('refusals-as-401 refuses a name beyond the limit with 401', async () => {
  const to = await driveVariant('refusals-as-401')
  expect((await add(to, 'x'.repeat(101))).status).toBe(401)
})

describe('variants of values', () => {
  it.each([
    ['certificates-parsed', { certificate: Buffer.alloc(400, 7).toString('base64') }, { certificate }],
    ['roles-and-licenses-looked-up', { roleId: 'member' }, { roleId: 'org_user' }],
    ['roles-and-licenses-looked-up', { userLicenseType: 'standard' }, { userLicenseType: 'creatorUT' }],
    ['reserved-domains-refused', { metadataServiceUrl: 'https://ds.example.com' }, { entityId: 'urn:a' }],
    ['groups-with-commas', { groups: '["a","b"]' }, { groups: 'a,b' }],
  ])('%s refuses %j of a federation, and accepts %j', async (id, refused, accepted) => {
    const to = await driveVariant(id)
    expect((await federationWith(to, refused)).accepted).toBe(false)
    expect((await federationWith(to, accepted)).accepted).toBe(true)
  })

  it('names-unique-in-portal refuses the name of another workspace', async () => {
    const to = await driveVariant('names-unique-in-portal')
    expect((await add(to)).accepted).toBe(true)
    expect((await add(to)).accepted).toBe(false)
    expect((await add(to, 'Rivers')).accepted).toBe(true)
  })

  it.each(['name', 'entityId'])('federations-not-alike refuses a taken %s', async (field) => {
    const to = await driveVariant('federations-not-alike')
    const [one, other] = [await to.fixture('federation'), await to.fixture('federation')]
    const update = (federation: object, value: string) => federationWith(to, { [field]: value }, federation)
    expect((await update(one, 'x')).accepted).toBe(true)
    expect((await update(one, 'x')).accepted).toBe(true)
    expect((await update(other, 'x')).accepted).toBe(false)
    expect((await update(other, 'y')).accepted).toBe(true)
  })

  it.each([
    ['filter-blocks-equations', ["1' or 1+1=2"], ['a + b = 100 % & more']],
    ['filter-blocks-quotes', ["'Neill", 'a "b"'], ['O’Neill', "O'Neill"]],
    ['filter-blocks-attacks', ['<b>', '../x', "x'; drop table y"], ['Straßen & Wege; 5 % #1']],
  ])('%s blocks suspicious names, and no others', async (id, blocked, left) => {
    const to = await driveVariant(id)
    for (const name of blocked) expect([name, (await add(to, name)).status]).toEqual([name, 403])
    for (const name of left) expect([name, (await add(to, name)).accepted]).toEqual([name, true])
  })
})

describe('variants of effects', () => {
  it('concurrent-edits-refused accepts one of several concurrent edits', async () => {
    const to = await driveVariant('concurrent-edits-refused')
    const { path, form } = await to.workspaceRequest()
    let round = 0
    // A busy machine may handle the requests one after another.
    await until(async () => {
      round += 1
      const names = ['Roads', 'Rivers', 'Rails'].map((name) => `${name} ${round}`)
      const replies = await Promise.all(
        names.map((name) =>
          to.post('hostAdministrator', path, { ...form, collaborationWorkspaceName: name }),
        ),
      )
      return replies.filter(({ accepted }) => accepted).length === 1
    })
  })

  it('workspace-quota refuses workspaces beyond the quota', async () => {
    const to = await driveVariant('workspace-quota')
    const { collaborationId } = await add(to)
    let added = 1
    await until(async () => !(await add(to, `Roads ${added++}`, collaborationId)).accepted)
    expect(added).toBe(6)
  })

  it('workspaces-show-late accepts syncs of a new workspace only later', async () => {
    const to = await driveVariant('workspaces-show-late')
    const { json, collaborationId } = await add(to)
    const path = syncPath(to, collaborationId, json.workspace.id)
    expect((await to.post('syncInitiator', path)).accepted).toBe(false)
    await until(async () => (await to.post('syncInitiator', path)).accepted)
  })
})

describe('variants of syncs', () => {
  it('second-sync-overlaps accepts overlapping requested syncs, but none beside a scheduled one', async () => {
    const to = await driveVariant('second-sync-overlaps')
    const { sync } = await syncing(to, { minimumSyncMs: 500 })
    expect([(await sync('true')).accepted, (await sync('true')).accepted]).toEqual([true, true])
    const scheduled = await syncing(to, { remainingMs: 500 }, 'scheduledSync')
    expect((await scheduled.sync('true')).accepted).toBe(false)
  })

  it('portals-apart accepts a sync only at the base URL of the guest', async () => {
    const to = await driveVariant('portals-apart')
    const { actors, portals, target } = to.portal.configuration
    const { path } = await syncing(to, { minimumSyncMs: 0 })
    const sync = async (baseUrl: string | undefined) => {
      const body = new URLSearchParams({ f: 'json', async: 'false', token: actors.syncInitiator.credential })
      return (await fetch(baseUrl + path, { method: 'POST', body })).json()
    }
    expect(await sync(target.baseUrl)).toHaveProperty('error')
    expect(await sync(portals.guest.baseUrl)).toMatchObject({ success: true })
  })

  it('busy-answered-503 answers a second sync with 503 and Retry-After', async () => {
    const { sync } = await syncing(await driveVariant('busy-answered-503'), { minimumSyncMs: 500 })
    await sync('true')
    const { status, headers } = await sync('true')
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
  })
})

describe('variants of availability', () => {
  const statusesOf = async (to: Driver, count: number, credential?: string) => {
    const { path, form } = await to.workspaceRequest()
    const seen: number[] = []
    const caller = credential === undefined ? 'hostAdministrator' : { credential }
    for (let sent = 0; sent < count; sent++) {
      const { status } = await to.post(caller, path, form).catch(() => ({ status: 0 }))
      seen.push(status)
    }
    return seen
  }

  it.each([
    ['gateway-errors', [502, 503, 504]],
    ['gateway-times-out-though-done', [504]],
    ['one-second-outage', [0]],
    ['one-second-maintenance', [503]],
    ['throttled-429', [429]],
    ['throttled-503', [503]],
  ])('%s fails now and then with status %j', async (id, expected) => {
    const to = await driveVariant(id)
    const seen = new Set(await statusesOf(to, 200))
    await until(async () => (await statusesOf(to, 1))[0] === 200)
    seen.delete(200)
    expect([...seen].sort()).toEqual(expected)
  })

  it('throttled-by-rate answers 429 to too many requests at once', async () => {
    const to = await driveVariant('throttled-by-rate')
    const { path, form } = await to.workspaceRequest()
    await until(async () => {
      const sent = Array.from({ length: 300 }, () => to.post('hostAdministrator', path, form))
      return (await Promise.all(sent)).some(({ status }) => status === 429)
    })
    await until(async () => (await statusesOf(to, 1))[0] === 200)
  })

  it('wrong-credentials-banned answers 403 after many wrong credentials', async () => {
    const to = await driveVariant('wrong-credentials-banned')
    expect(await statusesOf(to, 1)).toEqual([200])
    await statusesOf(to, 20, 'never-issued')
    expect(await statusesOf(to, 1)).toEqual([403])
  })
})
