/** PEM blocks, addresses and Base64 that holds them. */
import { expect, test } from 'vitest'
import { certificate, certificateKey } from '../http/certificates.fixture.ts'
import { notations } from './notations.fixture.ts'
import { hidePersonal } from './redaction.ts'

const hideAddresses = (text: string) => hidePersonal(text, 'private')

const address = "Anna.O'Berg+gis_7@mail.stadt-amt.de"

test.each(Object.entries(notations))('hides an address %s', (_, write) => {
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
  ['of one letter', 'a@b.de'],
  ['of another script', 'анна@почта.рф'],
  ['of a domain in Punycode', 'anna@xn--bcher-kva.xn--p1ai'],
  ['with a quoted name', '"anna berg"@stadt.de'],
  ['of a number', 'anna@[192.168.7.1]'],
  ['of a version 6 number', 'anna@[IPv6:2001:db8::1]'],
  ['whose domain only begins like one for examples', 'anna@example.community'],
  ['whose domain only holds one for examples', 'anna@example.com.stadt.de'],
  ['in capitals', 'ANNA@STADT.DE'],
  ['with percent signs of UTF-8', 'z%C3%B6e%40stadt.de'],
  ['read byte by byte', Buffer.from('zoß@stadt.de').toString('latin1')],
])('hides an address %s', (_, written) => {
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
])('leaves what is no one’s: %s', (text) => {
  expect(hideAddresses(text)).toBe(text)
})

test('hides what is left of an address that was cut within its domain', () => {
  expect(hideAddresses('"anna@sta… is wrong')).toBe('"***@***… is wrong')
})

test('hides each of several, and leaves what stands between them', () => {
  const text = 'a@x.de,b@example.com;c@y.de c@y.de&d=e%40z.de\nf@z.de.'
  expect(hideAddresses(text)).toBe('***@***,b@example.com;***@*** ***@***&d=***@***\n***@***.')
})

test.each(['', 'a', 'ab', 'https://'])(
  'hides Base64 in which an address or a block is behind %j',
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

test('leaves other Base64', () => {
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

test.each(Object.entries(notations))('hides blocks %s', (_, write) => {
  const text = write(`first\n${certificate}between\n${certificateKey}last`)
  expect(hidePersonal(text, 'all')).toBe(
    `${write('first\n')}${hiddenCertificate}${write('\nbetween\n')}${hiddenKey}${write('\nlast')}`,
  )
  expect(hidePersonal(text, 'private')).toBe(
    `${write(`first\n${certificate}between\n`)}${hiddenKey}${write('\nlast')}`,
  )
})

test.each([
  ['in one line', certificate.replaceAll('\n', ' ')],
  ['without any break', certificate.replaceAll('\n', '')],
  ['with other breaks', certificate.replaceAll('\n', '\r\n')],
  ['that holds anything', '-----BEGIN CERTIFICATE-----\n-- <b>no</b> Base64 ---\n-----END CERTIFICATE-----'],
])('hides a block %s', (_, block) => {
  expect(hidePersonal(`<${block.trim()}>`, 'all')).toBe(`<${hiddenCertificate}>`)
})

test.each([
  'RSA PRIVATE KEY',
  'EC PRIVATE KEY',
  'ENCRYPTED PRIVATE KEY',
  'OPENSSH PRIVATE KEY',
  'PGP PRIVATE KEY BLOCK',
])('knows %s as private', (label) => {
  const block = `-----BEGIN ${label}-----\nProc-Type: 4,ENCRYPTED\n\nabc=\n-----END ${label}-----`
  expect(hidePersonal(block, 'private')).toBe(`-----BEGIN ${label}----- *** -----END ${label}-----`)
})

test('hides all that follows where a block has no end', () => {
  const cut = `{"a": "${certificate.slice(0, 200)}`
  expect(hidePersonal(cut, 'all')).toBe('{"a": "-----BEGIN CERTIFICATE----- ***')
  expect(hidePersonal(cut, 'private')).toBe(cut)
})

test('hides a block directly behind Base64 that is hidden itself', () => {
  const encoded = Buffer.from('anna.berg@stadt.de').toString('base64')
  expect(hidePersonal(`${encoded}${certificate}end`, 'all')).toBe('***\nend')
})

test('hides no more of what is hidden', () => {
  expect(hidePersonal(`a ${hiddenKey} b`, 'all')).toBe(`a ${hiddenKey} b`)
})

test('leaves what is no block', () => {
  const text = '-----BEGIN -----, -----BEGIN CERT, -----END CERTIFICATE-----, ----- BEGIN X -----'
  expect(hidePersonal(text, 'all')).toBe(text)
})

/** Parts of blocks, of addresses and of their Base64. */
const hostile = [
  ...['-', '-----BEGIN ', '-----BEGIN A-----', '-----BEGIN A----------END ', '%2D', '\\u002d', '&#45;'],
  ...['a@', 'a', '@', '%40', 'a@b.', '\\', '%5C', 'a@-', '%25', '&amp;', '&', '"@', 'a.'],
  ...['A', 'QGEu', 'YUBi', 'TFMwdExTMHR', '\n', '\\n', '%4D'],
]

test('a hostile text is searched in bounded steps', () => {
  for (const piece of hostile) {
    const text = `${piece.repeat(2 ** 19 / piece.length)}@`
    for (const which of ['private', 'all'] as const)
      expect(hidePersonal(text, which).length).toBeGreaterThan(2)
  }
})
