import { describe, expect, it } from 'vitest'
import type { Judged } from '../judgement.ts'
import { judgedFailed, sizesAsText as rare } from './judged.fixture.ts'
import { powerFaults, powerRow, predicted } from './power.ts'

it('predicted returns the probability that an intermittent fault shows', () => {
  expect(predicted(2, 3)).toBeCloseTo(0.875)
  expect(predicted(10, 0)).toBe(0)
})

it('powerFaults break one requirement each, in any request of their kind', () => {
  expect(
    powerFaults.filter(({ breaks, dependsOn }) => breaks.length !== 1 || dependsOn !== undefined),
  ).toEqual([])
})

describe('powerRow', () => {
  const times = (found: number, tries: number): Judged[] =>
    Array.from({ length: tries }, (_, at) => (at < found ? judgedFailed(...rare.breaks) : judgedFailed()))

  it('has no problem if a fault is found as often as predicted', () => {
    const row = powerRow(rare, 3, new Map([[2, times(4, 5)]]))
    expect(row).toMatchObject({ kind: 'shape', requirement: 'add-workspace/config-fields' })
    expect(row.rates).toEqual([{ oneIn: 2, predicted: 0.875, found: 4, tries: 5 }])
    expect(row.problems).toEqual([])
  })

  it('reports a fault that is found more rarely than chance explains', () => {
    expect(powerRow(rare, 60, new Map([[10, times(3, 5)]])).problems).toEqual([
      'one in 10: found 3 of 5 times, and 99.8 % was predicted',
    ])
  })

  it('has no problem if few exchanges could show the fault', () => {
    expect(powerRow(rare, 4, new Map([[10, times(0, 5)]])).problems).toEqual([])
  })
})
