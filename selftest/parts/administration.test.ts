import { describe, expect, it } from 'vitest'
import { administrationVariants } from '../../reference/variants/administration.ts'
import { judgeAdministered } from '../judge-administered.ts'
import { twoLogins } from '../trial.ts'
import { administered, wrongWhereAdministered } from './administration.ts'
import { judgedWith, openCheck } from './judged.fixture.ts'

/** A check of each operation, with a reason that only fixtures of another operation can have. */
const wrongReasons = [
  ['reassign-items/reassigns', 'no fixture "taskRun": there is no owner of tasks'],
  ['update-federation/updates', 'no fixture "taskRun": no scheduled task ran within 2 s'],
  ['update-task-run/updates', 'no fixture "workspace": updatePortalGroupLink answered HTTP 200'],
  ['add-workspace/creates', 'no fixture "scheduledSync": update answered HTTP 200 with error code 400'],
  ['lifecycle/consistent', 'no fixture "items": no actor itemOwner could own items'],
  ['delete-collaboration/deletes', 'nothing was made'],
] as const

describe('checks that a deployment with logins may leave untested', () => {
  const excused = administrationVariants.flatMap(({ id, may }) => {
    const untested = may?.['not-tested']
    return untested === undefined ? [] : [[id, untested] as const]
  })

  it.each(excused)('need a reason about their own fixtures: %s', (_, untested) => {
    expect(untested.requirements).not.toContain('**')
    const open = wrongReasons.map(([requirement, why]) =>
      openCheck('not-tested', { id: requirement, requirement, why }),
    )
    expect(wrongWhereAdministered([untested], judgedWith({ open }))).toHaveLength(wrongReasons.length)
  })

  it.each([
    // Checks that need the missing fixture, and checks that do not.
    [
      'guests-never-hear',
      ['sync-workspace/one-at-a-time', 'add-workspace/creates', 'update-participant/updates'],
      ['sync-workspace/one-at-a-time'],
    ],
  ])('are only those that need the missing fixtures: %s', async (id, requirements, expected) => {
    const deployment = administered.find((each) => each.id === id)
    if (deployment === undefined) throw new Error(`no deployment ${id}`)
    const judged = await judgeAdministered({ variants: [id], requirements, seed: 5, runs: 1 }, twoLogins)
    const chosen = judged.checks.filter(({ requirement }) => requirements.includes(requirement))
    const open = chosen.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'not-applicable')
    expect([...new Set(open.map(({ requirement }) => requirement))]).toEqual(expected)
    const all = open.map((check) => ({ ...check, why: check.reason ?? '' }))
    expect(wrongWhereAdministered(deployment.untested ?? [], { ...judged, open: all })).toEqual([])
  })
})
