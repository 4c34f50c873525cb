import { expect, test } from 'vitest'
import { formatDuration, parseDuration } from './duration.ts'

test.each([
  ['250ms', 250],
  ['10s', 10_000],
  ['1.5s', 1500],
  ['2m', 120_000],
  ['1h', 3_600_000],
  ['1d', 86_400_000],
  ['0s', 0],
])('parseDuration: %s is %i ms', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds)
})

test.each(['', '10', 's', '-1s', '1 s', '10sec', '1s\n', '1e3s'])(
  'parseDuration: %j is not a duration',
  (text) => {
    expect(parseDuration(text)).toBeUndefined()
  },
)

test.each([
  [0, '0ms'],
  [250, '250ms'],
  [1500, '1.5s'],
  [10_903, '10.903s'],
  [10_000, '10s'],
  [90_000, '90s'],
  [86_400_000, '1d'],
])('formatDuration: %i ms is %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text)
})
