/** Problems that public reports describe of real deployments, reproduced by the embedded portal. */
import { describe, expect, it } from 'vitest'
import { admitBefore, all, refuseWhen, remembering } from '../../reference/alterations.ts'
import type { Alter, Rendered } from '../../reference/parts.ts'
import type { EmbeddedPortal, PortalOptions } from '../../reference/portal.ts'
import { handshakesTake } from '../../reference/variants/administration.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { loadConfiguration } from '../configuration/load-configuration.ts'
import { SignIns } from '../credentials/sign-ins.ts'
import {
  beginRun,
  contentsOf,
  few,
  hurry,
  neverAborted,
  portalWith,
  writtenFor,
} from './administered.fixture.ts'
import { findDeployment } from './find-deployment.ts'

const configurationOf = (portal: EmbeddedPortal, http: object = {}) =>
  loadConfiguration({ value: { ...writtenFor(portal), http }, name: 'the test' }, {}, {})

/** A configuration with a profile that gives the handshake that long, in milliseconds. */
function withTrustMs(portal: EmbeddedPortal, trust: number, http: object = {}): Configuration {
  const written = writtenFor(portal)
  const target = { ...written.target, profile: 'arcgis' }
  const loaded = loadConfiguration({ value: { ...written, target, http }, name: 'the test' }, {}, {})
  const { profile } = loaded
  if (profile === undefined) throw new Error('no profile')
  return { ...loaded, profile: { ...profile, longestMs: { trust } } }
}

/** Needs of collaborations alone. */
const places = { ...few, collaborations: 0, taskRuns: 0, items: {}, receivers: false, federation: false }

async function placesOf(portal: EmbeddedPortal, http: object = {}) {
  const before = contentsOf(portal)
  const { fixtures, obtain } = await beginRun(configurationOf(portal, http), places)
  const isAllRemoved = async () => {
    await fixtures.remove(neverAborted)
    expect(contentsOf(portal)).toEqual(before)
  }
  return { obtain, isAllRemoved }
}

