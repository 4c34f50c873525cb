import { createPrivateKey } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { authority, forClient, forTarget, privateKey } from '../http/certificates.fixture.ts'
import { createRedactor } from '../redaction/redaction.ts'
import { configurationFolder, load, problems } from './configuration-file.fixture.ts'
import { goesPast, noProxyEntries } from './connection-settings.ts'

const folder = configurationFolder()

/** A remote target, with a guest at plain HTTP and a login at a third host. */
const remote = `target: { baseUrl: https://a.example.com/x }
portals: { host: { id: h }, guest: { id: g, baseUrl: "http://b.example.com" } }
actors: { hostMember: { credential: { login: { username: u, password: p, url: "https://c.example.com/t" } } } }
effects: all
`
const https = 'target: { baseUrl: "https://[::1]:8443/x" }\nportals: { host: { id: h } }\n'

const proxyOf = (environment: NodeJS.ProcessEnv, content = remote) => load(content, environment).http.proxy

test.each([
  [{ HTTPS_PROXY: 'http://p:1' }, undefined, 'HTTPS_PROXY'],
  [{ https_proxy: 'http://p:1', HTTPS_PROXY: 'http://q:1' }, undefined, 'https_proxy'],
  [{ https_proxy: '', HTTPS_PROXY: 'http://q:1' }, undefined, 'HTTPS_PROXY'],
  [{ HTTP_PROXY: 'http://p:1' }, 'HTTP_PROXY', undefined],
  [{ http_proxy: 'http://p:1', HTTP_PROXY: 'http://q:1' }, 'http_proxy', undefined],
  [{ all_proxy: 'http://p:1', ALL_PROXY: 'http://q:1' }, 'all_proxy', 'all_proxy'],
  [{ ALL_PROXY: 'p:1', http_proxy: 'http://q:1' }, 'http_proxy', 'ALL_PROXY'],
  [{ HTTP_PROXY: 'http://p:1', REQUEST_METHOD: 'GET' }, undefined, undefined],
  [{ HTTP_PROXY: 'http://p:1', NO_PROXY: 'b.example.com' }, undefined, undefined],
  [{ HTTPS_PROXY: 'http://p:1', no_proxy: 'a.example.com', NO_PROXY: '*' }, undefined, 'HTTPS_PROXY'],
  [{ HTTPS_PROXY: 'http://p:1', no_proxy: '.example.com' }, undefined, undefined],
])('proxies from the environment %j', (environment, http, secure) => {
  const proxy = proxyOf(environment)
  expect([proxy?.http?.from, proxy?.https?.from]).toEqual([http, secure])
})

test('a proxy from the environment counts only if a host uses it; its default scheme is http', () => {
  expect(proxyOf({ ALL_PROXY: 'p:1' }, https)).toBeUndefined()
  expect(proxyOf({ HTTPS_PROXY: 'p:1' })?.https?.url).toBe('http://p:1')
  const fixtures = `${https}fixtures: { url: "http://fixtures.example.com" }\n`
  expect(proxyOf({ HTTP_PROXY: 'p:1' }, fixtures)?.http?.from).toBe('HTTP_PROXY')
})

test('http.proxy and http.noProxy override the environment', () => {
  const environment = { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }
  expect(proxyOf(environment, `${remote}http: { proxy: "http://q:1" }`)).toEqual({
    http: { url: 'http://q:1', from: 'http.proxy' },
    https: { url: 'http://q:1', from: 'http.proxy' },
    except: [],
    loopback: true,
  })
  expect(proxyOf(environment, `${remote}http: { noProxy: [b.example.com] }`)?.except).toEqual([
    'b.example.com',
  ])
  expect(proxyOf(environment, `${remote}http: { noProxy: ["*"] }`)).toBeUndefined()
})

test('proxy passwords from the environment are redacted', () => {
  const environment = { HTTPS_PROXY: 'http://me:pr%40xy-pw@p:1', HTTP_PROXY: 'http://you:0ther-pw@p:1' }
  const { text } = createRedactor(load(remote, environment))
  expect(text('pr@xy-pw pr%40xy-pw 0ther-pw')).toBe('*** *** ***')
})

test('an unusable proxy is reported without its password', () => {
  const environment = { HTTPS_PROXY: 'socks5://me:hush-hush@p:1', HTTP_PROXY: 'http://me:hush-hush@p:port' }
  const reported = problems(remote, environment)
  expect(reported).toEqual([
    expect.stringContaining(
      'http.proxy: the environment variable HTTPS_PROXY must begin with http:// or https://',
    ),
    expect.stringContaining('http.proxy: the environment variable HTTP_PROXY is not a URL'),
  ])
  expect(reported.join()).not.toContain('hush')
  expect(problems(https, environment)).toEqual([])
  expect(problems(`${https}http: { proxy: "http://me:hush-hush@p:port" }`)).toEqual([
    'FILE:3:9: http.proxy: is not a URL',
  ])
})

