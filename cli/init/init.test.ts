import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { loadConfiguration } from '../../deployment/configuration/load-configuration.ts'
import { startPortal } from '../../reference/portal.ts'
import { observedSurroundings } from '../process/surroundings.fixture.ts'
import { runProgram } from '../program.ts'
import { fromEnvironment } from './configuration-text.ts'

const token = '0NRfU9CoFaw0-2heqeTNVCMe2mDlFBsl'
const target = ['--base-url', 'https://staging.example.com/sharing/rest', '--host-id', '0123456789ABCDEF']
const environment = { ADMIN_TOKEN: 'token-of-admin', OTHER: 'token-of-other', PASSWORD: 'password-of-it' }

function outFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'pc-init-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return join(directory, 'staging.yaml')
}

async function init(
  out: string,
  words: readonly string[],
  answers?: readonly string[],
  variables: NodeJS.ProcessEnv = {},
) {
  const observed = observedSurroundings(variables)
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  if (answers !== undefined) stdin.end(answers.map((answer) => `${answer}\n`).join(''))
  const surroundings = answers === undefined ? observed : { ...observed, stdin }
  const code = await runProgram(['init', '--out', out, ...words], surroundings)
  return { code, out: observed.printed(), err: observed.complained() }
}

const load = (file: string, more: NodeJS.ProcessEnv = {}) =>
  loadConfiguration({ file }, {}, { ...environment, ...more })

describe('init with flags', () => {
  it('writes the least, and the steps to go on with', async () => {
    const file = outFile()
    const { code, out, err } = await init(file, target)
    expect([code, err]).toEqual([0, ''])
    for (const command of ['doctor', 'plan', 'run'])
      expect(out).toContain(`portal-conformance ${command} --config ${file}`)
    expect(load(file)).toMatchObject({
      target: { baseUrl: 'https://staging.example.com/sharing/rest', profile: 'none' },
      portals: { host: { id: '0123456789ABCDEF' } },
      actors: {},
      effects: [],
    })
  })

  it('writes all that it is given, as it loads then', async () => {
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
    expect(out).toContain('Set these environment variables first: ADMIN_TOKEN, PASSWORD\n')
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
  ])('takes fixtures from %s', async (source, expected) => {
    const file = outFile()
    await init(file, [...target, '--fixtures', source, '--actor', 'hostAdministrator=ADMIN_TOKEN'])
    expect(load(file).fixtures).toEqual(expected)
    const deletes = load(file).effects.includes('delete-collaboration')
    expect(deletes).toBe(expected !== undefined)
  })

  it('explains every part', async () => {
    const file = outFile()
    await init(file, target)
    const text = readFileSync(file, 'utf8')
    expect(text.match(/[Ll]eft out:|Leave out/g)?.length).toBeGreaterThanOrEqual(8)
    for (const said of ['hostMember', 'delete-collaboration', 'sync: {', 'requestsPerSecond', 'guestRefresh'])
      expect(text).toMatch(new RegExp(`^ *# .*${said}`, 'm'))
    expect(text.split('\n').filter((line) => line.length > 130)).toEqual([])
  })
})

