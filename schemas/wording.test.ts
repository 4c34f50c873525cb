import { describe, expect, it } from 'vitest'
import { violationsOf } from './validators.ts'
import { pathOf, show, shown } from './wording.ts'

const messagesOf = (schema: object, value: unknown) =>
  violationsOf(schema, value).map(({ message }) => message)

it.each([
  [{ type: 'integer' }, '100', 'integer expected, "100" found'],
  [{ const: 'pjson' }, 'json', '"pjson" expected, "json" found'],
  [{ enum: ['form', 'query'] }, 'body', 'one of "form", "query" expected, "body" found'],
  [{ type: 'string', maxLength: 2 }, 'a𝄞c', 'at most 2 characters expected, 3 found'],
  [{ type: 'string', minLength: 1 }, '', 'at least 1 character expected, 0 found'],
  [{ type: 'array', maxItems: 1 }, [1, 2], 'at most 1 item expected, 2 found'],
  [{ type: 'array', minItems: 2 }, [], 'at least 2 items expected, 0 found'],
  [{ type: 'array', uniqueItems: true }, ['a', 'b', 'a'], 'distinct items expected, items 0 and 2 are equal'],
  [{ type: 'object', minProperties: 1 }, {}, 'at least 1 field expected, 0 found'],
  [{ type: 'number', minimum: 1 }, 0, 'at least 1 expected, 0 found'],
  [{ type: 'number', maximum: 1 }, 2, 'at most 1 expected, 2 found'],
  [{ type: 'number', exclusiveMinimum: 0 }, 0, 'more than 0 expected, 0 found'],
  [{ type: 'string', pattern: '^a$' }, 'b', 'text that matches ^a$ expected, "b" found'],
  [{ type: 'string', format: 'uri' }, 'not one', 'URL expected, "not one" found'],
  [{ type: 'string', format: 'email' }, 'no-one', 'e-mail address expected, "no-one" found'],
  [{ type: 'string', format: 'ipv4' }, 'x', 'text of the format ipv4 expected, "x" found'],
  [{ type: 'number', multipleOf: 2 }, 3, 'what multipleOf demands (must be multiple of 2) expected, 3 found'],
  [{ type: 'string', 'x-expected': 'a colour' }, 1, 'a colour expected, 1 found'],
  [{ type: 'string', writeOnly: true }, 12345, 'string expected, number found'],
])('message by %j for %j: %s', (schema, value, message) => {
  expect(messagesOf(schema, value)).toEqual([message])
})

const oneOfTwo = {
  type: 'object',
  maxProperties: 1,
  minProperties: 1,
  'x-expected': 'exactly one of a and b',
}

it.each<[string, object, unknown, string[]]>([
  [
    'a violated condition, with the error of its branch',
    JSON.parse('{ "if": { "type": "string" }, "then": { "const": "all" } }'),
    'al',
    ['"all" expected, "al" found'],
  ],
  [
    'too many fields, with their names',
    oneOfTwo,
    { a: 'x', b: 'y' },
    ['exactly one of a and b expected, a, b found'],
  ],
  ['missing fields', oneOfTwo, {}, ['exactly one of a and b expected, nothing found']],
])('message for %s', (_, schema, value, messages) => {
  expect(messagesOf(schema, value)).toEqual(messages)
})

describe('shown and show', () => {
  it.each([
    [{ a: [1, 'x', null, true], b: {} }, '{"a":[1,"x",null,true],"b":{}}'],
    [[], '[]'],
    ['', '""'],
    [undefined, 'nothing'],
  ])('shown writes %j as %s', (value, text) => {
    expect(shown(value)).toBe(text)
  })

  it('shown cuts a value after 60 characters', () => {
    expect(shown('x'.repeat(58))).toBe(`"${'x'.repeat(58)}"`)
    expect(shown('x'.repeat(59))).toBe(`"${'x'.repeat(59)}…`)
    expect(shown({ a: 'x'.repeat(1e6), b: 1 })).toBe(`{"a":"${'x'.repeat(54)}…`)
    expect(shown(Array(1e6).fill(1))).toBe(`[${'1,'.repeat(29)}1…`)
  })

  it('shown does not cut a surrogate pair', () => {
    expect(shown('𝄞'.repeat(40))).toBe(`"${'𝄞'.repeat(29)}…`)
    expect(shown(`x${'𝄞'.repeat(40)}`)).toBe(`"x${'𝄞'.repeat(29)}…`)
  })

  it('escape invisible and misleading characters', () => {
    expect(shown('\u001b[31m\u009b\u202e\u2028\n')).toBe('"\\u001b[31m\\u{9b}\\u{202e}\\u{2028}\\n"')
    expect(show('a\u200bb\u0085c')).toBe('"a\\u{200b}b\\u{85}c"')
  })

  it('show cuts a value after 300 characters and gives its length', () => {
    expect(show(undefined)).toBe('nothing')
    expect(show('x'.repeat(298))).toBe(`"${'x'.repeat(298)}"`)
    expect(show('x'.repeat(299))).toBe(`"${'x'.repeat(299)}… (301 characters)`)
  })
})

describe('pathOf', () => {
  const root = { error: { details: [{ a: 1 }] }, list: { 0: 'x' }, 'a/b~c': 1 }

  it.each([
    ['', [], ''],
    ['/error/details/0', ['itemId'], 'error.details[0].itemId'],
    ['/list/0', [], 'list.0'],
    ['/a~1b~0c', [], '["a/b~c"]'],
    ['', ['new\nline'], '["new\\nline"]'],
    ['/toString', ['length'], 'toString.length'],
  ])('pointer %j and keys %j: %s', (pointer, further, path) => {
    expect(pathOf(root, pointer, ...further)).toBe(path)
  })
})
