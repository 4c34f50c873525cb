import { describe, expect, it } from 'vitest'
import { checkTimeLimit, defaultTimeLimit } from './run-time.ts'

const settings = (run: object = {}, http: object = {}) =>
  ({ http: { concurrency: 8, ...http }, run: { settleMs: 0, ...run } }) as never

describe('the limit of time of a run', () => {
  it('is two minutes at the least', () => {
    expect(defaultTimeLimit({ requests: 1000, latencyMs: 1 }, settings())).toBe(120_000)
  })

  it('is ten times the estimate, with what may take its time', () => {
    // 2.5 s, and 8000 answers of 1 s in 8 places.
    const estimate = 2500 + 1_080_000
    expect(defaultTimeLimit({ requests: 8000, latencyMs: 1000 }, settings())).toBe(10 * estimate)
    const long = { requests: 8000, latencyMs: 1000, longestMs: 60_000, providerMs: 5000 }
    expect(defaultTimeLimit(long, settings({ settleMs: 2000, guestRefreshMs: 10_000 }))).toBe(
      10 * estimate + 10 * 72_000 + 5000,
    )
  })

  it('follows the pace of the target and of the configuration, whichever is slower', () => {
    const facts = { requests: 6000, latencyMs: 1, perSecond: 20 }
    expect(defaultTimeLimit(facts, settings())).toBe(10 * (2500 + 300_000))
    expect(defaultTimeLimit(facts, settings({}, { requestsPerSecond: 10 }))).toBe(10 * (2500 + 600_000))
  })
})

describe('the limit of time of a check', () => {
  it('is half of what the run may take by itself', () => {
    const facts = { requests: 1000, latencyMs: 1 }
    expect(checkTimeLimit(facts, settings())).toBe(60_000)
    expect(checkTimeLimit({ ...facts, longestMs: 600_000 }, settings())).toBe(60_000 + 3_000_000)
  })
})
