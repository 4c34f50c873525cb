import { expect, test } from 'vitest'
import { certificate, certificateKey } from '../http/certificates.fixture.ts'
import { notations } from './notations.fixture.ts'
import { hidePersonal as hidePem } from './redaction.ts'

const hiddenCertificate = '-----BEGIN CERTIFICATE----- *** -----END CERTIFICATE-----'
const hiddenKey = '-----BEGIN PRIVATE KEY----- *** -----END PRIVATE KEY-----'

test.each(Object.entries(notations))('hides blocks %s', (_, write) => {
  const text = write(`first\n${certificate}between\n${certificateKey}last`)
  expect(hidePem(text, 'all')).toBe(
    `${write('first\n')}${hiddenCertificate}${write('\nbetween\n')}${hiddenKey}${write('\nlast')}`,
  )
  expect(hidePem(text, 'private')).toBe(
    `${write(`first\n${certificate}between\n`)}${hiddenKey}${write('\nlast')}`,
  )
})

test.each([
  ['in one line', certificate.replaceAll('\n', ' ')],
  ['without any break', certificate.replaceAll('\n', '')],
  ['with other breaks', certificate.replaceAll('\n', '\r\n')],
  ['that holds anything', '-----BEGIN CERTIFICATE-----\n-- <b>no</b> Base64 ---\n-----END CERTIFICATE-----'],
])('hides a block %s', (_, block) => {
  expect(hidePem(`<${block.trim()}>`, 'all')).toBe(`<${hiddenCertificate}>`)
})

test.each([
  'RSA PRIVATE KEY',
  'EC PRIVATE KEY',
  'ENCRYPTED PRIVATE KEY',
  'OPENSSH PRIVATE KEY',
  'PGP PRIVATE KEY BLOCK',
])('knows %s as private', (label) => {
  const block = `-----BEGIN ${label}-----\nProc-Type: 4,ENCRYPTED\n\nabc=\n-----END ${label}-----`
  expect(hidePem(block, 'private')).toBe(`-----BEGIN ${label}----- *** -----END ${label}-----`)
})

test('hides all that follows where a block has no end', () => {
  const cut = `{"a": "${certificate.slice(0, 200)}`
  expect(hidePem(cut, 'all')).toBe('{"a": "-----BEGIN CERTIFICATE----- ***')
  expect(hidePem(cut, 'private')).toBe(cut)
})

test('hides a block directly behind Base64 that is hidden itself', () => {
  const encoded = Buffer.from('anna.berg@stadt.de').toString('base64')
  expect(hidePem(`${encoded}${certificate}end`, 'all')).toBe('***\nend')
})

test('hides no more of what is hidden', () => {
  expect(hidePem(`a ${hiddenKey} b`, 'all')).toBe(`a ${hiddenKey} b`)
})

test('leaves what is no block', () => {
  const text = '-----BEGIN -----, -----BEGIN CERT, -----END CERTIFICATE-----, ----- BEGIN X -----'
  expect(hidePem(text, 'all')).toBe(text)
})

test('a hostile text is searched in bounded steps', () => {
  for (const piece of [
    '-',
    '-----BEGIN ',
    '-----BEGIN A-----',
    '-----BEGIN A----------END ',
    '%2D',
    '\\u002d',
    '&#45;',
  ]) {
    const text = piece.repeat(2 ** 19 / piece.length)
    expect(hidePem(text, 'private').length).toBe(text.length)
    expect(hidePem(text, 'all').length).toBeGreaterThan(10)
  }
})
