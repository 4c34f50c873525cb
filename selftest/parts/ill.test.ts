import { beforeAll, describe, expect, it } from 'vitest'
import { judgePortal, type PortalJudgement } from '../judge-portal.ts'
import { illPart, illRow } from './ill.ts'
import { judgedWith, openCheck } from './judged.fixture.ts'

const thoroughness = { seed: 3, runs: 5 }

/** One of each illness, and the rates. `selftest --part ill` tries all. */
const sample = [
  ['sync-workspace', 'error', 3],
  ['add-workspace', 'page', 2],
  ['update-participant', 'silence', 2],
  ['delete-collaboration', 'closed', 3],
  ['reassign-items', 'error', 10],
] as const

/** Bounds of time are checked where nothing else runs. */
const elsewhere = /^took /

describe('a portal with one flaky operation', () => {
  let healthy: PortalJudgement
  beforeAll(async () => {
    healthy = await judgePortal(thoroughness)
  })

  it.each(sample)(
    '%s, %s, 1 in %i: nothing else is blamed, and not much more is sent',
    async (operation, illness, oneIn) => {
      const id = `${operation}-${illness}`
      const judged = await judgePortal({ sometimes: { fault: id, when: oneIn }, ...thoroughness })
      const { problems } = illRow({ id, oneIn, operation }, judged, healthy)
      expect(problems.filter((problem) => !elsewhere.test(problem))).toEqual([])
      expect(judged.requests).toBeLessThan(3 * healthy.requests)
    },
  )
})

describe('illRow', () => {
  const ill = { id: 'sync-workspace-error', oneIn: 2, operation: 'sync-workspace' }
  const healthy = judgedWith({ results: 3 })
  const failed = (operation: string) => openCheck('failed', { operation })

  it.each([
    ['a finding in another operation', { open: [failed('add-workspace')] }, 'failed: x: because'],
    ['a missing result', { results: 2 }, '1 checks have no result'],
    ['a run that takes long', { durationMs: 20_000 }, 'took 9.5 times as long as with a healthy portal'],
  ])('%s is a problem', (_, found, problem) => {
    expect(illRow(ill, judgedWith({ results: 3, ...found }), healthy).problems).toEqual([problem])
  })

  it('a finding in the ill operation is none', () => {
    const judged = judgedWith({ results: 3, open: [failed('sync-workspace')] })
    expect(illRow(ill, judged, healthy).problems).toEqual([])
  })
})

it('every operation falls ill in four ways, at three rates', () => {
  const plan = { seed: 1, runs: 1 } as Parameters<typeof illPart.trials>[0]
  expect(illPart.trials(plan, () => Promise.reject(new Error('not run')))).toHaveLength(7 * 4 * 3)
})
