import { describe, expect, it } from 'vitest'
import { administrationVariants } from '../reference/variants/administration.ts'
import { administered, alwaysUntested, twoLogins } from './administered.ts'
import { judgeAdministered } from './judge-administered.ts'
import { administrationRow } from './rows.ts'

/** A check of each operation, and a reason that only another operation's fixtures can have. */
const strangers = [
  ['reassign-items/reassigns', 'no fixture "taskRun": there is no owner of tasks'],
  ['update-federation/updates', 'no fixture "taskRun": no scheduled task ran within 2 s'],
  ['update-task-run/updates', 'no fixture "workspace": updatePortalGroupLink answered HTTP 200'],
  ['add-workspace/creates', 'no fixture "scheduledSync": update answered HTTP 200 with error code 400'],
  ['lifecycle/consistent', 'no fixture "items": no actor itemOwner could own items'],
  ['delete-collaboration/deletes', 'nothing was made'],
] as const

describe('what a deployment with logins may leave untested', () => {
  it.each(administrationVariants.filter(({ may }) => may?.['not-tested'] !== undefined))(
    'has the reason of its fixtures: $id',
    ({ id, sentence, may }) => {
      const untested = may?.['not-tested']
      if (untested === undefined) throw new Error('nothing may be untested')
      expect(untested.requirements).not.toContain('**')
      const open = strangers.map(([requirement, why]) => ({
        ...{ id: requirement, requirement, outcome: 'not-tested', requests: 0, why },
      }))
      const judged = {
        open,
        passed: 0,
        failed: [],
        breaches: [],
        requests: 0,
        looks: 0,
        left: [],
        durationMs: 0,
      }
      expect(administrationRow({ id, sentence }, [untested], judged).problems).toHaveLength(strangers.length)
    },
  )

  it.each([
    // Of each operation one check that needs the fixture which is not made, and one that does not.
    [
      'guests-never-hear',
      ['sync-workspace/one-at-a-time', 'add-workspace/creates', 'update-participant/updates'],
      ['sync-workspace/one-at-a-time'],
    ],
    [
      'schedules-begin-ahead',
      ['sync-workspace/one-at-a-time', 'sync-workspace/starts', 'sync-workspace/unknown-workspace'],
      ['sync-workspace/one-at-a-time'],
    ],
    [
      'files-by-get',
      [
        'add-workspace/creates',
        'sync-workspace/starts',
        'update-federation/updates',
        'reassign-items/reassigns',
      ],
      ['add-workspace/creates', 'sync-workspace/starts'],
    ],
  ])('is no more than its fixtures: %s', async (id, requirements, expected) => {
    const untested = administered.find((each) => each.id === id)?.untested
    if (untested === undefined) throw new Error('nothing may be untested')
    const judged = await judgeAdministered({ variants: [id], requirements, seed: 5, runs: 1 }, twoLogins)
    const chosen = judged.checks.filter(({ requirement }) => requirements.includes(requirement))
    const open = chosen.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'not-applicable')
    expect([...new Set(open.map(({ requirement }) => requirement))]).toEqual(expected)
    const all = open.map((check) => ({ ...check, why: check.reason ?? '' }))
    const row = administrationRow({ id, sentence: '' }, [alwaysUntested, untested], {
      ...{ ...judged, open: all, passed: chosen.length - open.length },
    })
    expect(row.problems).toEqual([])
  })
})
