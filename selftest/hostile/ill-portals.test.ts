import { beforeAll, describe, expect, it } from 'vitest'
import { operationIds } from '../../specs/operations.ts'
import { judgePortal, type PortalJudgement } from '../judge-portal.ts'
import { illnesses, illPortals, problemsOfIll } from './ill-portals.ts'

const thoroughness = { seed: 3, runs: 5 }

/** One of each illness, and the rates; `npm run try-ill-portals` tries all. */
const sample = [
  ['sync-workspace', 'error', 3],
  ['add-workspace', 'page', 2],
  ['update-participant', 'silence', 2],
  ['delete-collaboration', 'closed', 3],
  ['reassign-items', 'error', 10],
] as const

/** Another test beside this one may take the time. */
const tookTooLong = /^took /

describe('a portal with one flaky operation', () => {
  let healthy: PortalJudgement
  beforeAll(async () => {
    healthy = await judgePortal(thoroughness)
  })

  it.each(sample)(
    '%s, %s, 1 in %i: no other operation fails, with under three times the requests',
    async (...of) => {
      const [operation, illness, oneIn] = of
      const ill = { operation, illness, oneIn }
      const judged = await judgePortal({ ill, ...thoroughness })
      expect(problemsOfIll(ill, judged, healthy).filter((problem) => !tookTooLong.test(problem))).toEqual([])
      expect(judged.requests).toBeLessThan(3 * healthy.requests)
    },
  )
})

it('illPortals has every illness of every operation at three rates', () => {
  expect(illPortals).toHaveLength(operationIds.length * illnesses.length * 3)
})
