/** §7 The error of a reassignment to a user who may not receive the items. */
import fc from 'fast-check'
import { isAccepted } from '../../clauses/acceptance.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { type CheckDefinition, suite } from '../../runner/check.ts'
import type { Caller } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import { isQuick, looks } from '../../runner/effort.ts'
import { mustBeRefused, repeatedAmong } from '../../runner/findings.ts'
import {
  type Belongings,
  type Moved,
  oneFolder,
  partOf,
  reassign,
  withItems,
  withStock,
} from './ownership.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

const check = suite(checks, {
  actors: ['contentAdministrator'],
  fixtures: ['items', 'eligibleUser', 'ineligibleUser'],
})

type ErrorContext = CheckContext<'contentAdministrator', 'items' | 'eligibleUser' | 'ineligibleUser'>

/** Control: the caller may reassign items of that owner, so only the target can be the reason for the refusals. */
async function callerMayReassign(context: ErrorContext): Promise<Answer> {
  const target = context.target('reassign-items')
  await target.controlled()
  // The probes come with and without a folder.
  return (await target.controlled('targetFoldername')).answer
}

/** Sends a request that is valid except that the target may not receive items. Every second one names a folder. */
async function refusal(
  { as, given }: ErrorContext,
  items: Belongings,
  by: Caller = as.contentAdministrator,
  to?: { readonly username: string },
): Promise<{ readonly answer: Answer; readonly folder: { readonly targetFoldername?: string } }> {
  const { username } = to ?? (await given.ineligibleUser())
  const folder = items.itemIds.length % 2 === 0 ? { targetFoldername: await oneFolder(given) } : {}
  return { answer: await reassign(by, items, username, folder), folder }
}

/** Provokes the error with items that all checks share, because refused requests leave them as they are. */
async function refusalOfStock(
  context: ErrorContext,
  count: number,
  judge: (refused: Answer) => void,
): Promise<void> {
  // First, because the stock would be lost to other checks if there is no such user.
  const target = await context.given.ineligibleUser()
  await withStock(context, count, async (stock) => {
    const { answer } = await refusal(context, partOf(stock, count), undefined, target)
    mustBeRefused(answer, 'the reassignment was not refused, so there is no error to judge')
    judge(answer)
    return undefined
  })
}

/** One item, several, and just below the limit. Another check judges the limit itself. */
const counts = fc.oneof(fc.constantFrom(1, 2, 3, 99), fc.integer({ min: 1, max: 99 }))
const quick = [12] as const
const some = { cases: 'some', examples: [1, 2, 99], quick } as const
const oneAndTwo = { most: 0, examples: [1, 2], quick } as const

/** Expects code 403. The same items then go to an eligible user, so only the target was the reason. */
async function refusedFor403(context: ErrorContext, items: Belongings, by: Caller): Promise<Moved> {
  const { given, control, expect } = context
  const { answer, folder } = await refusal(context, items, by)
  expect(answer).toBeRefused('items were given to a user who cannot receive them', 'targetUsername')
  const username = await given.receiver(items.owner)
  const accepted = await reassign(by, items, username, folder)
  control(accepted, 'the control, the same items to an eligible user,')
  expect(answer, accepted).toKeep('reassign-items/ineligible-target')
  return { to: username, count: items.itemIds.length }
}

check('reassign-items/ineligible-target', {}, async (context) => {
  await callerMayReassign(context)
  const by = context.as.contentAdministrator
  const judge = (items: Belongings) => refusedFor403(context, items, by)
  await context.forAll(counts, (count) => withItems(context, count, judge), some)
})

for (const actor of ['customAdministrator', 'itemOwner'] as const) {
  const title = `The target must be eligible also where ${actor} gives the items away.`
  check(
    `reassign-items/ineligible-target:${actor}`,
    { whereThere: { actors: [actor] }, title },
    async (context) => {
      const by = context.as[actor]
      const items = await context.given.items({ owner: 'itemOwner', count: 1 })
      context.control(await reassign(by, items, await context.given.receiver()))
      await context.inSituations(async () => {
        for (const count of [1, 2])
          await refusedFor403(context, await context.given.items({ owner: 'itemOwner', count }), by)
      }, 4)
    },
  )
}

/** The parts of the error, and the numbers of items to try each with. */
for (const [id, asked] of [
  ['reassign-items/error-shape', some],
  ['reassign-items/error-details-fields', some],
  ['reassign-items/error-details-items', some],
  ['reassign-items/error-details-owner', some],
  ['reassign-items/error-alone', oneAndTwo],
  ['reassign-items/error-details-url', oneAndTwo],
  ['reassign-items/error-message-code', oneAndTwo],
] as const) {
  check(id, {}, async (context) => {
    const before = await callerMayReassign(context)
    await context.forAll(
      counts,
      (count) => refusalOfStock(context, count, (refused) => context.expect(refused, before).toKeep(id)),
      asked,
    )
  })
}

