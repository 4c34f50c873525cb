import { expect, it } from 'vitest'
import { Passwords } from './logins.ts'

it('Passwords redacts used and typed passwords, also percent-encoded', () => {
  const passwords = new Passwords({ HOST_PASSWORD: 'open sesame' })
  expect(passwords.hide('open sesame')).toBe('open sesame')
  expect(passwords.has('HOST_PASSWORD')).toBe(true)
  passwords.type('GUEST_PASSWORD', 'knock')
  expect(passwords.hide('password=open%20sesame, then knock')).toBe('password=***, then ***')
})
