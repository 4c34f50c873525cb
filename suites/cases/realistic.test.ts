import { describe, expect, it } from 'vitest'
import { ordinaryContacts, usualCertificates } from './realistic.ts'

describe('usual certificates', () => {
  it.each(usualCertificates.map((text, at) => [at, text] as const))(
    'are Base64 with + and /: %i',
    (_, text) => {
      const lines = text.split(/\r?\n/)
      const whole = lines.join('')
      expect(Buffer.from(whole, 'base64').toString('base64')).toBe(whole)
      expect(whole).toMatch(/\+.*\/|\/.*\+/)
      expect(lines.slice(0, -1).every(({ length }) => length === 64)).toBe(true)
    },
  )

  it('have every padding, either line break, and the size of real ones', () => {
    expect(new Set(usualCertificates.map((text) => /=*$/.exec(text)?.[0]))).toEqual(new Set(['', '=', '==']))
    expect(usualCertificates.some((text) => text.includes('\r\n'))).toBe(true)
    expect(usualCertificates.some((text) => text.includes('\n') && !text.includes('\r'))).toBe(true)
    expect(Math.max(...usualCertificates.map(({ length }) => length))).toBeGreaterThan(2000)
  })
})

it('ordinary contacts have names of one letter and with an apostrophe, and addresses with a plus', () => {
  const all = ordinaryContacts.map((contact) => Object.values(contact).join(' '))
  for (const form of [/^\p{L} /u, /'/, /\+/, /\p{M}/u]) expect(all.some((text) => form.test(text))).toBe(true)
})
