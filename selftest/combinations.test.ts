import { describe, expect, it } from 'vitest'
import { variants } from '../reference/variants/index.ts'
import { combinations, compatible } from './trials.ts'

const ids = variants.filter(({ takesLong }) => takesLong !== true).map(({ id }) => id)

describe('compatible', () => {
  it.each([
    ['refusals-as-403-json', 'refusals-as-400-html'],
    ['bearer-header', 'cookie-credential'],
    ['numeric-ids', 'uuid-ids'],
    ['second-sync-held', 'second-sync-joins'],
    ['clock-behind', 'clock-ahead'],
    ['ids-echoed-in-upper-case', 'odd-ids'],
    ['busy-answered-503', 'second-sync-overlaps'],
  ])('keeps %s and %s apart', (one, other) => {
    expect(compatible(one, other)).toBe(false)
    expect(compatible(other, one)).toBe(false)
  })

  it('lets refusals, transport and identity go together', () => {
    expect(compatible('refusals-as-403-json', 'gzip')).toBe(true)
    expect(compatible('gzip', 'bearer-header')).toBe(true)
  })
})

describe('combinations', () => {
  const drawn = combinations(ids, 7, 40)

  it('are of three each, without contradictions', () => {
    expect(drawn).toHaveLength(40)
    for (const combination of drawn) {
      expect(combination).toHaveLength(3)
      for (const [at, one] of combination.entries()) {
        for (const other of combination.slice(at + 1))
          expect([one, other, compatible(one, other)]).toEqual([one, other, true])
      }
    }
  })

  it('hold every variant once there are enough of them', () => {
    expect(new Set(combinations(ids, 7, ids.length).flat())).toEqual(new Set(ids))
  })

  it('are the same for the same seed, and others for another', () => {
    expect(combinations(ids, 7, 40)).toEqual(drawn)
    expect(combinations(ids, 8, 40)).not.toEqual(drawn)
  })
})
