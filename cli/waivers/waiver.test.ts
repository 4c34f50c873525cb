import { expect, test } from 'vitest'
import { covers, isExpired, isFor } from './waiver.ts'
import { written } from './waiver-file.fixture.ts'

test.each([
  ['https://a.example.com/rest', 'https://a.example.com/rest', true],
  ['https://a.example.com/rest/', 'https://a.example.com/rest', true],
  ['https://*.example.com/**', 'https://a.example.com/sharing/rest', true],
  ['https://*.example.com/*', 'https://a.example.com/sharing/rest', false],
  ['http://127.0.0.1:*/rest', 'http://127.0.0.1:39417/rest', true],
  ['http://[::1]:8080/rest', 'http://[::1]:8080/rest', true],
  ['**', 'https://a.example.com/rest', true],
  ['https://a.example.com', 'https://a.example.com/rest', false],
  ['!https://b.example.com/**', 'https://a.example.com/rest', false],
])('%s is for %s: %j', (target, baseUrl, expected) => {
  expect(isFor(written({ target }), baseUrl)).toBe(expected)
})

test.each([
  [{ requirement: 'a/b' }, 'a/b', true],
  [{ requirement: 'a/b' }, 'a/b:c', true],
  [{ requirement: 'a/b' }, 'a/bc', false],
  [{ check: 'a/b' }, 'a/b', true],
  [{ check: 'a/b' }, 'a/b:c', false],
  [{ check: 'a/b:c' }, 'a/b:c', true],
])('%j covers %s: %j', (waiver, id, expected) => {
  expect(covers(written(waiver), id)).toBe(expected)
})

test('the last day is inclusive', () => {
  const expired = (expires: string) => isExpired({ expires }, '2026-06-15')
  expect([expired('2026-06-14'), expired('2026-06-15'), expired('2026-06-16')]).toEqual([true, false, false])
})
