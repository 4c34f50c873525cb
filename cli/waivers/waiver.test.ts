import { expect, test } from 'vitest'
import { checkOf, failedCheck } from '../../reporters/results.fixture.ts'
import type { Outcome } from '../../specs/outcomes.ts'
import { applyWaivers, covers, isFor } from './waiver.ts'
import { inUse, written } from './waiver-file.fixture.ts'

test.each([
  ['https://a.example.com/rest', 'https://a.example.com/rest', true],
  ['https://a.example.com/rest/', 'https://a.example.com/rest', true],
  ['https://*.example.com/**', 'https://a.example.com/sharing/rest', true],
  ['https://*.example.com/*', 'https://a.example.com/sharing/rest', false],
  ['http://127.0.0.1:*/rest', 'http://127.0.0.1:39417/rest', true],
  ['http://[::1]:8080/rest', 'http://[::1]:8080/rest', true],
  ['**', 'https://a.example.com/rest', true],
  ['https://a.example.com', 'https://a.example.com/rest', false],
  ['!https://b.example.com/**', 'https://a.example.com/rest', false],
])('isFor: the target pattern %s matches %s: %j', (target, baseUrl, expected) => {
  expect(isFor(written({ target }), baseUrl)).toBe(expected)
})

test.each([
  [{ requirement: 'a/b' }, 'a/b', true],
  [{ requirement: 'a/b' }, 'a/b:c', true],
  [{ requirement: 'a/b' }, 'a/bc', false],
  [{ check: 'a/b' }, 'a/b', true],
  [{ check: 'a/b' }, 'a/b:c', false],
  [{ check: 'a/b:c' }, 'a/b:c', true],
  [{ requirement: 'a/b', also: ['a/c'] }, 'a/c:d', true],
  [{ requirement: 'a/b', also: ['a/c'] }, 'a/d', false],
])('covers: the waiver %j covers %s: %j', (waiver, id, expected) => {
  expect(covers(written(waiver), id)).toBe(expected)
})

const id = 'add-workspace/creates'
const waiver = inUse({ requirement: id, link: 'https://tracker.example.com/1' })

test('applyWaivers keeps the failure of a waived check, and adds the waiver', () => {
  const failed = failedCheck(id, 'no workspace came')
  const [waived] = applyWaivers([failed], [waiver])
  expect(waived).toEqual({
    ...failed,
    outcome: 'waived',
    reason: 'waived until 2999-12-31 by portal team: known (https://tracker.example.com/1)',
    waiver: {
      reason: 'known',
      owner: 'portal team',
      link: 'https://tracker.example.com/1',
      expires: '2999-12-31',
    },
  })
})

test.each<[Outcome, Outcome]>([
  ['failed', 'waived'],
  ['warned', 'waived'],
  ['inconclusive', 'inconclusive'],
  ['not-tested', 'not-tested'],
  ['not-applicable', 'not-applicable'],
  ['passed', 'passed'],
])('applyWaivers turns %s into %s', (outcome, expected) => {
  expect(applyWaivers([checkOf(id, { outcome, reason: 'x' })], [waiver])[0]?.outcome).toBe(expected)
})

test('applyWaivers does not change a failure without a waiver', () => {
  const failed = failedCheck('add-workspace/timestamps', 'x')
  expect(applyWaivers([failed], [waiver])).toEqual([failed])
  expect(applyWaivers([failedCheck(id, 'x')], [])[0]?.outcome).toBe('failed')
})
