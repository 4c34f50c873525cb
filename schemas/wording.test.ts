import { expect, it } from 'vitest'
import { violationsOf } from './validators.ts'

const inWords = (schema: object, value: unknown) => violationsOf(schema, value).map(({ message }) => message)

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
  [{ type: 'number', exclusiveMaximum: 0 }, 0, 'less than 0 expected, 0 found'],
  [{ type: 'string', pattern: '^a$' }, 'b', 'text that matches ^a$ expected, "b" found'],
  [{ type: 'string', format: 'uri' }, 'not one', 'URL expected, "not one" found'],
  [{ type: 'string', format: 'email' }, 'no-one', 'e-mail address expected, "no-one" found'],
  [{ type: 'string', format: 'ipv4' }, 'x', 'text of the format ipv4 expected, "x" found'],
  [{ type: 'number', multipleOf: 2 }, 3, 'what multipleOf demands (must be multiple of 2) expected, 3 found'],
  [{ type: 'string', 'x-expected': 'a colour' }, 1, 'a colour expected, 1 found'],
  [{ type: 'string', writeOnly: true }, 12345, 'string expected, number found'],
])('%j says of %j: %s', (schema, value, message) => {
  expect(inWords(schema, value)).toEqual([message])
})

it('says that no form fits, after what is wrong with each', () => {
  const messages = inWords({ anyOf: [{ type: 'string' }, { type: 'boolean' }] }, 1)
  expect(messages).toEqual([
    'string expected, 1 found',
    'boolean expected, 1 found',
    'one of the allowed forms expected, 1 found',
  ])
})

it('says a condition by what follows from it', () => {
  const schema = JSON.parse('{ "if": { "type": "string" }, "then": { "const": "all" } }')
  expect(inWords(schema, 'al')).toEqual(['"all" expected, "al" found'])
})

it('names the fields where there are too many or too few', () => {
  const schema = {
    type: 'object',
    maxProperties: 1,
    minProperties: 1,
    'x-expected': 'exactly one of a and b',
  }
  expect(inWords(schema, { a: 'x', b: 'y' })).toEqual(['exactly one of a and b expected, a, b found'])
  expect(inWords(schema, {})).toEqual(['exactly one of a and b expected, nothing found'])
})
