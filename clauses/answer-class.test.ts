import { expect, test } from 'vitest'
import { type Answer, type Classified, TransportError } from '../deployment/http/exchange.ts'
import { answerOf } from '../runner/answers.fixture.ts'
import { classified, classifiedExchange } from './answer-class.ts'
import { addingWith } from './exchange.fixture.ts'

const refused = (refusal: string): Classified => ({ class: 'refused', refusal })
const noVerdict: Classified = { class: 'no-verdict' }

const answers: [string, Answer, Classified][] = [
  ['success', answerOf({ success: true }), { class: 'accepted' }],
  [
    'success with an error under HTTP 200',
    answerOf({ success: true, error: { code: 500 } }),
    refused('HTTP 200 with error 500'),
  ],
  [
    'an error with all that errors have',
    answerOf({ error: { code: 403, messageCode: 'GWM_0003', message: 'No permissions.', details: [] } }),
    refused('HTTP 200 with error 403 GWM_0003: No permissions.'),
  ],
  [
    'an error with a long message',
    answerOf({ error: { message: 'a'.repeat(200) } }, { status: 500 }),
    refused(`HTTP 500 with error: ${'a'.repeat(160)}…`),
  ],
  ['a success that is a text', answerOf({ success: 'true' }), refused('HTTP 200 with success: "true"')],
  ['HTTP 403', answerOf({ success: true }, { status: 403 }), refused('HTTP 403')],
  [
    'a page',
    answerOf('<html>'),
    refused('HTTP 200, and the body is no JSON object (the body is not JSON: it looks like HTML or XML)'),
  ],
  ['HTTP 429', answerOf('', { status: 429 }), noVerdict],
  ['error code 504 under HTTP 200', answerOf({ error: { code: 504 } }), noVerdict],
  ['JSON that is deeper than is read', answerOf('['.repeat(1000)), noVerdict],
]

test.each(answers)('%s is classified as the judge reads it', (_, answer, expected) => {
  expect(classified(answer)).toEqual(expected)
  const request = { ...answer.request, about: 'add-workspace' }
  expect(classified(answer.with({ request }))).toEqual({ ...expected, operation: 'add-workspace' })
})

test.each(answers)('%s is the same in an exchange that was read for judging', (_, answer, expected) => {
  expect(classifiedExchange(addingWith(answer, [['f', 'json']]))).toEqual({
    ...expected,
    operation: 'add-workspace',
  })
})

test('without a complete answer there is no verdict', () => {
  const { request } = answerOf('')
  expect(classified(new TransportError('timeout', 'no answer', request))).toEqual({ class: 'no-verdict' })
})
