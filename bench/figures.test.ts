import { expect, test } from 'vitest'
import { figuresOf, summaryOf } from './figures.ts'

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
  const rounds = [
    { over: 6, under: 2 },
    { over: 9, under: 3 },
  ]
  const ratio = {
    name: 'ratio',
    unit: 'ratio',
    of: (round: (typeof rounds)[number]) => round.over / round.under,
  } as const
  expect(figuresOf('a', rounds, [ratio])).toEqual([{ id: 'a', name: 'ratio', unit: 'ratio', values: [3, 3] }])
})
