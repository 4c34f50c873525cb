import { expect, it } from 'vitest'
import { judgedWith, openCheck } from './judged.fixture.ts'
import { situatedFaults, situationPart } from './situations.ts'

it('situatedFaults draws each combination once, and the same ones for the same seed', () => {
  const all = situatedFaults(1, Number.POSITIVE_INFINITY)
  expect(new Set(all.map(({ fault, situation }) => `${fault.id} ${situation}`)).size).toBe(all.length)
  expect(all.length).toBeGreaterThan(1000)
  expect(situatedFaults(7, 20)).toEqual(situatedFaults(7, 20))
  expect(situatedFaults(7, 20)).not.toEqual(situatedFaults(8, 20))
})

it('a fault is found if one of its requirements failed, and left open if a check is inconclusive', () => {
  const plan = { seed: 1, runs: 1, combinations: 0, situations: 1, together: false, products: 1 }
  const [trial] = situationPart.trials(plan)
  expect(trial?.problemsIn(judgedWith({ failed: [...(trial.breaks ?? [])] }))).toEqual([])
  expect(trial?.problemsIn(judgedWith())).toEqual(['missed'])
  expect(trial?.problemsIn(judgedWith({ open: [openCheck('inconclusive')] }))).toEqual(['left open'])
})
