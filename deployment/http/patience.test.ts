import { expect, test } from 'vitest'
import { Patience } from './receive.ts'

test('an operation is not sent after ten time-outs, unless most requests are answered', () => {
  const patience = new Patience({ throttleWaitMs: 30_000 })
  for (let count = 0; count < 9; count += 1) patience.timedOut('add')
  expect(patience.over('add')).toBeUndefined()
  patience.timedOut('add')
  expect(patience.over('add')).toBe(
    'not sent: 10 of 10 requests of add had no answer in time (a target that may take longer needs a longer http.timeout)',
  )
  expect(patience.over('delete')).toBeUndefined()
  for (let count = 0; count < 500; count += 1) patience.answered('add')
  expect(patience.over('add')).toBeUndefined()
})

test('an unavailable operation is waited for less each time, until it answers', () => {
  const patience = new Patience({ throttleWaitMs: 30_000 })
  const wait = { waitedMs: 3000, ms: 3200, asked: false }
  expect(patience.waits('add', wait)).toBe(true)
  expect(patience.limit('add', false)).toBe('7s (7s where the target does not say how long)')
  patience.gaveUp('add')
  expect(patience.waits('add', wait)).toBe(false)
  expect(patience.limit('add', false)).toBe(
    '3.5s (7s where the target does not say how long, halved by each request given up)',
  )
  expect(patience.limit('delete', true)).toBe('30s (http.throttleWait: 30s)')
  expect(patience.waits('delete', wait)).toBe(true)
  patience.answered('add')
  expect(patience.waits('add', wait)).toBe(true)
})
