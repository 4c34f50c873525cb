/** judgePortal on recordings and with scarce fixtures. */
import { describe, expect, it } from 'vitest'
import { judgePortal } from './judge-portal.ts'

const few = { seed: 3, runs: 3 }

it('a recording of a run has the breaches that the run finds', async () => {
  const requirements = ['add-workspace/timestamps', 'reassign-items/*']
  const faults = ['workspace-times-in-seconds', 'error-details-only-first', 'error-details-item-twice']
  const { wrongs, failed } = await judgePortal({ ...few, requirements, faults, recorded: true })
  expect(failed).toEqual(expect.arrayContaining(['add-workspace/timestamps']))
  for (const id of ['add-workspace/timestamps', 'reassign-items/error-details-items'])
    expect(wrongs.join('\n')).toContain(`in recorded traffic: ${id}: `)
})

describe('scarce fixtures', () => {
  const requirements = ['update-task-run/updates']

  it('run out, which checks give as the reason', async () => {
    const { checks } = await judgePortal({ ...few, requirements, scarcity: { pool: 1 } })
    const judged = checks.filter(({ requirement }) => requirement === requirements[0])
    const reasons = judged.flatMap(({ reason }) => reason ?? [])
    expect(reasons.join()).toMatch(/taskRun.*used up/)
  })

  it('fail now and then, which checks give as the reason', async () => {
    const { checks } = await judgePortal({ ...few, scarcity: { failing: 2 }, requirements: ['*/updates'] })
    const reasons = checks.flatMap(({ reason }) => reason ?? [])
    expect(reasons.join()).toContain('out of order, as it is now and then')
  })
})
