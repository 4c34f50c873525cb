import { describe, expect, it } from 'vitest'
import { type MatcherResult, matchers, type PlainAnswer } from './matchers.ts'

expect.extend(matchers)

const accepted = { success: true, collaborationId: 'c1' }
const refused = { error: { code: 403, message: 'no', details: [] } }

describe('the matchers read a body given as', () => {
  it.each<[string, PlainAnswer['body']]>([
    ['text', JSON.stringify(accepted)],
    ['bytes', new TextEncoder().encode(JSON.stringify(accepted))],
    ['a slice of a larger buffer', new TextEncoder().encode(` x${JSON.stringify(accepted)}`).subarray(2)],
    ['parsed JSON', accepted],
  ])('%s', (_, body) => {
    expect({ status: 200, body }).toBeAccepted()
    expect({ status: 200, body }).not.toBeRefused()
    expect({ status: 500, body }).toBeRefused()
  })
})

it.each<[string, PlainAnswer]>([
  ['an error under HTTP 200', { status: 200, body: refused }],
  ['an HTML page', { status: 200, body: '<html>' }],
  ['an empty body', { status: 200, body: '' }],
  ['parsed null', { status: 200, body: null }],
  ['an absent body', { status: 204, body: undefined }],
])('%s counts as refused', (_, answer) => {
  expect(answer).toBeRefused()
  expect(answer).not.toBeAccepted()
})

it('messages name the expected and the actual answer', () => {
  const messageOf = ({ message }: MatcherResult) => message()
  const answer = { status: 200, body: refused }
  expect(messageOf(matchers.toBeAccepted(answer))).toBe(
    'expected an accepted answer, and it was not accepted: HTTP 200 with error {"code":403,"message":"no","details":[]}',
  )
  expect(messageOf(matchers.toBeRefused(answer))).toContain('expected not a refused answer')
  expect(messageOf(matchers.toMatchSchema(answer, 'delete-collaboration.response'))).toBe(
    'expected a body that matches the schema delete-collaboration.response:\n  success: missing',
  )
  expect(messageOf(matchers.toMatchSchema(answer, 'error'))).toBe(
    'expected a body that does not match the schema error, and it does',
  )
})

it('toMatchSchema validates bodies of any status against the schemas of the package', () => {
  expect({ status: 403, body: refused }).toMatchSchema('error')
  expect({ status: 200, body: refused }).not.toMatchSchema('delete-collaboration.response')
  expect({ status: 200, body: '{"error": ' }).not.toMatchSchema('error')
  expect(() => matchers.toMatchSchema({ status: 200, body: '{}' }, 'eror' as never)).toThrow(
    /there is no schema eror; known are .*error/,
  )
})

it.each<[string, unknown]>([
  ['undefined', undefined],
  ['a string', '{"success":true}'],
  ['a response of axios (data, no body)', { status: 200, data: accepted }],
  ['a status as a string', { status: '200', body: accepted }],
  ['an unread response of fetch', new Response('{}')],
  ['a promise as the body', { status: 200, body: new Response('{}').text() }],
])('%s is a TypeError, never a refusal', (_, received) => {
  expect(() => matchers.toBeRefused(received as PlainAnswer)).toThrow(TypeError)
  expect(() => expect(received as PlainAnswer).not.toBeAccepted()).toThrow(/expected/)
})
