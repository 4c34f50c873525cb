import { describe, expect, it } from 'vitest'
import { kindOf, pathOf, shown } from './wording.ts'

describe('a value in a message', () => {
  it.each([
    [{ a: [1, 'x', null, true], b: {} }, '{"a":[1,"x",null,true],"b":{}}'],
    [[], '[]'],
    ['', '""'],
    [undefined, 'nothing'],
  ])('%j is JSON', (value, text) => {
    expect(shown(value)).toBe(text)
  })

  it('is whole up to 60 characters and cut beyond', () => {
    expect(shown('x'.repeat(58))).toBe(`"${'x'.repeat(58)}"`)
    expect(shown('x'.repeat(59))).toBe(`"${'x'.repeat(59)}…`)
    expect(shown({ a: 'x'.repeat(1e6), b: 1 })).toBe(`{"a":"${'x'.repeat(54)}…`)
    expect(shown(Array(1e6).fill(1))).toBe(`[${'1,'.repeat(29)}1…`)
  })

  it('is not cut within a character', () => {
    expect(shown('𝄞'.repeat(40))).toBe(`"${'𝄞'.repeat(29)}…`)
    expect(shown(`x${'𝄞'.repeat(40)}`)).toBe(`"x${'𝄞'.repeat(29)}…`)
  })

  it('shows what is invisible or misleading as escapes', () => {
    expect(shown('\u001b[31m\u009b\u202e\u2028\n')).toBe('"\\u001b[31m\\u{9b}\\u{202e}\\u{2028}\\n"')
  })
})

it('distinguishes kinds', () => {
  expect([undefined, null, [], {}, 'x', 1, true].map(kindOf)).toEqual([
    'nothing',
    'null',
    'array',
    'object',
    'string',
    'number',
    'boolean',
  ])
})

describe('a path', () => {
  const root = { error: { details: [{ a: 1 }] }, list: { 0: 'x' }, 'a/b~c': 1 }

  it.each([
    ['', [], ''],
    ['/error/details/0', ['itemId'], 'error.details[0].itemId'],
    ['/list/0', [], 'list.0'],
    ['/a~1b~0c', [], '["a/b~c"]'],
    ['', ['new\nline'], '["new\\nline"]'],
    ['/toString', ['length'], 'toString.length'],
  ])('%j and %j read %s', (pointer, further, path) => {
    expect(pathOf(root, pointer, ...further)).toBe(path)
  })
})