describe('init refuses, with code 2 and writing nothing,', () => {
  it.each<[string, string[], RegExp]>([
    ['to guess the target', [], /asks on a terminal, and this is none: give --base-url URL and --host-id ID/],
    ['half a target', target.slice(0, 2), /give --host-id ID;/],
    ['a credential', [...target, '--actor', `hostAdministrator=${token}`], /names no environment variable/],
    ['a credential for a name', [...target, '--actor', `${token}=X`], /there is no actor what stands there/],
    ['a secret in a command', [...target, '--actor', `outsider=command:echo ${token}`], /hold a secret/],
    [
      'a secret in a provider',
      [...target, '--fixtures', `command=./provide --token ${token}`],
      /hold a secret/,
    ],
    ['a password', [...target, '--actor', `outsider=login:me:${token}`], /names no environment variable/],
    [
      'a user in an address',
      ['--base-url', `https://me:${token}@x.example`, '--host-id', 'h'],
      /belong to actors/,
    ],
    [
      'a token in an address',
      ['--base-url', `https://x.example?t=${token}`, '--host-id', 'h'],
      /belong to actors/,
    ],
    [
      'an unknown actor',
      [...target, '--actor', 'boss=X'],
      /there is no actor boss. Known are hostAdministrator/,
    ],
    ['an unknown profile', [...target, '--profile', 'arcgsi'], /arcgsi/],
    ['a release that is none', [...target, '--release', 'eleven'], /target.version/],
    ['a guest without its portal', [...target, '--actor', 'guestAdministrator=OTHER'], /portals.guest/],
    ['fixtures of two kinds', [...target, '--fixtures', 'none', '--group', 'g'], /go with --fixtures static/],
    [
      'an unknown source',
      [...target, '--fixtures', 'ftp=x'],
      /url=URL, module=PATH, command=LINE, static or none/,
    ],
    ['an unknown operation', [...target, '--effects', 'delete-all'], /there is no operation delete-all/],
    ['a user of nobody', [...target, '--username', 'outsider=me'], /for an actor that --actor names/],
  ])('%s', async (_, words, message) => {
    const file = outFile()
    const { code, out, err } = await init(file, words)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(message)
    expect(err).not.toContain(token)
    expect(() => readFileSync(file)).toThrow('ENOENT')
  })

  it('to write over a file, unless it is told to', async () => {
    const file = outFile()
    writeFileSync(file, 'mine')
    const { code, err } = await init(file, target)
    expect([code, readFileSync(file, 'utf8')]).toEqual([2, 'mine'])
    expect(err).toMatch(/such a file already; --force/)
    expect((await init(file, [...target, '--force'])).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain('baseUrl')
  })
})

describe('init on a terminal', () => {
  it('has an answer to every question', async () => {
    const file = outFile()
    const { code, out } = await init(file, [], Array(20).fill(''))
    expect(code).toBe(0)
    expect(out).toContain(
      `Base URL of the deployment, where the paths of the contract begin [${fromEnvironment('PORTAL_BASE_URL')}] `,
    )
    expect(out).not.toContain('deletes the collaborations that you listed')
    expect(out).toMatch(/first: PORTAL_BASE_URL, HOST_PORTAL_ID, HOST_ADMINISTRATOR_TOKEN\n/)
    const set = {
      PORTAL_BASE_URL: 'http://127.0.0.1:1/rest',
      HOST_PORTAL_ID: 'h',
      HOST_ADMINISTRATOR_TOKEN: 'a-token',
    }
    expect(load(file, set)).toMatchObject({ actors: { hostAdministrator: { credential: 'a-token' } } })
  })

  it('asks again where an answer will not do, without repeating it, and not for what was given', async () => {
    const file = outFile()
    const answers = ['', '', 'cookies', 'cookie', '', '', 'hostAdministrator', token, 'ADMIN_TOKEN', 'admin']
    const { code, out } = await init(file, target, [...answers, 'static', 'c1', 'g1, g2', 'none'])
    expect(code).toBe(0)
    expect(out).not.toContain('Base URL')
    expect(out).toContain('Known are form, query, header, cookie.')
    expect(out).toContain('hostAdministrator: this names no environment variable')
    expect(out).not.toContain(token)
    expect(out).toContain('(delete-collaboration deletes the collaborations that you listed) [')
    expect(readFileSync(file, 'utf8')).toContain('deletes each collaboration that it takes from this list')
    expect(load(file)).toMatchObject({
      authentication: { in: 'cookie' },
      actors: { hostAdministrator: { credential: 'token-of-admin', username: 'admin' } },
      fixtures: {
        static: { collaboration: [{ collaborationId: 'c1' }], group: [{ groupId: 'g1' }, { groupId: 'g2' }] },
      },
      effects: [],
    })
  })

  it('writes nothing where the answers end early', async () => {
    const file = outFile()
    const { code, err } = await init(file, [], ['https://x.example'])
    expect(code).toBe(2)
    expect(err).toContain('the answers ended early; nothing was written')
    expect(() => readFileSync(file)).toThrow('ENOENT')
  })
})

describe('the release in a configuration from logins', () => {
  it.each([
    ['is the one of the product, and no internal number', 'release-shown-to-administrators', '"11.0"'],
    ['is not guessed where the deployment does not say it', 'hosted-edition', undefined],
  ])('%s', async (_, variant, version) => {
    const portal = await startPortal({ variants: [variant] })
    onTestFinished(() => portal.close())
    const { host } = portal.logins
    const file = outFile()
    const login = ['--base-url', host.baseUrl, '--host-login', `${host.username}:LOGIN_OF_HOST`]
    const { code, err } = await init(file, login, undefined, { LOGIN_OF_HOST: host.password })
    expect([code, err]).toEqual([0, ''])
    expect(/^ {2}version: (.*)$/m.exec(readFileSync(file, 'utf8'))?.[1]).toBe(version)
  })
})

describe('init with logins, on a terminal', () => {
  it('tries each answer at once, asks again where it does not work, and loses nothing that was typed', async () => {
    const portal = await startPortal()
    onTestFinished(() => portal.close())
    const { host, guest } = portal.logins
    const variables = { LOGIN_OF_HOST: host.password, LOGIN_OF_GUEST: guest.password }
    const { origin } = new URL(host.baseUrl)
    const answers = [
      ...['yes', 'http://127.0.0.1:1/sharing/rest', `${origin}/elsewhere`, host.baseUrl],
      ...[`${host.username}:NOT_SET`, `${host.username}:LOGIN_OF_GUEST`, `${host.username}:LOGIN_OF_HOST`],
      ...[guest.baseUrl, `${guest.username}:LOGIN_OF_GUEST`],
    ]
    const file = outFile()
    const { code, out, err } = await init(file, [], [...answers, 'create'], variables)
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/the base URL: .*127\.0\.0\.1:1/)
    expect(out).toContain('NOT_SET is not set')
    expect(out).toContain('administration.host: the login was not accepted')
    const text = readFileSync(file, 'utf8')
    expect(text).toContain(`id: ${portal.store.portals.guest}`)
    expect(text).toContain('version: "11.3"')
    expect(text).toContain('edition: self-hosted')
    expect(text).not.toContain(host.password)
    const early = await init(outFile(), [], answers, variables)
    expect(early.code).toBe(2)
    expect(early.err).toContain(
      `to go on from there: portal-conformance init --base-url ${host.baseUrl} --host-login ${host.username}:LOGIN_OF_HOST --guest-url ${guest.baseUrl} --guest-login ${guest.username}:LOGIN_OF_GUEST`,
    )
  })
})
