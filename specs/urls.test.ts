/** What counts as a URL, also in a long run. */
import { expect, test } from 'vitest'
import { isUrl } from './urls.ts'

test('A URL beyond ASCII remains one, however often it is checked', () => {
  const checks = Array.from({ length: 50_000 }, () => isUrl('https://größe.example/ä'))
  expect(checks.filter((isOne) => !isOne)).toEqual([])
})

test.each([
  ['https://größe.example/ä', undefined, true],
  ['none', undefined, false],
  ['/portal', undefined, false],
  ['/portal', 'https://host.example', true],
])('%s, relative to %s: %s', (text, base, expected) => {
  expect(isUrl(text, base)).toBe(expected)
})
