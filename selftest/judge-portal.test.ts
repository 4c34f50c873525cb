/** What judging says beside outcomes: of recordings, of faults that show now and then, of scarce fixtures. */
import { describe, expect, it } from 'vitest'
import { judgePortal } from './judge-portal.ts'
import { powerFaults } from './parts/power.ts'

const few = { seed: 3, runs: 3 }

it('the embedded portal passes every check, advice included', async () => {
  const { checks } = await judgePortal({ seed: 13, runs: 10 })
  expect(checks.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
})

describe('a recording of a run', () => {
  const requirements = ['add-workspace/timestamps', 'reassign-items/*']

  it('is not blamed where the portal keeps the contract', async () => {
    const { breaches, failed } = await judgePortal({ ...few, requirements, recorded: true })
    expect([breaches, failed]).toEqual([[], []])
  })

  it('is blamed for what the run blames', async () => {
    const faults = ['workspace-times-in-seconds', 'error-details-only-first', 'error-details-item-twice']
    const { breaches, failed } = await judgePortal({ ...few, requirements, faults, recorded: true })
    expect(failed).toEqual(expect.arrayContaining(['add-workspace/timestamps']))
    expect(breaches.map(({ requirement }) => requirement)).toEqual(
      expect.arrayContaining(['add-workspace/timestamps', 'reassign-items/error-details-items']),
    )
  })
})

describe('a fault that shows now and then', () => {
  const judged = (oneIn: number) =>
    judgePortal({
      ...few,
      sometimes: { fault: 'run-ids-swapped', when: oneIn },
      requirements: ['update-task-run/identifiers'],
    })

  it('does not show where it never does, and it is known how often it could', async () => {
    const { failed, looks, requests } = await judged(0)
    expect(failed).toEqual([])
    expect(looks).toBeGreaterThan(0)
    expect(looks).toBeLessThanOrEqual(requests)
  })

  it('shows where it always does', async () => {
    expect((await judged(1)).failed).toEqual(['update-task-run/identifiers'])
  })

  it.each(powerFaults.map(({ id, breaks }) => [id, breaks] as const))(
    'is found in its own check: %s',
    async (fault, breaks) => {
      const { failed, looks } = await judgePortal({
        ...few,
        sometimes: { fault, when: 1 },
        requirements: [breaks],
      })
      expect(failed).toEqual([breaks])
      expect(looks).toBeGreaterThan(0)
    },
  )
})

describe('scarce fixtures', () => {
  const requirements = ['update-task-run/updates']

  it('are handed out and no more', async () => {
    const { checks } = await judgePortal({ ...few, requirements, scarcity: { pool: 1 } })
    const judged = checks.filter(({ requirement }) => requirement === requirements[0])
    const reasons = judged.flatMap(({ reason }) => reason ?? [])
    expect(reasons.join()).toMatch(/taskRun.*used up/)
  })

  it('are there for some requests and not for others', async () => {
    const { checks } = await judgePortal({ ...few, scarcity: { failing: 2 }, requirements: ['*/updates'] })
    const reasons = checks.flatMap(({ reason }) => reason ?? [])
    expect(reasons.join()).toContain('out of order, as it is now and then')
  })
})
