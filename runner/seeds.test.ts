import { expect, it } from 'vitest'
import { subSeed } from './seeds.ts'

it('subSeed is a 31-bit number, another one for each part and each seed of a run, and the same each time', () => {
  const parts = ['add-workspace/creates#1', 'add-workspace/creates#2', 'lifecycle/consistent#1']
  const all = () => parts.flatMap((part) => Array.from({ length: 100 }, (_, seed) => subSeed(seed, part)))
  expect(new Set(all()).size).toBe(300)
  expect(all()).toEqual(all())
  expect(all().filter((seed) => seed >>> 31 !== 0)).toEqual([])
})
