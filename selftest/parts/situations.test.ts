import { expect, it } from 'vitest'
import { faults } from '../../reference/faults/index.ts'
import { hiddenInSecondUse, situatedFaults } from './situations.ts'

const all = situatedFaults(1, Number.POSITIVE_INFINITY)

it('situatedFaults draws each combination once, and the same ones for the same seed', () => {
  expect(new Set(all.map(({ fault, situation }) => `${fault.id} ${situation.id}`)).size).toBe(all.length)
  expect(all.length).toBeGreaterThan(1000)
  expect(situatedFaults(7, 20)).toEqual(situatedFaults(7, 20))
  expect(situatedFaults(7, 20)).not.toEqual(situatedFaults(8, 20))
})

it.each(hiddenInSecondUse.map((rule) => [rule.why, rule] as const))(
  'situatedFaults omits faults that no second use shows, since %s',
  (_, { holdsFor }) => {
    expect(faults.filter(holdsFor)).not.toEqual([])
    const secondUses = all.filter(({ situation }) => situation.id === 'second-use')
    expect(secondUses).not.toEqual([])
    expect(secondUses.filter(({ fault }) => holdsFor(fault))).toEqual([])
  },
)
