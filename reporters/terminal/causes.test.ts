import { expect, test } from 'vitest'
import type { CheckId } from '../../runner/check-result.ts'
import { requirements } from '../../specs/requirements.ts'
import { terminalReport } from '../report/report.ts'
import { checkOf, failedCheck, refusedCheck, resultsOf } from '../results.fixture.ts'
import { plain } from './sheet.ts'

test('one cause over many checks is reported once', () => {
  const ids = ['add-workspace', 'sync-workspace', 'update-participant', 'delete-collaboration'] as const
  const results = resultsOf(
    ids.map((id) => failedCheck(`protocol/form-post:${id}`, 'The form was not read.')),
  )
  const report = terminalReport(results, { width: 100, paint: plain })
  expect(report.match(/curl/g)).toHaveLength(1)
  expect(report).toContain('✗ failed protocol/form-post:add-workspace (4 findings of 1 requirement)\n')
  expect(report).toContain(
    'Where:    add-workspace, sync-workspace, update-participant, delete-collaboration\n',
  )
  expect(report).toContain(`    Also:     The form was not read.: protocol/form-post:sync-workspace,
              protocol/form-post:update-participant, protocol/form-post:delete-collaboration`)
})

test('a card says what came at each of its findings, and shows the exchange of the first', () => {
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
  expect(report).toContain('Came:     id: missing')
  for (const field of fields.slice(1)) expect(report).toContain(`wrong shape (came: ${field}: missing)`)
  expect(report.match(/Request: +POST/g)).toHaveLength(1)
})

test('one cause is reported once also where each answer names an incident of its own', () => {
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
  // Consequences of an operation are one card.
  const direct = requirements.filter(({ kind }) => kind !== 'consequences')
  const results = resultsOf(direct.map(({ id }) => refusedCheck(id, id)))
  const report = terminalReport(results, { width: 100, paint: plain })
  expect(report.match(/Request: +POST/g)).toHaveLength(30)
  for (const { id } of direct) expect(report).toContain(`--requirement ${id}\n`)
})

test('waived failures of one cause are shown with their reason, owner and end', () => {
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
  expect(report).toContain('~ waived protocol/form-post:add-workspace (2 findings of 1 requirement)')
  expect(report.replaceAll(/\s+/g, ' ')).toContain(
    'Waived: until 2030-05-01 by portal team: mended in May; of protocol/form-post:add-workspace, protocol/form-post:sync-workspace',
  )
})
