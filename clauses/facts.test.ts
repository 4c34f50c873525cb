import { expect, it } from 'vitest'
import type { Actor } from '../deployment/configuration/configuration.ts'
import { isOfOneThing, Knowledge, usersElsewhere } from './facts.ts'

const of = (portal: Actor['portal'], username: string, alsoOfHost?: boolean): Actor => ({
  credential: 'any',
  portal,
  username,
  ...(alsoOfHost === undefined ? {} : { alsoOfHost }),
})

it.each([
  ['a user of a guest', [of('guest', 'jane_doe')], ['jane_doe']],
  ['each name once', [of('guest', 'jane_doe'), of('otherGuest', 'jane_doe')], ['jane_doe']],
  ['no user of the host', [of('host', 'jane_doe')], []],
  ['no name that a user of the host has, too', [of('host', 'Jane_Doe'), of('guest', 'jane_doe')], []],
  ['no name that many portals have', [of('guest', 'portaladmin')], []],
  [
    'no name that many portals have, in any notation',
    ['admin', 'Site_Admin2', 'gis.administrator', 'test'].map((name) => of('guest', name)),
    [],
  ],
  [
    'names that only resemble those',
    ['gadmin', 'padmin', 'guest_admin', 'admin@guest.example'].map((name) => of('guest', name)),
    ['gadmin', 'padmin', 'guest_admin', 'admin@guest.example'],
  ],
  ['such a name where the host says that it has none', [of('guest', 'portaladmin', false)], ['portaladmin']],
  ['no name that the host says it has', [of('guest', 'jane_doe', true)], []],
])('targets of another organization: %s', (_, actors, targets) => {
  const named = Object.fromEntries(actors.map((actor, at) => [`actor${at}`, actor]))
  expect(usersElsewhere(named)).toEqual(targets)
})

it('takes no id for made up that a fixture or a new workspace comes to have', () => {
  const knowledge = new Knowledge({ run: { clockToleranceMs: 0, settleMs: 0 } })
  for (const id of ['17', '18']) knowledge.madeUp(id)
  knowledge.handedOut('group', { groupId: '17' })
  expect(['17', '18', '19'].map((id) => knowledge.isMadeUp(id))).toEqual([false, true, false])
})

it('takes no count, time or word for the id of one thing', () => {
  const no = ['7', 'run-0012', '2026-11-25T02:00:00Z', '20261125020000', '1795572113358', 'latest-run']
  const ids = ['0f3a5b7c9d1e4f60', 'run-5b1c9e', 'kxqwzjrtplmvbnhg', '0195e3d2-7c3a-7f00-8000-0000a1b2c3d4']
  expect([...no, ...ids].filter(isOfOneThing)).toEqual(ids)
})

it('knows no task of a run whose id another task has as well', () => {
  const knowledge = new Knowledge({ run: { clockToleranceMs: 0, settleMs: 0 } })
  const run = (taskId: string) => ({ userName: 'ann', taskId, runId: 'run-5b1c9e' })
  knowledge.handedOut('taskRun', run('t1'))
  expect(knowledge.taskOf('run-5b1c9e')).toEqual(run('t1'))
  for (const taskId of ['t2', 't2']) knowledge.handedOut('taskRun', run(taskId))
  expect(knowledge.taskOf('run-5b1c9e')).toBeUndefined()
})
