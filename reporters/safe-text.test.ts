import { expect, test } from 'vitest'
import { code, fenced, prose } from './safe-text.ts'

test.each([
  ['as it reads, 1.5 (a-b) "c": d', 'as it reads, 1.5 (a-b) "c": d'],
  ['<b>&amp;', '&lt;b&gt;&amp;amp;'],
  [
    '*a* _b_ `c` [d](e) ![f](g) | ~h~ $i$ \\',
    '\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) \\!\\[f\\](g) \\| \\~h\\~ \\$i\\$ \\\\',
  ],
  ['@team #1 GH-2', '<code>@</code>team <code>#</code>1 <code>GH-</code>2'],
  ['HTTPS://a WWW.b', 'HTTPS<code>://</code>a <code>WWW.</code>b'],
  ['at 0123abc', 'at <code>0123abc</code>'],
  ['- a', '\\- a'],
  ['+ a', '\\+ a'],
  ['=== a', '\\=== a'],
  ['12. a', '12\\. a'],
  ['12.5', '12.5'],
  ['> a', '&gt; a'],
  ['  indented ', 'indented'],
  ['a\n# b\u001b', 'a\\\\u\\{a\\}<code>#</code> b\\\\u\\{1b\\}'],
  ['x'.repeat(3000), `${'x'.repeat(2000)}… (3000 characters in all; results.json holds them)`],
])('prose escapes %j as %j', (text, written) => {
  expect(prose(text)).toBe(written)
})

test.each([
  ['a|b', '`a|b`'],
  ['a`b', '``a`b``'],
  ['``a', '``` ``a ```'],
  ['', '`  `'],
  ['a\nb', '`a\\u{a}b`'],
])('code writes %j as %j', (text, written) => {
  expect(code(text)).toBe(written)
})

test('fenced keeps lines and escapes terminal controls', () => {
  expect(fenced('a\r\n\tb\u001b[0m', 'sh')).toBe('```sh\na\n  b\\u{1b}[0m\n```')
})
