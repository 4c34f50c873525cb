import { expect, test } from 'vitest'
import { certificate } from '../http/certificates.fixture.ts'
import { hidePersonal } from './redaction.ts'

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

test('a hostile text is searched in bounded steps', () => {
  for (const piece of ['A', 'QGEu', 'YUBi', 'TFMwdExTMHR', '\n', '\\n', '%4D']) {
    const text = piece.repeat(2 ** 19 / piece.length)
    expect(hidePersonal(text, 'all').length).toBeGreaterThan(2)
  }
})