/** A user who can receive some of an owner's items. The first of these goes to him, as the control. */
async function partlyReceivable({
  as,
  given,
  control,
}: CheckContext<'contentAdministrator', 'partlyReceivable'>) {
  const { owner, username, receivable, notReceivable } = await given.partlyReceivable()
  const [first, ...others] = receivable as [string, ...string[]]
  const give = (itemIds: readonly string[]) => reassign(as.contentAdministrator, { owner, itemIds }, username)
  const before = await give([first])
  control(before, 'the control, an item that can be received,')
  return { give, before, others, notReceivable, username }
}

const whereSomeAre = { whereThere: { fixtures: ['partlyReceivable'] } } as const

check(
  'reassign-items/error-details-items:partly-receivable',
  {
    ...whereSomeAre,
    title: 'If a user can receive some of the items, details names only the others.',
  },
  async (context) => {
    await context.inSituations(async () => {
      const { give, before, others, notReceivable } = await partlyReceivable(context)
      const [missing, ...more] = notReceivable
      const answer = await give([missing as string, ...others, ...more])
      mustBeRefused(answer, 'the reassignment was not refused, so there is no error to judge')
      context.expect(answer, before).toKeep('reassign-items/error-details-items')
    }, 3)
  },
)

check(
  'reassign-items/ineligible-target:partly-receivable',
  {
    ...whereSomeAre,
    title: 'The target must be eligible for each item, also behind others that he can receive.',
  },
  async (context) => {
    const { give, before, others, notReceivable } = await partlyReceivable(context)
    const expected = context.expect(await give([...others, ...notReceivable]), before)
    expected.toBeRefused('items were given to a user who cannot receive them', 'items')
    expected.toKeep('reassign-items/ineligible-target')
  },
)

check(
  'reassign-items/error-details-owner:after-a-move',
  { title: 'owner is the current owner of an item that has had another one before.' },
  async (context) => {
    const { as, given, control, expect, wait } = context
    const { owner, itemIds } = await given.items({ owner: 'itemOwner', count: 2 })
    const username = await given.receiver()
    const { answer: before } = await refusal(context, { owner, itemIds })
    const move = await reassign(as.contentAdministrator, { owner, itemIds }, username)
    control(move, 'the move', 'reassign-items/ineligible-target-keeps-owner')
    const refused = async () => (await refusal(context, { owner: username, itemIds })).answer
    const names = (answer: Answer) => expect(answer, before, move).keeps('reassign-items/error-details-owner')
    // A reassignment may show late.
    if (names(await wait.retryUntil(refused, names))) return
    await context.wait.settle()
    expect(await refused(), before, move).toKeep('reassign-items/error-details-owner')
  },
)

check(
  'reassign-items/ineligible-target-keeps-owner:partly-receivable',
  {
    ...whereSomeAre,
    title: 'After a refusal for some of the items, all but these can be given to the same user.',
  },
  async (context) => {
    const { as, given, expect, wait } = context
    const { give, before, others, notReceivable, username } = await partlyReceivable(context)
    const refused = await give([...others, ...notReceivable])
    mustBeRefused(refused, 'the reassignment was not refused, so there is nothing to judge')
    const receiver = await given.receiver(username)
    const onward = await wait.retryUntil(async () => {
      const still = await give(others)
      if (isAccepted(still)) return still
      // Whether the items that he can receive moved already is open.
      const moved = await reassign(as.contentAdministrator, { owner: username, itemIds: others }, receiver)
      return isAccepted(moved) ? moved : still
    }, isAccepted)
    expect(onward, refused, before).toBeAccepted(
      'the items that the user can receive, after a refusal for these and others',
      'items',
    )
  },
)

/** Many items are used up, so quick runs try few. */
const fewOrMany = (run: { readonly runs: number }): number[] => (isQuick(run) ? [1, 2] : [1, 2, 99])

const keepsOwner = { actors: ['itemOwner'], traits: ['patient'] } as const

check('reassign-items/ineligible-target-keeps-owner', keepsOwner, async (context) => {
  await callerMayReassign(context)
  const { as, given, forAll, control, expect, wait } = context
  await forAll(
    counts,
    async (count, number) => {
      const items = await given.items({ owner: 'itemOwner', count })
      const { answer } = await refusal(context, items)
      mustBeRefused(answer, 'the reassignment was not refused, so there is nothing to judge')
      // A refused request must not take effect later either. One look suffices, because the wait is long.
      if (number === 0 && context.situation() === 'plain') await wait.later()
      const username = await given.receiver()
      const give = (items: Belongings) => reassign(as.itemOwner, items, username)
      let onward = await give(items)
      // Only something that the refusal left behind can be the reason, not the number of items or the caller.
      if (!isAccepted(onward) && repeatedAmong([onward]) === undefined) {
        const others = await give(await given.items({ owner: 'itemOwner', count }))
        control(others, 'the same number of other items of that owner', 'reassign-items/items-limit-accepts')
        onward = await wait.untilAccepted(() => give(items), looks.some)
      }
      expect(onward, answer).toBeAccepted(
        'the owner gives the items to an eligible user, after the refusal for another',
      )
    },
    { ...some, examples: fewOrMany(context.configuration.run) },
  )
})
