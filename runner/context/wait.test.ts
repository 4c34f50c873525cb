import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { isAccepted } from '../../clauses/acceptance.ts'
import { answerOf } from '../answers.fixture.ts'
import { Wait } from './wait.ts'

const [accepted, refused] = [answerOf({ success: true }), answerOf({ error: { code: 400 } })]

describe('retryUntil', () => {
  const wait = new Wait({ settleMs: 60, runs: 1 })

  it('ends with the first answer that is as wanted', async () => {
    let asked = 0
    const ask = async () => (++asked < 3 ? refused : accepted)
    // Long enough for three requests on a busy machine.
    expect(await new Wait({ settleMs: 60_000, runs: 1 }).retryUntil(ask, isAccepted)).toBe(accepted)
    expect(asked).toBe(3)
  })

  it('sends a last request once the time is over, even if an earlier answer came late', async () => {
    const began = performance.now()
    const times: number[] = []
    const ask = async () => {
      times.push(performance.now() - began)
      // The refusal comes at once, but other requests take this long.
      if (times.length === 1) await sleep(90)
      return times.length === 1 ? refused : accepted
    }
    expect(await wait.retryUntil(ask, isAccepted)).toBe(accepted)
    expect(times.at(-1)).toBeGreaterThanOrEqual(60)
  })

  it('returns the last answer if none is as wanted', async () => {
    let asked = 0
    const ask = async () => {
      asked += 1
      return refused
    }
    expect(await wait.retryUntil(ask, isAccepted)).toBe(refused)
    expect(asked).toBeGreaterThan(1)
    expect(await new Wait({ settleMs: 0, runs: 1 }).retryUntil(ask, isAccepted)).toBe(refused)
  })
})
