import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { certificate, certificateKey } from '../http/certificates.fixture.ts'
import { configurationFor } from '../http/server.fixture.ts'
import { pemBodies } from './key-material.ts'
import { notations } from './notations.fixture.ts'
import { createRedactor } from './redaction.ts'

const folder = mkdtempSync(join(tmpdir(), 'portal-conformance-keys-'))
afterAll(() => rmSync(folder, { recursive: true }))
const fileOf = (name: string, content: string) => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

const redactor = createRedactor(
  configurationFor('http://127.0.0.1', {
    http: {
      key: fileOf('key.pem', `Bag Attributes\n${certificateKey}`),
      cert: fileOf('cert.pem', certificate),
      ca: fileOf('ca.pem', `${certificate}${certificate}`),
    },
  }),
)
const bodies = [certificate, certificateKey].map((pem) => (pemBodies(pem)[0] as string).trim())

/** Any twenty letters of it in a row. */
function showsAnyOf(body: string, text: string): boolean {
  const letters = body.replace(/\s/g, '')
  const shown = text.replace(/\s/g, '')
  return Array.from({ length: letters.length - 20 }, (_, at) => letters.slice(at, at + 20)).some((part) =>
    shown.includes(part),
  )
}

test.each(Object.entries(notations))(
  'hides the contents of TLS files %s, also in what the suite sends',
  (_, write) => {
    for (const body of bodies) {
      const text = write(`a ${body} b`)
      expect(showsAnyOf(body, redactor.madeUp(text))).toBe(false)
      expect(redactor.madeUp(text)).toContain('***')
    }
  },
)

test.each([
  ['in lines of another length', (body: string) => body.replace(/\s/g, '').replace(/.{37}/g, '$&\n')],
  ['in Base64URL', (body: string) => Buffer.from(body, 'base64').toString('base64url')],
  ['in part', (body: string) => `x ${body.split('\n')[1]} y`],
  ['cut', (body: string) => `${body.slice(100, 130)}…`],
])('hides the contents of TLS files %s', (_, written) => {
  for (const body of bodies) expect(showsAnyOf(body, redactor.madeUp(written(body)))).toBe(false)
})

test('hides a key file within Base64', () => {
  for (const before of ['', 'a', 'ab']) {
    const encoded = Buffer.from(`${before}Bag Attributes\n${certificateKey}`).toString('base64')
    expect(redactor.madeUp(encoded)).toMatch(/^.{0,6}\*\*\*.{0,8}$/)
  }
})

test('hides a block that stands in the configuration, wherever it stands there', () => {
  const { madeUp } = createRedactor(
    configurationFor('http://127.0.0.1', {
      contract: { federation: { parameters: { signing: certificate } } },
    }),
  )
  const form = new URLSearchParams({ certificate }).toString()
  expect(madeUp(form)).toBe('certificate=-----BEGIN+CERTIFICATE-----%0A***%3D%0A-----END+CERTIFICATE-----%0A')
})

test('leaves what is no part of it', () => {
  const text = 'MIIBabcdefghijklmnop and AAAAAAAAAAAAAAAAAAAAAAAA'
  expect(redactor.text(text)).toBe(text)
})
