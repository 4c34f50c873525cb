/** §4.3 Reassign items: the answer, and what becomes of the items. Parameters, roles and errors have files of their own. */
import fc from 'fast-check'
import type { Answer } from '../target/http/exchange.ts'
import { suite } from './check.ts'
import { Unproven } from './findings.ts'
import { acceptance, describe } from './judging/acceptance.ts'
import { observeItemLists } from './observing/parameters.ts'
import { expectStillWith, itemsPerRequest } from './ownership.ts'
import { together } from './races.ts'
import { anotherReceiver, oneReceiver } from './receivers.ts'

const check = suite({
  operation: 'reassign-items',
  actors: ['contentAdministrator'],
  fixtures: ['items', 'eligibleUser'],
})

/** Stand-ins for what only fixtures can give. */
const fixed = { items: ['stand-in'], targetUsername: 'stand-in' }
const itemId = (path: string): boolean => path === 'itemId'

check('reassign-items/reassigns', {}, async (context) => {
  const { as, given, forAll, expect } = context
  await forAll(
    given.requests('reassign-items', { fixed, leaveOut: 'nothing' }),
    async (request) => {
      const { owner, itemIds } = await given.items({ owner: 'itemOwner', count: 2 })
      const username = await oneReceiver({ given })
      const real = { ...request, items: itemIds, targetUsername: username }
      const answer = await as.contentAdministrator('reassign-items', { userName: owner }, real)
      expect(answer).toBeAccepted()
      expect(answer).toMatch('reassign-items.response', itemId)
    },
    { share: 0.3, least: 4 },
  )
  await context.aside(() => observeItemLists(context))
})

check('reassign-items/ownership-moves', {}, async ({ as, given, forAll, control, expect }) => {
  const splits = fc
    .integer({ min: 1, max: 9 })
    .chain((count) =>
      fc.tuple(
        fc.constant(count),
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: count, maxLength: count }),
      ),
    )
  await forAll(
    splits,
    async ([count, sizes]) => {
      const { owner, itemIds } = await given.items({ owner: 'itemOwner', count })
      const [first, second] = [await oneReceiver({ given }), await anotherReceiver({ given })]
      const move = (from: string, to: string, items: readonly string[]) =>
        as.contentAdministrator('reassign-items', { userName: from }, { items, targetUsername: to })
      let last: Answer | undefined
      for (const part of parts(itemIds, sizes)) {
        last = await move(owner, first, part)
        control(last)
      }
      const before = last === undefined ? [] : [last]
      const again = await move(owner, second, itemIds)
      expect(again, ...before).toBeRefused(
        () => `the items were given away for ${owner}, who had given them to ${first}`,
      )
      const onward = await move(first, second, itemIds)
      expect(onward, ...before).toBeAccepted(
        `items of ${first}, after ${owner} gave them there in ${parts(itemIds, sizes).length} requests`,
      )
    },
    { share: 0.3, least: 4 },
  )
})

/** The ids in groups of these sizes, until none is left. */
function parts(ids: readonly string[], sizes: readonly number[]): string[][] {
  const groups: string[][] = []
  let at = 0
  for (const size of sizes) {
    if (at >= ids.length) break
    groups.push(ids.slice(at, at + size))
    at += size
  }
  return groups
}

check('reassign-items/unknown-target', {}, async (context) => {
  const { as, given, forAll, expect, unknownLike } = context
  await forAll(
    given.requests('reassign-items', { fixed }),
    async (request) => {
      const items = await given.items({ owner: 'itemOwner', count: 1 })
      const username = await oneReceiver({ given })
      const probe = { ...request, items: items.itemIds, targetUsername: unknownLike(username) }
      const answer = await as.contentAdministrator('reassign-items', { userName: items.owner }, probe)
      expect(answer).toBeRefused(() => 'the items were given to a user who does not exist')
      await expectStillWith(context, items, undefined, answer)
    },
    { share: 0.1, least: 2 },
  )
})

check('reassign-items/not-their-item', { actors: ['itemOwner'] }, async (context) => {
  const { as, given, forAll, expect } = context
  await forAll(
    fc.constantFrom('contentAdministrator' as const, 'itemOwner' as const),
    async (caller) => {
      const own = await given.items({ owner: 'itemOwner', count: 1 })
      const foreign = await given.items({ owner: 'itemOwnerUnprivileged', count: 1 })
      const username = await oneReceiver({ given })
      const probe = { items: foreign.itemIds, targetUsername: username }
      const answer = await as[caller]('reassign-items', { userName: own.owner }, probe)
      expect(answer).toBeRefused(
        () => `an item of ${foreign.owner} was given away under the path of ${own.owner}`,
      )
      await expectStillWith(context, foreign, username, answer)
    },
    { share: 0.05, least: 4 },
  )
})

check('reassign-items/concurrent-one-wins', { overlapping: true }, async ({ as, given, forAll, expect }) => {
  let decided = 0
  await forAll(
    fc.integer({ min: 1, max: 3 }),
    async (count) => {
      const { owner, itemIds } = await given.items({ owner: 'itemOwner', count })
      const targets = [await oneReceiver({ given }), await anotherReceiver({ given })]
      const answers = await together(
        targets.map((username) => (gate) => {
          const request = { items: itemIds, targetUsername: username }
          return as.contentAdministrator('reassign-items', { userName: owner }, request, { gate })
        }),
      )
      const accepted = answers.filter((answer) => acceptance(answer).accepted)
      decided += accepted.length
      const last = answers.at(-1) as (typeof answers)[number]
      expect(last, ...answers).toShow(
        accepted.length <= 1,
        'two simultaneous reassignments of one item were both accepted',
        {
          expected: 'at most one accepted',
          actual: answers.map((answer, at) => `to ${targets[at]}: ${describe(answer)}`).join('; '),
        },
      )
    },
    { share: 0.2, least: 8, width: 1 },
  )
  if (decided === 0)
    throw new Unproven(`in no race of two reassignments of up to ${itemsPerRequest} items was one accepted`)
})
