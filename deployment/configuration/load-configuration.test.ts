import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { operationIds, operations } from '../../specs/operations.ts'
import { authority } from '../http/certificates.fixture.ts'
import { ConfigurationError } from './configuration-error.ts'
import { configurationFolder, least, load, problems } from './configuration-file.fixture.ts'
import { loadConfiguration } from './load-configuration.ts'
import { schemaSettings } from './schema-settings.ts'

const folder = configurationFolder()

test('loadConfiguration has defaults for a target on localhost', () => {
  const { run, ...others } = load(least)
  expect(others).toEqual({
    target: { baseUrl: 'http://localhost:1/x', profile: 'none', offers: [] },
    authentication: { in: 'form', name: 'token', prefix: '' },
    portals: { host: { id: 'h' } },
    actors: {},
    contract: {},
    effects: operationIds,
    http: {
      timeoutMs: 10_000,
      connectTimeoutMs: 5000,
      throttleWaitMs: 30_000,
      maxAnswerBytes: 2 * 1024 * 1024,
      concurrency: 8,
      insecure: false,
      headers: {},
    },
  })
  expect(run).toEqual({
    seed: expect.any(Number),
    runs: 25,
    plentiful: false,
    settleMs: 2000,
    clockToleranceMs: 86_400_000,
  })
  expect(run.seed).toBeLessThan(2 ** 31)
  expect(load(least).run.seed).not.toBe(run.seed)
})

test('the file overrides defaults, and the command line overrides the file', () => {
  const content = `${least}http: { concurrency: 3, timeout: 1m }
run: { seed: 7, runs: 5, guestRefresh: 1h }
effects: [sync-workspace]
`
  const written = load(content, {}, { defaultRuns: 100 })
  expect(written.http).toMatchObject({ concurrency: 3, timeoutMs: 60_000 })
  expect(written.run).toMatchObject({ seed: 7, runs: 5, guestRefreshMs: 3_600_000 })
  expect(written.effects).toEqual(['sync-workspace'])
  const overridden = load(
    content,
    {},
    { baseUrl: 'http://[::1]:2/', seed: 8, runs: 6, concurrency: 2, effects: 'all' },
  )
  expect(overridden.target.baseUrl).toBe('http://[::1]:2')
  expect(overridden.run).toMatchObject({ seed: 8, runs: 6 })
  expect(overridden.http.concurrency).toBe(2)
  expect(overridden.effects).toEqual(operationIds)
  expect(load(least, {}, { defaultRuns: 100 }).run.runs).toBe(100)
})

test('a remote target has lower concurrency and must list permitted effects', () => {
  const remote = 'target: { baseUrl: https://staging.example.com/rest }\nportals: { host: { id: h } }\n'
  expect(load(`${remote}effects: all`).http.concurrency).toBe(4)
  expect(problems(remote)).toEqual([
    `FILE: effects: missing; staging.example.com is not this machine, so say what the run may do there:
${operations.map(({ id, effect }) => `  ${id}: ${effect}`).join('\n')}
Allow everything with "effects: all" (--effects all), or some with "effects: [add-workspace]" (--effects add-workspace).`,
  ])
  // A run changes a remote guest portal, too.
  const guest =
    'target: { baseUrl: http://127.0.0.1:1 }\nportals: { host: { id: h }, guest: { id: g, baseUrl: "http://10.0.0.1" } }\n'
  expect(problems(guest)).toHaveLength(1)
  expect(load(guest, {}, { effects: ['sync-workspace'] }).effects).toEqual(['sync-workspace'])
})

test('an actor without a portal gets the default portal of its role', () => {
  const portals = 'target: { baseUrl: http://localhost }\nportals: { host: { id: h }, guest: { id: g }'
  const actors = `}\nactors:
  hostMember: { credential: a }
  guestAdministrator: { credential: b }
  syncInitiator: { credential: c }
  syncNonInitiator: { credential: d }
  outsider: { credential: e, portal: guest, username: o }
`
  const portalOf = (content: string) =>
    Object.fromEntries(Object.entries(load(content).actors).map(([name, { portal }]) => [name, portal]))
  const expected = {
    hostMember: 'host',
    guestAdministrator: 'guest',
    syncInitiator: 'guest',
    outsider: 'guest',
  }
  expect(portalOf(portals + actors)).toEqual({ ...expected, syncNonInitiator: 'host' })
  expect(portalOf(`${portals}, otherGuest: { id: o }${actors}`)).toEqual({
    ...expected,
    syncNonInitiator: 'otherGuest',
  })
})

test.each([
  ['itemOwnerUnprivileged: { credential: u }', 'u', undefined],
  ['hostMember: { credential: m }, itemOwnerUnprivileged: { credential: u }', 'm', 'm'],
  ['itemOwnerUnprivileged: { credential: { login: { username: u, password: p } } }', undefined, undefined],
])('another suitable actor stands in for hostMember and outsider: %s', (actors, member, outsider) => {
  const { actors: all } = load(`${least.replace(/actors:.*\n/, '')}\nactors: { ${actors} }\n`)
  expect([all.hostMember?.credential, all.outsider?.credential]).toEqual([member, outsider])
})

