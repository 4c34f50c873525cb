import { describe, expect, it } from 'vitest'
import { runConformance } from '../cli/api.ts'
import { writtenFor } from '../deployment/administration/administered.fixture.ts'
import { readBackFaults } from '../reference/faults/index.ts'
import { startPortal } from '../reference/portal.ts'
import { judgeAdministered } from './judge-administered.ts'
import { judgePortal } from './judge-portal.ts'
import { faultsToRead, twoLogins } from './parts/administration.ts'
import { apart } from './parts/faults.ts'

/** The outcomes of the read-back checks of these requirements, on a portal with logins of its administrators. */
async function readBack(requirements: readonly string[], faults: readonly string[] = []) {
  const portal = await startPortal({ faults })
  const { otherGuest } = portal.logins
  const written = writtenFor(portal, {
    otherGuest: { username: otherGuest.username, password: otherGuest.password },
  })
  const portals = { ...written.portals, otherGuest: { baseUrl: otherGuest.baseUrl } }
  const configuration = { ...written, portals, run: { ...written.run, settle: '300ms', runs: 2 } }
  const results = await runConformance({
    configuration,
    requirements: requirements.map((id) => `${id}:read-back`),
  }).finally(() => portal.close())
  const checks = results.requirements
    .flatMap((requirement) => requirement.checks)
    .filter(({ id }) => id.endsWith(':read-back'))
  const having = (outcome: string) => checks.filter((check) => check.outcome === outcome).map(({ id }) => id)
  return { failed: having('failed'), passed: having('passed'), inconclusive: having('inconclusive') }
}

// Concurrent, because most of the time is waiting for changes to show.
describe.concurrent('read-back checks', () => {
  it('pass on a portal without faults', async () => {
    const { failed, passed, inconclusive } = await readBack(['*/*'])
    expect([failed, inconclusive]).toEqual([[], []])
    expect(passed.length).toBeGreaterThan(25)
  })

  it.each([
    'odd-ids',
    'single-use-groups',
    'groups-with-commas',
    'texts-decomposed',
    'markup-removed',
    'filter-blocks-equations',
  ])('pass where values are kept or refused otherwise: %s', async (variant) => {
    const written = ['add-workspace/creates', 'update-participant/updates', 'update-task-run/updates']
    const requirements = [...written, 'update-federation/updates'].map((id) => `${id}:read-back`)
    const { checks } = await judgePortal({
      variants: [variant],
      profile: 'arcgis',
      requirements,
      seed: 1,
      runs: 8,
    })
    const judged = checks.filter(({ id }) => requirements.includes(id))
    expect(judged.map(({ id, outcome }) => [id, outcome])).toEqual(judged.map(({ id }) => [id, 'passed']))
    expect(judged).toHaveLength(requirements.length)
  })

  it('have at least 15 faults of their own, with unique ids', () => {
    expect(readBackFaults.length).toBeGreaterThanOrEqual(15)
    expect(new Set(readBackFaults.map(({ id }) => id)).size).toBe(readBackFaults.length)
  })

  it.each(apart(readBackFaults).map((faults) => [faults.map(({ id }) => id)] as const))(
    'find %s',
    async (ids) => {
      const breaks = readBackFaults.filter(({ id }) => ids.includes(id)).flatMap((fault) => fault.breaks)
      const { failed } = await readBack(breaks, ids)
      expect(failed.sort()).toEqual(breaks.map((each) => `${each}:read-back`).sort())
    },
  )
})

describe.concurrent('pages that show how long a sync or refresh took', () => {
  const bySyncsAndGuests = faultsToRead.filter(({ id }) => readBackFaults.every((fault) => fault.id !== id))

  it.each(apart(bySyncsAndGuests).map((group) => [group.map(({ id }) => id), group] as const))(
    'are enough to find %s',
    { timeout: 120_000 },
    async (ids, group) => {
      const requirements = group.flatMap(({ breaks }) => breaks)
      const { failed } = await judgeAdministered({ faults: ids, requirements, seed: 1, runs: 2 }, twoLogins)
      expect([...failed].sort()).toEqual([...requirements].sort())
    },
  )

  it('lead to no finding and no leftover on a portal without faults', {
    timeout: 120_000,
  }, async () => {
    const requirements = bySyncsAndGuests.flatMap(({ breaks }) => breaks)
    const { checks, left } = await judgeAdministered({ requirements, seed: 1, runs: 2 }, twoLogins)
    // With logins only, it is unknown whether new workspaces can be synced.
    const judged = checks.filter(
      ({ id, requirement }) => requirements.includes(requirement) && !id.endsWith('sharing-stops:added'),
    )
    expect(judged.map(({ id, outcome }) => [id, outcome])).toEqual(judged.map(({ id }) => [id, 'passed']))
    expect(left).toEqual([])
  })
})
