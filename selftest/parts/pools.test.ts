import { expect, it } from 'vitest'
import { judgedWith, openCheck } from './judged.fixture.ts'
import { wrongWithScarceFixtures } from './pools.ts'

it.each([
  ['allows a check that is not tested for a reason', 'not-tested', 'used up', 0],
  ['reports a check that is not tested without a reason', 'not-tested', '', 1],
  ['reports a failed check', 'failed', 'refused', 1],
])('wrongWithScarceFixtures %s', (_, outcome, why, problems) => {
  expect(wrongWithScarceFixtures(judgedWith({ open: [openCheck(outcome, { why })] }))).toHaveLength(problems)
})
