import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type JsonSchema, schemaOf } from '../../schemas/catalogue.ts'
import { ConfigurationError } from './configuration-error.ts'
import { configurationFolder, least, problems } from './configuration-file.fixture.ts'
import { loadConfiguration } from './load-configuration.ts'

const folder = configurationFolder()

test('an actor needs the portal it belongs to', () => {
  expect(
    problems(
      `${least}actors:\n  syncInitiator: { credential: c }\n  outsider:\n    credential: c\n    portal: otherGuest\n`,
    ),
  ).toEqual([
    'FILE:4:3: actors.syncInitiator: belongs to the portal guest, which is missing under portals; add portals.guest.id',
    'FILE:7:5: actors.outsider.portal: belongs to the portal otherGuest, which is missing under portals; add portals.otherGuest.id',
  ])
})

test('a listed fixture without the ids that a check needs is refused', () => {
  const lists =
    'fixtures:\n  static:\n    group:\n      - { groupId: a, note: mine }\n      - { groupID: b }\n    workspace: [{ collaborationId: c, workspaceId: w }]\n'
  expect(problems(`${least}${lists}`)).toEqual([
    'FILE:7:9: fixtures.static.group[1]: groupId is missing: a text that is not empty expected',
  ])
})

test('an empty credential is refused and does not make the caller anonymous', () => {
  expect(problems(`${least}actors: { hostMember: { credential: "\${MEMBER}" } }`, { MEMBER: '' })).toEqual([
    `FILE:3:25: actors.hostMember.credential: at least 1 character expected; the value comes from \${MEMBER}`,
  ])
  expect(problems(`${least}actors: { hostMember: { credential: "" } }`)).toEqual([
    'FILE:3:25: actors.hostMember.credential: at least 1 character expected, 0 found',
  ])
})

test('a credential with characters that cannot be sent is refused, and not shown', () => {
  const content = (place: string) =>
    `${least}authentication: { in: ${place} }\nactors: { hostMember: { credential: "\${MEMBER}" } }`
  const prefix = 'FILE:4:25: actors.hostMember.credential: '
  expect(problems(content('form'), { MEMBER: 'hush\n' })).toEqual([
    `${prefix}begins or ends with white space, probably a line break of the file it was read from`,
  ])
  expect(problems(content('header'), { MEMBER: 'hu\nsh' })).toEqual([
    `${prefix}holds characters that cannot stand in a header`,
  ])
  expect(problems(content('cookie'), { MEMBER: 'hu;sh' })).toEqual([
    `${prefix}holds characters that cannot stand in a cookie`,
  ])
  expect(problems(content('form'), { MEMBER: 'hu;sh' })).toEqual([])
})

test('a credential is refused if it does not fit the place in the profile', () => {
  writeFileSync(
    join(folder, 'vendor.yaml'),
    'format: portal-conformance/profile\nname: vendor\ntitle: A vendor\nauthentication: { in: header, name: authorization }\n',
  )
  expect(
    problems(
      `target: { baseUrl: http://127.0.0.1:1/rest, profile: ./vendor.yaml }\nportals: { host: { id: h } }\nactors: { hostMember: { credential: "\${MEMBER}" } }`,
      { MEMBER: 'hu\nsh' },
    ),
  ).toEqual(['FILE:3:25: actors.hostMember.credential: holds characters that cannot stand in a header'])
})

const { properties = {} } = schemaOf('configuration')
const keysOf = (schema: JsonSchema | undefined) => Object.keys(schema?.properties ?? {}).join(', ')

test('all problems are reported at once, unknown keys with the nearest known key', () => {
  const content = `${least}http:
  timeOut: 5s
  concurrency: many
run: { settle: 2 seconds }
zebra: 1
`
  expect(problems(content)).toEqual([
    `FILE:4:3: http.timeOut: unknown; did you mean timeout? Known are ${keysOf(properties.http)}`,
    'FILE:5:3: http.concurrency: integer expected, "many" found',
    'FILE:6:8: run.settle: a duration such as 250ms, 10s, 2m or 1d expected, "2 seconds" found',
    `FILE:7:1: zebra: unknown; known are ${keysOf({ properties })}`,
  ])
})

