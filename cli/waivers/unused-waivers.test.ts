import { expect, test } from 'vitest'
import { checkOf, resultsOf } from '../../reporters/results.fixture.ts'
import type { Outcome } from '../../specs/outcomes.ts'
import { unusedWaivers } from './unused-waivers.ts'
import { inUse } from './waiver-file.fixture.ts'

const both = ['protocol/form-post:add-workspace', 'protocol/form-post:sync-workspace'] as const
const cases = both.map((check) => ({ check, seed: 1, runs: 1 }))
const ofRequirement = inUse({ requirement: 'protocol/form-post', found: cases })
const ofFirstCheck = inUse({ check: both[0], found: cases.slice(0, 1) })

test.each<[Outcome, Outcome, string, object[]]>([
  ['passed', 'passed', 'both waivers', [ofFirstCheck, ofRequirement]],
  ['passed', 'waived', 'the waiver of the first check', [ofFirstCheck]],
  ['passed', 'inconclusive', 'the waiver of the first check', [ofFirstCheck]],
  ['passed', 'not-tested', 'the waiver of the first check', [ofFirstCheck]],
  ['passed', 'not-applicable', 'the waiver of the first check', [ofFirstCheck]],
  ['waived', 'passed', 'no waiver', []],
  ['inconclusive', 'passed', 'no waiver', []],
  ['not-tested', 'not-tested', 'no waiver', []],
  ['not-applicable', 'not-applicable', 'no waiver', []],
])('after a %s and a %s check, unusedWaivers returns %s', (first, second, _, unused) => {
  const outcomes = [first, second]
  const results = resultsOf(both.map((each, at) => checkOf(each, { outcome: outcomes[at]!, reason: 'x' })))
  expect(unusedWaivers([ofFirstCheck, ofRequirement], results)).toEqual(unused)
})
