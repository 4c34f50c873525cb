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
  ['conformant', [passed], {}, 0],
  ['a warning', [passed, warned], {}, 0],
  ['a warning that counts', [passed, warned], { failOn: ['advice'] }, 1],
  [
    'a warning that counts in an incomplete run',
    [passed, warned, open],
    { failOn: ['advice'], allowIncomplete: true },
    1,
  ],
  ['advice kept where it counts', [passed, advice], { failOn: ['advice'] }, 0],
  ['a rule of the profile', [passed, ofProfile], {}, 0],
  ['a rule of the profile that counts', [passed, ofProfile], { failOn: ['profile'] }, 1],
  ['a failure', [passed, failed, open], { allowIncomplete: true }, 1],
  ['something open', [passed, open], {}, 3],
  ['something open, allowed', [passed, open], { allowIncomplete: true }, 0],
  ['something inconclusive', [passed, unclear], {}, 3],
  [
    'something inconclusive, where what is not tested is allowed',
    [passed, unclear],
    { allowIncomplete: true },
    3,
  ],
  ['something inconclusive, allowed', [passed, unclear], { allowInconclusive: true }, 0],
  ['something open, where what is inconclusive is allowed', [passed, open], { allowInconclusive: true }, 3],
  [
    'both in one requirement, one of them allowed',
    [passed, open, unclearBeside],
    { allowIncomplete: true },
    3,
  ],
  [
    'both in one requirement, the other allowed',
    [passed, open, unclearBeside],
    { allowInconclusive: true },
    3,
  ],
  [
    'both in one requirement, both allowed',
    [passed, open, unclearBeside],
    { allowIncomplete: true, allowInconclusive: true },
    0,
  ],
  ['advice that is inconclusive', [passed, unclearAdvice], {}, 0],
  ['a failure beside what is inconclusive', [passed, failed, unclear], { allowInconclusive: true }, 1],
  ['nothing passed, allowed', [open], { allowIncomplete: true }, 3],
  ['nothing but advice passed, allowed', [advice, open], { allowIncomplete: true }, 3],
  ['no requirement at all', [], { allowIncomplete: true }, 3],
  ['interrupted', [passed, failed], { interrupted: true, allowIncomplete: true }, 130],
  ['interrupted with stale waivers', [passed], { interrupted: true, staleWaivers: true }, 130],
  ['stale waivers', [passed], { staleWaivers: true }, 2],
  ['stale waivers beside a failure', [passed, failed], { staleWaivers: true }, 2],
  [
    'stale waivers beside something open, allowed',
    [passed, open],
    { staleWaivers: true, allowIncomplete: true },
    2,
  ],
  ['a waived failure', [passed, waived], {}, 0],
  ['a waived failure alone', [waived], { allowIncomplete: true }, 3],
  ['waived advice where it counts', [passed, waivedAdvice], { failOn: ['advice'] }, 0],
]

test.each(cases)('%s', (_name, checks, gate, expected) => {
  expect(exitCodeOf(resultsOf(checks), { ...usual, ...gate })).toBe(expected)
})

test.each([
  ['whose target went away', { run: { ...resultsOf([]).run, stopped: 'nothing more is sent' } }],
  ['that was cut short', { complete: undefined }],
])('a run %s is never 0', (_, others) => {
  const gate = { ...usual, allowIncomplete: true, allowInconclusive: true }
  const results = { ...resultsOf([passed]), ...others } as ReturnType<typeof resultsOf>
  expect(exitCodeOf(results, gate)).toBe(3)
  const nonConformant = { ...resultsOf([passed, failed]), ...others } as ReturnType<typeof resultsOf>
  expect(exitCodeOf(nonConformant, gate)).toBe(1)
})

test('an error of the run outweighs everything', () => {
  const results = resultsOf([passed, failed], { errors: ['broke'] })
  expect(exitCodeOf(results, { ...usual, interrupted: true, staleWaivers: true })).toBe(4)
})
