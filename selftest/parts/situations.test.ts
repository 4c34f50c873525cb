import { expect, it } from 'vitest'
import { faults } from '../../reference/faults/index.ts'
import { situations } from '../sometimes.ts'
import { hidden, situatedFaults } from './situations.ts'

const all = situatedFaults(1, Number.POSITIVE_INFINITY)

it('situatedFaults draws each combination once, and the same ones for the same seed', () => {
  expect(new Set(all.map(({ fault, situation }) => `${fault.id} ${situation.id}`)).size).toBe(all.length)
  expect(all.length).toBeGreaterThan(1000)
  expect(situatedFaults(7, 20)).toEqual(situatedFaults(7, 20))
  expect(situatedFaults(7, 20)).not.toEqual(situatedFaults(8, 20))
})

it.each(hidden.map((rule) => [rule.situation, rule.why, rule] as const))(
  'situatedFaults omits faults that cannot show in %s, since %s',
  (_, __, { situation, faults: isHidden }) => {
    expect(situations.map(({ id }) => id)).toContain(situation)
    expect(faults.filter(isHidden)).not.toEqual([])
    expect(all.filter((each) => each.situation.id === situation && isHidden(each.fault))).toEqual([])
  },
)
