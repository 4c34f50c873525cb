import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { loadConfiguration } from '../../deployment/configuration/load-configuration.ts'
import { suiteVersion } from '../../deployment/suite-version.ts'
import { observedContext } from '../process/command-context.fixture.ts'
import { runInProcess } from '../process/in-process.fixture.ts'
import { testFolder } from '../process/test-folder.fixture.ts'
import { portalOfFile, testPortal } from '../process/test-portal.fixture.ts'
import { runProgram } from '../program.ts'

const token = '0NRfU9CoFaw0-2heqeTNVCMe2mDlFBsl'
const target = ['--base-url', 'https://staging.example.com/sharing/rest']
/** What a user sets for a file without logins. */
const set = {
  PORTAL_BASE_URL: 'http://127.0.0.1:1/rest',
  HOST_PORTAL_ID: 'h',
  HOST_ADMINISTRATOR_TOKEN: 'a-token',
}

const outFile = (): string => join(testFolder(), 'staging.yaml')

async function init(
  out: string,
  words: readonly string[],
  answers?: readonly string[],
  variables: NodeJS.ProcessEnv = {},
) {
  const observed = observedContext(variables)
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  if (answers !== undefined) stdin.end(answers.map((answer) => `${answer}\n`).join(''))
  const commandContext = answers === undefined ? observed : { ...observed, stdin }
  const code = await runProgram(['init', '--out', out, ...words], commandContext)
  return { code, out: observed.printed(), err: observed.complained() }
}

const load = (file: string, variables: NodeJS.ProcessEnv = set) => loadConfiguration({ file }, {}, variables)

describe('init without logins', () => {
  it('writes variables for what the user names, and prints the next commands', async () => {
    const file = outFile()
    const { code, out, err } = await init(file, [])
    expect([code, err]).toEqual([0, ''])
    const exports = Object.keys(set).map((name) => `  export ${name}=...\n`)
    expect(out).toContain(`Set the variables that the file names:\n${exports.join('')}`)
    for (const command of ['doctor', 'run --dry-run', 'run'])
      expect(out).toContain(`portal-conformance ${command} --config ${file}`)
    expect(load(file)).toMatchObject({
      target: { baseUrl: set.PORTAL_BASE_URL, profile: 'none' },
      portals: { host: { id: 'h' } },
      actors: { hostAdministrator: { credential: 'a-token' } },
      effects: [],
    })
  })

  it('explains every section in comments', async () => {
    const file = outFile()
    await init(file, [...target, '--profile', 'arcgis'])
    expect(load(file)).toMatchObject({ target: { baseUrl: target[1], profile: 'arcgis' } })
    const text = readFileSync(file, 'utf8')
    for (const term of ['hostMember', 'delete-collaboration', 'sync: {', 'requestsPerSecond', 'guestRefresh'])
      expect(text).toMatch(new RegExp(`^ *# .*${term}`, 'm'))
    expect(text.split('\n').filter((line) => line.length > 140)).toEqual([])
  })

  it('does so on a terminal if the user answers no', async () => {
    const file = outFile()
    expect((await init(file, [], ['no'])).code).toBe(0)
    expect(load(file).actors.hostAdministrator?.credential).toBe('a-token')
  })

  it('writes nothing if the answers end early', async () => {
    const file = outFile()
    const { code, err } = await init(file, ['--force'], [])
    expect([code, err]).toEqual([2, 'The answers ended early; nothing was written.\n'])
    expect(() => readFileSync(file)).toThrow('ENOENT')
  })
})

