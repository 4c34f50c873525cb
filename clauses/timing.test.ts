import { describe, expect, it } from 'vitest'
import { overlapOf, type SyncRequest, tooSoon, wellBefore } from './timing.ts'

const first: SyncRequest = { sentAt: 0, answeredAt: 5, accepted: true, jobId: 'one' }
const second = (answeredAt: number, rest: Partial<SyncRequest> = {}): SyncRequest => ({
  sentAt: 10,
  answeredAt,
  accepted: true,
  jobId: 'two',
  ...rest,
})

describe('overlapOf, with syncs of at least 300 ms', () => {
  it.each([
    ['a success under another job before both can be over', second(310), 'overlap'],
    ['the same just before they can be over', second(580), 'overlap'],
    ['a success once both can be over', second(600), 'apart'],
    ['a success at once under the same job', second(20, { jobId: 'one' }), 'apart'],
    ['a refusal while the first runs', second(20, { accepted: false }), 'apart'],
    ['a refusal after the first can be over', second(400, { accepted: false }), 'unknown'],
    ['a refusal just when the first can be over', second(300, { accepted: false }), 'unknown'],
    ['a request just when the first can be over', second(310, { sentAt: 300, accepted: false }), 'unknown'],
    ['a request that came after the first can be over', second(650, { sentAt: 301 }), 'unknown'],
  ])('%s', (_, request, verdict) => {
    expect(overlapOf(first, request, 300).verdict).toBe(verdict)
  })
})

it('counts from when the first request was sent', () => {
  const later: SyncRequest = { ...first, sentAt: 1000, answeredAt: 1005 }
  const after = (answeredAt: number, rest: Partial<SyncRequest> = {}) =>
    overlapOf(later, second(answeredAt, { sentAt: 1010, ...rest }), 300)
  expect(after(1580)).toEqual({ verdict: 'overlap', earliest: 1600 })
  expect(after(1600)).toEqual({ verdict: 'apart', how: 'held' })
  expect(after(1299, { accepted: false })).toEqual({ verdict: 'apart', how: 'refused' })
  expect(after(1300, { accepted: false })).toEqual({ verdict: 'unknown' })
  expect(after(1300, { sentAt: 1300, jobId: 'one' })).toEqual({ verdict: 'unknown' })
})

describe('single times', () => {
  it('grants timers a little, and no more', () => {
    expect(tooSoon(300, 300)).toBe(false)
    expect(tooSoon(293, 300)).toBe(false)
    expect(tooSoon(292, 300)).toBe(false)
    expect(tooSoon(291, 300)).toBe(true)
    expect(tooSoon(290, 300)).toBe(true)
  })

  it('takes an answer in the first half for one that did not wait', () => {
    expect(wellBefore(149, 300)).toBe(true)
    expect(wellBefore(150, 300)).toBe(false)
  })
})
