import { expect, test } from 'vitest'
import type { CheckId } from '../../runner/check-result.ts'
import { requirements } from '../../specs/requirements.ts'
import { checkOf, failedCheck, resultsOf } from '../results.fixture.ts'
import { terminalReport } from './report.ts'
import { plain } from './sheet.ts'

test('one cause over many checks is told once', () => {
  const ids = ['add-workspace', 'sync-workspace', 'update-participant', 'delete-collaboration'] as const
  const results = resultsOf(
    ids.map((id) => failedCheck(`protocol/form-post:${id}`, 'The form was not read.')),
  )
  const report = terminalReport(results, { width: 100, paint: plain })
  expect(report.split('The form was not read.')).toHaveLength(3)
  expect(report.match(/curl/g)).toHaveLength(1)
  expect(report).toContain(
    `Found: the same as at protocol/form-post:add-workspace [protocol/form-post:sync-workspace,
               protocol/form-post:update-participant, protocol/form-post:delete-collaboration]`,
  )
})

test('failures that differ in what came are told apart, the first of them with their exchanges', () => {
  const failing = (id: CheckId, message: string, actual: string) => {
    const check = failedCheck(id, message)
    return { ...check, failure: { ...check.failure!, actual } }
  }
  const fields = ['id', 'name', 'created', 'modified', 'state']
  const results = resultsOf(
    fields.map((field) =>
      failing(`add-workspace/workspace-fields:${field}`, 'wrong shape', `${field}: missing`),
    ),
  )
  const report = terminalReport(results, { width: 100, paint: plain })
  for (const field of fields) expect(report).toContain(`Came: ${field}: missing`)
  expect(report.match(/Request: POST/g)).toHaveLength(3)
  expect(report).not.toContain('the same as')
})

test('one cause is told once also where each answer names an incident of its own', () => {
  const ids = Array.from({ length: 50 }, (_, at): CheckId => `add-workspace/creates:${at}`)
  const incident = (at: number) => `HTTP 500, incident ${(at * 7919 + 12345678).toString(36)}0a1b`
  const failing = resultsOf(
    ids.map((id, at) => {
      const check = failedCheck(id, 'not accepted')
      return { ...check, failure: { ...check.failure!, actual: incident(at) } }
    }),
  )
  const lines = terminalReport(failing, { width: 100, paint: plain }).split('\n')
  expect(lines.length).toBeLessThan(50)
  const open = resultsOf(
    requirements.map(({ id }, at) => checkOf(id, { outcome: 'inconclusive', reason: incident(at) })),
  )
  const reasons = terminalReport(open, { width: 100, paint: plain })
  expect(reasons.match(/HTTP 500/g)).toHaveLength(1)
})

test('a report of nothing but failures, all of them different, shows no more exchanges than are read', () => {
  const results = resultsOf(
    requirements.map(({ id }) => {
      const check = failedCheck(id, `wrong in ${id}`)
      return { ...check, failure: { ...check.failure!, actual: `what came for ${id}` } }
    }),
  )
  const report = terminalReport(results, { width: 100, paint: plain })
  expect(report.match(/Request: POST/g)).toHaveLength(30)
  for (const { id } of requirements) expect(report).toContain(`--requirement ${id}\n`)
})

test('a waived failure is shown with its reason, its owner and its end, also where the same was told before', () => {
  const waiver = { reason: 'mended in May', owner: 'portal team', expires: '2030-05-01' }
  const waived = (id: CheckId) => ({
    ...failedCheck(id, 'The form was not read.'),
    outcome: 'waived' as const,
    waiver,
  })
  const results = resultsOf([
    waived('protocol/form-post:add-workspace'),
    waived('protocol/form-post:sync-workspace'),
  ])
  const report = terminalReport(results, { width: 100, paint: plain })
  expect(report).toContain('~ waived         protocol/form-post')
  expect(report.match(/waived until 2030-05-01 by portal team: mended in May/g)).toHaveLength(2)
})
