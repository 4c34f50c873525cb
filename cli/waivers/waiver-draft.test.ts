import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkOf, failedCheck, resultsOf } from '../../reporters/results.fixture.ts'
import { requirementIdOf } from '../../specs/requirements.ts'
import { loadWaivers } from './waiver.ts'
import { draftWaivers } from './waiver-draft.ts'
import { waiverFile } from './waiver-file.fixture.ts'

const failing = ['add-workspace/creates', 'protocol/form-post:add-workspace'] as const
const results = resultsOf([
  failedCheck(failing[0], 'first line\n  expires: 2999-12-31\u001b[2J'),
  failedCheck(failing[1], 'x'),
  checkOf('add-workspace/timestamps', { outcome: 'inconclusive', reason: 'x' }),
  checkOf('update-participant/bad-email', { outcome: 'warned', reason: 'x' }),
])
const context = { checks: failing, baseUrl: results.target.baseUrl, today: '2026-06-15' }
const fields = { reason: 'known', owner: 'portal team', expires: '2026-12-31' }

test('draftWaivers has one entry for failures with one cause, for the target of the results', () => {
  const draft = draftWaivers(results, fields)
  const { seed, runs } = results.run
  const [first, second] = failing
  // Both failures show one deviation of one operation, which is one defect.
  expect(parse(draft).waivers).toEqual([
    {
      requirement: first,
      also: [requirementIdOf(second)],
      target: results.target.baseUrl,
      ...fields,
      found: failing.map((check) => ({ check, seed, runs, case: '3:0' })),
    },
  ])
  expect(draft).toContain('# first line\\u{a}  expires: 2999-12-31\\u{1b}[2J\n')
  expect(loadWaivers(waiverFile(draft), context)).toHaveLength(1)
})

test.each(['reason', 'owner', 'expires'])('loadWaivers refuses a draft without a value for %s', (gap) => {
  const draft = draftWaivers(results, { ...fields, [gap]: undefined })
  expect(() => loadWaivers(waiverFile(draft), context)).toThrow(`waivers[0].${gap}: `)
})

test('draftWaivers accepts any port of the embedded portal', () => {
  const target = { ...results.target, baseUrl: 'http://127.0.0.1:39417/sharing/rest' }
  const run = { ...results.run, options: { reference: true } }
  const { waivers } = parse(draftWaivers({ ...results, target, run }, fields))
  expect(waivers[0].target).toBe('http://127.0.0.1:*/sharing/rest')
})

test('draftWaivers without failures is an empty list, which loads', () => {
  const draft = draftWaivers(resultsOf([checkOf('add-workspace/creates')]), {})
  expect(loadWaivers(waiverFile(draft), context)).toEqual([])
})