/** Records requests whose route matches. */
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
  it('are linked after the guest synced its configuration', async () => {
    const { seen, alter } = counting(/updatePortalGroupLink$/)
    const portal = await portalWith({ variants: ['guests-hear-at-configuration-syncs'], alter })
    const { obtain, isAllRemoved } = await placesOf(portal)
    const { collaborationId } = await obtain('collaboration')
    const all = []
    for (let count = 0; count < 4; count += 1) all.push(await obtain('workspace', { collaborationId }))
    expect(new Set(all.map(({ workspaceId }) => workspaceId)).size).toBe(4)
    for (const workspace of all) expect(groupsOfGuest(portal, workspace)).toBeDefined()
    // Three added workspaces were refused once each. One more was linked to find out who may sync.
    expect(seen).toHaveLength(8)
    await isAllRemoved()
  })

  it('are tried again if the deployment knows their group a moment later', async () => {
    const known = new Set<string | undefined>()
    const alter = refuseWhen('add-workspace', 'unknown-group', ({ form }) => {
      const group = form.get('portalGroupId')
      return !known.has(group) && known.add(group) !== undefined
    })
    const portal = await portalWith({ variants: ['single-use-groups'], alter })
    const { obtain, isAllRemoved } = await placesOf(portal)
    for (let count = 0; count < 3; count += 1) expect(await obtain('workspace')).toHaveProperty('workspaceId')
    await isAllRemoved()
  })

  it('are not offered if the guest never sees them, with its answer as the reason', async () => {
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

it('hands out a group once the deployment shows it', async () => {
  const page = '/community/groups/:group'
  const { seen, alter } = counting(/^\/community\/groups\/:group$/)
  const late: Alter = ({ administration }) => {
    administration.fails = (route) => (route === page && seen.length < 3 ? 'unknown-group' : undefined)
  }
  const { obtain, isAllRemoved } = await placesOf(await portalWith({ alter: all(late, alter) }))
  expect(await obtain('group')).toHaveProperty('groupId')
  expect(seen).toEqual([page, page, page])
  await isAllRemoved()
})

describe('invitations of guests', () => {
  it('wait longer than http.timeout, as the profile allows', async () => {
    const portal = await portalWith({ alter: handshakesTake(500) })
    const { obtain, isAllRemoved } = await placesOf(portal, { timeout: '300ms' })
    expect(await obtain('workspace')).toHaveProperty('workspaceId')
    await isAllRemoved()
  })

  it('name the setting to change if they time out', async () => {
    const portal = await portalWith({ alter: handshakesTake(2000) })
    const { fixtures, obtain } = await beginRun(withTrustMs(portal, 400, { timeout: '300ms' }), places)
    expect(await obtain('workspace')).toEqual({
      notOffered: expect.stringMatching(
        /acceptCollaborationInvitation: no complete answer within 400ms \(.*longer http\.timeout\)$/,
      ),
    })
    await fixtures.remove(neverAborted)
  })

  it('end soon if the guest refuses with an error of its own, also with HTTP 500', async () => {
    const cannotJoin: Alter = ({ administration }) => {
      administration.answered = (route, answer, { parts }) =>
        /\/(?:accept|export)\w+$/.test(route) ? { ...parts.refuse('failed'), status: 500 } : answer
    }
    const portal = await portalWith({ alter: cannotJoin })
    hurry()
    const before = performance.now()
    const { fixtures, obtain } = await beginRun(withTrustMs(portal, 300_000), places)
    expect(await obtain('workspace')).toEqual({ notOffered: expect.stringMatching(/answered HTTP 500/) })
    expect(performance.now() - before).toBeLessThan(150_000)
    await fixtures.remove(neverAborted)
  })

  it('succeed if a gateway times out but the guest is a participant', async () => {
    const portal = await portalWith({ variants: ['imports-go-on-behind-a-gateway'] })
    const { obtain, isAllRemoved } = await placesOf(portal)
    expect(await obtain('workspace')).toHaveProperty('workspaceId')
    await isAllRemoved()
  })
})

describe('a guest with another own address', () => {
  it('is invited by its own address', async () => {
    const portal = await portalWith({ variants: ['guest-has-another-address'] })
    const { portals } = await findDeployment(configurationOf(portal), new SignIns())
    expect(portals.guest?.ownUrl).toBe('https://guest.example:7443/arcgis')
    const { obtain, isAllRemoved } = await placesOf(portal)
    expect((await obtain('participant')).participantPortalId).toBe(portal.store.portals.guest)
    await isAllRemoved()
  })

  const withOwnAddress = (addressFor: (used: string) => string): PortalOptions => ({
    alter: ({ administration }) => {
      administration.ownAddress = (_, used) => addressFor(used)
    },
  })

  it.each<[string, PortalOptions, string | undefined]>([
    ['the address in use', {}, undefined],
    ['the address in capitals, with a slash', withOwnAddress((used) => `${used.toUpperCase()}/`), undefined],
    ['a machine without a path', withOwnAddress(() => 'gis.example'), 'https://gis.example/guest'],
    ['the default port', withOwnAddress(() => 'gis.example:443/Portal/'), 'https://gis.example/Portal'],
    ['no address', withOwnAddress(() => 'two words'), undefined],
    ['an address with a user name', withOwnAddress(() => 'name@gis.example/x'), undefined],
    [
      'another one in the hosted edition',
      { variants: ['hosted-edition', 'guest-has-another-address'] },
      undefined,
    ],
  ])('has the right ownUrl if it reports %s', async (_, options, expected) => {
    const { portals } = await findDeployment(configurationOf(await portalWith(options)), new SignIns())
    expect(portals.guest?.ownUrl).toBe(expected)
    expect(portals.host.ownUrl).toBeUndefined()
  })
})

it('judges as without the login of a guest if the guest cannot join', async () => {
  const cannotJoin: Alter = ({ administration }) => {
    administration.fails = (route) =>
      route.endsWith('/acceptCollaborationInvitation') ? 'forbidden' : undefined
  }
  const portal = await portalWith({ alter: cannotJoin })
  const before = contentsOf(portal)
  hurry()
  const { configuration, fixtures, obtain } = await beginRun(configurationOf(portal))
  const why = /^the guest portal cannot join a collaboration: acceptCollaborationInvitation answered/
  expect(await obtain('collaboration')).toHaveProperty('collaborationId')
  expect(await obtain('participant')).toMatchObject({ participantPortalId: portal.store.portals.host })
  expect(await obtain('workspace')).toEqual({ notOffered: expect.stringMatching(why) })
  expect(Object.keys(configuration.actors)).not.toContain('guestAdministrator')
  expect(configuration.actors.syncNonInitiator?.portal).toBe('host')
  expect(configuration.absent?.syncInitiator).toMatch(why)
  await fixtures.remove(neverAborted)
  expect(contentsOf(portal)).toEqual(before)
})

/** Refuses the login of users whom a run made, up to that many times each. */
const refusingLogins = (mostTimes: number): Alter =>
  remembering(
    () => new Map<string, number>(),
    (refused) =>
      admitBefore(({ form, response }) => {
        const name = form.get('username') ?? ''
        const times = refused.get(name) ?? 0
        if (!response.req.url?.endsWith('/generateToken') || !name.startsWith('pc_') || times >= mostTimes)
          return undefined
        refused.set(name, times + 1)
        return wrongPassword
      }),
  )

it('tries the login of a new user twice: the deployment may know it a moment later', async () => {
  const portal = await portalWith({ alter: refusingLogins(1) })
  const { configuration } = await beginRun(configurationOf(portal), { ...few, taskRuns: 0 })
  expect(configuration.absent).toBeUndefined()
})

it('says that users whom the run made cannot sign in, and why there are no items', async () => {
  const portal = await portalWith({ alter: refusingLogins(2) })
  const { configuration, obtain } = await beginRun(configurationOf(portal), { ...few, taskRuns: 0 })
  const why =
    /the password is wrong.*; the run has just made this user: if new users must sign in with a browser/
  expect(configuration.absent?.hostMember).toMatch(why)
  const { notOffered } = await obtain('items', { owner: 'itemOwner', count: 1 })
  expect(notOffered).toMatch(why)
})

const wrongPassword: Rendered = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(
    JSON.stringify({
      error: {
        code: 400,
        message: 'Unable to generate token.',
        details: ['Invalid username or password.'],
      },
    }),
  ),
}
