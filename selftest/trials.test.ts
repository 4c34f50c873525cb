import { expect, test } from 'vitest'
import type { Fault } from '../reference/faults/fault.ts'
import { faults, productFaults } from '../reference/faults/index.ts'
import { variants } from '../reference/variants/index.ts'
import type { Alteration } from './judge-portal.ts'
import type { Judged } from './judging-process.ts'
import { apart, compatible, type TrialPlan, trialsByPart } from './trials.ts'

const plan = { seed: 1, runs: 1, together: true, products: 1 } as TrialPlan
const byId = new Map(faults.map((fault) => [fault.id, fault]))

/** What a run finds that sees these faults of those that the portal has, and one requirement more. */
const seen =
  (sees: (fault: Fault) => boolean, more: readonly string[] = []) =>
  ({ faults: ids = [] }: Alteration): Judged => {
    const its = ids.map((id) => byId.get(id) as Fault).filter(sees)
    const failed = [...its.flatMap(({ breaks }) => breaks), ...(ids.length > 1 ? more : [])] as never[]
    return { failed, open: [], passed: 1, breaches: [], requests: 0, looks: 0, durationMs: 1 }
  }

/** Tries all faults, and gives their rows and how many faults each run had. */
async function tried(judge: (alteration: Alteration) => Judged) {
  const sizes: number[] = []
  const trials = trialsByPart.faults(plan, async (alteration) => {
    sizes.push(alteration.faults?.length ?? 0)
    return judge(alteration)
  })
  const rows = []
  for (const trial of trials) rows.push(await trial.run())
  return { trials, rows, sizes }
}

test('faults of one portal neither break nor may break what another one is found by', () => {
  const fault = (breaks: string, ...mayBreak: string[]) =>
    ({ breaks: [breaks], mayBreak }) as unknown as Fault
  const [adds, syncs, updates] = [
    fault('add-workspace/creates'),
    fault('sync-workspace/starts'),
    fault('update-federation/updates'),
  ]
  const reaches = fault('update-participant/updates', 'sync-workspace/starts')
  expect(apart([adds, syncs, updates])).toEqual([[adds, syncs, updates]])
  expect(apart([adds, syncs, reaches])).toEqual([[adds, syncs], [reaches]])
  expect(apart([adds, fault('add-workspace/id-is-new')])).toHaveLength(2)
})

test('each fault has a row of its own where one run shows all of them, and nothing else', async () => {
  const { rows, sizes } = await tried(seen(() => true))
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(byId.keys()))
  expect(rows.filter(({ found, blamed }) => !(found && blamed))).toEqual([])
  expect(sizes.length).toBeLessThan(faults.length / 2)
  for (const { id, failed } of rows) expect(failed).toEqual(byId.get(id)?.breaks)
})

test('a fault that does not show beside others is looked for alone, and so are the others', async () => {
  const [hidden] = apart(faults)[0] as Fault[]
  let alone = false
  const { rows, sizes } = await tried(({ faults: ids, ...rest }) => {
    alone = ids?.length === 1
    return seen(({ id }) => alone || id !== hidden?.id)({ faults: ids ?? [], ...rest })
  })
  expect(rows.every(({ found, blamed }) => found && blamed)).toBe(true)
  expect(sizes.filter((size) => size === 1).length).toBeGreaterThanOrEqual(
    (apart(faults)[0] as Fault[]).length,
  )
})

test('where a run of several blames anything else, each is judged alone', async () => {
  const { sizes } = await tried(seen(() => true, ['lifecycle/consistent', 'add-workspace/id-is-new']))
  expect(sizes.filter((size) => size === 1).length).toBeGreaterThan(faults.length / 2)
})

test('a fault that is tried again is tried alone', async () => {
  const { trials, sizes } = await tried(seen(() => true))
  await trials[0]?.run()
  expect(sizes.at(-1)).toBe(1)
})

/** Tries all variants, not clean if `spoils` names them; gives the rows and the variants of each run. */
async function triedVariants(spoils: (ids: readonly string[]) => boolean) {
  const runs: (readonly string[])[] = []
  const trials = trialsByPart.variants({ ...plan, combinations: 0 }, async ({ variants: ids = [] }) => {
    runs.push(ids)
    const failed = (spoils(ids) ? ['add-workspace/creates'] : []) as never[]
    const open = failed.map((requirement) => ({ requirement, outcome: 'failed', why: 'spoilt' }))
    return { failed, open: open as never[], passed: 1, breaches: [], requests: 0, looks: 0, durationMs: 1 }
  })
  const rows = []
  for (const trial of trials) rows.push(await trial.run())
  return { rows, runs }
}

test('variants that excuse nothing are tried in combinations, and alone only where one is not clean', async () => {
  const { rows, runs } = await triedVariants(() => false)
  const ownRows = rows.filter(({ ids }) => ids.length === 1)
  expect(ownRows.map(({ ids }) => ids[0]).sort()).toEqual(variants.map(({ id }) => id).sort())
  expect(rows.filter(({ clean }) => !clean)).toEqual([])
  const together = new Set(runs.filter((ids) => ids.length > 1).flat())
  for (const { id, may, judged, takesLong } of variants) {
    const strict = may === undefined && judged === undefined && takesLong === undefined
    expect([id, together.has(id)]).toEqual([id, strict])
    expect([id, runs.some((ids) => ids.length === 1 && ids[0] === id)]).toEqual([id, !strict])
  }
  for (const ids of runs)
    for (const [at, one] of ids.entries())
      for (const other of ids.slice(at + 1)) expect(compatible(one, other)).toBe(true)
})

test('the variants of a combination that is not clean are tried alone, and it is reported all the same', async () => {
  const { rows, runs } = await triedVariants((ids) => ids.length > 1 && ids.includes('gzip'))
  const spoilt = rows.filter(({ clean }) => !clean)
  expect(spoilt).not.toEqual([])
  for (const { ids } of spoilt) expect(ids).toContain('gzip')
  for (const id of spoilt[0]?.ids ?? []) expect(runs).toContainEqual([id])
})

test('looks for every N-th product of a rule and a place, and for all other faults', () => {
  const namesWith = (products: number) =>
    trialsByPart
      .faults({ ...plan, together: false, products }, () => Promise.reject())
      .map(({ name }) => name)
  const [all, some] = [namesWith(1), namesWith(6)]
  expect(all).toHaveLength(faults.length)
  expect(some).toHaveLength(faults.length - productFaults.length + Math.ceil(productFaults.length / 6))
  expect(all).toEqual(expect.arrayContaining(some))
})
