import { describe, expect, it } from 'vitest'
import type { EmbeddedPortal, PortalOptions } from '../../reference/portal.ts'
import { loadConfiguration } from '../configuration/load-configuration.ts'
import { SignIns } from '../credentials/sign-ins.ts'
import { type FixtureKind, fixtureKinds } from '../fixtures/fixture-kinds.ts'
import { Things } from '../journal/journal.ts'
import {
  beginRun,
  configurationFor,
  contentsOf,
  neverAborted,
  portalWith,
  writtenFor,
} from './administered.fixture.ts'
import { findDeployment } from './find-deployment.ts'
import { AdministrationFixtures } from './provider.ts'

const options: Partial<Record<FixtureKind, object>> = {
  scheduledSync: { remainingMs: 100 },
  items: { owner: 'itemOwner', count: 7 },
}

async function obtainAll(portal: EmbeddedPortal, changes: object = {}) {
  const run = await beginRun(configurationFor(portal, changes))
  const answers = await Promise.all(
    fixtureKinds.map(async (kind) => [kind, await run.obtain(kind, options[kind])] as const),
  )
  const lacking = answers.filter(([, answer]) => 'notOffered' in answer)
  return {
    ...run,
    reasons: Object.fromEntries(lacking.map(([kind, { notOffered }]) => [kind, notOffered])),
  }
}

/** Fixtures that two logins cannot make, with the reasons. */
const needMore = {
  participantElsewhere: 'no two guests take part: add administration.guest and administration.otherGuest',
  partlyReceivable: 'only a fixture provider knows which items a user cannot receive',
}
const noUsers = 'administration.users is none: no users are made'

