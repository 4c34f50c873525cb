import { expect, test } from 'vitest'
import { html } from '../rendering.fixture.ts'
import { failedCheck, resultsOf } from '../results.fixture.ts'
import { formMarkup } from './exchange.ts'

test.each([
  ['{"b":1,"list":[1,{}]}', '{\n  "b": 1,\n  "list": [\n    1,\n    {}\n  ]\n}'],
  // Nothing but white space may change.
  ['{"b":1e3}', '{"b":1e3}'],
  ['{"a":1,"a":2}', '{"a":1,"a":2}'],
  ['{ "a": 1 }', '{ "a": 1 }'],
  ['{"a":1,}', '{"a":1,}'],
  ['not json', 'not json'],
])('the page shows the answer %s on lines of its own only if it is plain JSON', (body, shown) => {
  const page = html(resultsOf([failedCheck('add-workspace/creates', 'x', body)]))
  const [, text] = /aria-label="Body of the answer"><code>([^<]*)<\/code>/.exec(page) ?? []
  expect(text?.replaceAll('&quot;', '"')).toBe(shown)
})

test('formMarkup decodes fields and lists marked fields that were not sent', () => {
  const shown = formMarkup('a=1+2%26&b=&b=%E9&c=%C3%A9', ['b', 'missing'])?.toString()
  expect(shown).toBe(
    '<dl class="form"><div><dt>a</dt><dd><code>1 2&amp;</code></dd></div>' +
      '<div><dt><mark>b</mark></dt><dd><mark><em>empty</em></mark></dd></div>' +
      '<div><dt><mark>b</mark></dt><dd><mark><code>%E9</code></mark></dd></div>' +
      '<div><dt>c</dt><dd><code>é</code></dd></div>' +
      '<div><dt><mark>missing</mark></dt><dd><em>not sent</em></dd></div></dl>',
  )
  expect(formMarkup('{"a":1}', [])).toBeUndefined()
})
