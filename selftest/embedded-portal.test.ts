import { expect, it } from 'vitest'
import { judgePortal } from './judge-portal.ts'

/** The self-test judges every fault and every variant, alone and beside others. */
it('the embedded portal passes every check, advice included', async () => {
  const { checks } = await judgePortal({ seed: 13, runs: 10 })
  expect(checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
})
