import { expect, test } from 'vitest'
import { changeRendered } from '../../reference/alterations.ts'
import type { PortalOptions } from '../../reference/portal.ts'
import { SignIns } from '../credentials/sign-ins.ts'
import { configurationFor, portalWith } from './administered.fixture.ts'
import { findDeployment } from './find-deployment.ts'

/** Only the organization says which release it is. */
const rootSaysNothing = changeRendered((rendered, { body }) =>
  'enterpriseVersion' in body && !('id' in body)
    ? { ...rendered, body: Buffer.from(JSON.stringify({ currentVersion: body.currentVersion })) }
    : rendered,
)

test.each<[string, PortalOptions, string | undefined]>([
  ['enterpriseVersion of the root', {}, '11.3'],
  ['enterpriseVersion of the organization', { alter: rootSaysNothing }, '11.3'],
  ['portaladmin, of release 11.0', { variants: ['release-shown-to-administrators'] }, '11.0'],
  ['portaladmin, of release 10.7', { variants: ['older-release'] }, '10.7'],
  [
    'nothing where portaladmin is closed',
    {
      alter: ({ administration }) => {
        administration.release = '11.0'
        administration.fails = (path) => (path === '/portaladmin' ? 'forbidden' : undefined)
      },
    },
    undefined,
  ],
  ['nothing of the hosted edition', { variants: ['hosted-edition'] }, undefined],
])('is read from %s', async (_, options, version) => {
  const { target } = await findDeployment(configurationFor(await portalWith(options)), new SignIns())
  expect(target.version).toBe(version)
})

test('what the configuration says goes before it', async () => {
  const configuration = configurationFor(await portalWith())
  const target = { ...configuration.target, version: '10.9' }
  expect((await findDeployment({ ...configuration, target }, new SignIns())).target.version).toBe('10.9')
})

test('portaladmin is asked once, for the release and for who makes users', async () => {
  let asked = 0
  const portal = await portalWith({
    variants: ['release-shown-to-administrators'],
    alter: ({ administration }) => {
      administration.fails = (path) => {
        if (path === '/portaladmin') asked += 1
        return undefined
      }
    },
  })
  const { administration } = await findDeployment(configurationFor(portal), new SignIns())
  expect(administration?.createsUsers).toBe(true)
  expect(asked).toBe(1)
})
