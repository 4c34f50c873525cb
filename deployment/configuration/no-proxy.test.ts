import { expect, test } from 'vitest'
import { goesPast, noProxyEntries } from './connection-settings.ts'

test.each([
  ['*', 'https://a.example.com', true],
  ['example.com', 'https://example.com', true],
  ['example.com', 'https://EXAMPLE.com.:8443', true],
  ['Example.COM', 'https://a.b.example.com', true],
  ['example.com', 'https://anexample.com', false],
  ['.example.com', 'https://a.example.com', true],
  ['.example.com', 'https://example.com', true],
  ['*.example.com', 'https://a.example.com', true],
  ['a.example.com', 'https://example.com', false],
  ['example.com:8443', 'https://example.com:8443', true],
  ['example.com:8443', 'https://example.com', false],
  ['example.com:443', 'https://example.com', true],
  ['example.com:80', 'http://example.com', true],
  ['.com:80', 'https://example.com', false],
  ['10.1.2.3', 'http://10.1.2.3:81', true],
  ['10.1.2.3:82', 'http://10.1.2.3:81', false],
  ['10.0.0.0/8', 'http://10.200.0.1', true],
  ['10.0.0.0/8', 'http://11.0.0.1', false],
  ['10.0.0.0/8', 'http://ten.example.com', false],
  ['10.0.0.0/33', 'http://10.0.0.1', false],
  ['10.0.0/8', 'http://10.0.0.1', false],
  ['fd00::/8', 'http://[fd12::1]:8080', true],
  ['fd00::/8', 'http://[fe80::1]', false],
  ['::1', 'http://[::1]:8080', true],
  ['[::1]', 'http://[0:0:0:0:0:0:0:1]', true],
  ['[::1]:8080', 'http://[::1]:8081', false],
  ['[::1]:8080', 'http://[::1]:8080', true],
  ['.', 'http://example.com', false],
])('%s for %s: %s', (entry, origin, past) => {
  expect(goesPast([entry], origin)).toBe(past)
  expect(goesPast(['elsewhere.invalid', entry], origin)).toBe(past)
})

test('the entries stand between commas and white space', () => {
  expect(noProxyEntries(' a, b:1,,\tc ')).toEqual(['a', 'b:1', 'c'])
  expect(goesPast(noProxyEntries(''), 'http://a')).toBe(false)
})
