import { describe, expect, it } from 'vitest'
import { variants } from '../../reference/variants/index.ts'
import { combinations, compatible } from './combinations.ts'

const ids = variants.filter(({ takesLong }) => takesLong !== true).map(({ id }) => id)

describe('compatible', () => {
  it.each([
    ['refusals-as-403-json', 'refusals-as-400-html'],
    ['bearer-header', 'cookie-credential'],
    ['numeric-ids', 'uuid-ids'],
    ['second-sync-held', 'second-sync-joins'],
    ['clock-behind', 'clock-ahead'],
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
  const dealt = combinations(ids, 7)

  it('holds every variant, and none that contradicts another', () => {
    expect(new Set(dealt.flat())).toEqual(new Set(ids))
    for (const combination of dealt) {
      for (const [at, one] of combination.entries()) {
        for (const other of combination.slice(at + 1))
          expect([one, other, compatible(one, other)]).toEqual([one, other, true])
      }
    }
  })

  it('is the same for the same seed, and another for another', () => {
    expect(combinations(ids, 7)).toEqual(dealt)
    expect(combinations(ids, 8)).not.toEqual(dealt)
  })

  it('ends with one that nothing more can join', () => {
    const most = dealt.at(-1) as string[]
    const joining = ids.filter((id) => most.every((other) => compatible(id, other)))
    expect(joining).toEqual([])
  })
})
