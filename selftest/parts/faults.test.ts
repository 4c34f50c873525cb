import { describe, expect, it, test } from 'vitest'
import { type Fault, faults, productFaults, readBackFaults } from '../../reference/faults/index.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import type { Judged, Trial } from '../trial.ts'
import { apart, faultPart, situatedFaults, situationPart, wrongWith } from './faults.ts'
import { judgedWith, openCheck } from './judged.fixture.ts'

describe('wrongWith', () => {
  const fault = {
    breaks: ['add-workspace/creates'],
    mayBreak: ['add-workspace/timestamps'],
  } as const

  it.each<[string, RequirementId[], string[]]>([
    ['accepts the finding that the fault must cause', ['add-workspace/creates'], []],
    ['accepts a finding that it may cause', ['add-workspace/creates', 'add-workspace/timestamps'], []],
    ['lists missed findings', ['add-workspace/timestamps'], ['missed: add-workspace/creates']],
    [
      'lists false alarms',
      ['add-workspace/creates', 'add-workspace/id-is-new'],
      ['wrongly blamed: add-workspace/id-is-new'],
    ],
    [
      'ignores lifecycle/consistent, which finds faults by chance',
      ['add-workspace/creates', 'lifecycle/consistent'],
      [],
    ],
  ])('%s', (_, failed, expected) => {
    expect(wrongWith(fault, judgedWith({ failed }))).toEqual(expected)
  })

  it('counts a warning about advice as a false alarm', () => {
    const open = [openCheck('warned', { requirement: 'protocol/refusal-json' })]
    const judged = judgedWith({ failed: ['add-workspace/creates'], open })
    expect(wrongWith(fault, judged)).toEqual(['wrongly blamed: protocol/refusal-json'])
  })
})

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

const trialsWith = (products: number, together: boolean): Trial[] =>
  faultPart.trials({ seed: 1, runs: 1, combinations: 0, situations: 0, together, products })

test('a shared run shows its faults only if it finds exactly them', () => {
  const trials = trialsWith(1, true)
  expect(trials).toHaveLength(faults.length + readBackFaults.length)
  const groups = new Set(trials.map(({ shared }) => shared?.alteration))
  expect(groups.size).toBeLessThan(trials.length / 2)
  const alteration = [...groups].find((each) => (each?.faults ?? []).length > 2)
  const group = trials.filter(({ shared }) => shared?.alteration === alteration)
  const failed = group.flatMap(({ breaks = [] }) => breaks)
  const shows = (changes: Partial<Judged>) => group[0]?.shared?.shows(judgedWith(changes))
  expect(shows({ failed: [...failed, 'lifecycle/consistent'] })).toBe(true)
  expect(shows({ failed: failed.slice(1) })).toBe(false)
  expect(shows({ failed: [...failed, 'profile/user-types-closed'] })).toBe(false)
  expect(shows({ failed, broke: 'out of order' })).toBe(false)
})

test('tries every Nth product of a rule and a place, and all other faults', () => {
  const [all, some] = [1, 6].map((products) => trialsWith(products, false).map(({ name }) => name))
  expect(some).toHaveLength(
    faults.length + readBackFaults.length - productFaults.length + Math.ceil(productFaults.length / 6),
  )
  expect(all).toEqual(expect.arrayContaining(some as string[]))
})

test('situatedFaults draws each combination once, and the same ones for the same seed', () => {
  const all = situatedFaults(1, Number.POSITIVE_INFINITY)
  expect(new Set(all.map(({ fault, situation }) => `${fault.id} ${situation}`)).size).toBe(all.length)
  expect(all.length).toBeGreaterThan(1000)
  expect(situatedFaults(7, 20)).toEqual(situatedFaults(7, 20))
  expect(situatedFaults(7, 20)).not.toEqual(situatedFaults(8, 20))
})

test('a fault is found if one of its requirements failed, and left open if a check is inconclusive', () => {
  const plan = { seed: 1, runs: 1, combinations: 0, situations: 1, together: false, products: 1 }
  const [trial] = situationPart.trials(plan)
  expect(trial?.problemsIn(judgedWith({ failed: [...(trial.breaks ?? [])] }))).toEqual([])
  expect(trial?.problemsIn(judgedWith())).toEqual(['missed'])
  expect(trial?.problemsIn(judgedWith({ open: [openCheck('inconclusive')] }))).toEqual(['left open'])
})
