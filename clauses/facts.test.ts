import { expect, it } from 'vitest'
import type { Actor } from '../deployment/configuration/configuration.ts'
import { Knowledge, usersElsewhere } from './facts.ts'

const of = (portal: Actor['portal'], username: string, alsoOfHost?: boolean): Actor => ({
  ...{ credential: 'any', portal, username },
  ...(alsoOfHost === undefined ? {} : { alsoOfHost }),
})

it.each([
  ['a user of a guest', [of('guest', 'jane_doe')], ['jane_doe']],
  ['each name once', [of('guest', 'jane_doe'), of('otherGuest', 'jane_doe')], ['jane_doe']],
  ['no user of the host', [of('host', 'jane_doe')], []],
  ['no name that a user of the host has, too', [of('host', 'Jane_Doe'), of('guest', 'jane_doe')], []],
  ['no name that many portals have', [of('guest', 'portaladmin')], []],
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
