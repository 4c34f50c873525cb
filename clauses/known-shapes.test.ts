/** What findings say of answers whose shape the profile arcgis knows. */
import { expect, test } from 'vitest'
import { answerOf } from '../runner/answers.fixture.ts'
import type { OperationId } from '../specs/operations.ts'
import { arcgisProfile } from '../specs/profiles/arcgis.ts'
import type { RequirementId } from '../specs/requirements.ts'
import { inKnownWords, reasonInKnownWords } from './known-shapes.ts'

const { shapes } = arcgisProfile

const found = { message: 'a valid request was not accepted', actual: 'not accepted: HTTP 200' }

const words = (operation: OperationId, requirement: RequirementId, body: unknown) =>
  inKnownWords(found, { operation, requirement, answer: answerOf(body), shapes })

const workspace = { config: { maxItemSizeInMB: 100 } }

// Every shape is judged in a run by runner/known-shapes.test.ts.
test('what is known comes after what was found', () => {
  const { message, actual } = words('add-workspace', 'add-workspace/config-fields', {
    success: true,
    workspace,
  })
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
  const resting = { operation: 'reassign-items', answer: answerOf(results), shapes } as const
  const reason = reasonInKnownWords('the control was not accepted', {
    ...resting,
    requirement: 'reassign-items/unknown-item',
  })
  expect(reason).toBe('the control was answered with results[] in place of success and itemId')
})

test.each<[string, OperationId, RequirementId, unknown]>([
  ['another operation', 'update-federation', 'update-federation/updates', results],
  ['another requirement', 'add-workspace', 'add-workspace/timestamps', { success: true, workspace }],
  ['a refusal', 'add-workspace', 'add-workspace/config-fields', { error: { code: 400 } }],
  ['no JSON', 'add-workspace', 'add-workspace/creates', '<html>'],
])('nothing is known of %s', (_, operation, requirement, body) => {
  expect(words(operation, requirement, body)).toBe(found)
})

test('without a profile nothing is known', () => {
  const resting = { operation: 'reassign-items', requirement: 'reassign-items/reassigns' } as const
  expect(inKnownWords(found, { ...resting, answer: answerOf(results) })).toBe(found)
  expect(inKnownWords(found, { ...resting, shapes })).toBe(found)
})
