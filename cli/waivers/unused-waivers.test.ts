import { describe, expect, test } from 'vitest'
import { checkOf, resultsOf } from '../../reporters/results.fixture.ts'
import type { Outcome } from '../../specs/outcomes.ts'
import { unusedWaivers } from './unused-waivers.ts'
import { inUse } from './waiver-file.fixture.ts'

describe('a waiver is unused', () => {
  const both = ['protocol/form-post:add-workspace', 'protocol/form-post:sync-workspace'] as const
  const whole = inUse({ requirement: 'protocol/form-post' })
  const one = inUse({ check: both[0] })

  test.each<[string, Outcome, Outcome, boolean, boolean]>([
    ['where all passes', 'passed', 'passed', true, true],
    ['but not where it is in use', 'waived', 'passed', false, false],
    ['for the check that passes alone', 'passed', 'waived', true, false],
    ['for the check that passes alone', 'passed', 'inconclusive', true, false],
    ['for the check that passes alone', 'passed', 'not-tested', true, false],
    ['where the rest is not applicable', 'passed', 'not-applicable', true, true],
    ['but not where nothing was judged', 'not-tested', 'not-tested', false, false],
    ['but not where nothing applies', 'not-applicable', 'not-applicable', false, false],
    ['but not where a check is inconclusive', 'inconclusive', 'passed', false, false],
  ])('%s: %s and %s', (_name, first, second, ofCheck, ofRequirement) => {
    const outcomes = [first, second]
    const results = resultsOf(both.map((each, at) => checkOf(each, { outcome: outcomes[at]!, reason: 'x' })))
    expect(unusedWaivers([one], results)).toEqual(ofCheck ? [one] : [])
    expect(unusedWaivers([whole], results)).toEqual(ofRequirement ? [whole] : [])
  })
})
