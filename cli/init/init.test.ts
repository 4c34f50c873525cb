import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { loadConfiguration } from '../../deployment/configuration/load-configuration.ts'
import { observedContext } from '../process/command-context.fixture.ts'
import { runInProcess } from '../process/in-process.fixture.ts'
import { testFolder } from '../process/test-folder.fixture.ts'
import { portalOfFile, testPortal } from '../process/test-portal.fixture.ts'
import { runProgram } from '../program.ts'

const token = '0NRfU9CoFaw0-2heqeTNVCMe2mDlFBsl'
const target = ['--base-url', 'https://staging.example.com/sharing/rest', '--host-id', '0123456789ABCDEF']
const environment = { ADMIN_TOKEN: 'token-of-admin', OTHER: 'token-of-other', PASSWORD: 'password-of-it' }

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

const load = (file: string, more: NodeJS.ProcessEnv = {}) =>
  loadConfiguration({ file }, {}, { ...environment, ...more })

describe('init with flags', () => {
  it('writes a minimal configuration, and prints the next commands', async () => {
    const file = outFile()
    const { code, out, err } = await init(file, target)
    expect([code, err]).toEqual([0, ''])
    for (const command of ['doctor', 'run --dry-run', 'run'])
      expect(out).toContain(`portal-conformance ${command} --config ${file}`)
    expect(load(file)).toMatchObject({
      target: { baseUrl: 'https://staging.example.com/sharing/rest', profile: 'none' },
      portals: { host: { id: '0123456789ABCDEF' } },
      actors: {},
      effects: [],
    })
  })

  it('writes every option into a configuration that loads', async () => {
    const file = outFile()
    const { code, out, err } = await init(file, [
      ...target,
      ...['--guest-id', '00112233', '--profile', 'arcgis', '--auth', 'header'],
      ...['--edition', 'hosted', '--release', '11.10'],
      ...['--actor', 'hostAdministrator=ADMIN_TOKEN', '--username', 'hostAdministrator=admin=1'],
      ...['--actor', 'guestAdministrator=login:gast:PASSWORD', '--actor', 'outsider=command:print token'],
      ...['--collaboration', 'c1', '--collaboration', '77', '--group', 'true'],
    ])
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(
      'Set the variables that the file names:\n  export ADMIN_TOKEN=...\n  export PASSWORD=...\n',
    )
    const loaded = load(file)
    expect(loaded).toMatchObject({
      target: { version: '11.10', edition: 'hosted', profile: 'arcgis' },
      authentication: { in: 'header', name: 'Authorization', prefix: 'Bearer ' },
      portals: { guest: { id: '00112233' } },
      actors: {
        hostAdministrator: { credential: 'token-of-admin', username: 'admin=1' },
        guestAdministrator: { source: { login: { username: 'gast', password: 'password-of-it' } } },
        outsider: { source: { command: 'print token' } },
      },
      fixtures: {
        static: {
          collaboration: [{ collaborationId: 'c1' }, { collaborationId: '77' }],
          group: [{ groupId: 'true' }],
          participant: [
            { collaborationId: 'c1', participantPortalId: '00112233' },
            { collaborationId: '77', participantPortalId: '00112233' },
          ],
        },
      },
      effects: ['add-workspace', 'update-participant'],
    })
  })

  it.each([
    ['url=http://127.0.0.1:8090', { url: 'http://127.0.0.1:8090' }],
    ['none', undefined],
  ])('writes the fixtures of --fixtures %s', async (source, expected) => {
    const file = outFile()
    await init(file, [...target, '--fixtures', source, '--actor', 'hostAdministrator=ADMIN_TOKEN'])
    expect(load(file).fixtures).toEqual(expected)
    const deletes = load(file).effects.includes('delete-collaboration')
    expect(deletes).toBe(expected !== undefined)
  })

  it('explains every section in comments', async () => {
    const file = outFile()
    await init(file, target)
    const text = readFileSync(file, 'utf8')
    for (const term of ['hostMember', 'delete-collaboration', 'sync: {', 'requestsPerSecond', 'guestRefresh'])
      expect(text).toMatch(new RegExp(`^ *# .*${term}`, 'm'))
    expect(text.split('\n').filter((line) => line.length > 140)).toEqual([])
  })
})

