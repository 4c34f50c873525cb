import { describe, expect, it } from 'vitest'
import { planOf } from '../../reporters/results.fixture.ts'
import { declaredChecks } from '../../suites/declared-checks.ts'
import { addedToListed, counts, requestsOfRun, roughly, workspacesOfRun } from './run-estimate.ts'

const { runs: countedRuns, requestsOfChecks } = counts

const runsOf = (runs: number, maxRequests?: number) => ({
  run: {
    runs,
    ...(maxRequests === undefined ? {} : { maxRequests }),
  },
})
describe('requestsOfRun', () => {
  const kept = planOf('add-workspace/name-kept')
  const counted = requestsOfChecks['add-workspace/name-kept'] as readonly number[]

  it('returns the counted requests, and interpolates linearly between and beyond them', () => {
    expect(countedRuns.map((runs) => requestsOfRun([kept], runsOf(runs)))).toEqual(counted)
    const [at25 = 0, at100 = 0, at400 = 0] = counted.slice(-3)
    expect(requestsOfRun([kept], runsOf(40))).toBe(Math.round(at25 + ((at100 - at25) * 15) / 75))
    expect(requestsOfRun([kept], runsOf(1000))).toBe(Math.round(at400 + ((at400 - at100) * 600) / 300))
  })

  it('omits checks that are not tested, and stays within the request budget', () => {
    const left = planOf('add-workspace/creates', { outcome: 'not-tested', reason: 'no group' })
    expect(requestsOfRun([left], runsOf(25))).toBe(0)
    expect(requestsOfRun([left, kept], runsOf(25))).toBe(counted[2])
    expect(requestsOfRun([kept, kept], runsOf(60, 70))).toBe(70)
  })

  it('has counts only for checks of the suite', async () => {
    const ids = (await declaredChecks())
      .filter(({ profile }) => profile === undefined)
      .map(({ id }) => id as string)
    expect(Object.keys(requestsOfChecks).filter((id) => !ids.includes(id))).toEqual([])
  })
})

describe('roughly', () => {
  it.each([
    [10, '1 s'],
    [42_300, '42 s'],
    [99_700, '2 min'],
    [60 * 60_000, '60 min'],
    [3 * 3_600_000, '3.0 h'],
  ])('%i ms is %s', (ms, words) => expect(roughly(ms)).toBe(words))
})

describe('workspaces added to listed collaborations', async () => {
  const all = (await declaredChecks()).map(({ id, operations }) => ({
    ...planOf(id),
    operations,
  }))
  const listing = (count: number) =>
    ({
      ...runsOf(25),
      effects: ['add-workspace'],
      fixtures: {
        static: {
          group: [{ groupId: 'g' }],
          collaboration: Array.from({ length: count }, (_, at) => ({ collaborationId: `c${at}` })),
        },
      },
    }) as never

  it('are announced with the limit that the run keeps', () => {
    expect(workspacesOfRun(all, 25)).toBe((counts.workspacesOfWholeRun as readonly number[]).at(-3))
    expect(addedToListed(all, listing(1))).toBe(
      'at most 1,036 workspaces are added to 1 listed collaboration: about 498, and more if findings are repeated',
    )
    expect(addedToListed(all, listing(0))).toBeUndefined()
  })

  it('are fewer if fewer checks are selected, and none if no check adds any', () => {
    const left = { outcome: 'not-tested', reason: 'not selected for this run' } as const
    const selected = all.map((plan) =>
      plan.id === 'add-workspace/name-kept' ? plan : { ...plan, without: left },
    )
    const some = workspacesOfRun(selected, 25)
    expect(some).toBeGreaterThan(5)
    expect(some).toBeLessThan(60)
    expect(addedToListed([planOf('update-task-run/updates')], listing(1))).toBeUndefined()
  })
})
