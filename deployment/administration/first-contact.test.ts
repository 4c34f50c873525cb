/** What public reports say of real deployments, each as the embedded portal has it: guests, long handshakes, addresses. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Alter } from '../../reference/parts.ts'
import type { EmbeddedPortal, PortalOptions } from '../../reference/portal.ts'
import { handshakesTake } from '../../reference/variants/administration.ts'
import { loadConfiguration } from '../configuration/load-configuration.ts'
import { SignIns } from '../credentials/sign-ins.ts'
import { begun, contentsOf, few, neverAborted, portalWith, writtenFor } from './administered.fixture.ts'
import { findDeployment } from './find-deployment.ts'
import { Maker } from './maker.ts'

const configurationOf = (portal: EmbeddedPortal, http: object = {}) =>
  loadConfiguration({ value: { ...writtenFor(portal), http }, name: 'the test' }, {}, {})

/** Needs of collaborations alone. */
const places = { ...few, taskRuns: 0, items: {}, receivers: false, federation: false }

async function placesOf(portal: EmbeddedPortal, http: object = {}) {
  const before = contentsOf(portal)
  const { fixtures, obtain } = await begun(configurationOf(portal, http), places)
  const isAllRemoved = async () => {
    await fixtures.remove(neverAborted)
    expect(contentsOf(portal)).toEqual(before)
  }
  return { obtain, isAllRemoved }
}

/** Counts requests for such routes. */
function counting(route: RegExp) {
  const seen: string[] = []
  const alter: Alter = ({ administration }) => {
    const honest = administration.fails
    administration.fails = (path, arrival) => {
      if (route.test(path)) seen.push(path)
      return honest(path, arrival)
    }
  }
  return { seen, alter }
}

const groupsOfGuest = (portal: EmbeddedPortal, { collaborationId = '', workspaceId = '' }) =>
  portal.store.collaborations
    .get(collaborationId)
    ?.workspaces.get(workspaceId)
    ?.links?.get(portal.store.portals.guest)?.groupId

describe('workspaces that are added after the invitation', () => {
  it('are linked once the guest was asked to hear of them', async () => {
    const { seen, alter } = counting(/updatePortalGroupLink$/)
    const portal = await portalWith({ variants: ['guests-hear-at-configuration-syncs'], alter })
    const { obtain, isAllRemoved } = await placesOf(portal)
    const { collaborationId } = await obtain('collaboration')
    const all = []
    for (let count = 0; count < 4; count += 1) all.push(await obtain('workspace', { collaborationId }))
    expect(new Set(all.map(({ workspaceId }) => workspaceId)).size).toBe(4)
    for (const workspace of all) expect(groupsOfGuest(portal, workspace)).toBeDefined()
    // Each of the three added ones was refused once. One more was linked to see who may sync.
    expect(seen).toHaveLength(8)
    await isAllRemoved()
  })

  it('are not offered where that does not help, and the reason holds what the guest answered', async () => {
    const portal = await portalWith({ variants: ['guests-never-hear'] })
    const { obtain, isAllRemoved } = await placesOf(portal)
    const { collaborationId } = await obtain('collaboration')
    const first = await obtain('workspace', { collaborationId })
    expect(groupsOfGuest(portal, first)).toBeDefined()
    for (let count = 0; count < 3; count += 1) await obtain('workspace')
    expect(await obtain('workspace', { collaborationId })).toEqual({
      notOffered: expect.stringContaining('updatePortalGroupLink answered'),
    })
    await isAllRemoved()
  })
})

