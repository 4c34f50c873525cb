import { describe, expect, it } from 'vitest'
import { type Lacking, whatToAdd } from './what-to-add.ts'

const creates = 'add-workspace/creates'
const guest = 'add-workspace/refuses-guest'
const member = 'add-workspace/refuses-non-administrator'
const updates = 'update-task-run/updates'
const form = 'protocol/form-post'

const stepsOf = (...lacking: Lacking[]) =>
  whatToAdd(lacking).map(({ add, checks, requirements }) => [add.join(' + '), checks, requirements])

describe('whatToAdd', () => {
  it('is nothing where all is judged, or where nothing can be added', () => {
    expect(whatToAdd([])).toEqual([])
    expect(whatToAdd([{ requirement: creates }, { requirement: guest, add: [] }])).toEqual([])
  })

  it('names first what opens most', () => {
    expect(
      stepsOf(
        { requirement: guest, add: ['actors.guestAdministrator'] },
        { requirement: creates, add: ['fixtures.group'] },
        { requirement: form, add: ['fixtures.group'] },
      ),
    ).toEqual([
      ['fixtures.group', 2, [creates, form]],
      ['actors.guestAdministrator', 1, [guest]],
    ])
  })

  it('counts requirements once, and checks each', () => {
    expect(
      stepsOf({ requirement: form, add: ['fixtures.group'] }, { requirement: form, add: ['fixtures.group'] }),
    ).toEqual([['fixtures.group', 2, [form]]])
  })

  it('keeps together what is of no use alone, whatever the order in which checks name it', () => {
    expect(
      stepsOf(
        { requirement: updates, add: ['actors.taskOwner', 'fixtures.taskRun'] },
        { requirement: form, add: ['fixtures.taskRun', 'actors.taskOwner'] },
      ),
    ).toEqual([['actors.taskOwner + fixtures.taskRun', 2, [updates, form]]])
  })

  it('leaves out of later steps what was added by earlier ones', () => {
    expect(
      stepsOf(
        { requirement: creates, add: ['fixtures.group'] },
        { requirement: guest, add: ['fixtures.group', 'actors.guestAdministrator'] },
        { requirement: member, add: ['actors.hostMember', 'fixtures.group', 'actors.guestAdministrator'] },
      ),
    ).toEqual([
      ['fixtures.group', 1, [creates]],
      ['actors.guestAdministrator', 1, [guest]],
      ['actors.hostMember', 1, [member]],
    ])
  })

  it('does not put one check that needs everything before all others', () => {
    const [first] = stepsOf(
      { requirement: form, add: ['a', 'b', 'c', 'd'] },
      { requirement: creates, add: ['a'] },
      { requirement: guest, add: ['b'] },
    )
    expect(first?.[0]).toBe('a')
  })
})
