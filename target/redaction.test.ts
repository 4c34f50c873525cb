import { expect, test } from 'vitest'
import { encodeForm } from './form.ts'
import { createRedactor } from './redaction.ts'
import { configurationFor } from './server.fixture.ts'

const secret = 'p/w+1 "Ü"=\\x&<s>'
const redactor = createRedactor(
  configurationFor('http://127.0.0.1', { actors: { hostMember: { credential: secret } } }),
)

const escapes = (text: string) =>
  [...text].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

const html = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

test.each([
  ['plain', secret],
  ['as JSON', JSON.stringify(secret).slice(1, -1)],
  ['as JSON within JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
  ['as JSON with slashes escaped', JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
  ['as JSON escapes throughout', escapes(secret)],
  ['percent-encoded', encodeURIComponent(secret)],
  ['percent-encoded twice', encodeURIComponent(encodeURIComponent(secret))],
  ['as a form', encodeForm([['', secret]]).slice(1)],
  ['as a form in lower case', encodeForm([['', secret]], { escapes: 'lower', space: '%20' }).slice(1)],
  [
    'as a form escaped throughout',
    encodeForm([['', secret]], { safe: 'escaped', escapes: 'lower' }).slice(1),
  ],
  ['as a URL', new URL(`http://x/?${secret}`).search.slice(1)],
  ['as HTML', html(secret)],
  ['as HTML by name', secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')],
  ['read byte by byte', Buffer.from(secret).toString('latin1')],
])('hides a secret %s', (_, written) => {
  expect(redactor.text(`before ${written} after`)).toBe('before *** after')
})

test.each(['', 'u:', 'user:', 'ab:'])('hides a secret within the Base64 of %j and the secret', (before) => {
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

test('leaves text without a secret as it is', () => {
  const text = 'p/w+1 %70 \\u0070 &#112; + & \\ % nothing to hide here: p/w+1 "Ü"=\\x&<s'
  expect(redactor.text(text)).toBe(text)
})

test('hides every occurrence, and the longer of two secrets that begin alike', () => {
  const both = createRedactor(configurationFor('http://127.0.0.1'), ['abcd', 'abcd-efgh'])
  expect(both.text('abcd-efgh abcd abcdabcd')).toBe('*** *** ******')
})

test('a hostile text is searched in bounded steps', () => {
  for (const text of [
    '\\'.repeat(100_000),
    '%25'.repeat(30_000),
    `&#${'0'.repeat(100_000)}`,
    '&#0'.repeat(30_000),
  ]) {
    expect(redactor.text(text)).toBe(text)
  }
})

test('a header for every request that says nothing secret is none', () => {
  const { text, hiddenHeaders } = createRedactor(
    configurationFor('http://127.0.0.1', { http: { headers: { Referer: 'http://portal.example' } } }),
  )
  expect(text('http://portal.example/x')).toBe('http://portal.example/x')
  expect(hiddenHeaders.has('referer')).toBe(false)
})

test('the password of a proxy and the headers for every request are secrets', () => {
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
