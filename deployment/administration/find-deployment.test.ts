import { expect, test } from 'vitest'
import { admitBefore, changeRendered } from '../../reference/alterations.ts'
import type { Alter } from '../../reference/parts.ts'
import type { PortalOptions } from '../../reference/portal.ts'
import type { Actor } from '../configuration/configuration.ts'
import { loadConfiguration } from '../configuration/load-configuration.ts'
import { SignIns } from '../credentials/sign-ins.ts'
import { configurationFor, portalWith, writtenFor } from './administered.fixture.ts'
import { Administrator } from './administrator.ts'
import { findDeployment } from './find-deployment.ts'

/** Removes the release from the root, so that only the organization has it. */
const rootWithoutRelease = changeRendered((rendered, { body }) =>
  'enterpriseVersion' in body && !('id' in body)
    ? { ...rendered, body: Buffer.from(JSON.stringify({ currentVersion: body.currentVersion })) }
    : rendered,
)

test.each<[string, PortalOptions, string | undefined]>([
  ['from enterpriseVersion of the root', {}, '11.3'],
  ['from enterpriseVersion of the organization', { alter: rootWithoutRelease }, '11.3'],
  ['from portaladmin of release 11.0', { variants: ['release-shown-to-administrators'] }, '11.0'],
  ['from portaladmin of release 10.7', { variants: ['older-release'] }, '10.7'],
  [
    'as unknown if portaladmin is forbidden',
    {
      alter: ({ administration }) => {
        administration.release = '11.0'
        administration.fails = (path) => (path === '/portaladmin' ? 'forbidden' : undefined)
      },
    },
    undefined,
  ],
  ['as unknown from the hosted edition', { variants: ['hosted-edition'] }, undefined],
])('findDeployment reads the release %s', async (_, options, version) => {
  const { target } = await findDeployment(configurationFor(await portalWith(options)), new SignIns())
  expect(target.version).toBe(version)
})

test('findDeployment goes on without the page of the base URL', async () => {
  const toSlash = admitBefore(({ response: { req } }) =>
    req.url?.startsWith('/sharing/rest?')
      ? { status: 301, headers: { location: '/sharing/rest/' }, body: Buffer.from('') }
      : undefined,
  )
  const { administration, target } = await findDeployment(
    configurationFor(await portalWith({ alter: toSlash })),
    new SignIns(),
  )
  expect(administration?.lacks.group).toBeUndefined()
  expect(target.version).toBe('11.3')
})

test('an administrator finds the site beside an API in capital letters', async () => {
  const configuration = configurationFor(await portalWith())
  const target = { ...configuration.target, baseUrl: 'https://h/Portal/Sharing/REST' }
  const login = configuration.administration?.logins.host as Actor
  expect(new Administrator({ ...configuration, target }, login, new SignIns()).siteUrl).toBe(
    'https://h/Portal',
  )
})

test('findDeployment prefers the configured release', async () => {
  const configuration = configurationFor(await portalWith())
  const target = { ...configuration.target, version: '10.9' }
  expect((await findDeployment({ ...configuration, target }, new SignIns())).target.version).toBe('10.9')
})

test('findDeployment requests portaladmin once, for the release and for user creation', async () => {
  let requests = 0
  const portal = await portalWith({
    variants: ['release-shown-to-administrators'],
    alter: ({ administration }) => {
      administration.fails = (path) => {
        if (path === '/portaladmin') requests += 1
        return undefined
      }
    },
  })
  const { administration } = await findDeployment(configurationFor(portal), new SignIns())
  expect(administration?.createsUsers).toBe(true)
  expect(requests).toBe(1)
})

const withRole = changeRendered((rendered, { body }) =>
  'privileges' in body && 'role' in body
    ? { ...rendered, body: Buffer.from(JSON.stringify({ ...body, roleId: 'aRoleOfItsOwn123' })) }
    : rendered,
)

test('findDeployment leaves out the users who need a role if the host is no full administrator', async () => {
  const { actors, absent } = await findDeployment(
    configurationFor(await portalWith({ alter: withRole })),
    new SignIns(),
  )
  expect(Object.keys(actors)).toEqual(expect.arrayContaining(['hostMember', 'outsider', 'taskOwner']))
  for (const name of ['itemOwner', 'itemOwnerUnprivileged', 'customAdministrator'] as const)
    expect(absent?.[name]).toMatch(/no full administrator/)
})

test.each<[string, Alter[], RegExp]>([
  ['login of a full administrator', [withRole], /error code 403.*so a run cannot make users; use the login/],
  ['open portaladmin', [], /error code 403.*so a run cannot make users; open \S+\/portaladmin/],
])('findDeployment advises if portaladmin is forbidden: %s', async (_, changes, expected) => {
  const alter: Alter = (parts) => {
    for (const change of changes) change(parts)
    parts.administration.fails = (path) => (path === '/portaladmin' ? 'forbidden' : undefined)
  }
  const { absent } = await findDeployment(configurationFor(await portalWith({ alter })), new SignIns())
  expect(absent?.hostMember).toMatch(expected)
})

test.each(['127.0.0.1', 'localhost'])(
  'findDeployment leaves out a guest that is the host, at %s',
  async (at) => {
    const portal = await portalWith({
      alter: ({ administration }) => {
        administration.ownAddress = () => 'portal.example.com/arcgis'
      },
    })
    const { host } = portal.logins
    const baseUrl = host.baseUrl.replace('127.0.0.1', at)
    const { username, password } = host
    const changed = writtenFor(portal, { guest: { username, password } })
    const value = { ...changed, portals: { ...changed.portals, guest: { baseUrl } } }
    const configuration = loadConfiguration({ value, name: 'the test' }, {}, {})
    const found = await findDeployment(configuration, new SignIns())
    const reason = expect.stringContaining('portals.guest is the host itself')
    expect(found.portals.guest).toBeUndefined()
    expect(found.administration?.logins.guest).toBeUndefined()
    expect(found.administration?.lacks.workspace).toEqual(reason)
    expect(found.absent).toEqual({ guestAdministrator: reason, syncInitiator: reason })
  },
)

test('findDeployment keeps a guest at the address of the host', async () => {
  const { portals, administration } = await findDeployment(
    configurationFor(await portalWith()),
    new SignIns(),
  )
  expect(portals.guest?.id).not.toBe(portals.host.id)
  expect(administration?.logins.guest).toBeDefined()
})