describe('AdministrationFixtures', () => {
  it('makes fixtures with two logins and removes all of them', async () => {
    const portal = await portalWith({ tls: false })
    const before = contentsOf(portal)
    const { fixtures, configuration, reasons, things, obtain } = await obtainAll(portal)
    expect(reasons).toEqual(needMore)
    expect(configuration.portals.host.id).toBe(portal.store.portals.host)
    expect(configuration.target).toMatchObject({ version: '11.3', edition: 'self-hosted' })
    expect(Object.keys(configuration.actors)).toHaveLength(12)
    expect(Object.values(configuration.actors).every(({ credential }) => credential !== '')).toBe(true)
    const { collaborationId } = await obtain('collaboration')
    expect(await obtain('workspace', { collaborationId })).toMatchObject({ collaborationId })
    expect(await obtain('participant', { collaborationId })).toEqual({
      collaborationId,
      participantPortalId: portal.store.portals.guest,
    })
    const { groupId } = (await obtain('group', { portal: 'guest' })) as { groupId: string }
    expect(portal.store.groups.get(groupId)?.organization).toBe('guest')
    expect(things.all.filter(({ id }) => id === undefined)).toEqual([])
    const made = things.all.length
    const counts: number[][] = []
    await fixtures.remove(neverAborted, { onProgress: (removed, of) => void counts.push([removed, of]) })
    const [removed = 0, of] = counts.at(-1) ?? []
    expect(removed).toBe(of)
    expect(removed).toBeGreaterThanOrEqual(made)
    expect(contentsOf(portal)).toEqual(before)
  })

  it('makes items with distinct URLs at example.com or the configured domain', async () => {
    const portal = await portalWith()
    const written = writtenFor(portal)
    const urlsAt = async (contract: object) => {
      const configuration = loadConfiguration({ value: { ...written, contract }, name: 'the test' }, {}, {})
      const { obtain } = await beginRun(configuration)
      const { itemIds } = (await obtain('items', options.items)) as { itemIds: string[] }
      return itemIds.map((id) => portal.store.items.get(id)?.url)
    }
    const urls = [await urlsAt({}), await urlsAt({ domain: 'portal.edu' })]
    expect(new Set(urls.flat()).size).toBe(14)
    for (const url of urls[0] ?? []) expect(url).toMatch(/^https:\/\/items\.example\.com\/\S+$/)
    for (const url of urls[1] ?? []) expect(url).toMatch(/^https:\/\/items\.portal\.edu\/\S+$/)
  })

  it('returns participants by the ids in the collaboration, also for a host without guests', async () => {
    const portal = await portalWith({ variants: ['participants-have-ids-of-their-own'] })
    const idOf = async (changes: object) => {
      const { obtain } = await beginRun(configurationFor(portal, changes))
      return (await obtain('participant')).participantPortalId
    }
    const [guest, host] = [await idOf({}), await idOf({ guest: undefined })]
    expect(guest).toMatch(/^7c1e0000-/)
    expect(host).toMatch(/^7c1e0000-/)
    expect(host).not.toBe(guest)
  })

  it('makes a collaboration per guest for participantElsewhere if both guests have logins', async () => {
    const portal = await portalWith()
    const before = contentsOf(portal)
    const { username, password } = portal.logins.otherGuest
    const { fixtures, obtain } = await beginRun(
      configurationFor(portal, { otherGuest: { username, password } }),
    )
    const apart = (await obtain('participantElsewhere')) as Record<string, string>
    const { guest, otherGuest } = portal.store.portals
    expect(apart).toMatchObject({ participantPortalId: guest, elsewherePortalId: otherGuest })
    const takesPart = (at: string, id: string) =>
      portal.store.collaborations.get(apart[at] as string)?.participants.has(id)
    expect([takesPart('collaborationId', guest), takesPart('collaborationId', otherGuest)]).toEqual([
      true,
      false,
    ])
    expect([takesPart('elsewhereId', guest), takesPart('elsewhereId', otherGuest)]).toEqual([false, true])
    await fixtures.remove(neverAborted)
    expect(contentsOf(portal)).toEqual(before)
  })

  it.each<[string, PortalOptions, object, object]>([
    ['the hosted edition', { variants: ['hosted-edition'] }, {}, {}],
    ['groups that take one workspace', { variants: ['single-use-groups'] }, {}, {}],
    ['intermittent failures', { variants: ['administration-fails-at-times'] }, {}, {}],
    [
      'no scheduler that runs tasks',
      { variants: ['nothing-runs-tasks'] },
      {},
      {
        taskRun:
          'no scheduled task ran within 2 s (administration.runsWithin): nothing seems to execute notebooks here',
      },
    ],
    [
      'enterprise logins configured already',
      { variants: ['login-configured'] },
      {},
      { federation: 'enterprise logins are configured already' },
    ],
    [
      'administration.users: none',
      {},
      { users: 'none' },
      {
        eligibleUser: noUsers,
        ineligibleUser: noUsers,
        items: 'no actor itemOwner could own items',
      },
    ],
    [
      'no login of a guest',
      {},
      { guest: undefined },
      {
        workspace: 'no guest takes part: add administration.guest',
        scheduledSync: 'no guest takes part: add administration.guest',
        guestHosted: 'no guest takes part: add administration.guest',
        participantElsewhere: 'no guest takes part: add administration.guest',
      },
    ],
  ])('makes and removes all possible fixtures: %s', async (_, portalOptions, changes, lacking) => {
    const portal = await portalWith(portalOptions)
    const before = contentsOf(portal)
    const { fixtures, reasons } = await obtainAll(portal, changes)
    expect(reasons).toEqual({ ...needMore, ...lacking })
    await fixtures.remove(neverAborted)
    expect(contentsOf(portal)).toEqual(before)
  })

  it('records that the host has no user with the name of the guest administrator', async () => {
    const portal = await portalWith()
    const { actors } = await findDeployment(configurationFor(portal), new SignIns())
    expect(actors.guestAdministrator).toMatchObject({ portal: 'guest', alsoOfHost: false })
    expect(actors.hostAdministrator).not.toHaveProperty('alsoOfHost')
  })

  it('offers nothing if the login is refused, with the reason', async () => {
    const portal = await portalWith()
    const wrong = { host: { username: 'host_administrator', password: 'wrong' } }
    const { configuration, obtain } = await beginRun(configurationFor(portal, wrong))
    expect(configuration.absent?.hostAdministrator).toMatch(/login was not accepted/)
    expect(await obtain('group')).toEqual({
      notOffered: expect.stringMatching(/^administration\.host: the login was not accepted/),
    })
  })

  it('does not remove a group that is not in the journal, in spite of its name', async () => {
    const portal = await portalWith()
    const existing = [...portal.store.groups.keys()]
    const { fixtures, configuration } = await beginRun(configurationFor(portal))
    const stamp = `pc_${configuration.administration?.runId.slice(3)}`
    const group = {
      title: `${stamp} group 999`,
      owner: 'host_administrator',
      access: 'private',
      tags: [stamp],
    }
    portal.store.groups.set('foreign', { id: 'foreign', organization: 'host', ...group })
    await fixtures.remove(neverAborted)
    expect([...portal.store.groups.keys()]).toEqual([...existing, 'foreign'])
  })

  it('removes fixtures whose answers were lost and whose retries were refused', async () => {
    const portal = await portalWith({ variants: ['answers-lost-at-times'] })
    const before = contentsOf(portal)
    const { fixtures, obtain } = await beginRun(configurationFor(portal))
    for (let time = 0; time < 30; time += 1) await obtain('group')
    await fixtures.remove(neverAborted)
    expect(contentsOf(portal)).toEqual(before)
  })

  it('removes fixtures of a killed process by its journal', async () => {
    const portal = await portalWith()
    const before = contentsOf(portal)
    const { things, configuration, fixtures } = await obtainAll(portal)
    // A process that was killed has no ids in the journal for its last requests.
    const cut = new Things()
    for (const [at, { id, remove, ...thing }] of things.all.entries())
      cut.add(at % 2 === 0 || id === undefined ? thing : { ...thing, id })
    await fixtures.close()
    const later = configurationFor(portal)
    const administration = { ...later.administration, runId: configuration.administration?.runId }
    const again = { ...later, administration } as typeof later
    await new AdministrationFixtures(again, new SignIns(), cut).remove(neverAborted)
    expect(contentsOf(portal)).toEqual(before)
  })

  it('keeps in the journal what a guest has, if the login of the guest no longer works', async () => {
    const portal = await portalWith()
    const { things, configuration, fixtures } = await obtainAll(portal)
    await fixtures.close()
    const administration = configuration.administration as NonNullable<typeof configuration.administration>
    const { guest: _, ...logins } = administration.logins
    const lacks = { ...administration.lacks, workspace: 'administration.guest: the login was not accepted' }
    const without = { ...configuration, administration: { ...administration, logins, lacks } }
    const again = new AdministrationFixtures(without, new SignIns(), things)
    await expect(again.remove(neverAborted)).rejects.toThrow(
      /\n {2}group .*: administration\.guest: the login was not accepted/,
    )
    expect(things.all.length).toBeGreaterThan(0)
    expect(new Set(things.all.map((thing) => thing.portal))).toEqual(new Set(['guest']))
  })
})
