import { describe, expect, it, test } from 'vitest'
import { type Fault, faults, productFaults } from '../../reference/faults/index.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { type Alteration, brokenBy, type Judged } from '../judgement.ts'
import { apart, blameOf, faultPart, faultRow, proofsOf } from './faults.ts'
import { judgedFailed, judgedWith, rowsOf, sizesAsText } from './judged.fixture.ts'
import type { TrialPlan } from './part.ts'

const found = faultRow(sizesAsText, judgedFailed('add-workspace/config-fields'))
const missed = faultRow(sizesAsText, judgedFailed())
const falseAlarm = faultRow(sizesAsText, judgedFailed('add-workspace/config-fields', 'add-workspace/creates'))

describe('faultRow', () => {
  it('counts the requests of the cheapest check that found the fault', () => {
    expect(found).toMatchObject({ found: true, blamed: true, problems: [], requests: 4 })
  })

  it('distinguishes a fault that changes no outcome from one that only other checks find', () => {
    expect(missed).toMatchObject({ found: false, problems: ['it changed no outcome at all'] })
    const elsewhere = faultRow(sizesAsText, judgedFailed('add-workspace/creates'))
    expect(elsewhere.problems).toEqual([
      'missed: add-workspace/config-fields',
      'wrongly blamed: add-workspace/creates',
    ])
  })

  it('reports an error of the suite', () => {
    expect(faultRow(sizesAsText, brokenBy('out of order'))).toMatchObject({
      found: false,
      blamed: false,
      problems: ['the suite broke: out of order'],
    })
  })
})

describe('proofsOf', () => {
  it('lists the faults that each requirement found, without advice', () => {
    const proofs = proofsOf([found, missed])
    expect(proofs.find(({ id }) => id === 'add-workspace/config-fields')?.faults).toEqual(['sizes-as-text'])
    expect(proofs.find(({ id }) => id === 'add-workspace/creates')?.faults).toEqual([])
    expect(proofs.some(({ level }) => level === 'advice')).toBe(false)
  })

  it('does not count a false alarm as a proof', () => {
    const proofs = proofsOf([falseAlarm])
    expect(proofs.find(({ id }) => id === 'add-workspace/creates')?.faults).toEqual([])
  })
})

describe('blameOf', () => {
  const fault = {
    breaks: ['add-workspace/creates'],
    mayBreak: ['add-workspace/timestamps'],
  } as const

  it.each<[string, RequirementId[], { missed?: RequirementId[]; wrong?: RequirementId[] }]>([
    ['accepts the finding that the fault must cause', ['add-workspace/creates'], {}],
    ['accepts a finding that it may cause', ['add-workspace/creates', 'add-workspace/timestamps'], {}],
    ['lists missed findings', ['add-workspace/timestamps'], { missed: ['add-workspace/creates'] }],
    [
      'lists false alarms',
      ['add-workspace/creates', 'add-workspace/id-is-new'],
      { wrong: ['add-workspace/id-is-new'] },
    ],
    [
      'counts a warning about advice as a false alarm',
      ['add-workspace/creates', 'protocol/refusal-json'],
      { wrong: ['protocol/refusal-json'] },
    ],
    [
      'ignores lifecycle/consistent, which finds faults by chance',
      ['add-workspace/creates', 'lifecycle/consistent'],
      {},
    ],
  ])('%s', (_, failed, expected) => {
    expect(blameOf(fault, failed)).toEqual({ missed: [], wrong: [], ...expected })
  })
})

const plan = { seed: 1, runs: 1, together: true, products: 1 } as TrialPlan
const byId = new Map(faults.map((fault) => [fault.id, fault]))

/** A run that finds the faults which `sees` chooses. With several faults, `more` fails as well. */
const seen =
  (sees: (fault: Fault) => boolean, more: readonly RequirementId[] = []) =>
  ({ faults: ids = [] }: Alteration): Judged => {
    const shown = ids.map((id) => byId.get(id) as Fault).filter(sees)
    return judgedWith({ failed: [...shown.flatMap(({ breaks }) => breaks), ...(ids.length > 1 ? more : [])] })
  }

/** Tries all faults. Returns their rows and the number of faults in each run. */
async function tried(judge: (alteration: Alteration) => Judged) {
  const sizes: number[] = []
  const trials = faultPart.trials(plan, async (alteration) => {
    sizes.push(alteration.faults?.length ?? 0)
    return judge(alteration)
  })
  const rows = await rowsOf(trials)
  return { rows, sizes }
}

test('apart separates faults if one may break the check that finds another', () => {
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

test('each fault has its own row if shared runs find exactly their faults', async () => {
  const { rows, sizes } = await tried(seen(() => true))
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(byId.keys()))
  expect(rows.filter(({ found, blamed }) => !(found && blamed))).toEqual([])
  expect(sizes.length).toBeLessThan(faults.length / 2)
  for (const { id, failed } of rows) expect(failed).toEqual(byId.get(id)?.breaks)
})

test('if a shared run misses a fault, each of its faults is tried alone', async () => {
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

test('if a shared run has a false alarm, each of its faults is tried alone', async () => {
  const { sizes } = await tried(seen(() => true, ['lifecycle/consistent', 'add-workspace/id-is-new']))
  expect(sizes.filter((size) => size === 1).length).toBeGreaterThan(faults.length / 2)
})

test('tries every Nth product of a rule and a place, and all other faults', () => {
  const namesWith = (products: number) =>
    faultPart.trials({ ...plan, together: false, products }, () => Promise.reject()).map(({ name }) => name)
  const [all, some] = [namesWith(1), namesWith(6)]
  expect(all).toHaveLength(faults.length)
  expect(some).toHaveLength(faults.length - productFaults.length + Math.ceil(productFaults.length / 6))
  expect(all).toEqual(expect.arrayContaining(some))
})
