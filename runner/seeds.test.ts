import { expect, it } from 'vitest'
import { subSeed } from './seeds.ts'

it('subSeed differs for each part and each seed of a run', () => {
  const seeds = new Set<number>()
  for (let seed = 0; seed < 100; seed += 1) {
    for (const part of ['add-workspace/creates#1', 'add-workspace/creates#2', 'lifecycle/consistent#1']) {
      seeds.add(subSeed(seed, part))
    }
  }
  expect(seeds.size).toBe(300)
})

it('subSeed returns 31-bit numbers, the same each time', () => {
  expect(subSeed(7, 'x')).toBe(subSeed(7, 'x'))
  for (let seed = 0; seed < 1000; seed += 1) expect(subSeed(seed, 'x') >>> 31).toBe(0)
})
