import { describe, expect, it } from 'vitest'
import { judgedWith, openCheck } from './judged.fixture.ts'
import { poolRow } from './pools.ts'

describe('on a conformant portal', () => {
  const open = (outcome: string, requirement: string, why: string) =>
    judgedWith({ open: [openCheck(outcome, { requirement, why })] })

  it.each([
    ['allows a check that is not tested for a reason', 'not-tested', 'used up', 0],
    ['reports a check that is not tested without a reason', 'not-tested', '', 1],
    ['reports a failed check', 'failed', 'refused', 1],
  ])('poolRow %s', (_, outcome, why, problems) => {
    expect(poolRow('p', 'few', open(outcome, 'add-workspace/creates', why)).problems).toHaveLength(problems)
  })
})
