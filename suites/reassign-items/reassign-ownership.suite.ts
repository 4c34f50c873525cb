/** §4.3 After an accepted reassignment by any permitted caller, only the new owner has the items. */
import fc from 'fast-check'
import { isAccepted } from '../../clauses/acceptance.ts'
import { ms } from '../../clauses/syncs.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { type CheckDefinition, suite } from '../../runner/check.ts'
import type { Caller, How } from '../../runner/context/calls.ts'
import { isQuick } from '../../runner/effort.ts'
import { mustBeRefused, Unproven } from '../../runner/findings.ts'
import {
  type Belongings,
  halfOfLimit,
  itemsPerRequest,
  type OwnershipContext,
  oneFolder,
  otherReceiver,
  partOf,
  reassign,
  withStock,
} from './ownership.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

const check = suite(checks, {
  actors: ['contentAdministrator'],
  fixtures: ['items', 'eligibleUser'],
  // It is open when a reassignment shows to others.
  traits: ['timed'],
})

/** The number of items, the sizes of the requests, and whether they name a folder. */
interface Move {
  readonly count: number
  readonly sizes: readonly number[]
  readonly folder: boolean
  /** Whether the owner reassigns them, and not an administrator. */
  readonly byOwner?: boolean
}

const moves: fc.Arbitrary<Move> = fc.integer({ min: 1, max: 9 }).chain((count) =>
  fc.record({
    count: fc.constant(count),
    sizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: count, maxLength: count }),
    folder: fc.constantFrom(true, true, false),
  }),
)

/** Shapes that every run tries. The last one has the most items. */
const examples: readonly Move[] = [
  { count: 1, sizes: [1], folder: false },
  { count: 3, sizes: [2, 1], folder: true },
  { count: itemsPerRequest, sizes: [itemsPerRequest], folder: false },
]

/** The move of a quick run: many items, in two requests, into a folder. */
const dense: Move = {
  count: itemsPerRequest,
  sizes: [itemsPerRequest - 1, 1],
  folder: true,
}

check('reassign-items/ownership-moves', {}, async (context) => {
  const { as, forAll } = context
  const judge = async (move: Move, number: number): Promise<void> => {
    const users = await twoReceivers(context)
    const all = (items: Belongings) => movesAll(context, as.contentAdministrator, items, move, number)
    const own = async () => all(await context.given.items({ owner: 'itemOwner', count: move.count }))
    if (move.count < itemsPerRequest) return own()
    await withStock(context, move.count, async (stock) => {
      if (users.includes(stock.owner)) return void (await own())
      await all(partOf(stock, move.count))
      // With the second, again.
      return { to: users[1], count: move.count }
    })
  }
  await forAll(moves, judge, { cases: 'few', examples, quick: [dense] })
})

for (const actor of ['customAdministrator', 'itemOwner'] as const) {
  check(
    `reassign-items/ownership-moves:${actor}`,
    {
      whereThere: { actors: [actor] },
      title: `What ${actor} gives away is with the new owner only.`,
    },
    async (context) => {
      await mayMoveOn(context)
      for (const [number, folder] of [false, true].entries())
        await movesAll(
          context,
          context.as[actor],
          await context.given.items({ owner: 'itemOwner', count: 2 }),
          { sizes: [2], folder, byOwner: actor === 'itemOwner' },
          number,
        )
    },
  )
}

check(
  'protocol/encoding:item-list',
  {
    operation: 'reassign-items',
    title: 'Commas that are not escaped divide a list of items as escaped ones do.',
  },
  async (context) => {
    const { as, given, control, expect, wait } = context
    const first = await given.receiver()
    const second = await otherReceiver(given, first)
    const give = as.contentAdministrator
    const moved = async (how: How = {}) => {
      const items = await given.items({ owner: 'itemOwner', count: 2 })
      const there = await reassign(give, items, first, {}, how)
      const on = () => reassign(give, { ...items, owner: first }, second)
      return [there, isAccepted(there) ? await wait.retryUntil(on, isAccepted) : there] as const
    }
    const controlled = ([there, onward]: readonly [Answer, Answer], when: string) => {
      control(there, `the control, two items with a comma that is escaped${when},`)
      control(onward, `the same items, given on${when},`, 'reassign-items/ownership-moves')
    }
    controlled(await moved(), '')
    const [there, onward] = await moved({ style: { safe: 'plain' } })
    // If escaped commas are refused as well, the writing of the list is not the reason.
    for (let time = 0; time < 2 && !isAccepted(onward); time += 1) controlled(await moved(), ' after it')
    expect(there).toBeAccepted('two items, with a comma that is not escaped', 'items')
    expect(onward, there).toBeAccepted(
      `items of ${first}, who was given them in a list whose commas were not escaped`,
    )
  },
)