describe('init exits with 2 and writes nothing for', () => {
  it.each<[string, string[], RegExp]>([
    ['a login without an address', ['--host-login', 'admin:VARIABLE'], /needs --base-url URL/],
    ['a guest without a login', [...target, '--guest-url', 'https://g.example'], /belong together/],
    ['a user name in a URL', ['--base-url', `https://me:${token}@x.example`], /an address without user name/],
    ['a token in a URL', ['--base-url', `https://x.example?t=${token}`], /an address without user name/],
  ])('%s', async (_, words, message) => {
    const file = outFile()
    const { code, out, err } = await init(file, words)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(message)
    expect(err).not.toContain(token)
    expect(() => readFileSync(file)).toThrow('ENOENT')
  })

  it('an existing file, unless --force is given', async () => {
    const file = outFile()
    writeFileSync(file, 'mine')
    const { code, err } = await init(file, target)
    expect([code, readFileSync(file, 'utf8')]).toEqual([2, 'mine'])
    expect(err).toMatch(/the file exists; --force/)
    expect((await init(file, [...target, '--force'])).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain('baseUrl')
  })
})

it('init with logins writes no release if the deployment does not report one', async () => {
  const { host } = (await testPortal({ variants: ['hosted-edition'] })).logins
  const file = outFile()
  const login = ['--base-url', host.baseUrl, '--host-login', `${host.username}:LOGIN_OF_HOST`]
  const { code, out, err } = await init(file, login, undefined, { LOGIN_OF_HOST: host.password })
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('Note: Release unknown: every operation is judged.')
  expect(readFileSync(file, 'utf8')).not.toMatch(/^ {2}version:/m)
})

it('init with logins notes an administrator without the rights of one', async () => {
  const { logins, store } = await testPortal()
  const { host } = logins
  Object.assign(store.users.get(host.username) ?? {}, { role: 'user', privileges: new Set() })
  const login = ['--base-url', host.baseUrl, '--host-login', `${host.username}:LOGIN_OF_HOST`]
  const { code, out } = await init(outFile(), login, undefined, { LOGIN_OF_HOST: host.password })
  expect(code).toBe(0)
  expect(out).toContain('Note: hostAdministrator: signed in, but the deployment shows other rights')
})

describe('init with logins, on a terminal', () => {
  const portalOf = portalOfFile()
  function startedPortal() {
    const portal = portalOf()
    const { host, guest } = portal.logins
    return { portal, host, guest, elsewhere: `${new URL(host.baseUrl).origin}/elsewhere` }
  }

  it('asks for passwords, signs in, and writes only the names of their variables', async () => {
    const { portal, host, guest } = startedPortal()
    const answers = ['', host.baseUrl, host.username, host.password]
    const file = outFile()
    const all = [...answers, guest.baseUrl, guest.username, guest.password, '']
    const { code, out, err } = await init(file, [], all)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(`Signed in: portal ${portal.store.portals.host}, `)
    expect(out).toContain(`Signed in: portal ${portal.store.portals.guest}.`)
    expect(out).toContain('  export HOST_PASSWORD=...\n  export GUEST_PASSWORD=...\n')
    const text = readFileSync(file, 'utf8')
    for (const secret of [host.password, guest.password]) expect(text + out).not.toContain(secret)
    const passwords = { HOST_PASSWORD: host.password, GUEST_PASSWORD: guest.password }
    expect(load(file, passwords)).toMatchObject({
      target: { profile: 'arcgis', version: '11.3', edition: 'self-hosted' },
      portals: { guest: { id: portal.store.portals.guest } },
      administration: { permitted: true, createsUsers: true },
      effects: expect.arrayContaining(['delete-collaboration']),
    })
  })

  it('asks again for URLs and logins that do not work, with the last answer as default', async () => {
    const { host, guest, elsewhere } = startedPortal()
    const file = outFile()
    const { code, out } = await init(
      file,
      [],
      [
        ...['yes', 'x.example', 'http://127.0.0.1:1/sharing/rest', elsewhere, host.baseUrl],
        ...[host.username, guest.password, '', host.password],
        ...[elsewhere, guest.baseUrl, 'no-one', 'wrong', guest.username, guest.password, 'no'],
      ],
    )
    expect(code).toBe(0)
    expect(out).toContain('a URL that begins with https:// or http:// is expected.')
    expect(out).not.toContain('Base URL of the host [x.example]:')
    expect(out).toMatch(/--base-url: .*127\.0\.0\.1:1/)
    expect(out).toContain(`Base URL of the host [${elsewhere}]:`)
    expect(out).toContain('administration.host: the login was not accepted')
    expect(out.replaceAll('\n', ' ')).toContain(`administrator of the host [${host.username}]:`)
    expect(out.replaceAll('\n', ' ')).toContain('administrator of the guest, or none [no-one]:')
    expect(readFileSync(file, 'utf8')).toContain('users: none')
  })

  it('offers the base URL where a portal answers', async () => {
    const { host } = startedPortal()
    const answers = ['', new URL(host.baseUrl).origin, '', host.username, host.password, '', '']
    const { code, out } = await init(outFile(), [], answers)
    expect(code).toBe(0)
    expect(out).toContain(`Base URL of the host [${host.baseUrl}]:`)
  })

  it('refuses a password in place of a variable, and does not repeat it', async () => {
    const { host } = startedPortal()
    const words = ['--base-url', host.baseUrl, '--host-login', `admin:${token}`]
    const { code, err } = await init(outFile(), words)
    expect([code, err]).toEqual([2, expect.stringContaining('USER:VARIABLE is expected')])
    expect(err).not.toContain(token)
  })

  it('uses a password from its variable, and asks for it if it is refused', async () => {
    const { host } = startedPortal()
    const set = { HOST_PASSWORD: host.password }
    const taken = await init(outFile(), [], ['', host.baseUrl, host.username, '', ''], set)
    expect([taken.code, taken.err]).toEqual([0, ''])
    expect(taken.out).toContain('HOST_PASSWORD is set: init signs in with its value.')
    expect(taken.out).not.toContain('Password of')
    expect(taken.out).not.toContain('export')
    const answers = ['', host.baseUrl, host.username, '', host.password, '', '']
    const refused = await init(outFile(), [], answers, { HOST_PASSWORD: 'outdated' })
    expect([refused.code, refused.err]).toEqual([0, ''])
    expect(refused.out).toContain('  export HOST_PASSWORD=...\n')
  })

  it('continues without a guest if its login fails', async () => {
    const { host, guest } = startedPortal()
    const answers = ['', host.baseUrl, host.username, host.password, guest.baseUrl, 'me', 'wrong', 'none', '']
    const file = outFile()
    expect((await init(file, [], answers)).code).toBe(0)
    expect(load(file, { HOST_PASSWORD: host.password }).portals.guest).toBeUndefined()
  })
})

describe('init without --out', () => {
  it('writes portal-conformance.yaml, which the other commands use', async () => {
    const folder = dirname(outFile())
    const { code, stdout } = await runInProcess(['init', ...target], folder, {})
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^Wrote portal-conformance\.yaml\.\n[\s\S]*\nNext, .*:\n {2}portal-conformance doctor\n/,
    )
    const text = readFileSync(join(folder, 'portal-conformance.yaml'), 'utf8')
    const schema = 'dist/schemas/configuration.schema.json'
    const published = `https://unpkg.com/portal-conformance@${suiteVersion}/${schema}`
    expect(text.split('\n', 1)).toEqual([`# yaml-language-server: $schema=${published}`])
    expect((await runInProcess(['run', '--dry-run'], folder, set)).code).toBe(0)
  })
})
