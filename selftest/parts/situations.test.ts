import { expect, it } from 'vitest'
import { faults } from '../../reference/faults/index.ts'
import { situations } from '../sometimes.ts'
import { impossible, situatedFaults } from './situations.ts'

const all = situatedFaults(1, Number.POSITIVE_INFINITY)

it('draws each combination once, the same ones for a seed', () => {
  expect(new Set(all.map(({ fault, situation }) => `${fault} ${situation}`)).size).toBe(all.length)
  expect(all.length).toBeGreaterThan(1000)
  expect(situatedFaults(7, 20)).toEqual(situatedFaults(7, 20))
  expect(situatedFaults(7, 20)).not.toEqual(situatedFaults(8, 20))
})

it.each(impossible)(
  'leaves out what cannot show in $situation, since $why',
  ({ situation, faults: those }) => {
    expect(situations.map(({ id }) => id)).toContain(situation)
    expect(faults.filter(({ id }) => those.test(id)).length).toBeGreaterThan(0)
    expect(all.filter((each) => each.situation === situation && those.test(each.fault))).toEqual([])
  },
)
