import { expect, it } from 'vitest'
import { Passwords } from './logins.ts'

it('Passwords uses passwords from the environment and typed ones', () => {
  const passwords = new Passwords({ HOST_PASSWORD: 'from outside' })
  expect([passwords.take('HOST_PASSWORD'), passwords.take('GUEST_PASSWORD')]).toEqual([true, false])
  passwords.type('GUEST_PASSWORD', 'typed')
  expect(passwords.environment).toEqual({ HOST_PASSWORD: 'from outside', GUEST_PASSWORD: 'typed' })
  expect(passwords.unset(['HOST_PASSWORD', 'GUEST_PASSWORD', 'OTHER'])).toEqual(['GUEST_PASSWORD', 'OTHER'])
})

it('Passwords reports a variable as unset if the user typed another password', () => {
  const passwords = new Passwords({ HOST_PASSWORD: 'outdated' })
  passwords.type('HOST_PASSWORD', 'typed')
  expect(passwords.environment).toEqual({ HOST_PASSWORD: 'typed' })
  expect(passwords.unset(['HOST_PASSWORD'])).toEqual(['HOST_PASSWORD'])
})

it('Passwords redacts used and typed passwords, also percent-encoded', () => {
  const passwords = new Passwords({ HOST_PASSWORD: 'open sesame' })
  expect(passwords.hide('open sesame')).toBe('open sesame')
  passwords.take('HOST_PASSWORD')
  passwords.type('GUEST_PASSWORD', 'knock')
  expect(passwords.hide('password=open%20sesame, then knock')).toBe('password=***, then ***')
})
