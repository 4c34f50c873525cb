import { expect, test } from 'vitest'
import { faults } from '../../reference/faults/index.ts'
import { requirements } from '../../specs/requirements.ts'
import { faultSample } from './fault-sample.ts'

const placeOf = (id: string) => {
  const { operation, kind } = requirements.find((each) => each.id === id) as (typeof requirements)[number]
  return `${operation} ${kind}`
}

test('each operation and kind of rule that a fault breaks first is there once', () => {
  const sampled = faultSample(faults).map(({ breaks }) => placeOf(breaks[0] as string))
  expect(new Set(sampled)).toEqual(new Set(faults.map(({ breaks }) => placeOf(breaks[0] as string))))
  expect(sampled).toHaveLength(new Set(sampled).size)
})

test('of several faults the first in the catalogue is taken', () => {
  const [one, other] = faults.filter(({ breaks }) => breaks[0] === 'add-workspace/name-limit-rejects')
  expect(faultSample([other, one] as typeof faults)).toEqual([other])
})
