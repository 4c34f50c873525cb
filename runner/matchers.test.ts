import { describe, expect, it } from 'vitest'
import { type MatcherResult, matchers, type PlainAnswer } from './matchers.ts'

expect.extend(matchers)

const accepted = { success: true, collaborationId: 'c1' }
const refused = { error: { code: 403, message: 'no', details: [] } }

describe('bodies, as HTTP clients give them', () => {
  it.each<[string, PlainAnswer['body']]>([
    ['text', JSON.stringify(accepted)],
    ['bytes', new TextEncoder().encode(JSON.stringify(accepted))],
    ['a part of larger bytes', new TextEncoder().encode(` x${JSON.stringify(accepted)}`).subarray(2)],
    ['parsed JSON', accepted],
  ])('%s', (_, body) => {
    expect({ status: 200, body }).toBeAccepted()
    expect({ status: 200, body }).not.toBeRefused()
    expect({ status: 500, body }).toBeRefused()
  })
})

it.each<[string, PlainAnswer]>([
  ['an error under HTTP 200', { status: 200, body: refused }],
  ['a page', { status: 200, body: '<html>' }],
  ['nothing', { status: 200, body: '' }],
  ['a null that was parsed', { status: 200, body: null }],
  ['a body that is absent', { status: 204, body: undefined }],
])('%s is refused', (_, answer) => {
  expect(answer).toBeRefused()
  expect(answer).not.toBeAccepted()
})

it('says what was expected and what came', () => {
  const said = ({ message }: MatcherResult) => message()
  const answer = { status: 200, body: refused }
  expect(said(matchers.toBeAccepted(answer))).toBe(
    'expected an accepted answer, and it was not accepted: HTTP 200 with error {"code":403,"message":"no","details":[]}',
  )
  expect(said(matchers.toBeRefused(answer))).toContain('expected not a refused answer')
  expect(said(matchers.toMatchSchema(answer, 'delete-collaboration.response'))).toBe(
    'expected a body that matches the schema delete-collaboration.response:\n  success: missing',
  )
  expect(said(matchers.toMatchSchema(answer, 'error'))).toBe(
    'expected a body that does not match the schema error, and it does',
  )
})

it('holds bodies against the schemas of the package, whatever the status', () => {
  expect({ status: 403, body: refused }).toMatchSchema('error')
  expect({ status: 200, body: refused }).not.toMatchSchema('delete-collaboration.response')
  expect({ status: 200, body: '{"error": ' }).not.toMatchSchema('error')
  expect(() => matchers.toMatchSchema({ status: 200, body: '{}' }, 'eror' as never)).toThrow(
    /there is no schema eror; known are .*error/,
  )
})

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['a text', '{"success":true}'],
  ['an answer of axios, which has data and no body', { status: 200, data: accepted }],
  ['a status that is text', { status: '200', body: accepted }],
  ['an answer of fetch that was not read', new Response('{}')],
  ['a body that is a promise', { status: 200, body: new Response('{}').text() }],
])('%s is a wrong argument, never a refusal', (_, received) => {
  expect(() => matchers.toBeRefused(received as PlainAnswer)).toThrow(TypeError)
  expect(() => expect(received as PlainAnswer).not.toBeAccepted()).toThrow(/expected/)
})
