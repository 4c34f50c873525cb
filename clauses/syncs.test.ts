import { describe, expect, it } from 'vitest'
import { overlapOf, type SyncRequest, tooSoon, waitedFor, waitInProportion, wellBefore } from './syncs.ts'

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

const unknown = { verdict: 'unknown' }
const held = { verdict: 'apart', how: 'held' }
const long = { tookMs: 900, jobId: 'alone' }
const alike = { tookMs: 310, jobId: 'one' }

it.each<[string, SyncRequest, typeof long | undefined, object]>([
  ['take far longer than the least, before two one after the other', second(910), long, unknown],
  ['take far longer than the least, after two', second(1810), long, held],
  ['cannot be held against a lone one', second(1810), undefined, unknown],
  ['have the same job each, before two', second(320, same), alike, unknown],
  ['have the same job each, after two', second(620, same), alike, held],
  ['have the same job at once, and no lone one', second(20, same), undefined, unknown],
])('overlapOf, of syncs that %s', (_, request, alone, overlap) => {
  expect(overlapOf(first, request, 300, alone)).toEqual(overlap)
})

it.each([
  [300, false],
  [292, false],
  [291, true],
])('grants timers a little, and no more: %i of 300 ms', (tookMs, isTooSoon) => {
  expect(tooSoon(tookMs, 300)).toBe(isTooSoon)
})

it('takes an answer in the first half for one that did not wait', () => {
  expect([wellBefore(149, 300), wellBefore(150, 300)]).toEqual([true, false])
})

it.each([
  [305, 300, 5, true],
  [200, 300, 5, false],
  [4005, 300, 4000, false],
  [4005, 16_000, 4000, false],
  [20_000, 16_000, 4000, true],
])('distinguishes waiting from a target that is slow: %i ms, of %i, where others take %i', (...row) => {
  const [tookMs, leastMs, othersMs, waited] = row
  expect(waitedFor(tookMs, leastMs, othersMs)).toBe(waited)
})

it.each<[string, [tookMs: number, leastMs: number, latencyMs?: number][], boolean]>([
  [
    'half of each sync',
    [
      [383, 700],
      [831, 1600],
      [1721, 3400],
    ],
    true,
  ],
  [
    'the same time for each sync',
    [
      [1800, 700],
      [1800, 1600],
      [1800, 3500],
    ],
    false,
  ],
  [
    'half of syncs of one length',
    [
      [400, 700],
      [410, 700],
      [400, 700],
    ],
    false,
  ],
  [
    'half of two syncs',
    [
      [383, 700],
      [831, 1600],
    ],
    false,
  ],
  [
    'half of each sync, as slow as any answer',
    [
      [383, 700, 100],
      [831, 1600],
      [1721, 3400],
    ],
    false,
  ],
])('says whether answers wait in proportion that take %s', (_, waits, isSo) => {
  const measured = waits.map(([tookMs, leastMs, latencyMs = 5]) => ({ tookMs, leastMs, latencyMs }))
  expect(waitInProportion(measured)).toBe(isSo)
})