test('an unknown key that begins a known one suggests that one', () => {
  expect(
    problems(`${least.replace(/actors:.*\n/, '')}actors: { hostAdmin: { credential: c } }\n`)[0],
  ).toMatch(/: actors\.hostAdmin: unknown; did you mean hostAdministrator\? Known/)
})

test('a missing key is reported with its place', () => {
  expect(problems('target:\n  version: "11.0"\nportals: { host: { id: h } }')).toEqual([
    'FILE:1:1: target.baseUrl: missing',
  ])
})

test('values from the environment are not shown, since they may be secrets', () => {
  expect(problems(`${least}run: ["\${WAIT}"]`, { WAIT: 'hush' })).toEqual(['FILE:3:1: run: object expected'])
  expect(problems(`${least}run: { settle: "\${WAIT}" }`, { WAIT: 'hush' })).toEqual([
    `FILE:3:8: run.settle: a duration such as 250ms, 10s, 2m or 1d expected; the value comes from \${WAIT}`,
  ])
})

test.each([
  [
    'target: { baseUrl: http://me:hush@localhost }',
    'must not hold a user name or password; credentials belong under actors',
  ],
  ['target: { baseUrl: "http://localhost/?a=hush" }', 'must end with its path, without ? and #'],
  ['target: { baseUrl: "http://local[host" }', 'is not a URL'],
])('a base URL is refused: %s', (line, text) => {
  expect(problems(`${line}\nportals: { host: { id: h } }`)).toEqual([`FILE:1:11: target.baseUrl: ${text}`])
})

test('problems with options of the command line name the option', () => {
  expect(problems(least, {}, { baseUrl: 'ftp://x' })).toEqual([
    '--base-url: a URL that begins with http:// or https:// expected, "ftp://x" found',
  ])
  expect(problems(least, {}, { effects: ['no-such'] })[0]).toMatch(
    /^FILE: effects\[0\]: administration, or the id of an operation \(add-workspace, .* expected, "no-such" found/,
  )
})

test('http.headers refuses credentials, headers that the suite sets, and control characters', () => {
  const content = `${least}authentication: { in: header, name: Authorization }
http:
  headers:
    authorization: x
    Content-Length: "1"
    X-Fine: "yes"
    X-Bad: "a\\nb"
`
  expect(problems(content)).toEqual([
    'FILE:6:5: http.headers.authorization: carries the credential of an actor; sent with every request, none would be anonymous',
    'FILE:7:5: http.headers.Content-Length: is set by the suite itself',
    'FILE:9:5: http.headers.X-Bad: holds characters that cannot stand in a header',
  ])
})

test('durations of 0 and above one day are refused', () => {
  expect(problems(`${least}http: { timeout: 0s, throttleWait: 30d }`)).toEqual([
    'FILE:3:9: http.timeout: more than 0ms expected',
    'FILE:3:22: http.throttleWait: at most 1d expected',
  ])
})

test('a file is refused if it is missing, empty or not YAML', () => {
  expect(() => loadConfiguration({ file: '/no/such.yaml' }, {}, {})).toThrow(
    new ConfigurationError(['/no/such.yaml: cannot be read: there is no such file']),
  )
  expect(problems('')).toEqual(['FILE: is empty'])
  expect(problems('# nothing\n')).toEqual(['FILE: is empty'])
  expect(problems('target:\n  a: "hush\n  b: hush: hush\n')).toEqual([
    'FILE:4:1: not valid YAML: Missing closing "quote',
  ])
  expect(problems('target: 1\ntarget: 2')).toEqual(['FILE:2:1: not valid YAML: Map keys must be unique'])
  expect(problems('- 1')).toEqual(['FILE: object expected'])
})
