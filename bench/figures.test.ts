import { expect, test } from 'vitest'
import { figuresOf, summaryOf } from './figures.ts'

test('summaryOf returns the middle value as median of an odd number of unsorted values', () => {
  expect(summaryOf([10, 9, 100])).toEqual({ minimum: 9, median: 10, maximum: 100 })
})

test('summaryOf returns the mean of the two middle values as median of an even number of values', () => {
  expect(summaryOf([4, 1, 2, 100])).toEqual({ minimum: 1, median: 3, maximum: 100 })
})

test('summaryOf throws if there are no values', () => {
  expect(() => summaryOf([])).toThrow('no summary')
})

test('figuresOf computes a ratio within each round', () => {
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
