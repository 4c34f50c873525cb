import { describe, expect, it } from 'vitest'
import { administrationVariants } from '../../reference/variants/administration.ts'
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

  it('may have such a reason for the missing fixtures', () => {
    const deployment = administered.find(({ id }) => id === 'guests-never-hear')
    const requirement = 'sync-workspace/one-at-a-time'
    const why = 'no fixture "workspace": updatePortalGroupLink answered HTTP 200'
    const open = [openCheck('not-tested', { id: requirement, requirement, why })]
    expect(wrongWhereAdministered(deployment?.untested ?? [], judgedWith({ open }))).toEqual([])
    expect(wrongWhereAdministered([], judgedWith({ open }))).toHaveLength(1)
  })
})
