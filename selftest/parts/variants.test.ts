import { describe, expect, it, test } from 'vitest'
import { variants } from '../../reference/variants/index.ts'
import type { Variant } from '../../reference/variants/variant.ts'
import { judgedWith, openCheck } from './judged.fixture.ts'
import { combinations, compatible, quick, variantPart, wrongOn, wrongWithScarceFixtures } from './variants.ts'

describe('wrongOn', () => {
  const withOutcome = (outcome: string) => judgedWith({ open: [openCheck(outcome)] })

  it.each(['failed', 'inconclusive', 'not-tested', 'not-applicable'])(
    'reports %s as a false alarm, once for several checks',
    (outcome) => {
      const open = ['x', 'y', 'z'].map((id) => openCheck(outcome, { id }))
      expect(wrongOn([{}], judgedWith({ open }))).toEqual([`${outcome}: x (and 2 more): because`])
    },
  )

  it('allows warnings about advice', () => {
    expect(wrongOn([{}], withOutcome('warned'))).toEqual([])
  })

  it('allows an outcome only for the reason that the variant gives', () => {
    const may = (because: RegExp) => ({
      may: { inconclusive: { requirements: ['add-workspace/*'], because } },
    })
    expect(wrongOn([{}, may(/caus/)], withOutcome('inconclusive'))).toEqual([])
    expect(wrongOn([may(/other/)], withOutcome('inconclusive'))).toHaveLength(1)
    expect(wrongOn([may(/caus/)], withOutcome('not-tested'))).toHaveLength(1)
  })

  it('ignores requirements by which the variant is not judged', () => {
    expect(wrongOn([{ judged: ['sync-workspace/*'] }], withOutcome('not-tested'))).toEqual([])
  })

  it('reports breaches in the recording of the run', () => {
    const wrongs = ['in recorded traffic: add-workspace/name-kept: another name']
    expect(wrongOn([{}], judgedWith({ wrongs }))).toEqual(wrongs)
  })
})

const variantOf = (id: string): Variant => variants.find((each) => each.id === id) as Variant

describe('compatible', () => {
  it.each([
    ['refusals-as-403-json', 'refusals-as-400-html'],
    ['bearer-header', 'cookie-credential'],
    ['numeric-ids', 'uuid-ids'],
    ['second-sync-held', 'second-sync-joins'],
    ['clock-behind', 'clock-ahead'],
    ['busy-answered-503', 'second-sync-overlaps'],
  ])('is false for %s and %s', (one, other) => {
    expect(compatible(variantOf(one), variantOf(other))).toBe(false)
    expect(compatible(variantOf(other), variantOf(one))).toBe(false)
  })

  it('is true for variants of refusals, transport and identity', () => {
    expect(compatible(variantOf('refusals-as-403-json'), variantOf('gzip'))).toBe(true)
    expect(compatible(variantOf('gzip'), variantOf('bearer-header'))).toBe(true)
  })
})

describe('combinations', () => {
  const drawn = combinations(quick, 7, 40)

  it('have three compatible variants each', () => {
    expect(drawn).toHaveLength(40)
    for (const combination of drawn) {
      expect(combination).toHaveLength(3)
      for (const [at, one] of combination.entries()) {
        for (const other of combination.slice(at + 1))
          expect([one.id, other.id, compatible(one, other)]).toEqual([one.id, other.id, true])
      }
    }
  })

  it('contain every variant if there are enough combinations', () => {
    expect(new Set(combinations(quick, 7, quick.length).flat())).toEqual(new Set(quick))
  })

  it('are the same for the same seed, and others for another seed', () => {
    expect(combinations(quick, 7, 40)).toEqual(drawn)
    expect(combinations(quick, 8, 40)).not.toEqual(drawn)
  })
})

test('together, each variant is tried in combinations or alone, and those that excuse something alone', () => {
  const plan = { seed: 1, runs: 1, combinations: 0, situations: 0, together: true, products: 1 }
  const runs = variantPart.trials(plan).map(({ alteration }) => alteration.variants ?? [])
  for (const { id, may, judged, takesLong } of variants) {
    const strict = may === undefined && judged === undefined && takesLong === undefined
    const its = runs.filter((ids) => ids.includes(id)).map((ids) => ids.length)
    expect([id, new Set(its).size]).toEqual([id, 1])
    if (!strict) expect([id, its]).toEqual([id, [1]])
  }
})

it.each([
  ['allows a check that is not tested for a reason', 'not-tested', 'used up', 0],
  ['reports a check that is not tested without a reason', 'not-tested', '', 1],
  ['reports a failed check', 'failed', 'refused', 1],
])('wrongWithScarceFixtures %s', (_, outcome, why, problems) => {
  expect(wrongWithScarceFixtures(judgedWith({ open: [openCheck(outcome, { why })] }))).toHaveLength(problems)
})
