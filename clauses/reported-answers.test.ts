import { expect, test } from 'vitest'
import { type Answer, type Classified, TransportError } from '../deployment/http/exchange.ts'
import { answerOf } from '../runner/answers.fixture.ts'
import type { OperationId } from '../specs/operations.ts'
import { arcgisProfile } from '../specs/profiles/arcgis.ts'
import type { RequirementId } from '../specs/requirements.ts'
import { addingWith } from './exchange.fixture.ts'
import { classified, classifiedExchange, inKnownWords, reasonInKnownWords } from './reported-answers.ts'

const refused = (refusal: string): Classified => ({ class: 'refused', refusal })
const noVerdict: Classified = { class: 'no-verdict' }

// clauses/acceptance.test.ts shows what is accepted, and in which words the rest is not.
const answers: [string, Answer, Classified][] = [
  ['success', answerOf({ success: true }), { class: 'accepted' }],
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
  [
    'a page',
    answerOf('<html>'),
    refused('HTTP 200, and the body is no JSON object (the body is not JSON: it looks like HTML or XML)'),
  ],
  ['HTTP 429', answerOf('', { status: 429 }), noVerdict],
  ['error code 504 under HTTP 200', answerOf({ error: { code: 504 } }), noVerdict],
  ['JSON that is deeper than is read', answerOf('['.repeat(1000)), noVerdict],
]

test.each(answers)('%s is classified as the judge reads it, also in an exchange', (_, answer, expected) => {
  expect(classified(answer)).toEqual(expected)
  const request = { ...answer.request, about: 'add-workspace' }
  const ofOperation = { ...expected, operation: 'add-workspace' }
  expect(classified(answer.with({ request }))).toEqual(ofOperation)
  expect(classifiedExchange(addingWith(answer, [['f', 'json']]))).toEqual(ofOperation)
})

test('a page that was read has no verdict, unless it is a refusal', () => {
  const read = (body: unknown) => {
    const answer = answerOf(body)
    return classified(answer.with({ request: { ...answer.request, method: 'GET' } }))
  }
  expect(read({ status: 'executing' })).toEqual(noVerdict)
  expect(read({ error: { code: 404 } })).toMatchObject({ class: 'refused' })
})

test('without a complete answer there is no verdict', () => {
  const { request } = answerOf('')
  expect(classified(new TransportError('timeout', 'no answer', request))).toEqual({ class: 'no-verdict' })
})

// What findings say of answers whose shape the profile arcgis knows.

const { shapes } = arcgisProfile

const found = { message: 'a valid request was not accepted', actual: 'not accepted: HTTP 200' }

const words = (operation: OperationId, requirement: RequirementId, body: unknown) =>
  inKnownWords(found, { operation, requirement, answer: answerOf(body), shapes })

const workspace = { config: { maxItemSizeInMB: 100 } }

// Every shape is judged in a run by runner/judged-portal.test.ts.
test('what is known comes after what was found', () => {
  const body = { success: true, workspace }
  const { message, actual } = words('add-workspace', 'add-workspace/config-fields', body)
  expect(message).toBe(found.message)
  expect(actual).toMatch(
    /^not accepted: HTTP 200; known: releases before 10\.9 do not send bidirectionalSyncCapable \(the page "Add workspace" .*\)$/,
  )
})

const results = { results: [{ itemId: 'i1', success: true }] }

test('items that moved are not called refused', () => {
  const { message, actual } = words('reassign-items', 'reassign-items/reassigns', results)
  expect(message).toBe('a valid request was answered with results[] in place of success and itemId')
  expect(actual).toMatch(
    /^answered with results\[\] in place of success and itemId: HTTP 200; known: a script in public use/,
  )
  const requirement = 'reassign-items/unknown-item'
  const resting = { requirement, operation: 'reassign-items', answer: answerOf(results), shapes } as const
  const reason = reasonInKnownWords('the control was not accepted', resting)
  expect(reason).toBe('the control was answered with results[] in place of success and itemId')
})

test.each<[string, OperationId, RequirementId, unknown]>([
  ['another operation', 'update-federation', 'update-federation/updates', results],
  ['another requirement', 'add-workspace', 'add-workspace/timestamps', { success: true, workspace }],
  ['a refusal', 'add-workspace', 'add-workspace/config-fields', { error: { code: 400 } }],
  [
    'a collaboration that is gone',
    'update-participant',
    'update-participant/updates',
    { error: { code: 400, message: 'Collaboration does not exist or is inaccessible.' } },
  ],
  ['no JSON', 'add-workspace', 'add-workspace/creates', '<html>'],
])('nothing is known of %s', (_, operation, requirement, body) => {
  expect(words(operation, requirement, body)).toBe(found)
})

test('without a profile nothing is known', () => {
  const resting = { operation: 'reassign-items', requirement: 'reassign-items/reassigns' } as const
  expect(inKnownWords(found, { ...resting, answer: answerOf(results) })).toBe(found)
  expect(inKnownWords(found, { ...resting, shapes })).toBe(found)
})