describe('init exits with 2 and writes nothing for', () => {
  it.each<[string, string[], RegExp]>([
    [
      'no target',
      [],
      /on a terminal only. Without one, give --base-url URL and --host-login USER:VARIABLE \(or --host-id ID\)/,
    ],
    [
      'a target without login or id',
      target.slice(0, 2),
      /give --host-login USER:VARIABLE \(or --host-id ID\);/,
    ],
    [
      'a credential instead of a variable',
      [...target, '--actor', `hostAdministrator=${token}`],
      /names no environment variable/,
    ],
    [
      'a credential instead of an actor',
      [...target, '--actor', `${token}=X`],
      /there is no actor of that name/,
    ],
    ['a secret in a command', [...target, '--actor', `outsider=command:echo ${token}`], /may hold a secret/],
    [
      'a secret in a provider',
      [...target, '--fixtures', `command=./provide --token ${token}`],
      /hold a secret/,
    ],
    [
      'a password instead of a variable',
      [...target, '--actor', `outsider=login:me:${token}`],
      /names no environment variable/,
    ],
    [
      'a user name in a URL',
      ['--base-url', `https://me:${token}@x.example`, '--host-id', 'h'],
      /belong to actors/,
    ],
    [
      'a token in a URL',
      ['--base-url', `https://x.example?t=${token}`, '--host-id', 'h'],
      /belong to actors/,
    ],
    [
      'an unknown actor',
      [...target, '--actor', 'boss=X'],
      /there is no actor boss. Known are hostAdministrator/,
    ],
    ['an unknown profile', [...target, '--profile', 'arcgsi'], /arcgsi/],
    ['an invalid release', [...target, '--release', 'eleven'], /target.version/],
    [
      'a guest actor without a guest portal',
      [...target, '--actor', 'guestAdministrator=OTHER'],
      /portals.guest/,
    ],
    ['fixtures of two kinds', [...target, '--fixtures', 'none', '--group', 'g'], /go with --fixtures static/],
    [
      'an unknown source of fixtures',
      [...target, '--fixtures', 'ftp=x'],
      /url=URL, module=PATH, command=LINE, static or none/,
    ],
    ['an unknown operation', [...target, '--effects', 'delete-all'], /There is no operation delete-all/],
    [
      'a user name for an actor that is not given',
      [...target, '--username', 'outsider=me'],
      /for an actor that --actor names/,
    ],
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

describe('init on a terminal, without logins', () => {
  it('writes variables for what no option says', async () => {
    const file = outFile()
    const { code, out } = await init(file, ['--guest-id', 'g'], ['no'])
    expect(code).toBe(0)
    const set = {
      PORTAL_BASE_URL: 'http://127.0.0.1:1/rest',
      HOST_PORTAL_ID: 'h',
      HOST_ADMINISTRATOR_TOKEN: 'a-token',
    }
    expect(out).toContain(
      Object.keys(set)
        .map((name) => `  export ${name}=...\n`)
        .join(''),
    )
    expect(load(file, set)).toMatchObject({
      portals: { host: { id: 'h' }, guest: { id: 'g' } },
      actors: { hostAdministrator: { credential: 'a-token' } },
    })
  })

  it('writes nothing if the answers end early', async () => {
    const file = outFile()
    const { code, err } = await init(file, ['--force'], [])
    expect([code, err]).toEqual([2, 'The answers ended early; nothing was written.\n'])
    expect(() => readFileSync(file)).toThrow('ENOENT')
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
        ...[elsewhere, guest.baseUrl, 'no-one', 'wrong', guest.username, guest.password, 'none'],
      ],
    )
    expect(code).toBe(0)
    expect(out).toContain('a URL that begins with https:// or http:// is expected.')
    expect(out).toContain('Base URL of the host [x.example]:')
    expect(out).toMatch(/--base-url: .*127\.0\.0\.1:1/)
    expect(out).toContain(`Base URL of the host [${elsewhere}]:`)
    expect(out).toContain('administration.host: the login was not accepted')
    expect(out.replaceAll('\n', ' ')).toContain(`administrator of the host [${host.username}]:`)
    expect(out.replaceAll('\n', ' ')).toContain('administrator of the guest, or none [no-one]:')
    expect(readFileSync(file, 'utf8')).toContain('users: none')
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
    expect(stdout).toMatch(/^Wrote portal-conformance\.yaml\.\nNext:\n {2}portal-conformance doctor {2}/)
    const text = readFileSync(join(folder, 'portal-conformance.yaml'), 'utf8')
    expect(text).toMatch(/^# yaml-language-server: \$schema=\S+\/configuration\.schema\.json\n/)
    expect((await runInProcess(['run', '--dry-run'], folder, {})).code).toBe(0)
  })
})
