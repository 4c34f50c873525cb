import { expect, it } from 'vitest'
import { answerOf } from '../suites/answers.fixture.ts'
import { speaksLikeAPortal } from './portal-like.ts'

it.each([
  ['an acceptance', answerOf({ success: true }), true],
  ['success as text', answerOf({ success: 'true' }), true],
  ['an object that breaks off', answerOf('{"success": tr'), true],
  ['an object in Latin-1', answerOf(Buffer.from('{"name":"\xe9"}', 'latin1')), true],
  ['an object after a byte order mark and spaces', answerOf('\ufeff \n{"success":true}'), true],
  ['a success under the last of the 2xx', answerOf({ success: true }, { status: 299 }), true],
  ['a redirect', answerOf({ success: true }, { status: 300 }), false],
  ['an answer before the 2xx', answerOf({ success: true }, { status: 199 }), false],
  ['an object beside something else', answerOf('x{}'), false],
  ['a refusal under HTTP 200', answerOf({ error: { code: 498 } }), false],
  ['a refusal under HTTP 400', answerOf({ success: true }, { status: 400 }), false],
  ['a page', answerOf('<!doctype html><p>{}'), false],
  ['a list', answerOf([]), false],
  ['nothing', answerOf(''), false],
])('%s', (_, answer, speaks) => {
  expect(speaksLikeAPortal(answer)).toBe(speaks)
})
