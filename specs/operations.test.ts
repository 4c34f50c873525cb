import { describe, expect, it, test } from 'vitest'
import { compareReleases, coverageOf, type OperationId, type ReleaseOf } from './operations.ts'

describe('compareReleases', () => {
  it.each([
    ['10.5', '10.5', 0],
    ['10.6.1', '10.6', 1],
    ['10.10', '10.9', 1],
    ['9.9', '10.0', -1],
    ['2025.2', '11.0', 1],
  ])('%s and %s: %i', (one, other, sign) => {
    expect(Math.sign(compareReleases(one, other))).toBe(sign)
  })
})

const all = () => true

test.each<[ReleaseOf, number, string]>([
  [{ version: '10.5' }, 4, 'release 10.5 has no reassign-items, no sync-workspace and no update-task-run'],
  [{ version: '10.7' }, 5, 'release 10.7 has no reassign-items and no update-task-run'],
  [{ version: '10.9' }, 6, 'release 10.9 has no reassign-items'],
  [{ edition: 'hosted' }, 5, 'the hosted edition has no reassign-items and no update-task-run'],
  [
    { version: '10.5', edition: 'hosted' },
    4,
    'release 10.5 has no sync-workspace; the hosted edition has no reassign-items and no update-task-run',
  ],
])('coverageOf %o is %i of 7 operations', (target, judged, why) => {
  expect(coverageOf(target, all)).toEqual({ judged, of: 7, why })
})

test.each<ReleaseOf>([{}, { version: '11.0', edition: 'self-hosted' }])(
  'coverageOf %o is undefined: all operations',
  (target) => {
    expect(coverageOf(target, all)).toBeUndefined()
  },
)

test('coverageOf counts an operation that the deployment offers in spite of its release', () => {
  const isLeftOut = (id: OperationId) => id !== 'reassign-items'
  expect(coverageOf({ edition: 'hosted' }, isLeftOut)).toMatchObject({
    judged: 6,
    why: 'the hosted edition has no update-task-run',
  })
})
