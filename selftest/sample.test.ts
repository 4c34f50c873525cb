import { expect, test } from 'vitest'
import { faults } from '../reference/faults/index.ts'
import { everything, sampled } from './sample.ts'

const parts = [1, 2, 3, 4].map((part) => sampled(faults, { part, of: 4 }))
const broken = new Set(faults.flatMap(({ breaks }) => breaks))

test('all parts together have every fault, and one part of one has them as well', () => {
  expect(new Set(parts.flat())).toEqual(new Set(faults))
  expect(sampled(faults, everything)).toEqual(faults)
})

test.each(parts.map((part, at) => [at + 1, part] as const))(
  'part %i of 4 is less than half, with all stories and a fault for each requirement',
  (_, part) => {
    expect(part.length).toBeLessThan(faults.length / 2)
    expect(part.filter(({ rule }) => rule === undefined)).toEqual(
      faults.filter(({ rule }) => rule === undefined),
    )
    expect(new Set(part.flatMap(({ breaks }) => breaks))).toEqual(broken)
  },
)
