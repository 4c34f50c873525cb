import { expect, test } from 'vitest'
import { FixtureNotOffered, type FixtureOptions } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Session } from '../session.ts'
import { givenFor } from './given.ts'

/** Items of whom the provider has any, and whether the check acts as their owner. */
function itemsOf(offered: string, actsAsOwner: boolean) {
  const session = {
    configuration: { contract: {}, run: { seed: 1 } },
    obtain: async (_kind: string, { owner, count }: FixtureOptions['items']) => {
      if (owner !== offered) throw new FixtureNotOffered('items', `none of ${owner}`)
      return { owner, itemIds: Array.from({ length: count }, (_, at) => `${owner}-${at}`) }
    },
  } as unknown as Session
  const attempt = { name: 'check', kinds: ['items'], actsAsOwner } as unknown as Parameters<
    typeof givenFor
  >[1]
  return givenFor(session, { ...attempt, patient: () => false }).items
}

test('an administrator gives away the items of another owner where the first has none', async () => {
  expect(await itemsOf('itemOwnerUnprivileged', false)({ owner: 'itemOwner', count: 2 })).toEqual({
    owner: 'itemOwnerUnprivileged',
    itemIds: ['itemOwnerUnprivileged-0', 'itemOwnerUnprivileged-1'],
  })
})

test.each([
  ['the check acts as their owner', 'itemOwnerUnprivileged', true, 'itemOwner'],
  ['nobody has any', 'nobody', false, 'itemOwner'],
  ['it asks for those of one who lacks the privilege', 'itemOwner', false, 'itemOwnerUnprivileged'],
] as const)('and not where %s', async (_, offered, actsAsOwner, owner) => {
  await expect(itemsOf(offered, actsAsOwner)({ owner, count: 1 })).rejects.toThrow(`none of ${owner}`)
})
