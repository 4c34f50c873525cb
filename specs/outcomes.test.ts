import { describe, expect, it } from 'vitest'
import { type Level, type Outcome, outcomes, verdictOf, worst } from './outcomes.ts'

describe('worst', () => {
  it.each<[Outcome, Outcome]>([
    ['failed', 'inconclusive'],
    ['inconclusive', 'not-tested'],
    ['not-tested', 'warned'],
    ['warned', 'waived'],
    ['waived', 'passed'],
    ['passed', 'not-applicable'],
  ])('takes %s over %s, in any order', (worse, better) => {
    expect([worst([worse, better]), worst([better, worse])]).toEqual([worse, worse])
  })

  it('is not tested without outcomes', () => {
    expect(worst([])).toBe('not-tested')
  })
})

describe('verdictOf', () => {
  const verdict = (...several: (readonly [Level, Outcome])[]) =>
    verdictOf(several.map(([level, outcome]) => ({ level, outcome })))

  it.each<[Outcome, string]>([
    ['failed', 'non-conformant'],
    ['inconclusive', 'incomplete'],
    ['not-tested', 'incomplete'],
    ['waived', 'conformant'],
    ['passed', 'conformant'],
    ['not-applicable', 'conformant'],
  ])('one requirement %s and one passed: %s', (outcome, expected) => {
    expect(verdict(['must', 'passed'], ['must', outcome])).toBe(expected)
    expect(verdict(['must', 'passed'], ['implied', outcome])).toBe(expected)
  })

  it('is non-conformant with a failure, also if other requirements were not judged', () => {
    expect(verdict(['must', 'not-tested'], ['must', 'failed'], ['must', 'inconclusive'])).toBe(
      'non-conformant',
    )
  })

  it.each(outcomes)('does not depend on advice that is %s', (outcome) => {
    expect(verdict(['must', 'passed'], ['advice', outcome])).toBe('conformant')
    expect(verdict(['must', 'failed'], ['advice', outcome])).toBe('non-conformant')
    expect(verdict(['advice', outcome])).toBe('incomplete')
  })

  it('is incomplete if nothing passed', () => {
    expect(verdict()).toBe('incomplete')
    expect(verdict(['must', 'not-applicable'], ['must', 'waived'])).toBe('incomplete')
  })
})
