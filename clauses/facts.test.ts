/** What judges know beside an exchange, and for how long. */
import { describe, expect, it } from 'vitest'
import type { Actor } from '../deployment/configuration/configuration.ts'
import { answerOf } from '../runner/answers.fixture.ts'
import { wrongInPath } from './callers.ts'
import { judges } from './catalogue.ts'
import { addingWith, deleted, entryOf, exchangeOfEntry, type Said, sync } from './exchange.fixture.ts'
import { isOfOneThing, Knowledge, usersElsewhere } from './facts.ts'
import { mostExchanges, Recent } from './recent.ts'

const knowing = (): Knowledge => new Knowledge({ run: { clockToleranceMs: 0, settleMs: 0 } })

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
  [
    'no name that many portals have, in any notation',
    ['portaladmin', 'admin', 'Site_Admin2', 'gis.administrator', 'test'].map((name) => of('guest', name)),
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

describe('Knowledge', () => {
  it('takes no id for made up that a fixture or a new workspace comes to have', () => {
    const knowledge = knowing()
    for (const id of ['17', '18']) knowledge.madeUp(id)
    knowledge.handedOut('group', { groupId: '17' })
    expect(['17', '18', '19'].map((id) => knowledge.isMadeUp(id))).toEqual([false, true, false])
  })

  it('takes no count, time or word for the id of one thing', () => {
    const no = ['7', 'run-0012', '2026-11-25T02:00:00Z', '20261125020000', '1795572113358', 'latest-run']
    const ids = ['0f3a5b7c9d1e4f60', 'run-5b1c9e', 'kxqwzjrtplmvbnhg', '0195e3d2-7c3a-7f00-8000-0000a1b2c3d4']
    expect([...no, ...ids].filter(isOfOneThing)).toEqual(ids)
  })

  it('has no task of a run whose id another task has as well', () => {
    const knowledge = knowing()
    const run = (taskId: string) => ({ userName: 'ann', taskId, runId: 'run-5b1c9e' })
    knowledge.handedOut('taskRun', run('t1'))
    expect(knowledge.taskOf('run-5b1c9e')).toEqual(run('t1'))
    for (const taskId of ['t2', 't2']) knowledge.handedOut('taskRun', run(taskId))
    expect(knowledge.taskOf('run-5b1c9e')).toBeUndefined()
  })

  const elsewhere = { collaborationId: 'c2', workspaceId: 'w1', minimumSyncMs: 0 }
  const exchangeOf = (said: Said) => exchangeOfEntry(entryOf(said))

  it.each<[string, (knowledge: Knowledge) => unknown, string | undefined]>([
    ['nothing', () => undefined, undefined],
    [
      'a workspace of another collaboration',
      (knowledge) => knowledge.handedOut('workspace', elsewhere),
      'its workspaceID is known to belong to something else than its path says',
    ],
    ['a made-up id', (knowledge) => knowledge.madeUp('w1'), 'its path holds an id that was made up'],
    [
      'a collaboration that was deleted before',
      async (knowledge) => knowledge.came(await exchangeOf(deleted(0))),
      'its collaboration had been deleted before',
    ],
  ])('finds %s in a path', async (_, comesToKnow, wrong) => {
    const knowledge = knowing()
    await comesToKnow(knowledge)
    expect(wrongInPath(await exchangeOf(sync({ success: true })), knowledge)).toBe(wrong)
  })
})

describe('Recent', () => {
  it('forgets first what was set longest ago, and what is set again is new', () => {
    const recent = new Recent<number>(2)
    recent.set('a', 1).set('b', 2).set('a', 3).set('c', 4)
    expect([...recent]).toEqual([
      ['a', 3],
      ['c', 4],
    ])
  })

  it('keeps ids longer than answers: an id that is given again is seen long after the answer is forgotten', () => {
    const look = judges['add-workspace/id-is-new']?.begin()
    const facts = knowing()
    const add = (name: string, id: string) => {
      const answer = answerOf({ success: true, workspace: { id, name } })
      return look?.(addingWith(answer, [['collaborationWorkspaceName', name]]), facts)
    }
    for (let at = 0; at <= mostExchanges; at += 1) add(`name ${at}`, `w${at}`)
    expect(add('name 0', 'w0')).toBeUndefined()
    const found = add('another', 'w0')
    expect(found).toMatchObject({ message: 'a new workspace has the id of an earlier one' })
    expect(found).not.toHaveProperty('before')
    expect(add('another', `w${mostExchanges}`)).toHaveProperty('before')
  })
})
