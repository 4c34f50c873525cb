import { X509Certificate } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { looksLikeAttack } from '../../clauses/texts.ts'
import { hidePersonal } from '../../deployment/redaction/redaction.ts'
import { requestSchema } from '../../schemas/catalogue.ts'
import { curveCertificates, plainCertificate, usualCertificates } from '../../specs/certificates.ts'
import { inDomain, ordinaryContacts, realistic } from './realistic.ts'
import { validRequest } from './requests.ts'

const year = 365 * 24 * 60 * 60 * 1000

describe('certificates', () => {
  it.each(
    [plainCertificate, ...usualCertificates, ...curveCertificates].map((text) => [text.slice(0, 30), text]),
  )('are self-signed and valid for at least another year: %s…', (_, text = '') => {
    const bytes = Buffer.from(text, 'base64')
    expect(bytes.toString('base64')).toBe(text)
    const certificate = new X509Certificate(bytes)
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.issuer).toBe(certificate.subject)
    expect(Date.parse(certificate.validFrom)).toBeLessThan(Date.now())
    expect(Date.parse(certificate.validTo)).toBeGreaterThan(Date.now() + year)
  })

  it('usual certificates contain + and /, every Base64 padding and the common RSA key sizes', () => {
    for (const text of usualCertificates) expect(text).toMatch(/\+.*\/|\/.*\+/)
    expect(new Set(usualCertificates.map((text) => /=*$/.exec(text)?.[0]))).toEqual(new Set(['', '=', '==']))
    const sizes = usualCertificates.map(
      (text) =>
        new X509Certificate(Buffer.from(text, 'base64')).publicKey.asymmetricKeyDetails?.modulusLength,
    )
    expect(new Set(sizes)).toEqual(new Set([2048, 3072, 4096]))
  })

  it('the plain certificate has only letters and digits, which form encoding cannot change', () => {
    expect(plainCertificate).toMatch(/^[A-Za-z0-9]+$/)
  })
})

it('ordinaryContacts include one-letter names, apostrophes, combining marks and plus addresses', () => {
  const all = ordinaryContacts().map((contact) => Object.values(contact).join(' '))
  for (const form of [/^\p{L} /u, /’/, /\+/, /\p{M}/u]) expect(all.some((text) => form.test(text))).toBe(true)
})

it.each([
  ['first-name', /^[A-Za-z]+$/],
  ['last-name', /^[A-Za-z]+$/],
  ['email', /^[a-z]+@example\.com$/],
] as const)('a plain %s has only Latin letters, an ordinary one also other characters', (hint, form) => {
  const sampled = (plainly: boolean) =>
    fc.sample(realistic(hint, undefined, plainly), { seed: 3, numRuns: 500 })
  expect(sampled(true).filter((value) => !form.test(value))).toEqual([])
  expect(sampled(false).filter((value) => !form.test(value))).not.toEqual([])
})

it.each(['first-name', 'last-name', 'email', 'title', 'sentence', 'result', 'folder-name'])(
  'no ordinary %s looks like an attack to a firewall',
  (hint) => {
    const values = fc.sample(realistic(hint), { seed: 3, numRuns: 3000 })
    expect(values.filter(looksLikeAttack)).toEqual([])
  },
)

describe('addresses in the domain of the deployment', () => {
  it.each([
    ['user+tag@example.com', 'user+tag@portal.example.edu'],
    ['x-y.z+1@north-west.example.org', 'x-y.z+1@portal.example.edu'],
    ['https://example.org:8443/ds?lang=de', 'https://portal.example.edu:8443/ds?lang=de'],
    ['urn:mace:example.org:portal', 'urn:mace:portal.example.edu:portal'],
  ])('inDomain moves %s to %s', (address, moved) => {
    expect(inDomain(address, 'portal.example.edu')).toBe(moved)
    expect(inDomain(address, undefined)).toBe(address)
  })

  it.each(['email', 'url', 'entity-id'])('realistic values use only that domain: %s', (hint) => {
    const values = fc.sample(realistic(hint, 'portal.example.edu'), { seed: 3, numRuns: 500 })
    expect(values.filter((value) => !value.includes('portal.example.edu'))).toEqual([])
    expect(values.filter((value) => /example\.(?:com|net|org)/.test(value))).toEqual([])
  })
})

it('generated email addresses are in example domains, so reports do not redact them', () => {
  const updates = validRequest(requestSchema('update-participant'), { leaveOut: 'nothing' })
  const requests = fc.sample(updates, { seed: 1, numRuns: 500 })
  const samples = [
    ...fc.sample(realistic('email'), { seed: 1, numRuns: 2000 }),
    ...requests.map(({ contactEmailAddress }) => String(contactEmailAddress)),
  ]
  expect(samples.every((address) => /^[^@]+@[^@]+$/.test(address))).toBe(true)
  expect(samples.filter((address) => hidePersonal(address, 'all') !== address)).toEqual([])
})
