import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { startTimeLimit } from './judge-target.ts'

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
})

const configuration = (timeLimitMs?: number) =>
  ({
    http: { concurrency: 8 },
    run: { settleMs: 0, ...(timeLimitMs === undefined ? {} : { timeLimitMs }) },
  }) as never
const few = { requests: 1000, latencyMs: 1 }

test('startTimeLimit keeps the configured limit, even for a slow target', () => {
  const limit = startTimeLimit(configuration(5000), few)
  limit.learn({ ...few, perSecond: 1 })
  vi.advanceTimersByTime(4999)
  expect(limit.signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(limit.signal.aborted).toBe(true)
  expect(limit.reason()).toBe('the time limit of the run was over: 5s (run.timeLimit, --time-limit)')
})

test('startTimeLimit defaults to two minutes, and to more for a slow target', () => {
  const short = startTimeLimit(configuration(), few)
  const long = startTimeLimit(configuration(), few)
  vi.advanceTimersByTime(100_000)
  long.learn({ ...few, perSecond: 10 })
  vi.advanceTimersByTime(20_000)
  expect([short.signal.aborted, long.signal.aborted]).toEqual([true, false])
  expect(short.reason()).toBe(
    'the run took longer than 2m, ten times its estimate (run.timeLimit allows more)',
  )
  vi.advanceTimersByTime(10 * 102_500 - 120_000)
  expect(long.signal.aborted).toBe(true)
})