test.each([
  ['insecure: []', 'http.insecure: at least 1 item expected, 0 found'],
  ['insecure: "yes"', 'http.insecure: a list of hosts, true or false expected, "yes" found'],
  ['connectTimeout: 0s', 'http.connectTimeout: more than 0ms expected'],
  ['timeout: 2d', 'http.timeout: at most 1d expected'],
])('http: %s is refused', (http, message) => {
  const [problem, ...others] = problems(`${https}http: { ${http} }`)
  expect(others).toEqual([])
  expect(problem?.replace(/^FILE:\d+:\d+: /, '')).toMatch(message)
})

test('http.connectTimeout is dropped if it is not below http.timeout', () => {
  expect(load(`${https}http: { timeout: 6s }`).http).toMatchObject({ connectTimeoutMs: 5000 })
  expect(load(`${https}http: { timeout: 3s }`).http).not.toHaveProperty('connectTimeoutMs')
})

const otherKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgbWdKH2b7N8qCZASa
rVRZ6SdaeV+Cy8Qj72FNeKuCCk2hRANCAASE/NY+mWISYPMcN8YmuIXNtz1s8Zrq
XcsuH4kO5JrjyXPWqnaB0p/yOZqR0h0T0Hbu3sL9MFvrQOa2hSyGlabR
-----END PRIVATE KEY-----
`

const encryptedKey = createPrivateKey(privateKey)
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'hush' })
  .toString()

const noPair =
  'http.key: FOLDER/cert.pem and FOLDER/key.pem are no certificate with its key in PEM, without a passphrase'

test.each([
  ['text as ca', { ca: 'no certificate' }, 'http.ca: the file FOLDER/ca.pem holds no certificate in PEM'],
  ['an empty cert', { cert: '', key: privateKey }, noPair],
  ['an empty key', { cert: forClient, key: '' }, noPair],
  ['a key of another certificate', { cert: forClient, key: otherKey }, `${noPair} (key values mismatch)`],
  ['an encrypted key', { cert: forClient, key: encryptedKey }, noPair],
  ['valid files', { ca: authority + forTarget, cert: forClient, key: privateKey }, undefined],
] as [string, Record<string, string>, string | undefined][])(
  'TLS files are validated: %s',
  (_, files, message) => {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, `${name}.pem`), content)
    const keys = Object.keys(files).map((name) => `${name}: ${name}.pem`)
    const reported = problems(`${https}http: { ${keys.join(', ')} }`).map((line) =>
      line.replaceAll(folder, 'FOLDER'),
    )
    expect(reported.map((line) => line.replace(/^FILE:\d+:\d+: /, ''))).toEqual(
      message === undefined ? [] : [expect.stringContaining(message)],
    )
  },
)

test.each([
  ['*', 'https://a.example.com', true],
  ['example.com', 'https://example.com', true],
  ['Example.COM', 'https://a.b.example.com', true],
  ['example.com', 'https://anexample.com', false],
  ['.example.com', 'https://a.example.com', true],
  ['*.example.com', 'https://a.example.com', true],
  ['a.example.com', 'https://example.com', false],
  ['example.com:8443', 'https://example.com:8443', true],
  ['example.com:8443', 'https://example.com', false],
  ['10.1.2.3', 'http://10.1.2.3:81', true],
  ['10.0.0.0/8', 'http://10.200.0.1', true],
  ['10.0.0.0/8', 'http://11.0.0.1', false],
  ['10.0.0.0/33', 'http://10.0.0.1', false],
  ['fd00::/8', 'http://[fd12::1]:8080', true],
  ['::1', 'http://[::1]:8080', true],
  ['[::1]', 'http://[0:0:0:0:0:0:0:1]', true],
  ['[::1]:8080', 'http://[::1]:8081', false],
])('goesPast: noProxy %s for %s is %s', (entry, origin, past) => {
  expect(goesPast([entry], origin)).toBe(past)
  expect(goesPast(['elsewhere.invalid', entry], origin)).toBe(past)
})

test('noProxyEntries splits at commas and white space', () => {
  expect(noProxyEntries(' a, b:1,,\tc ')).toEqual(['a', 'b:1', 'c'])
  expect(goesPast(noProxyEntries(''), 'http://a')).toBe(false)
})
