import { expect, describe as group, it } from 'vitest'
import type { Answer } from '../deployment/http/exchange.ts'
import { answerOf } from '../runner/answers.fixture.ts'
import {
  acceptance,
  acceptanceIfRead,
  answersWithSuccess,
  describe,
  isMalformed,
  refusalLine,
  speaksLikeAPortal,
} from './acceptance.ts'

group('acceptance', () => {
  it.each([
    ['plain', answerOf({ success: true })],
    ['with further fields', answerOf({ success: true, workspace: {} })],
    ['beside an error that is null', answerOf({ success: true, error: null })],
    ['as 201', answerOf({ success: true }, { status: 201 })],
    ['as 299', answerOf({ success: true }, { status: 299 })],
  ])('accepts a success answer %s', (_, answer) => {
    expect(acceptance(answer).accepted).toBe(true)
  })

  it.each([
    ['an error under HTTP 200', answerOf({ error: { code: 403 } }), 'HTTP 200 with error {"code":403}'],
    ['success beside an error', answerOf({ success: true, error: {} }), 'HTTP 200 with error {}'],
    ['success beside an error that is no object', answerOf({ success: true, error: false }), 'error false'],
    ['success as text', answerOf({ success: 'true' }), 'HTTP 200 with success: "true"'],
    ['success: false', answerOf({ success: false }), 'HTTP 200 with success: false'],
    ['no success', answerOf({ workspace: {} }), 'HTTP 200 without a field success'],
    ['a 400', answerOf({ success: true }, { status: 400 }), 'HTTP 400'],
    ['a 300', answerOf({ success: true }, { status: 300 }), 'HTTP 300'],
    ['a 199', answerOf({ success: true }, { status: 199 }), 'HTTP 199'],
    ['null', answerOf('null'), 'HTTP 200, and the body is JSON but no object'],
    ['a redirect', answerOf({ success: true }, { status: 302 }), 'HTTP 302'],
    ['a page', answerOf('<html>'), 'HTTP 200, and the body is no JSON object'],
    ['a list', answerOf([{ success: true }]), 'HTTP 200, and the body is JSON but no object'],
    ['an inherited success', answerOf('{"__proto__":{"success":true}}'), 'HTTP 200 without a field success'],
    ['no UTF-8', answerOf(Buffer.from([0x7b, 0xff, 0x7d])), 'HTTP 200, and the body is no JSON object'],
  ])('does not accept %s', (_, answer, why) => {
    const judged = acceptance(answer)
    expect(judged).toMatchObject({ accepted: false, why: expect.stringContaining(why) })
  })

  it('classifies each answer once, also one that is more than is read', () => {
    const answer = answerOf({ success: true })
    expect(acceptance(answer)).toBe(acceptance(answer))
    const deep = answerOf('['.repeat(1000))
    expect(acceptanceIfRead(deep)).toBeUndefined()
    expect(() => acceptance(deep)).toThrow('more than is read')
  })

  it.each([
    [{ success: true }, 200, 'accepted: HTTP 200 with success: true'],
    [{ error: { code: 1 } }, 400, 'not accepted: HTTP 400 with error {"code":1}'],
    [{ error: { code: 1 } }, 200, 'not accepted: HTTP 200 with error {"code":1}'],
    [{ success: true }, 400, 'not accepted: HTTP 400'],
    ['<html>', 502, 'not accepted: HTTP 502'],
    [{ error: { code: 1 } }, 302, 'not accepted: HTTP 302 with error {"code":1}'],
    [{ error: 'x'.repeat(158) }, 200, `not accepted: HTTP 200 with error "${'x'.repeat(158)}"`],
    [{ error: 'x'.repeat(159) }, 200, `not accepted: HTTP 200 with error "${'x'.repeat(159)}…`],
  ])('describes an answer in one line, and cuts an error that is long: %#', (body, status, line) => {
    expect(describe(answerOf(body, { status }))).toBe(line)
  })

  it('keeps what it quotes of an answer on one line', () => {
    const broken = answerOf({ error: { code: 'A\u2028B', message: 'one\r\ntwo\u2029three\u001b[2J' } })
    expect(describe(broken)).toMatch(/^.+$/)
    expect(refusalLine(broken)).toBe(
      'HTTP 200 with error A\\u{2028}B: one\\u{d}\\u{a}two\\u{2029}three\\u{1b}[2J',
    )
  })
})

/** What an answer looks like, whether accepted or not: a portal's, a success, or in no form of the contract. */
const looksOf = (answer: Answer): string[] => [
  ...(speaksLikeAPortal(answer) ? ['portal'] : []),
  ...(answersWithSuccess(answer, 'update-task-run') ? ['success'] : []),
  ...(isMalformed(answer) ? ['no form'] : []),
]

it.each([
  ['an acceptance', answerOf({ success: true }), ['portal', 'success']],
  [
    'an acceptance beside an error that is null',
    answerOf({ success: true, error: null }),
    ['portal', 'success'],
  ],
  ['an acceptance after a byte order mark', answerOf('\ufeff \n{"success":true}'), ['portal', 'success']],
  ['success as a number', answerOf({ success: 1 }), ['portal', 'success']],
  ['success: false', answerOf({ success: false }), ['portal']],
  ['success: "false"', answerOf({ success: 'false' }), ['portal']],
  ['all else of a success', answerOf({ taskId: 't', runId: 'r' }), ['portal', 'success', 'no form']],
  ['a part of that', answerOf({ taskId: 't' }), ['portal', 'no form']],
  ['an error that is null', answerOf({ error: null }), ['portal', 'no form']],
  ['an error beside success', answerOf({ success: true, error: { code: 1 } }), []],
  ['a refusal under HTTP 200', answerOf({ error: { code: 498 } }), []],
  ['a refusal under HTTP 400', answerOf('no', { status: 400 }), []],
  ['a redirect', answerOf({ success: true }, { status: 300 }), []],
  ['success that breaks off', answerOf('{"success": true, '), ['portal', 'success', 'no form']],
  ['an object that breaks off', answerOf('{"success": tr'), ['portal', 'no form']],
  ['an error that breaks off', answerOf('{"success": true, "error": {'), ['portal', 'no form']],
  ['an object in Latin-1', answerOf(Buffer.from('{"name":"\xe9"}', 'latin1')), ['portal', 'no form']],
  ['an object in a call', answerOf('callback({"success":true})'), ['success', 'no form']],
  ['a page', answerOf('<!doctype html><p>{}'), ['no form']],
  ['a list', answerOf([]), ['no form']],
  ['a string', answerOf('"{}"'), ['no form']],
  ['nothing', answerOf(''), ['no form']],
])('%s looks like what it is', (_, answer, looks) => {
  expect(looksOf(answer)).toEqual(looks)
})