describe('steps by which a guest comes to take part', () => {
  it('may take longer than other requests, as the profile says', async () => {
    const portal = await portalWith({ alter: handshakesTake(900) })
    const { obtain, isAllRemoved } = await placesOf(portal, { timeout: '300ms' })
    expect(await obtain('workspace')).toHaveProperty('workspaceId')
    await isAllRemoved()
  })

  it('that take longer than even that are reported with the setting that helps', async () => {
    const portal = await portalWith({ alter: handshakesTake(2000) })
    const written = writtenFor(portal)
    const target = { ...written.target, profile: 'arcgis' }
    const value = { ...written, target, http: { timeout: '300ms' } }
    const loaded = loadConfiguration({ value, name: 'the test' }, {}, {})
    const { profile } = loaded
    if (profile === undefined) throw new Error('no profile')
    const short = { ...loaded, profile: { ...profile, longestMs: { trust: 400 } } }
    const { fixtures, obtain } = await begun(short, { ...places, collaborations: 0 })
    expect(await obtain('workspace')).toEqual({
      notOffered: expect.stringMatching(
        /^acceptCollaborationInvitation: no complete answer within 400ms \(.*longer http\.timeout\)$/,
      ),
    })
    await fixtures.remove(neverAborted)
  })

  it('count as done where the participants show it, though a gateway gave up on the answer', async () => {
    const portal = await portalWith({ variants: ['imports-go-on-behind-a-gateway'] })
    const { obtain, isAllRemoved } = await placesOf(portal)
    expect(await obtain('workspace')).toHaveProperty('workspaceId')
    await isAllRemoved()
  })

  it('count as done also where they end long after new things are known everywhere', async () => {
    const alter: Alter = ({ administration }) => {
      administration.importsGoOnMs = 6500
    }
    const portal = await portalWith({ variants: ['imports-go-on-behind-a-gateway'], alter })
    const { obtain, isAllRemoved } = await placesOf(portal)
    expect(await obtain('workspace')).toHaveProperty('workspaceId')
    await isAllRemoved()
  })
})

describe('what is read until it is there', () => {
  it('is read again where the first read took all of the time', async () => {
    const configuration = configurationOf(await portalWith())
    const { administration } = configuration
    if (administration === undefined) throw new Error('no administration')
    const maker = new Maker(configuration, administration, {
      signIns: new SignIns(),
      signal: neverAborted,
    })
    let reads = 0
    const read = async () => {
      reads += 1
      await sleep(30)
      return reads === 2 ? 'there' : undefined
    }
    expect(await maker.until(read, 10)).toBe('there')
    expect(await maker.until(read, 0)).toBeUndefined()
    expect(reads).toBe(3)
    await maker.close()
  })
})

describe('a guest that knows itself by another address', () => {
  it('is invited by that one', async () => {
    const portal = await portalWith({ variants: ['guest-has-another-address'] })
    const { portals } = await findDeployment(configurationOf(portal), new SignIns())
    expect(portals.guest?.ownUrl).toBe('https://guest.example:7443/arcgis')
    const { obtain, isAllRemoved } = await placesOf(portal)
    expect((await obtain('participant')).participantPortalId).toBe(portal.store.portals.guest)
    await isAllRemoved()
  })

  const saying = (said: (used: string) => string): PortalOptions => ({
    alter: ({ administration }) => {
      administration.ownAddress = (_, used) => said(used)
    },
  })

  it.each<[string, PortalOptions, string | undefined]>([
    ['the address in use', {}, undefined],
    ['that in capitals, with a slash', saying((used) => `${used.toUpperCase()}/`), undefined],
    ['a machine without a path', saying(() => 'gis.example'), 'https://gis.example/guest'],
    ['the default port', saying(() => 'gis.example:443/Portal/'), 'https://gis.example/Portal'],
    ['no address', saying(() => 'two words'), undefined],
    ['what could be of somebody else', saying(() => 'name@gis.example/x'), undefined],
    ['the hosted edition', { variants: ['hosted-edition', 'guest-has-another-address'] }, undefined],
  ])('where it says %s', async (_, options, expected) => {
    const { portals } = await findDeployment(configurationOf(await portalWith(options)), new SignIns())
    expect(portals.guest?.ownUrl).toBe(expected)
    expect(portals.host.ownUrl).toBeUndefined()
  })
})
