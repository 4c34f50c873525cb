import { expect, test } from 'vitest'
import { encodeForm } from '../http/outgoing-request.ts'
import { configurationFor } from '../http/server.fixture.ts'
import { notations } from './notations.fixture.ts'
import { createRedactor } from './redaction.ts'

const secret = 'p/w+1 "Ü"=\\x&<s>'
const redactor = createRedactor(
  configurationFor('http://127.0.0.1', { actors: { hostMember: { credential: secret } } }),
)

const json = JSON.stringify(secret).slice(1, -1)

test.each<readonly [string, string]>([
  ...Object.entries(notations).map(([notation, write]) => [notation, write(secret)] as const),
  ['as JSON with slashes escaped', json.replaceAll('/', '\\/')],
  ['as JSON, in a form', encodeForm([['', json]]).slice(1)],
  ['as a form within a form', encodeForm([['', encodeForm([['', secret]])]]).slice(4)],
  ['as a URL', new URL(`http://x/?${secret}`).search.slice(1)],
  [
    'as HTML with named entities',
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  ],
  ['decoded as Latin-1', Buffer.from(secret).toString('latin1')],
])('the redactor hides a secret written %s', (_, written) => {
  expect(redactor.text(`before ${written} after`)).toBe('before *** after')
})

test.each(['', 'u:', 'user:', 'ab:'])('the redactor hides a secret in Base64 after %j', (before) => {
  for (const encoding of ['base64', 'base64url'] as const) {
    const encoded = Buffer.from(`${before}${secret}:and more`).toString(encoding)
    const core = Buffer.from(`${before}${secret}`)
      .toString('base64url')
      .slice(before.length + 3, -4)
    const plain = redactor.text(encoded)
    expect(plain).toContain('***')
    expect(plain.replaceAll('+', '-').replaceAll('/', '_')).not.toContain(core)
  }
})

test.each([
  ['a§', 'a§', '***'],
  ['#', 'x#y', 'x***y'],
  ['ab1', 'abab1', 'ab***'],
  ['a b', 'ca+bc', 'c***c'],
  ['ab', 'a%62', '***'],
  ['ab', '\\u0061b', '***'],
])('the redactor hides %j in %j', (credential, text, safe) => {
  const configuration = configurationFor('http://127.0.0.1', { actors: { hostMember: { credential } } })
  expect(createRedactor(configuration).text(text)).toBe(safe)
})

test('the redactor keeps text without a secret', () => {
  const text = 'p/w+1 %70 \\u0070 &#112; + & \\ % nothing to hide here: p/w+1 "Ü"=\\x&<s'
  expect(redactor.text(text)).toBe(text)
})

test('the redactor hides every occurrence, and the longer of two secrets with one beginning', () => {
  const both = createRedactor(configurationFor('http://127.0.0.1'), ['abcd', 'abcd-efgh'])
  expect(both.text('abcd-efgh abcd abcdabcd')).toBe('*** *** ******')
})

test('the redactor handles hostile text of 100 KB in time', () => {
  for (const text of [
    '\\'.repeat(100_000),
    '%25'.repeat(30_000),
    `&#${'0'.repeat(100_000)}`,
    '&#0'.repeat(30_000),
    'p/w+'.repeat(30_000),
    'p/w…'.repeat(30_000),
  ]) {
    expect(redactor.text(text)).toBe(text)
  }
})

test('the redactor does not hide the Referer in http.headers', () => {
  const { text, hiddenHeaders } = createRedactor(
    configurationFor('http://127.0.0.1', { http: { headers: { Referer: 'http://portal.example' } } }),
  )
  expect(text('http://portal.example/x')).toBe('http://portal.example/x')
  expect(hiddenHeaders.has('referer')).toBe(false)
})

test('the redactor hides proxy passwords and http.headers', () => {
  const { text } = createRedactor(
    configurationFor('http://127.0.0.1', {
      http: {
        proxy: 'http://me:pr%40xy-pw@127.0.0.1:1',
        headers: { 'X-Key': 'gateway-key', Authorization: 'Basic YTpiY2RlZg==' },
      },
    }),
  )
  expect(text('pr@xy-pw pr%40xy-pw gateway-key YTpiY2RlZg==')).toBe('*** *** *** ***')
})

test('the redactor hides a proxy user name without a password, and handles stray percent signs', () => {
  const withProxy = (proxy: string) =>
    createRedactor(configurationFor('http://127.0.0.1', { http: { proxy } }))
  expect(withProxy('http://api-key-1@127.0.0.1:1').text('x api-key-1')).toBe('x ***')
  expect(withProxy('http://me:100%sure@127.0.0.1:1').text('x 100%sure')).toBe('x ***')
})

test('the redactor hides the rest of a secret in a text that was cut', () => {
  const encoded = encodeURIComponent(secret)
  for (let length = 4; length < secret.length; length++) {
    expect(redactor.text(`"${secret.slice(0, length)}…`)).toBe('"***…')
  }
  for (let length = 9; length < encoded.length; length++) {
    expect(redactor.text(`"${encoded.slice(0, length)}…`)).toBe('"***…')
  }
  expect(redactor.text('p/w…')).toBe('p/w…')
})

test('the redactor hides user names that are e-mail addresses, except at example domains', () => {
  const actors = {
    hostMember: { credential: 'c-12345', username: 'anna@intranet' },
    itemOwner: { credential: 'c-67890', username: 'ben@portal.example' },
    outsider: { credential: 'c-24680', username: 'carl@localhost' },
  }
  const { text } = createRedactor(configurationFor('http://127.0.0.1', { actors }))
  expect(text('users/anna%40intranet/items, ben@portal.example, carl@localhost, a@b')).toBe(
    'users/***@***/items, ben@portal.example, carl@localhost, a@b',
  )
})
