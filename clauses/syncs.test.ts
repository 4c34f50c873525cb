import { describe, expect, it } from 'vitest'
import { overlapOf, type SyncRequest, tooSoon, waitedFor, wellBefore } from './syncs.ts'

const first: SyncRequest = { sentAt: 0, answeredAt: 5, accepted: true, jobId: 'one' }
const second = (answeredAt: number, rest: Partial<SyncRequest> = {}): SyncRequest => ({
  sentAt: 10,
  answeredAt,
  accepted: true,
  jobId: 'two',
  ...rest,
})
const same = { jobId: 'one' }

describe('overlapOf, with syncs of at least 300 ms that take 310 ms alone', () => {
  it.each([
    ['a success under another job before both can be over', second(310), 'overlap'],
    ['the same just before they can be over', second(580), 'overlap'],
    ['a success once both can be over', second(620), 'apart'],
    ['a success at once under the same job', second(20, same), 'apart'],
    ['a refusal while the first runs', second(20, { accepted: false }), 'apart'],
    ['a refusal after the first can be over', second(400, { accepted: false }), 'unknown'],
    ['a refusal just when the first can be over', second(300, { accepted: false }), 'unknown'],
    ['a request just when the first can be over', second(310, { sentAt: 300, accepted: false }), 'unknown'],
    ['a request that came after the first can be over', second(650, { sentAt: 301 }), 'unknown'],
  ])('%s', (_, request, verdict) => {
    expect(overlapOf(first, request, 300, { tookMs: 310, jobId: 'alone' }).verdict).toBe(verdict)
  })
})

describe('overlapOf, of syncs that take far longer than the least', () => {
  const alone = { tookMs: 900, jobId: 'alone' }

  it('says held of two one after the other only', () => {
    expect(overlapOf(first, second(910), 300, alone)).toEqual({ verdict: 'unknown' })
    expect(overlapOf(first, second(1810), 300, alone)).toEqual({ verdict: 'apart', how: 'held' })
  })

  it('says held of nothing that it cannot hold against a lone sync', () => {
    expect(overlapOf(first, second(1810), 300)).toEqual({ verdict: 'unknown' })
  })
})

describe('overlapOf, where each sync of the workspace has the same job', () => {
  const alone = { tookMs: 310, jobId: 'one' }

  it('takes the job for no sign of anything', () => {
    expect(overlapOf(first, second(320, same), 300, alone)).toEqual({ verdict: 'unknown' })
    expect(overlapOf(first, second(620, same), 300, alone)).toEqual({ verdict: 'apart', how: 'held' })
    expect(overlapOf(first, second(20, same), 300)).toEqual({ verdict: 'unknown' })
  })
})

it('counts from when the first request was sent', () => {
  const later: SyncRequest = { ...first, sentAt: 1000, answeredAt: 1005 }
  const after = (answeredAt: number, rest: Partial<SyncRequest> = {}) =>
    overlapOf(later, second(answeredAt, { sentAt: 1010, ...rest }), 300, { tookMs: 310, jobId: 'alone' })
  expect(after(1580)).toEqual({ verdict: 'overlap' })
  expect(after(1620)).toEqual({ verdict: 'apart', how: 'held' })
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

  it('distinguishes waiting from a target that is slow in all answers', () => {
    expect(waitedFor(305, 300, 5)).toBe(true)
    expect(waitedFor(200, 300, 5)).toBe(false)
    expect(waitedFor(4005, 300, 4000)).toBe(false)
    expect(waitedFor(4005, 16_000, 4000)).toBe(false)
    expect(waitedFor(20_000, 16_000, 4000)).toBe(true)
  })
})