test('environment variables are replaced, and all missing ones are reported at once', () => {
  const content = `target:
  baseUrl: http://\${HOST}:\${PORT}/rest
portals: { host: { id: "$\${ID}" } }
actors:
  hostMember:
    credential: \${MEMBER}
`
  const { target, portals, actors } = load(content, { HOST: 'localhost', PORT: '81', MEMBER: `\${HOST}` })
  expect([target.baseUrl, portals.host.id, actors.hostMember?.credential]).toEqual([
    'http://localhost:81/rest',
    `\${ID}`,
    `\${HOST}`,
  ])
  expect(problems(content, { HOST: 'localhost' })).toEqual([
    'FILE:2:3: target.baseUrl: the environment variable PORT is not set',
    'FILE:6:5: actors.hostMember.credential: the environment variable MEMBER is not set',
  ])
  expect(load(content, { MEMBER: 'x' }, { baseUrl: 'http://localhost' }).target.baseUrl).toBe(
    'http://localhost',
  )
  expect(problems(`${least}authentication: { prefix: "\${A-B}" }`)).toEqual([
    `FILE:3:19: authentication.prefix: \${ must be followed by NAME}; a plain \${ is written $\${`,
  ])
})

test('a command that sends nothing needs no variable of a credential', () => {
  const content = `target: { baseUrl: http://localhost, profile: arcgis }
actors: { hostMember: { credential: "\${MEMBER}" } }
administration: { host: { username: admin, password: "\${PASSWORD}" } }
portals: { host: { id: "\${HOST}" } }
`
  expect(problems(content, {}, { nothingIsSent: true })).toEqual([
    'FILE:4:20: portals.host.id: the environment variable HOST is not set',
  ])
  expect(load(content, { HOST: 'h' }, { nothingIsSent: true }).administration?.lacks).not.toHaveProperty(
    'group',
  )
})

test('relative paths start at the folder of the configuration', () => {
  writeFileSync(join(folder, 'ca.pem'), authority)
  writeFileSync(join(folder, 'fixtures.mjs'), '')
  const profile = { format: 'portal-conformance/profile', name: 'ours', title: 'Our portal' }
  writeFileSync(join(folder, 'ours.yaml'), JSON.stringify(profile))
  const content = `${least.replace('// }', ' , profile: ./ours.yaml }')}http: { ca: ca.pem }\nfixtures: { module: ./fixtures.mjs }\n`
  const { http, fixtures, target } = load(content)
  expect(http.ca).toBe(join(folder, 'ca.pem'))
  expect(fixtures).toEqual({ module: join(folder, 'fixtures.mjs') })
  expect(target.profile).toBe('ours')
  expect(problems(`${least}http: { cert: none.pem }`)).toEqual([
    `FILE:3:9: http.cert: the file ${join(folder, 'none.pem')} cannot be read`,
    'FILE:3:9: http.cert: needs http.key beside it',
  ])
})

test('loadConfiguration reads JSON files and plain objects', () => {
  const value = { target: { baseUrl: 'http://localhost' }, portals: { host: { id: `\${ID}` } } }
  expect(load(JSON.stringify(value, null, '\t'), { ID: 'h' }).portals.host.id).toBe('h')
  const loadValue = () => loadConfiguration({ value, name: 'embedded portal' }, {}, {})
  expect(loadValue).toThrow(
    new ConfigurationError(['embedded portal: portals.host.id: the environment variable ID is not set']),
  )
})

const fleet = `portals: { host: { id: shared } }
http: { timeout: 5s, concurrency: 2 }
targets:
  north:
    target: { baseUrl: http://localhost:1/north }
  south:
    target: { baseUrl: http://localhost:2/south }
    portals: { host: { id: south } }
    http: { concurrency: 7 }
`

describe('a configuration of several targets', () => {
  it('merges shared settings with those of the target', () => {
    const north = load(fleet, {}, { target: 'north' })
    expect(north.target.baseUrl).toBe('http://localhost:1/north')
    expect(north.portals.host.id).toBe('shared')
    const south = load(fleet, {}, { target: 'south' })
    expect(south.portals.host.id).toBe('south')
    expect([south.http.timeoutMs, south.http.concurrency]).toEqual([5000, 7])
  })

  it('lists the targets if none or an unknown one is chosen', () => {
    expect(problems(fleet)).toEqual([
      'FILE:3:1: the configuration is that of several targets: north, south; choose one with --target NAME, or judge all with "portal-conformance fleet"',
    ])
    expect(problems(fleet, {}, { target: 'west' })).toEqual([
      'FILE:3:1: --target west: not there; the configuration is that of several targets: north, south',
    ])
  })

  it('reports the line of a problem, in the target or in shared settings', () => {
    const wrong = fleet
      .replace('{ concurrency: 7 }', '{ concurrency: 0 }')
      .replace('timeout: 5s', 'timeout: 5')
    expect(problems(wrong, {}, { target: 'south' })).toEqual([
      expect.stringMatching(/^FILE:2:\d+: http\.timeout: /),
      expect.stringMatching(/^FILE:9:\d+: http\.concurrency: /),
    ])
  })
})

const target = { baseUrl: 'https://portal.example/x/' }

describe('schemaSettings', () => {
  it('resolves a credential that is text, a file or a login', () => {
    const login = { username: 'a', password: 'b' }
    const actors = {
      hostMember: { credential: 'token' },
      itemOwner: { credential: { file: 'token.txt' } },
      outsider: { credential: { login } },
    }
    expect(schemaSettings({ target, actors }, '/folder')).toMatchObject({
      actors: {
        hostMember: { credential: 'token' },
        itemOwner: { credential: { file: '/folder/token.txt' } },
        outsider: { credential: { login: { ...login, expirationMs: 3_600_000 } } },
      },
    })
  })
})
