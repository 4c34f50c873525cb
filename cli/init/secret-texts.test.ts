import { expect, it } from 'vitest'
import { Passwords } from './logins.ts'
import { looksLikeSecret, namesVariable } from './secret-texts.ts'

it.each([
  '0NRfU9CoFaw0-2heqeTNVCMe2mDlFBsl',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlMTIz',
  'a3f90b7c4d2e8f61a3f90b7c4d2e8f61',
  'K8W3PZQ71MX5VN2R4T6Y',
  'curl -H "Authorization: Bearer 3q2dX9sPl0aZ81kfQe7B"',
])('looksLikeSecret is true for %s', (text) => {
  expect(looksLikeSecret(text)).toBe(true)
  expect(namesVariable(text, {})).toBe(false)
})

it.each([
  'HOST_ADMINISTRATOR_TOKEN',
  'PORTAL_TOKEN_2',
  'hostAdministratorToken1',
  './secrets/host-administrator.txt',
  'vault read -field=token secret/portal',
  'staging',
])('looksLikeSecret is false for %s', (text) => expect(looksLikeSecret(text)).toBe(false))

it.each([
  ['a variable', 'HOST_TOKEN', {}, true],
  ['like a secret, but set', 'token1b2c3d4e5f6a7b8', { token1b2c3d4e5f6a7b8: 'x' }, true],
  ['two words', 'two words', {}, false],
  ['a digit first', '1TOKEN', {}, false],
  ['an empty text', '', {}, false],
])('namesVariable recognizes names of variables: %s', (_, text, environment, expected) => {
  expect(namesVariable(text, environment)).toBe(expected)
})

it('Passwords redacts used and typed passwords, also percent-encoded', () => {
  const passwords = new Passwords({ HOST_PASSWORD: 'open sesame' })
  expect(passwords.hide('open sesame')).toBe('open sesame')
  expect(passwords.has('HOST_PASSWORD')).toBe(true)
  passwords.type('GUEST_PASSWORD', 'knock')
  expect(passwords.hide('password=open%20sesame, then knock')).toBe('password=***, then ***')
})
