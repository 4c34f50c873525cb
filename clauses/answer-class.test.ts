import { expect, test } from 'vitest'
import { type Answer, TransportError } from '../deployment/http/exchange.ts'
import { answerOf } from '../runner/answers.fixture.ts'
import { classified, classifiedExchange } from './answer-class.ts'
import { exchangeOf } from './exchange.ts'

const answers: [string, Answer, string][] = [
  ['success', answerOf({ success: true }), 'accepted'],
  ['success with an error under HTTP 200', answerOf({ success: true, error: { code: 500 } }), 'refused'],
  ['HTTP 403', answerOf({ success: true }, { status: 403 }), 'refused'],
  ['a page', answerOf('<html>'), 'refused'],
  ['HTTP 429', answerOf('', { status: 429 }), 'no-verdict'],
  ['error code 504 under HTTP 200', answerOf({ error: { code: 504 } }), 'no-verdict'],
  ['JSON that is deeper than is read', answerOf('['.repeat(1000)), 'no-verdict'],
]

test.each(answers)('%s is classified as the judge reads it', (_, answer, expected) => {
  expect(classified(answer)).toEqual({ class: expected })
  const request = { ...answer.request, about: 'add-workspace' }
  expect(classified(answer.with({ request }))).toEqual({ class: expected, operation: 'add-workspace' })
})

test.each(answers)('%s is the same in an exchange that was read for judging', (_, answer, expected) => {
  const { request } = answer
  const form = {
    fields: [['f', 'json']] as const,
    inQuery: new Set<string>(),
    kind: 'form' as const,
    type: '',
    exact: true,
  }
  const recorded = { place: 'x', request, form, answer, bytes: true }
  const exchange = exchangeOf({ operation: 'add-workspace', baseUrl: '', path: {} }, recorded)
  expect(classifiedExchange(exchange)).toEqual({ class: expected, operation: 'add-workspace' })
})

test('without a complete answer there is no verdict', () => {
  const { request } = answerOf('')
  expect(classified(new TransportError('timeout', 'no answer', request))).toEqual({ class: 'no-verdict' })
})
