import { describe, expect, it, test } from 'vitest'
import { variants } from '../../reference/variants/index.ts'
import { judgedWith, openCheck } from './judged.fixture.ts'
import { combinations, quick, variantPart, wrongOn, wrongWithScarceFixtures } from './variants.ts'

describe('wrongOn', () => {
  const may = (because: RegExp) => ({
    may: { inconclusive: { requirements: ['add-workspace/*'], because } },
  })

  it.each<[string, Parameters<typeof wrongOn>[0], string, number]>([
    ['allows warnings about advice', [{}], 'warned', 0],
    ['allows an outcome for the reason that a variant gives', [{}, may(/caus/)], 'inconclusive', 0],
    ['reports an outcome with another reason', [may(/other/)], 'inconclusive', 1],
    ['reports another outcome with that reason', [may(/caus/)], 'not-tested', 1],
    ['allows untested requirements that are not judged', [{ judged: ['sync-workspace/*'] }], 'not-tested', 0],
  ])('%s', (_, together, outcome, problems) => {
    expect(wrongOn(together, judgedWith({ open: [openCheck(outcome)] }))).toHaveLength(problems)
  })

  it.each(['failed', 'inconclusive', 'not-tested', 'not-applicable'])(
    'reports %s as a false alarm, once for several checks',
    (outcome) => {
      const open = ['x', 'y', 'z'].map((id) => openCheck(outcome, { id }))
      expect(wrongOn([{}], judgedWith({ open }))).toEqual([`${outcome}: x (and 2 more): because`])
    },
  )

  it('reports breaches in the recording of the run', () => {
    const wrongs = ['in recorded traffic: add-workspace/name-kept: another name']
    expect(wrongOn([{}], judgedWith({ wrongs }))).toEqual(wrongs)
  })
})

describe('combinations', () => {
  const drawn = combinations(quick, 7, 40)

  it('have three variants each, which settle different points', () => {
    expect(drawn).toHaveLength(40)
    for (const combination of drawn) {
      expect(new Set(combination).size).toBe(3)
      const points = combination.flatMap(({ settles = [] }) => settles)
      expect(points).toEqual([...new Set(points)])
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
