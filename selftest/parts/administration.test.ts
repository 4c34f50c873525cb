import { describe, expect, it } from 'vitest'
import { administrationVariants } from '../../reference/variants/administration.ts'
import { judgeAdministered } from '../judge-administered.ts'
import { administered, administrationRow, twoLogins } from './administration.ts'
import { judgedWith, openCheck } from './judged.fixture.ts'

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
      const open = strangers.map(([requirement, why]) =>
        openCheck('not-tested', { id: requirement, requirement, why }),
      )
      const { problems } = administrationRow(
        { id, sentence, untested: [untested] },
        judgedWith({ open, left: [] }),
      )
      expect(problems).toHaveLength(strangers.length)
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
    const deployment = administered.find((each) => each.id === id)
    if (deployment === undefined) throw new Error(`no deployment ${id}`)
    const judged = await judgeAdministered({ variants: [id], requirements, seed: 5, runs: 1 }, twoLogins)
    const chosen = judged.checks.filter(({ requirement }) => requirements.includes(requirement))
    const open = chosen.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'not-applicable')
    expect([...new Set(open.map(({ requirement }) => requirement))]).toEqual(expected)
    const all = open.map((check) => ({ ...check, why: check.reason ?? '' }))
    const row = administrationRow(deployment, { ...judged, open: all })
    expect(row.problems).toEqual([])
  })
})

/** Outcomes of checks of these requirements, each once. */
async function outcomesWith(variant: string, requirements: readonly string[]) {
  const judged = await judgeAdministered({ variants: [variant], requirements, seed: 5, runs: 1 }, twoLogins)
  expect(judged.left).toEqual([])
  const chosen = judged.checks.filter(({ requirement }) => requirements.includes(requirement))
  return Object.fromEntries(chosen.map(({ id, outcome }) => [id, outcome]))
}

describe('a deployment whose guests', () => {
  it('link nothing still shows that collaborations are deleted', async () => {
    const outcomes = await outcomesWith('guests-link-nothing', ['delete-collaboration/deletes'])
    expect(outcomes).toMatchObject({
      'delete-collaboration/deletes': 'passed',
      'delete-collaboration/deletes:in-use': 'passed',
    })
    expect(Object.values(outcomes)).not.toContain('not-tested')
  })
})
