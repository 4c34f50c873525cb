import { describe, expect, test } from 'vitest'
import { checkOf, resultsOf } from '../../reporters/results.fixture.ts'
import type { Outcome } from '../../specs/outcomes.ts'
import { unusedWaivers } from './unused-waivers.ts'
import { inUse } from './waiver-file.fixture.ts'

describe('unusedWaivers', () => {
  const both = ['protocol/form-post:add-workspace', 'protocol/form-post:sync-workspace'] as const
  const cases = both.map((check) => ({ check, seed: 1, runs: 1 }))
  const whole = inUse({ requirement: 'protocol/form-post', found: cases })
  const one = inUse({ check: both[0], found: cases.slice(0, 1) })

  test.each<[string, Outcome, Outcome, boolean, boolean]>([
    ['returns both waivers if all checks pass', 'passed', 'passed', true, true],
    ['returns no waiver that is in use', 'waived', 'passed', false, false],
    ['returns the waiver of the only check that passes', 'passed', 'waived', true, false],
    ['returns the waiver of the only check that passes', 'passed', 'inconclusive', true, false],
    ['returns the waiver of the only check that passes', 'passed', 'not-tested', true, false],
    ['returns the waiver of the only check that passes', 'passed', 'not-applicable', true, false],
    ['returns no waiver if nothing was judged', 'not-tested', 'not-tested', false, false],
    ['returns no waiver if nothing applies', 'not-applicable', 'not-applicable', false, false],
    ['returns no waiver if its check is inconclusive', 'inconclusive', 'passed', false, false],
  ])('%s: %s and %s', (_name, first, second, ofCheck, ofRequirement) => {
    const outcomes = [first, second]
    const results = resultsOf(both.map((each, at) => checkOf(each, { outcome: outcomes[at]!, reason: 'x' })))
    expect(unusedWaivers([one], results)).toEqual(ofCheck ? [one] : [])
    expect(unusedWaivers([whole], results)).toEqual(ofRequirement ? [whole] : [])
  })
})
