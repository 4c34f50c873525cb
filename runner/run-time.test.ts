import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Unproven } from './findings.ts'
import { checkTime, defaultTimeLimit } from './run-time.ts'

const settings = (run: object = {}, http: object = {}) =>
  ({ http: { concurrency: 8, ...http }, run: { settleMs: 0, ...run } }) as never

// 2.5 s, and 8000 answers of 1 s over 8 connections.
const many = { requests: 8000, latencyMs: 1000 }
const estimate = 2500 + 1_080_000
const long = { ...many, longestMs: 60_000, providerMs: 5000 }
const slowly = settings({ settleMs: 2000, guestRefreshMs: 10_000 })
const paced = { requests: 6000, latencyMs: 1, perSecond: 20 }
const slower = settings({}, { requestsPerSecond: 10 })

it.each([
  ['is at least two minutes', { requests: 1000, latencyMs: 1 }, settings(), 120_000],
  ['is ten times the estimate', many, settings(), 10 * estimate],
  ['adds slow answers, settle times and a slow provider', long, slowly, 10 * (estimate + 72_000) + 5000],
  ['follows the pace of the target', paced, settings(), 10 * (2500 + 300_000)],
  ['follows the configured pace if that is slower', paced, slower, 10 * (2500 + 600_000)],
])('defaultTimeLimit %s', (_, facts, configured, limit) => {
  expect(defaultTimeLimit(facts, configured)).toBe(limit)
})

describe('checkTime', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const configuration = settings()
  const facts = { requests: 0, latencyMs: 0 }

  it('rejects once the time is over, and marks the record as ended', async () => {
    const record = { ended: false }
    const { over } = checkTime({ facts, configuration }, record)
    const ending = over.catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await ending).toMatchObject({
      constructor: Unproven,
      message: expect.stringMatching(/^the check took longer than 1m, half of /),
    })
    expect(record.ended).toBe(true)
  })

  it('grows with the longest answer of the target', async () => {
    const needed = { ...facts, longestMs: 0 }
    let isOver = false
    checkTime({ facts: needed, configuration }, { ended: false }).over.catch(() => {
      isOver = true
    })
    needed.longestMs = 60_000
    await vi.advanceTimersByTimeAsync(359_000)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(2000)
    expect(isOver).toBe(true)
  })

  it('never rejects once it is stopped', async () => {
    const record = { ended: false }
    checkTime({ facts, configuration }, record).stop()
    await vi.advanceTimersByTimeAsync(1_000_000)
    expect(record.ended).toBe(false)
  })
})
