import { expect, test } from 'vitest'
import { type RequirementId, requirementOf, requirements } from '../specs/requirements.ts'
import { faults } from './faults/index.ts'
import { type Driver, drive } from './portal.fixture.ts'
import { startPortal } from './portal.ts'
import { probes } from './probes/index.fixture.ts'
import { variants } from './variants/index.ts'

/** Those of the requirements that probes show broken, one probe after the other. */
async function broken(to: Driver, asked: (requirement: RequirementId) => boolean): Promise<RequirementId[]> {
  const found = new Set<RequirementId>()
  for (const { requirement, holds } of probes) {
    if (asked(requirement) && !found.has(requirement) && (await holds(to)) === false) found.add(requirement)
  }
  return [...found]
}

/** The same for a portal that should break nothing, so that all probes may run side by side. */
async function brokenAtOnce(to: Driver): Promise<RequirementId[]> {
  const results = await Promise.all(probes.map(({ holds }) => holds(to)))
  return probes.filter((_probe, at) => results[at] === false).map(({ requirement }) => requirement)
}

test('ids are unique, and faults break what gates', () => {
  const ids = [...faults, ...variants].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([])
  const gating = new Set(requirements.filter(({ level }) => level !== 'advice').map(({ id }) => id))
  expect(faults.flatMap(({ breaks }) => breaks).filter((id) => !gating.has(id))).toEqual([])
})

test('every must and implied requirement of the seven operations has a probe', () => {
  const probed = new Set<string>(probes.map(({ requirement }) => requirement))
  const unprobed = requirements.filter(({ id, level }) => level !== 'advice' && !probed.has(id))
  expect(unprobed.map(({ id }) => id)).toEqual([
    'protocol/form-post',
    'protocol/json-format',
    'lifecycle/consistent',
  ])
})

test('the portal itself breaks nothing, and every probe can tell', async () => {
  const to = await drive()
  expect(await brokenAtOnce(to)).toEqual([])
  const inconclusive = await Promise.all(probes.map(async ({ holds }) => (await holds(to)) === undefined))
  expect(probes.filter((_probe, at) => inconclusive[at]).map(({ requirement }) => requirement)).toEqual([])
  await to.portal.close()
})

test.each(faults)('$id breaks what it says and nothing else', async ({ id, breaks, mayBreak = [] }) => {
  const to = await drive({ faults: [id] })
  // Probes of other operations run only where the fault may reach them: the rest would only cost time.
  const operations = new Set([...breaks, ...mayBreak].map((each) => requirementOf(each).operation))
  const found = await broken(to, (requirement) => operations.has(requirementOf(requirement).operation))
  expect(found).toEqual(expect.arrayContaining([...breaks]))
  expect(found.filter((each) => !breaks.includes(each) && !mayBreak.includes(each))).toEqual([])
  await to.portal.close()
})

/** They turn requests away that the probes do not send again. */
const throttled = ['throttled-429', 'throttled-503']

test.each(variants.filter(({ id }) => !throttled.includes(id)))('$id breaks nothing', async ({ id }) => {
  const to = await drive({ variants: [id] })
  expect(await brokenAtOnce(to)).toEqual([])
  await to.portal.close()
})

test.each(throttled)('%s turns a request away now and then, and serves the next one', async (id) => {
  const to = await drive({ variants: [id] })
  const { path, form } = await to.workspaceRequest()
  const statuses: number[] = []
  for (let each = 0; each < 41; each++) statuses.push((await to.post('hostAdministrator', path, form)).status)
  expect(statuses.filter((status) => status !== 200)).toEqual([Number(id.slice(-3))])
  expect(statuses.at(-1)).toBe(200)
  await to.portal.close()
})

test('a portal that stands apart is not answered for by the host', async () => {
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

test('an unknown id names the nearest ones', async () => {
  await expect(startPortal({ faults: ['plus-keept'] })).rejects.toThrow(/no fault "plus-keept".*plus-kept/)
  await expect(startPortal({ variants: ['gzipp'] })).rejects.toThrow(/no variant "gzipp".*gzip/)
})
