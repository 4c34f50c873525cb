import { expect, it } from 'vitest'
import { Passwords } from './logins.ts'

it('takes a password from the environment before it is typed', () => {
  const passwords = new Passwords({ HOST_PASSWORD: 'from outside' })
  expect([passwords.take('HOST_PASSWORD'), passwords.take('GUEST_PASSWORD')]).toEqual([true, false])
  passwords.type('GUEST_PASSWORD', 'typed')
  expect(passwords.environment).toEqual({ HOST_PASSWORD: 'from outside', GUEST_PASSWORD: 'typed' })
  expect(passwords.unset(['HOST_PASSWORD', 'GUEST_PASSWORD', 'OTHER'])).toEqual(['GUEST_PASSWORD', 'OTHER'])
})

it('has a variable set anew where another password was typed in its place', () => {
  const passwords = new Passwords({ HOST_PASSWORD: 'outdated' })
  passwords.type('HOST_PASSWORD', 'typed')
  expect(passwords.environment).toEqual({ HOST_PASSWORD: 'typed' })
  expect(passwords.unset(['HOST_PASSWORD'])).toEqual(['HOST_PASSWORD'])
})

it('hides what was taken and what was typed, also percent-encoded', () => {
  const passwords = new Passwords({ HOST_PASSWORD: 'open sesame' })
  expect(passwords.hide('open sesame')).toBe('open sesame')
  passwords.take('HOST_PASSWORD')
  passwords.type('GUEST_PASSWORD', 'knock')
  expect(passwords.hide('password=open%20sesame, then knock')).toBe('password=***, then ***')
})
