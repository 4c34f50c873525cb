import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Configuration } from '../../deployment/configuration/configuration.ts'
import { loadConfiguration } from '../../deployment/configuration/load-configuration.ts'
import { readyActors } from '../../deployment/credentials/ready-actors.ts'
import { SignIns } from '../../deployment/credentials/sign-ins.ts'
import { planChecks } from '../../runner/plan.ts'
import { inputOf } from '../../runner/run-input.ts'
import { Session } from '../../runner/session.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import { folderOfFile } from '../process/test-folder.fixture.ts'
import { portalOfFile } from '../process/test-portal.fixture.ts'

type Actor = NonNullable<Configuration['actors']['hostAdministrator']>

const folder = folderOfFile()
const portal = portalOfFile()

const tokenOf = (): string => portal().configuration.actors.hostAdministrator?.credential as string

function userOf(): { username: string; password: string } {
  const { username } = portal().configuration.actors.hostAdministrator as { username: string }
  return { username, password: portal().store.users.get(username)?.password as string }
}

/** The configuration with another credential of the host administrator, which is tried on that page. */
function configurationWith(credential: unknown, check: object = { check: '/community/self' }): Configuration {
  const { actors, authentication, ...others } = portal().configuration
  const { taskOwner } = actors
  const value = {
    ...others,
    authentication: { ...authentication, ...check },
    actors: { hostAdministrator: { ...actors.hostAdministrator, credential }, taskOwner },
  }
  return loadConfiguration({ value, name: 'test' }, { seed: 1 }, {})
}

const ready = (credential: unknown, check?: object) =>
  readyActors(configurationWith(credential, check), 'made-up-credential', new SignIns())

describe('readyActors, getting credentials', () => {
  it('reads a credential from a file, without the final line break', async () => {
    const file = join(folder, 'token')
    writeFileSync(file, `${tokenOf()}\n`)
    expect((await ready({ file })).actors.hostAdministrator?.credential).toBe(tokenOf())
    expect(() => configurationWith({ file: join(folder, 'none') })).toThrow(
      /credential\.file: the file .*none cannot be read/,
    )
    writeFileSync(file, '')
    expect(() => configurationWith({ file })).toThrow(/credential\.file: is empty/)
  })

  it('uses the output of a command as credential', async () => {
    const { actors } = await ready({ command: `echo ${tokenOf()}` })
    expect(actors.hostAdministrator?.credential).toBe(tokenOf())
  })

  it.each([
    ['exit 3', 'ended with code 3'],
    ['echo', 'is empty'],
    ['cat /dev/zero', 'did not end within 30 s, or printed more than 65536 bytes'],
  ])('omits the actor if the credential command is %j', async (command, reason) => {
    const { actors, absent } = await ready({ command })
    expect(actors).not.toHaveProperty('hostAdministrator')
    expect(absent?.hostAdministrator).toContain(reason)
  })

  it('logs in with user name and password', async () => {
    const { actors } = await ready({ login: userOf() })
    const { credential, expiresAt } = actors.hostAdministrator as { credential: string; expiresAt: number }
    expect(credential).not.toBe(tokenOf())
    expect(portal().store.tokens.has(credential)).toBe(true)
    expect(expiresAt).toBeGreaterThan(Date.now())
  })

  it('omits the actor if the login is refused, and shows no password', async () => {
    const { absent } = await ready({ login: { ...userOf(), password: 'wrong-pass-phrase' } })
    expect(absent?.hostAdministrator).toMatch(
      /^the login was not accepted: http.*\/generateToken says that the user name or the password is wrong/,
    )
    expect(absent?.hostAdministrator).not.toContain('wrong-pass-phrase')
    const unreachable = { login: { ...userOf(), url: 'http://127.0.0.1:1/generateToken' } }
    expect((await ready(unreachable)).absent?.hostAdministrator).toMatch(/^no token could be had: /)
  })
})

describe('readyActors, trying credentials', () => {
  it('omits an actor whose credential does not work, and gives its checks the reason', async () => {
    const configuration = await ready('no-such-token')
    expect(configuration.absent).toEqual({
      hostAdministrator: expect.stringMatching(
        /^its credential does not work: \/community\/self answered HTTP \d+ with error code \d+$/,
      ),
    })
    const planned = planChecks(await declaredChecks(), configuration, {
      operations: [],
      requirements: ['add-workspace/creates'],
    })
    expect(planned.find(({ id }) => id === 'add-workspace/creates')?.without).toMatchObject({
      outcome: 'not-tested',
      reason: `hostAdministrator cannot act: ${configuration.absent?.hostAdministrator}`,
    })
    expect(configuration.actors).toHaveProperty('taskOwner')
  })

  it.each([
    ['authentication.check is not set', {}],
    ['the page accepts any credential', { check: '/portals/self' }],
    ['the page does not exist', { check: '/no/such/page' }],
  ])('omits no actor if %s', async (_, check) => {
    expect((await ready('no-such-token', check)).absent).toBeUndefined()
  })
})

it('identities of a run renew an expiring token once for concurrent callers, and redact both tokens', async () => {
  const configuration = await ready({ login: userOf() })
  const { hostAdministrator, ...others } = configuration.actors
  const expiring = { ...(hostAdministrator as Actor), expiresAt: Date.now() - 1 }
  const actors = { ...others, hostAdministrator: expiring }
  const session = new Session(inputOf({ ...configuration, actors }, 'r'))
  const [one, other] = await Promise.all([1, 2].map(() => session.identities.of('hostAdministrator')))
  expect(one).toEqual(other)
  expect(one?.credential).not.toBe(expiring.credential)
  expect(portal().store.tokens.has(one?.credential as string)).toBe(true)
  expect(session.identities.redactor.text(`${one?.credential} ${expiring.credential}`)).toBe('*** ***')
  await session.close()
})
