import { expect, it } from 'vitest'
import { type Lacking, whatToAdd } from './what-to-add.ts'

const creates = 'add-workspace/creates'
const guest = 'add-workspace/refuses-guest'
const member = 'add-workspace/refuses-non-administrator'
const updates = 'update-task-run/updates'
const form = 'protocol/form-post'

const group = 'fixtures.group'
const guestActor = 'actors.guestAdministrator'

type Step = readonly [add: string, checks: number, requirements: readonly string[]]

it.each<[string, Lacking[], Step[]]>([
  ['nothing if everything is judged', [], []],
  ['nothing if nothing can be added', [{ requirement: creates }, { requirement: guest, add: [] }], []],
  [
    'first what enables the most checks',
    [
      { requirement: guest, add: [guestActor] },
      { requirement: creates, add: [group] },
      { requirement: form, add: [group] },
    ],
    [
      [group, 2, [creates, form]],
      [guestActor, 1, [guest]],
    ],
  ],
  [
    'each requirement once, and the number of its checks',
    [
      { requirement: form, add: [group] },
      { requirement: form, add: [group] },
    ],
    [[group, 2, [form]]],
  ],
  [
    'together what helps only together, in any order',
    [
      { requirement: updates, add: ['actors.taskOwner', 'fixtures.taskRun'] },
      { requirement: form, add: ['fixtures.taskRun', 'actors.taskOwner'] },
    ],
    [['actors.taskOwner + fixtures.taskRun', 2, [updates, form]]],
  ],
  [
    'in later steps nothing that earlier steps added',
    [
      { requirement: creates, add: [group] },
      { requirement: guest, add: [group, guestActor] },
      { requirement: member, add: ['actors.hostMember', group, guestActor] },
    ],
    [
      [group, 1, [creates]],
      [guestActor, 1, [guest]],
      ['actors.hostMember', 1, [member]],
    ],
  ],
])('whatToAdd lists %s', (_, lacking, steps) => {
  const added = whatToAdd(lacking)
  expect(added.map(({ add, checks, requirements }) => [add.join(' + '), checks, requirements])).toEqual(steps)
})

it('whatToAdd does not begin with one check that needs everything', () => {
  const [first] = whatToAdd([
    { requirement: form, add: ['a', 'b', 'c', 'd'] },
    { requirement: creates, add: ['a'] },
    { requirement: guest, add: ['b'] },
  ])
  expect(first?.add).toEqual(['a'])
})
