/** hidePersonal hides PEM blocks, e-mail addresses, and Base64 that contains them. */
import { expect, test } from 'vitest'
import { forTarget as certificate, privateKey as certificateKey } from '../http/certificates.fixture.ts'
import { notations } from './notations.fixture.ts'
import { hidePersonal } from './redaction.ts'

const hideAddresses = (text: string) => hidePersonal(text, 'private')

const address = "Anna.O'Berg+gis_7@mail.stadt-amt.de"

test.each(Object.entries(notations))('hidePersonal hides an address written %s', (_, write) => {
  for (const [before, after] of [
    ['<', '>'],
    ['"', '"'],
    ['a/', '/b'],
    [' ', ' '],
    ['=', '&'],
    [':', ', '],
  ] as const) {
    expect(hideAddresses(`${before}${write(address)}${after}`)).toBe(`${before}***@***${after}`)
  }
  expect(hideAddresses(write(`x: ${address}, y`))).toBe(`${write('x: ')}***@***${write(', y')}`)
})

test.each([
  ['with one letter', 'a@b.de'],
  ['in another script', 'анна@почта.рф'],
  ['with a domain in Punycode', 'anna@xn--bcher-kva.xn--p1ai'],
  ['with a quoted name', '"anna berg"@stadt.de'],
  ['with an IPv4 address', 'anna@[192.168.7.1]'],
  ['with an IPv6 address', 'anna@[IPv6:2001:db8::1]'],
  ['whose domain only begins like example.com', 'anna@example.community'],
  ['whose domain only contains example.com', 'anna@example.com.stadt.de'],
  ['in capitals', 'ANNA@STADT.DE'],
  ['with percent signs of UTF-8', 'z%C3%B6e%40stadt.de'],
  ['decoded as Latin-1', Buffer.from('zoß@stadt.de').toString('latin1')],
])('hidePersonal hides an address %s', (_, written) => {
  expect(hideAddresses(`(${written})`)).toBe('(***@***)')
})

test.each([
  ['a@example.com'],
  ['user+tag@mail.example.org'],
  ['x@EXAMPLE.net'],
  ['x@portal.test, y@a.invalid, z@b.example, z@localhost, z@a.localhost'],
  ['a%40example.com'],
  ['vitest@4.1.12 and @scope/name@1.2.3-beta.1'],
  ['two@@example.com no-one@ @example.com @ a@b'],
  ['***@***'],
  ['{"@type": "x", "a": "b @ c.de"}'],
])('hidePersonal keeps example addresses and other text: %s', (text) => {
  expect(hideAddresses(text)).toBe(text)
})

test('hidePersonal hides an address that was cut within its domain', () => {
  expect(hideAddresses('"anna@sta… is wrong')).toBe('"***@***… is wrong')
})

test('hidePersonal hides several addresses and keeps the text between them', () => {
  const text = 'a@x.de,b@example.com;c@y.de c@y.de&d=e%40z.de\nf@z.de.'
  expect(hideAddresses(text)).toBe('***@***,b@example.com;***@*** ***@***&d=***@***\n***@***.')
})

test.each(['', 'a', 'ab', 'https://'])(
  'hidePersonal hides Base64 of an address or a block after %j',
  (before) => {
    for (const encoding of ['base64', 'base64url'] as const) {
      for (const text of [
        'anna.berg@stadt.de',
        `{"mail":"anna.berg@stadt.de","name":"Änne ü?>"}`,
        certificate,
      ]) {
        const encoded = Buffer.from(before + text)
          .toString(encoding)
          .replace(/=+$/, '')
        expect(hidePersonal(`Basic ${encoded}.x`, 'private')).toBe('Basic ***.x')
        expect(hidePersonal(`"/path/${encoded}"`, 'private')).toBe('"***"')
      }
    }
  },
)

