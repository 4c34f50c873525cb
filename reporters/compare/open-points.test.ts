import { describe, expect, it } from 'vitest'
import type { Observation } from '../../runner/check-result.ts'
import { checkOf, resultsOf } from '../results.fixture.ts'
import type { Results } from '../results.ts'
import { comparedOpenPoints } from './compare.ts'

const compared = (...several: readonly Results[]) =>
  comparedOpenPoints(several.map((results, at) => ({ file: `${at}.json`, results })))

describe('open points', () => {
  const observed = (
    id: Observation['id'],
    value: string,
    operation: Observation['operation'] = 'add-workspace',
  ) => ({
    id,
    operation,
    question: 'Which?',
    observed: value,
  })
  const having = (...observations: Observation[]) =>
    resultsOf([checkOf('add-workspace/creates')], { observations })

  it('are compared as sets, for each operation', () => {
    const openPoints = compared(
      having(observed('markup', 'kept'), observed('equal-names', 'a'), observed('equal-names', 'b')),
      having(observed('equal-names', 'b'), observed('equal-names', 'a'), observed('markup', 'removed')),
    )
    expect(openPoints).toEqual([
      {
        id: 'markup',
        operation: 'add-workspace',
        question: 'Which?',
        observed: [['kept'], ['removed']],
        difference: 'different',
      },
      {
        id: 'equal-names',
        operation: 'add-workspace',
        question: 'Which?',
        observed: [
          ['a', 'b'],
          ['a', 'b'],
        ],
        difference: 'same',
      },
    ])
  })

  it('are no different where a side could not be judged', () => {
    const [kept, none] = [having(observed('markup', 'kept')), having()]
    const sides = [{ results: none, judged: false as const }, { results: kept }, { results: kept }]
    const [point] = comparedOpenPoints(sides.map((side, at) => ({ file: `${at}.json`, ...side })))
    expect(point?.difference).toBe('same')
  })

  it('of different operations are different points, and one without an observation differs from nothing', () => {
    const openPoints = compared(
      having(observed('refusal-status', '200')),
      having(observed('refusal-status', '403', 'sync-workspace')),
    )
    expect(openPoints.map(({ operation, difference }) => [operation, difference])).toEqual([
      ['add-workspace', 'partly'],
      ['sync-workspace', 'partly'],
    ])
  })
})
