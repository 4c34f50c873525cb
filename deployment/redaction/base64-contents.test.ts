import { expect, test } from 'vitest'
import { certificate, certificateKey } from '../http/certificates.fixture.ts'
import { hideBase64, pemBodies } from './key-material.ts'
import { notations } from './notations.fixture.ts'

const target = { material: undefined, certificates: true }
const own = { material: undefined, certificates: false }
const bodyOf = (pem: string) => (pemBodies(pem)[0] as string).trim()
const lines = (text: string, length: number) => text.match(new RegExp(`.{1,${length}}`, 'g')) as string[]

test.each(Object.entries(notations))(
  'hides a certificate in bare Base64, broken into lines, %s',
  (_, write) => {
    const text = write(`<X509>${bodyOf(certificate)}</X509>`)
    expect(hideBase64(text, target)).toBe(`${write('<X509>')}***${write('=</X509>')}`)
    expect(hideBase64(text, own)).toBe(text)
  },
)

test.each([64, 76, 20, 10_000])(
  'hides a key without its markers in lines of %i, also in what the suite sends',
  (length) => {
    const broken = lines(bodyOf(certificateKey).replaceAll('\n', ''), length).join('\r\n')
    expect(hideBase64(`key: ${broken} end`, own)).toBe('key: *** end')
  },
)

test.each(['', 'a', 'ab', 'https://'])(
  'hides Base64 in which an address or a block stands behind %j',
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
        expect(hideBase64(`Basic ${encoded}.x`, own)).toBe('Basic ***.x')
        expect(hideBase64(`"/path/${encoded}"`, own)).toBe('"***"')
      }
    }
  },
)

test('leaves other Base64', () => {
  const texts = [
    'anna@example.com, whom nobody knows',
    'a longer text without anything in it',
    'Zm9v'.repeat(50),
  ]
  for (const text of texts) {
    const encoded = Buffer.from(text).toString('base64')
    expect(hideBase64(encoded, target)).toBe(encoded)
  }
})

test('a hostile text is searched in bounded steps', () => {
  for (const piece of ['A', 'MI', 'MIIB', 'MII\n', 'QGEu', 'YUBi', '\n', '\\n', '%4D']) {
    const text = piece.repeat(2 ** 20 / piece.length)
    expect(hideBase64(text, target).length).toBeGreaterThan(2)
  }
})
