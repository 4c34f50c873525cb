import { expect, test } from 'vitest'
import type { CheckResult } from '../runner/check-result.ts'
import { endingOf, exitCodeOf, type Gate } from './exit-codes.ts'
import { checkOf, failedCheck, openCheck, resultsOf } from './results.fixture.ts'

const passed = checkOf('add-workspace/creates')
const failed = failedCheck('add-workspace/id-is-new', 'x')
const open = openCheck('add-workspace/timestamps', 'not-tested')
const unclear = openCheck('add-workspace/collaboration-id', 'inconclusive')
const unclearBeside = openCheck('add-workspace/timestamps:other', 'inconclusive')
const waived = openCheck('add-workspace/id-is-new', 'waived')
const ofProfile = failedCheck('profile/no-credential-code:add-workspace', 'x')

const adviceId = 'protocol/content-type:add-workspace'
const advice = checkOf(adviceId)
const warned = openCheck(adviceId, 'warned')

const usual: Gate = { interrupted: false, allowIncomplete: false, allowInconclusive: false, failOn: [] }
const notTestedAllowed = { allowIncomplete: true }
const inconclusiveAllowed = { allowInconclusive: true }
const bothAllowed = { ...notTestedAllowed, ...inconclusiveAllowed }

const cases: [string, CheckResult[], Partial<Gate>, number][] = [
  ['a conformant run', [passed], {}, 0],
  ['a warning', [passed, warned], {}, 0],
  ['a warning with --fail-on advice', [passed, warned], { failOn: ['advice'] }, 1],
  ['kept advice with --fail-on advice', [passed, advice], { failOn: ['advice'] }, 0],
  ['a failed profile rule', [passed, ofProfile], {}, 0],
  ['a failed profile rule with --fail-on profile', [passed, ofProfile], { failOn: ['profile'] }, 1],
  ['a failure with --allow-incomplete', [passed, failed, open], notTestedAllowed, 1],
  ['a requirement that is not tested', [passed, open], {}, 3],
  ['a requirement that is not tested, allowed', [passed, open], notTestedAllowed, 0],
  ['a requirement that is not tested, only inconclusive allowed', [passed, open], inconclusiveAllowed, 3],
  ['an inconclusive requirement', [passed, unclear], {}, 3],
  ['an inconclusive requirement, allowed', [passed, unclear], inconclusiveAllowed, 0],
  ['an inconclusive requirement, only not tested allowed', [passed, unclear], notTestedAllowed, 3],
  ['both in one requirement, only not tested allowed', [passed, open, unclearBeside], notTestedAllowed, 3],
  ['both in one requirement, only the other allowed', [passed, open, unclearBeside], inconclusiveAllowed, 3],
  ['both in one requirement, both allowed', [passed, open, unclearBeside], bothAllowed, 0],
  ['inconclusive advice', [passed, openCheck(adviceId, 'inconclusive')], {}, 0],
  ['nothing passed, with --allow-incomplete', [open], notTestedAllowed, 3],
  ['only advice passed, with --allow-incomplete', [advice, open], notTestedAllowed, 3],
  ['no requirements, with --allow-incomplete', [], notTestedAllowed, 3],
  ['an interrupted run', [passed, failed], { ...notTestedAllowed, interrupted: true }, 130],
  ['stale waivers', [passed], { staleWaivers: ['x'] }, 2],
  ['stale waivers and a failure', [passed, failed], { staleWaivers: ['x'] }, 2],
  ['a waived failure', [passed, waived], {}, 0],
  ['waived advice with --fail-on advice', [passed, openCheck(adviceId, 'waived')], { failOn: ['advice'] }, 0],
]

test.each(cases)('exit code of %s', (_name, checks, gate, expected) => {
  expect(exitCodeOf(resultsOf(checks), { ...usual, ...gate })).toBe(expected)
})

test.each<[CheckResult[], Partial<Gate>, string | undefined]>([
  [[passed, warned], { failOn: ['advice', 'profile'] }, '1 advice not kept (--fail-on advice)'],
  [[passed, ofProfile], { failOn: ['profile'] }, '1 rule of the profile not kept (--fail-on profile)'],
  [[passed], { staleWaivers: ['a: passes now', 'b: passes now'] }, 'a: passes now; b: passes now'],
  [[passed, failed, warned], { failOn: ['advice'] }, undefined],
  [[passed, open], {}, undefined],
  [[passed, warned], {}, undefined],
])('endingOf says why if the verdict does not', (checks, gate, why) => {
  expect(endingOf(resultsOf(checks), { ...usual, ...gate }).why).toBe(why)
})

test.each([
  ['whose target stopped answering', { run: { ...resultsOf([]).run, stopped: 'nothing more is sent' } }],
  ['that was cut short', { complete: undefined }],
])('the exit code of a run %s is never 0', (_, others) => {
  const gate = { ...usual, ...bothAllowed }
  const results = { ...resultsOf([passed]), ...others } as ReturnType<typeof resultsOf>
  expect(exitCodeOf(results, gate)).toBe(3)
  const nonConformant = { ...resultsOf([passed, failed]), ...others } as ReturnType<typeof resultsOf>
  expect(exitCodeOf(nonConformant, gate)).toBe(1)
})

test('an error of the run itself outweighs everything: exit code 4', () => {
  const results = resultsOf([passed, failed], { errors: ['broke'] })
  expect(exitCodeOf(results, { ...usual, interrupted: true, staleWaivers: ['x'] })).toBe(4)
})