test('hidePersonal keeps other Base64', () => {
  const texts = [
    'anna@example.com, whom no one knows',
    'a longer text without anything in it',
    'Zm9v'.repeat(50),
  ]
  for (const text of texts) {
    const encoded = Buffer.from(text).toString('base64')
    expect(hidePersonal(encoded, 'all')).toBe(encoded)
  }
})

const hiddenCertificate = '-----BEGIN CERTIFICATE----- *** -----END CERTIFICATE-----'
const hiddenKey = '-----BEGIN PRIVATE KEY----- *** -----END PRIVATE KEY-----'

test.each(Object.entries(notations))('hidePersonal hides PEM blocks written %s', (_, write) => {
  const text = write(`first\n${certificate}between\n${certificateKey}last`)
  expect(hidePersonal(text, 'all')).toBe(
    `${write('first\n')}${hiddenCertificate}${write('\nbetween\n')}${hiddenKey}${write('\nlast')}`,
  )
  expect(hidePersonal(text, 'private')).toBe(
    `${write(`first\n${certificate}between\n`)}${hiddenKey}${write('\nlast')}`,
  )
})

test.each([
  ['on one line', certificate.replaceAll('\n', ' ')],
  ['without line breaks', certificate.replaceAll('\n', '')],
  ['with CRLF', certificate.replaceAll('\n', '\r\n')],
  ['that is not Base64', '-----BEGIN CERTIFICATE-----\n-- <b>no</b> Base64 ---\n-----END CERTIFICATE-----'],
])('hidePersonal hides a PEM block %s', (_, block) => {
  expect(hidePersonal(`<${block.trim()}>`, 'all')).toBe(`<${hiddenCertificate}>`)
})

test.each([
  'RSA PRIVATE KEY',
  'EC PRIVATE KEY',
  'ENCRYPTED PRIVATE KEY',
  'OPENSSH PRIVATE KEY',
  'PGP PRIVATE KEY BLOCK',
])('hidePersonal hides %s as private', (label) => {
  const block = `-----BEGIN ${label}-----\nProc-Type: 4,ENCRYPTED\n\nabc=\n-----END ${label}-----`
  expect(hidePersonal(block, 'private')).toBe(`-----BEGIN ${label}----- *** -----END ${label}-----`)
})

test('hidePersonal hides everything after a PEM block without an end', () => {
  const cut = `{"a": "${certificate.slice(0, 200)}`
  expect(hidePersonal(cut, 'all')).toBe('{"a": "-----BEGIN CERTIFICATE----- ***')
  expect(hidePersonal(cut, 'private')).toBe(cut)
})

test('hidePersonal hides a PEM block directly after hidden Base64', () => {
  const encoded = Buffer.from('anna.berg@stadt.de').toString('base64')
  expect(hidePersonal(`${encoded}${certificate}end`, 'all')).toBe('***\nend')
})

test('hidePersonal does not change hidden blocks', () => {
  expect(hidePersonal(`a ${hiddenKey} b`, 'all')).toBe(`a ${hiddenKey} b`)
})

test('hidePersonal keeps text that is not a PEM block', () => {
  const text = '-----BEGIN -----, -----BEGIN CERT, -----END CERTIFICATE-----, ----- BEGIN X -----'
  expect(hidePersonal(text, 'all')).toBe(text)
})

/** Parts of PEM blocks, addresses and their Base64. */
const hostile = [
  ...['-', '-----BEGIN ', '-----BEGIN A-----', '-----BEGIN A----------END ', '%2D', '\\u002d', '&#45;'],
  ...['a@', 'a', '@', '%40', 'a@b.', '\\', '%5C', 'a@-', '%25', '&amp;', '&', '"@', 'a.'],
  ...['A', 'QGEu', 'YUBi', 'TFMwdExTMHR', '\n', '\\n', '%4D'],
]

test('hidePersonal handles hostile text of 128 KiB in time', () => {
  for (const piece of hostile) {
    const text = `${piece.repeat(2 ** 17 / piece.length)}@`
    for (const which of ['private', 'all'] as const)
      expect(hidePersonal(text, which).length).toBeGreaterThan(2)
  }
})
