import { expect, it } from 'vitest'
import { answerOf } from '../runner/answers.fixture.ts'
import { answersWithSuccess, isMalformed, speaksLikeAPortal } from './portal-like.ts'

it.each([
  ['an acceptance', answerOf({ success: true }), true],
  ['an acceptance beside an error that is null', answerOf({ success: true, error: null }), true],
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

it.each([
  ['an acceptance', answerOf({ success: true }), true],
  ['success as a number', answerOf({ success: 1 }), true],
  ['success that breaks off', answerOf('{"success": true, '), true],
  ['all else that a success answer has', answerOf({ taskId: 't', runId: 'r' }), true],
  ['a part of that', answerOf({ taskId: 't' }), false],
  ['success: false', answerOf({ success: false }), false],
  ['success: "false"', answerOf({ success: 'false' }), false],
  ['an error', answerOf({ success: true, error: { code: 1 } }), false],
  ['an error that breaks off', answerOf('{"success": true, "error": {'), false],
  ['a success under HTTP 400', answerOf({ success: true }, { status: 400 }), false],
  ['a page', answerOf('<!doctype html>'), false],
  ['an object in a call', answerOf('callback({"success":true})'), true],
])('%s takes itself for success or not', (_, answer, success) => {
  expect(answersWithSuccess(answer, 'update-task-run')).toBe(success)
})

it.each([
  ['an acceptance', answerOf({ success: true }), false],
  ['success as a number', answerOf({ success: 1 }), false],
  ['a refusal', answerOf({ error: { code: 400 } }), false],
  ['a refusal under HTTP 400', answerOf('no', { status: 400 }), false],
  ['nothing', answerOf(''), true],
  ['a string', answerOf('"{}"'), true],
  ['a page', answerOf('<p>Done</p>'), true],
  ['an object without success', answerOf({ itemId: 'x' }), true],
  ['an object whose error is null', answerOf({ error: null }), true],
])('%s is in a form of the contract, or not', (_, answer, malformed) => {
  expect(isMalformed(answer)).toBe(malformed)
})
