import { describe, expect, it } from 'vitest'
import { judgedWith, openCheck } from './judged.fixture.ts'
import { poolRow, seedRow } from './pools-and-seeds.ts'

describe('a conformant portal', () => {
  const open = (outcome: string, requirement: string, why = 'because') =>
    judgedWith({ open: [openCheck(outcome, { requirement, why })] })

  it('may be left open, with a reason, where fixtures are scarce', () => {
    expect(poolRow('p', 'few', open('not-tested', 'add-workspace/creates')).problems).toEqual([])
    expect(poolRow('p', 'few', open('not-tested', 'add-workspace/creates', '')).problems).toHaveLength(1)
    expect(poolRow('p', 'few', open('failed', 'add-workspace/creates')).problems).toHaveLength(1)
  })

  it('must be found conformant by every seed; advice and what does not apply do not count', () => {
    expect(seedRow('p', 1, open('inconclusive', 'add-workspace/creates')).problems).toHaveLength(1)
    expect(seedRow('p', 1, open('inconclusive', 'protocol/refusal-json')).problems).toEqual([])
    expect(seedRow('p', 1, open('not-applicable', 'add-workspace/creates')).problems).toEqual([])
  })
})
