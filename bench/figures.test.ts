import { expect, test } from 'vitest'
import { ratios, summaryOf } from './figures.ts'

test('the median of an odd number of values is the one in the middle, whatever their order', () => {
  expect(summaryOf([10, 9, 100])).toEqual({ minimum: 9, median: 10, maximum: 100 })
})

test('the median of an even number of values lies between the two in the middle', () => {
  expect(summaryOf([4, 1, 2, 100])).toEqual({ minimum: 1, median: 3, maximum: 100 })
})

test('nothing has no summary', () => {
  expect(() => summaryOf([])).toThrow('no summary')
})

test('values of the same round are divided by each other', () => {
  expect(ratios([6, 9], [2, 3])).toEqual([3, 3])
})
