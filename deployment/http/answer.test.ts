import { expect, test } from 'vitest'
import { answerOf } from './answer.fixture.ts'
import { Answer, BodyError, bodyJson } from './exchange.ts'

const withBody = (body: string | Buffer): Answer => answerOf({ body })

test('bodyJson parses a large body again after folded(), and a small one not', () => {
  const large = withBody(JSON.stringify({ padding: 'x'.repeat(100_000) }))
  expect(bodyJson(large)).toBe(bodyJson(large))
  large.folded()
  expect(bodyJson(large)).not.toBe(bodyJson(large))
  const small = withBody('{}')
  small.folded()
  expect(bodyJson(small)).toBe(bodyJson(small))
})

test('a copy of an answer keeps the parsed JSON, unless its body changes', () => {
  const answer = withBody('{}')
  const parsed = bodyJson(answer)
  expect(bodyJson(new Answer(answer))).toBe(parsed)
  expect(bodyJson(answer.with({ body: Buffer.from('[]') }))).toEqual([])
})

test('bodyJson refuses bytes that are not UTF-8', () => {
  const answer = withBody(Buffer.from([0x22, 0xff, 0x22]))
  expect(() => bodyJson(answer)).toThrow(new BodyError('the body of 3 bytes is not valid UTF-8'))
})

test.each([
  ['', 'the body is empty, not JSON'],
  ['<html>secret</html>', 'the body is not JSON: it looks like HTML or XML'],
  ['{"a": 1,}', 'the body is not JSON: syntax error at position 8'],
])('bodyJson refuses %j: %s', (body, message) => {
  expect(() => bodyJson(withBody(body))).toThrow(new BodyError(message))
})

test('bodyJson ignores a byte order mark', () => {
  expect(bodyJson(withBody('\ufeff{}'))).toEqual({})
})

test('bodyJson refuses nesting above 500 levels, without counting brackets in strings', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  expect(bodyJson(withBody(nested(500)))).toHaveLength(1)
  expect(() => bodyJson(withBody(nested(501)))).toThrow('nested deeper than 500 levels')
  expect(() => bodyJson(withBody('['.repeat(5_000_000)))).toThrow('nested deeper than 500 levels')
  expect(bodyJson(withBody(JSON.stringify(`"\\${'['.repeat(1000)}`)))).toHaveLength(1002)
})
