import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Unproven } from '../findings.ts'
import type { Session } from '../session.ts'
import { checkTime } from './check-time.ts'

describe('the time of a check', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    onTestFinished(() => {
      vi.useRealTimers()
    })
  })

  const configuration = { http: { concurrency: 8 }, run: { settleMs: 0 } } as Session['configuration']
  const facts = { requests: 0, latencyMs: 0 }

  it('is over at some time, which its record says', async () => {
    const record = { ended: false }
    const { over } = checkTime({ facts, configuration }, record)
    const ending = over.catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await ending).toBeInstanceOf(Unproven)
    expect(await ending).toMatchObject({
      message: expect.stringMatching(/^the check took longer than 1m, half of /),
    })
    expect(record.ended).toBe(true)
  })

  it('grows with what the target is seen to need', async () => {
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

  it('is never over once it is stopped', async () => {
    const record = { ended: false }
    checkTime({ facts, configuration }, record).stop()
    await vi.advanceTimersByTimeAsync(1_000_000)
    expect(record.ended).toBe(false)
  })
})