/** Two users who may receive items, the same two throughout a check. */
async function twoReceivers({ given }: OwnershipContext): Promise<readonly [string, string]> {
  const first = await given.receiver()
  return [first, await given.receiver(first)]
}

/** The next moves are made by a caller who may reassign any item, so the caller cannot be the reason for a refusal. */
async function mayMoveOn({ as, given, control }: OwnershipContext): Promise<void> {
  const items = await given.items({ owner: 'itemOwner', count: 1 })
  control(await reassign(as.contentAdministrator, items, await given.receiver()))
}

/** The giver reassigns items to one user; a permitted caller then moves them on, back, and on again. */
async function movesAll(
  context: OwnershipContext,
  giver: Caller,
  { owner, itemIds }: Belongings,
  { sizes, folder, byOwner = false }: Omit<Move, 'count'>,
  number: number,
  patient = false,
): Promise<void> {
  const { given, control, expect, wait } = context
  const [first, second] = await twoReceivers(context)
  const named = number % 2 === 0 ? await oneFolder(given) : `Übernommen ${await oneFolder(given)}`
  let asked = 0
  const move = (by: Caller, owner: string, to: string, itemIds: readonly string[]) => {
    asked += 1
    // A new folder each time. Another requirement is about folders that exist already.
    const into = folder ? { targetFoldername: `${named} ${number}-${asked}` } : {}
    return reassign(by, { owner, itemIds }, to, into)
  }
  const administrator = context.as.contentAdministrator
  const before: Answer[] = []
  const requests = parts(itemIds, sizes)
  for (const part of requests) {
    const answer = await move(giver, owner, first, part)
    control(answer)
    before.push(answer)
  }
  // The former owner may not give them away on the path of the new one, which another requirement says.
  if (byOwner)
    mustBeRefused(await move(giver, first, second, itemIds), 'the former owner gave the items away again')
  // Items that moved a moment ago may still show at their old place.
  if (patient) await wait.settle()
  const formerly = await move(administrator, owner, second, itemIds)
  if (isAccepted(formerly) && !patient) {
    const others = await given.items({ owner: 'itemOwner', count: itemIds.length })
    return movesAll(context, giver, others, { sizes, folder, byOwner }, number, true)
  }
  expect(formerly, ...before).toBeRefused(
    `the items could still be reassigned on the path of ${owner}, who had given them to ${first}`,
  )
  const [last] = itemIds.slice(-1)
  if (itemIds.length > 1)
    expect(await move(administrator, owner, second, [last as string]), ...before).toBeRefused(
      `one of the items could still be reassigned alone on the path of ${owner}, who had given them to ${first}`,
    )
  const on = async (from: string, to: string): Promise<Answer> => {
    const all = await wait.retryUntil(() => move(administrator, from, to, itemIds), isAccepted)
    if (isAccepted(all) || itemIds.length < itemsPerRequest) return all
    // Another requirement says that this many items are accepted at once.
    const first = await move(administrator, from, to, itemIds.slice(0, halfOfLimit))
    return isAccepted(first) ? move(administrator, from, to, itemIds.slice(halfOfLimit)) : all
  }
  const onward = await on(first, second)
  if (byOwner && !isAccepted(onward) && isAccepted(await move(administrator, second, first, itemIds)))
    throw new Unproven('the request of the former owner was refused, but the items moved', [onward])
  expect(onward, ...before).toBeAccepted(
    `items of ${first}, after ${owner} gave them there in ${requests.length} requests`,
  )
  const back = await on(second, first)
  expect(back, onward).toBeAccepted(`items of ${second}, given back to ${first}, who had given them there`)
  const again = await on(first, second)
  expect(again, back).toBeAccepted(`items of ${first}, given to ${second} a second time`)
  // One late look suffices, because the wait is long.
  if (number > 0 || context.situation() !== 'plain' || isQuick(context.configuration.run)) return
  const waitMs = Math.max(context.configuration.run.settleMs, wait.laterMs)
  await wait.for(waitMs)
  if (giver === administrator)
    for (const former of [owner, first].filter((each) => each !== second))
      expect(await wait.untilAccepted(() => move(administrator, former, second, itemIds)), again).toBeRefused(
        `the items could still be reassigned on the path of ${former}, ${ms(waitMs)} after they left`,
      )
  expect(await on(second, first), again).toBeAccepted(
    `items of ${second}, ${ms(waitMs)} after they came there`,
  )
}

/** Splits the ids into groups of these sizes. */
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
