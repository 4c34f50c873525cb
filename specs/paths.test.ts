/** Paths identify operations, under any base URL. */
import { expect, test } from 'vitest'
import { operations } from './operations.ts'
import { isUrl, recognise } from './paths.ts'

test.each(['https://a.example', 'http://[::1]:8080/web/adaptor/sharing/rest', 'https://a.example/portals/x'])(
  'recognise finds every operation under %s',
  (baseUrl) => {
    for (const { id, path } of operations) {
      const found = recognise(new URL(baseUrl + path.replace(/\{(\w+)\}/g, 'a%20$1%2F')))
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
      expect(found).toEqual({
        operation: id,
        baseUrl,
        path: Object.fromEntries(names.map((name) => [name, `a ${name}/`])),
      })
    }
  },
)

test.each([
  'https://a.example/rest/portals/p/collaborations/c',
  'https://a.example/rest/portals/p/collaborations/c/delete/',
  'https://a.example/rest/portals/p/collaborations/c/workspaces/w/syncStatus',
  'https://a.example/rest/content/users/u/items/i/delete',
  'https://a.example/rest/community/users/u/update',
])('recognise finds no operation in %s', (url) => {
  expect(recognise(new URL(url))).toBeUndefined()
})

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
