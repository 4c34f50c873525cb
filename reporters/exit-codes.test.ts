import { expect, test } from 'vitest'
import type { CheckResult } from '../runner/check-result.ts'
import { exitCodeOf, type Gate } from './exit-codes.ts'
import { checkOf, failedCheck, resultsOf } from './results.fixture.ts'

const passed = checkOf('add-workspace/creates')
const failed = failedCheck('add-workspace/id-is-new', 'x')
const open = checkOf('add-workspace/timestamps', { outcome: 'not-tested', reason: 'x' })
const warned = checkOf('protocol/content-type:add-workspace', { outcome: 'warned', reason: 'x' })
const advice = checkOf('protocol/content-type:add-workspace')
const waived = checkOf('add-workspace/id-is-new', { outcome: 'waived', reason: 'x' })
const waivedAdvice = checkOf('protocol/content-type:add-workspace', { outcome: 'waived', reason: 'x' })
const ofProfile = failedCheck('profile/no-credential-code:add-workspace', 'x')
const unclear = checkOf('add-workspace/collaboration-id', { outcome: 'inconclusive', reason: 'x' })
const unclearBeside = checkOf('add-workspace/timestamps:other', { outcome: 'inconclusive', reason: 'x' })
const unclearAdvice = checkOf('protocol/content-type:add-workspace', {
  outcome: 'inconclusive',
  reason: 'x',
})
const usual: Gate = { interrupted: false, allowIncomplete: false, allowInconclusive: false, failOn: [] }

const cases: [string, CheckResult[], Partial<Gate>, number][] = [
  ['a conformant run', [passed], {}, 0],
  ['a warning', [passed, warned], {}, 0],
  ['a warning with --fail-on advice', [passed, warned], { failOn: ['advice'] }, 1],
  ['kept advice with --fail-on advice', [passed, advice], { failOn: ['advice'] }, 0],
  ['a failed profile rule', [passed, ofProfile], {}, 0],
  ['a failed profile rule with --fail-on profile', [passed, ofProfile], { failOn: ['profile'] }, 1],
  ['a failure with --allow-incomplete', [passed, failed, open], { allowIncomplete: true }, 1],
  ['a requirement that is not tested', [passed, open], {}, 3],
  ['a requirement that is not tested, allowed', [passed, open], { allowIncomplete: true }, 0],
  ['an inconclusive requirement', [passed, unclear], {}, 3],
  [
    'an inconclusive requirement, if only not tested is allowed',
    [passed, unclear],
    { allowIncomplete: true },
    3,
  ],
  ['an inconclusive requirement, allowed', [passed, unclear], { allowInconclusive: true }, 0],
  [
    'a requirement that is not tested, if only inconclusive is allowed',
    [passed, open],
    { allowInconclusive: true },
    3,
  ],
  [
    'not tested and inconclusive in one requirement, only not tested allowed',
    [passed, open, unclearBeside],
    { allowIncomplete: true },
    3,
  ],
  [
    'not tested and inconclusive in one requirement, only inconclusive allowed',
    [passed, open, unclearBeside],
    { allowInconclusive: true },
    3,
  ],
  [
    'not tested and inconclusive in one requirement, both allowed',
    [passed, open, unclearBeside],
    { allowIncomplete: true, allowInconclusive: true },
    0,
  ],
  ['inconclusive advice', [passed, unclearAdvice], {}, 0],
  ['nothing passed, with --allow-incomplete', [open], { allowIncomplete: true }, 3],
  ['only advice passed, with --allow-incomplete', [advice, open], { allowIncomplete: true }, 3],
  ['no requirements, with --allow-incomplete', [], { allowIncomplete: true }, 3],
  ['an interrupted run', [passed, failed], { interrupted: true, allowIncomplete: true }, 130],
  ['stale waivers', [passed], { staleWaivers: true }, 2],
  ['stale waivers and a failure', [passed, failed], { staleWaivers: true }, 2],
  ['a waived failure', [passed, waived], {}, 0],
  ['waived advice with --fail-on advice', [passed, waivedAdvice], { failOn: ['advice'] }, 0],
]

test.each(cases)('exit code of %s', (_name, checks, gate, expected) => {
  expect(exitCodeOf(resultsOf(checks), { ...usual, ...gate })).toBe(expected)
})

test.each([
  ['whose target stopped answering', { run: { ...resultsOf([]).run, stopped: 'nothing more is sent' } }],
  ['that was cut short', { complete: undefined }],
])('the exit code of a run %s is never 0', (_, others) => {
  const gate = { ...usual, allowIncomplete: true, allowInconclusive: true }
  const results = { ...resultsOf([passed]), ...others } as ReturnType<typeof resultsOf>
  expect(exitCodeOf(results, gate)).toBe(3)
  const nonConformant = { ...resultsOf([passed, failed]), ...others } as ReturnType<typeof resultsOf>
  expect(exitCodeOf(nonConformant, gate)).toBe(1)
})

test('an error of the run itself outweighs everything: exit code 4', () => {
  const results = resultsOf([passed, failed], { errors: ['broke'] })
  expect(exitCodeOf(results, { ...usual, interrupted: true, staleWaivers: true })).toBe(4)
})
