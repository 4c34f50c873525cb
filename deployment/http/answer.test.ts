import { expect, test } from 'vitest'
import { answerOf } from './answer.fixture.ts'
import { Answer, BodyError, bodyJson } from './exchange.ts'

const withBody = (body: string | Buffer): Answer => answerOf({ body })

test('reads JSON, and the same object each time', () => {
  const answer = withBody('{"success": true}')
  expect(bodyJson(answer)).toEqual({ success: true })
  expect(bodyJson(answer)).toBe(bodyJson(answer))
})

test('a large body is parsed once until it is folded, and then for each that asks', () => {
  const large = withBody(JSON.stringify({ padding: 'x'.repeat(100_000) }))
  expect(bodyJson(large)).toBe(bodyJson(large))
  large.folded()
  expect(bodyJson(large)).not.toBe(bodyJson(large))
  const small = withBody('{}')
  small.folded()
  expect(bodyJson(small)).toBe(bodyJson(small))
})

test('what is read of an answer is read once', () => {
  let reads = 0
  const read = ({ status }: Answer) => [status, ++reads]
  const answer = withBody('{}')
  expect([answer.once(read), answer.once(read)]).toEqual([
    [200, 1],
    [200, 1],
  ])
})

test('what was parsed goes with the answer, and not with another body', () => {
  const answer = withBody('{}')
  const parsed = bodyJson(answer)
  expect(bodyJson(new Answer(answer))).toBe(parsed)
  expect(bodyJson(answer.with({ body: Buffer.from('[]') }))).toEqual([])
})

test('bytes that are not UTF-8 are an error', () => {
  const answer = withBody(Buffer.from([0x22, 0xff, 0x22]))
  expect(() => bodyJson(answer)).toThrow(new BodyError('the body of 3 bytes is not valid UTF-8'))
})

test.each([
  ['', 'the body is empty, not JSON'],
  ['<html>secret</html>', 'the body is not JSON: it looks like HTML or XML'],
  ['{"a": 1,}', 'the body is not JSON: syntax error at position 8'],
])('%j: %s', (body, message) => {
  expect(() => bodyJson(withBody(body))).toThrow(new BodyError(message))
})

test('the reason quotes nothing from the body', () => {
  expect(() => bodyJson(withBody('hush "hush'))).toThrow(/^(?!.*hush)/)
})

test('a byte order mark is ignored', () => {
  expect(bodyJson(withBody('\ufeff{}'))).toEqual({})
})

test('nesting is bounded; brackets in strings do not count', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  expect(bodyJson(withBody(nested(500)))).toHaveLength(1)
  expect(() => bodyJson(withBody(nested(501)))).toThrow('nested deeper than 500 levels')
  expect(() => bodyJson(withBody('['.repeat(5_000_000)))).toThrow('nested deeper than 500 levels')
  expect(bodyJson(withBody(JSON.stringify(`"\\${'['.repeat(1000)}`)))).toHaveLength(1002)
})
