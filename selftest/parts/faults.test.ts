import { describe, expect, it, test } from 'vitest'
import type { Fault } from '../../reference/faults/fault.ts'
import { faults, productFaults } from '../../reference/faults/index.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { type Alteration, brokenBy, type Judged } from '../judgement.ts'
import { apart, blameOf, faultPart, faultRow, proofsOf } from './faults.ts'
import { judgedFailed, judgedWith, rowsOf, sizesAsText } from './judged.fixture.ts'
import type { TrialPlan } from './part.ts'

const found = faultRow(sizesAsText, judgedFailed('add-workspace/config-fields'))
const missed = faultRow(sizesAsText, judgedFailed())
const misblamed = faultRow(sizesAsText, judgedFailed('add-workspace/config-fields', 'add-workspace/creates'))

describe('faultRow', () => {
  it('counts the requests of the check that found it most cheaply', () => {
    expect(found).toMatchObject({ found: true, blamed: true, problems: [], requests: 4 })
  })

  it('distinguishes a fault that changes nothing from one that is found elsewhere', () => {
    expect(missed).toMatchObject({ found: false, problems: ['it changed no outcome at all'] })
    const elsewhere = faultRow(sizesAsText, judgedFailed('add-workspace/creates'))
    expect(elsewhere.problems).toEqual([
      'missed: add-workspace/config-fields',
      'wrongly blamed: add-workspace/creates',
    ])
  })

  it('is not content where the suite broke', () => {
    expect(faultRow(sizesAsText, brokenBy('out of order'))).toMatchObject({
      found: false,
      blamed: false,
      problems: ['the suite broke: out of order'],
    })
  })
})

describe('proofsOf', () => {
  it('names the faults that a requirement was found by, and leaves out advice', () => {
    const proofs = proofsOf([found, missed])
    expect(proofs.find(({ id }) => id === 'add-workspace/config-fields')?.faults).toEqual(['sizes-as-text'])
    expect(proofs.find(({ id }) => id === 'add-workspace/creates')?.faults).toEqual([])
    expect(proofs.some(({ level }) => level === 'advice')).toBe(false)
  })

  it('takes no wrong blame for a proof', () => {
    const proofs = proofsOf([misblamed])
    expect(proofs.find(({ id }) => id === 'add-workspace/creates')?.faults).toEqual([])
  })
})

describe('blameOf', () => {
  const fault = {
    breaks: ['add-workspace/creates'],
    mayBreak: ['add-workspace/timestamps'],
  } as const

  it('is content with exactly what the fault breaks, and what it may break', () => {
    expect(blameOf(fault, ['add-workspace/creates'])).toEqual({ missed: [], wrong: [] })
    expect(blameOf(fault, ['add-workspace/creates', 'add-workspace/timestamps'])).toEqual({
      missed: [],
      wrong: [],
    })
  })

  it('names what was missed', () => {
    expect(blameOf(fault, ['add-workspace/timestamps']).missed).toEqual(['add-workspace/creates'])
  })

  it('names what was blamed wrongly', () => {
    expect(blameOf(fault, ['add-workspace/creates', 'add-workspace/id-is-new']).wrong).toEqual([
      'add-workspace/id-is-new',
    ])
  })

  it('counts advice that was warned of as blame', () => {
    expect(blameOf(fault, ['add-workspace/creates', 'protocol/refusal-json']).wrong).toEqual([
      'protocol/refusal-json',
    ])
  })

  it('leaves the model of the portal out: it meets a fault by luck', () => {
    expect(blameOf(fault, ['add-workspace/creates', 'lifecycle/consistent']).wrong).toEqual([])
  })
})

const plan = { seed: 1, runs: 1, together: true, products: 1 } as TrialPlan
const byId = new Map(faults.map((fault) => [fault.id, fault]))

/** What a run finds that sees these faults of those that the portal has, and one requirement more. */
const seen =
  (sees: (fault: Fault) => boolean, more: readonly RequirementId[] = []) =>
  ({ faults: ids = [] }: Alteration): Judged => {
    const its = ids.map((id) => byId.get(id) as Fault).filter(sees)
    return judgedWith({ failed: [...its.flatMap(({ breaks }) => breaks), ...(ids.length > 1 ? more : [])] })
  }

/** Tries all faults, and gives their rows and how many faults each run had. */
async function tried(judge: (alteration: Alteration) => Judged) {
  const sizes: number[] = []
  const trials = faultPart.trials(plan, async (alteration) => {
    sizes.push(alteration.faults?.length ?? 0)
    return judge(alteration)
  })
  const rows = await rowsOf(trials)
  return { rows, sizes }
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

test('looks for every N-th product of a rule and a place, and for all other faults', () => {
  const namesWith = (products: number) =>
    faultPart.trials({ ...plan, together: false, products }, () => Promise.reject()).map(({ name }) => name)
  const [all, some] = [namesWith(1), namesWith(6)]
  expect(all).toHaveLength(faults.length)
  expect(some).toHaveLength(faults.length - productFaults.length + Math.ceil(productFaults.length / 6))
  expect(all).toEqual(expect.arrayContaining(some))
})
