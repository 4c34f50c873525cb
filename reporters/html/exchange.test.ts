import { expect, test } from 'vitest'
import { formMarkup, jsonMarkup, withMarks } from './exchange.ts'

const marking =
  (...paths: string[]) =>
  (path: readonly string[]) =>
    paths.includes(path.join('.'))
const json = (text: string, ...paths: string[]): string | undefined =>
  jsonMarkup(text, marking(...paths))
    ?.toString()
    .replaceAll('&quot;', '"')

test('jsonMarkup changes only white space: numbers, escapes, duplicate keys and order stay', () => {
  const text = '{"b":1e3,"a":12345678901234567890,"a":"\\u00e9\\"x","list":[1,{"c":[]},{}],"n":null}'
  const shown = json(text)
  expect(shown).toBe(`{
  "b": 1e3,
  "a": 12345678901234567890,
  "a": "\\u00e9\\"x",
  "list": [
    1,
    {
      "c": []
    },
    {}
  ],
  "n": null
}`)
  expect(shown?.replace(/\s/g, '')).toBe(text)
})

test.each([
  ['a.b', '{"a":{"b":1},"b":1}', '<mark>"b"</mark>: <mark>1</mark>'],
  ['list.1', '{"list":["x","y"]}', '<mark>"y"</mark>'],
  ['list.0.id', '{"list":[{"id":"z"}]}', '<mark>"id"</mark>: <mark>"z"</mark>'],
  ['a', '{"a":{"b":1}}', '<mark>"a"</mark>: <mark>{</mark>'],
  ['a', '{"a":[]}', '<mark>"a"</mark>: <mark>[]</mark>'],
  ['sp ace', '{"sp\\u0020ace":true}', '<mark>"sp\\u0020ace"</mark>: <mark>true</mark>'],
])('jsonMarkup marks only %s in %s', (path, text, expected) => {
  const shown = json(text, path) as string
  expect(shown).toContain(expected)
  expect(shown.split('<mark>')).toHaveLength(expected.split('<mark>').length)
})

test('jsonMarkup indents a shortened text up to the cut', () => {
  expect(json('{"a":{"b":"xxx… (cut: 5000 bytes in all)', 'a.b')).toBe(
    '{\n  "a": {\n    <mark>"b"</mark>: <mark>"xxx</mark>… (cut: 5000 bytes in all)',
  )
})

test.each(['<html>', '{"a":1,}', '{a:1}', '"text"', '', '[1 2]'])(
  'jsonMarkup returns undefined for %j, which is not a JSON object or array',
  (text) => {
    expect(json(text)).toBeUndefined()
  },
)

test('jsonMarkup handles deep nesting', () => {
  const text = '['.repeat(2000) + ']'.repeat(2000)
  expect(json(text)?.replace(/\s/g, '')).toBe(text)
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

test('withMarks marks words literally, also with special characters', () => {
  expect(withMarks('a.b of a1b', ['a.b', '']).toString()).toBe('<mark>a.b</mark> of a1b')
})
