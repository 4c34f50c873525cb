import { describe, expect, it, test } from 'vitest'
import { variants } from '../../reference/variants/index.ts'
import type { Variant } from '../../reference/variants/variant.ts'
import type { Judged } from '../judgement.ts'
import { judgedWith, openCheck, rowsOf } from './judged.fixture.ts'
import { isClean, type TrialPlan } from './part.ts'
import { combinations, compatible, quick, variantPart, variantRow } from './variants.ts'

describe('variantRow', () => {
  const withOutcome = (outcome: string): Judged => judgedWith({ open: [openCheck(outcome)] })

  const gzip = { id: 'gzip', sentence: '' }

  it.each(['failed', 'inconclusive', 'not-tested', 'not-applicable'])(
    'reports %s as a false alarm',
    (outcome) => {
      expect(variantRow([gzip], withOutcome(outcome)).problems).toEqual([`${outcome}: x: because`])
    },
  )

  it('reports a problem of several checks once', () => {
    const open = ['x', 'y', 'z'].map((id) => openCheck('failed', { id }))
    expect(variantRow([gzip], judgedWith({ open })).problems).toEqual(['failed: x (and 2 more): because'])
  })

  it('allows warnings about advice', () => {
    expect(isClean(variantRow([gzip], withOutcome('warned')))).toBe(true)
  })

  it('allows an outcome only for the reason that the variant gives', () => {
    const may = (because: RegExp) => ({
      ...gzip,
      may: { inconclusive: { requirements: ['add-workspace/*'], because } },
    })
    expect(isClean(variantRow([gzip, may(/caus/)], withOutcome('inconclusive')))).toBe(true)
    expect(isClean(variantRow([may(/other/)], withOutcome('inconclusive')))).toBe(false)
    expect(isClean(variantRow([may(/caus/)], withOutcome('not-tested')))).toBe(false)
    expect(isClean(variantRow([may(/caus/)], withOutcome('failed')))).toBe(false)
  })

  it('ignores requirements by which the variant is not judged', () => {
    const judged = { ...gzip, judged: ['sync-workspace/*'] }
    expect(isClean(variantRow([judged], withOutcome('not-tested')))).toBe(true)
  })

  it('reports breaches in the recording of the run', () => {
    const breaches = [{ requirement: 'add-workspace/name-kept', why: 'another name' }]
    expect(variantRow([gzip], { ...withOutcome('warned'), breaches }).problems).toEqual([
      'in recorded traffic: add-workspace/name-kept: another name',
    ])
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
    ['ids-echoed-in-upper-case', 'odd-ids'],
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

const plan = { seed: 1, runs: 1, together: true, combinations: 0 } as TrialPlan

/** Tries all variants. Runs that `spoils` chooses are not clean. Returns the rows and the variants of each run. */
async function triedVariants(spoils: (ids: readonly string[]) => boolean) {
  const runs: (readonly string[])[] = []
  const trials = variantPart.trials(plan, async ({ variants: ids = [] }) => {
    runs.push(ids)
    return spoils(ids)
      ? judgedWith({ failed: ['add-workspace/creates'], open: [openCheck('failed', { why: 'spoilt' })] })
      : judgedWith()
  })
  const rows = await rowsOf(trials)
  return { rows, runs }
}

test('variants that excuse nothing are tried only in combinations, all others alone', async () => {
  const { rows, runs } = await triedVariants(() => false)
  const ownRows = rows.filter(({ ids }) => ids.length === 1)
  expect(ownRows.map(({ ids }) => ids[0]).sort()).toEqual(variants.map(({ id }) => id).sort())
  expect(rows.filter((row) => !isClean(row))).toEqual([])
  const together = new Set(runs.filter((ids) => ids.length > 1).flat())
  for (const { id, may, judged, takesLong } of variants) {
    const strict = may === undefined && judged === undefined && takesLong === undefined
    expect([id, together.has(id)]).toEqual([id, strict])
    expect([id, runs.some((ids) => ids.length === 1 && ids[0] === id)]).toEqual([id, !strict])
  }
  for (const ids of runs)
    for (const [at, one] of ids.entries())
      for (const other of ids.slice(at + 1)) expect(compatible(variantOf(one), variantOf(other))).toBe(true)
})

test('the variants of a combination with problems are also tried alone, and the combination is still reported', async () => {
  const { rows, runs } = await triedVariants((ids) => ids.length > 1 && ids.includes('gzip'))
  const spoilt = rows.filter((row) => !isClean(row))
  expect(spoilt).not.toEqual([])
  for (const { ids } of spoilt) expect(ids).toContain('gzip')
  for (const id of spoilt[0]?.ids ?? []) expect(runs).toContainEqual([id])
})
