/** §4.3 and §8 Parameters of a reassignment: required, optional, and the limit of items. */
import fc from 'fast-check'
import { isAccepted, isMalformed } from '../../clauses/acceptance.ts'
import type { ContractRequirementId } from '../../clauses/catalogue.ts'
import { ifOffered } from '../../deployment/fixtures/fixture-kinds.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { beyondItemLimit, withinItemLimit } from '../../runner/cases/requests.ts'
import { markOf, uniqueName } from '../../runner/cases/unique-name.ts'
import { type CheckDefinition, suite } from '../../runner/check.ts'
import type { Caller, RequestFields } from '../../runner/context/calls.ts'
import { isThorough } from '../../runner/effort.ts'
import { repeatedAmong } from '../../runner/findings.ts'
import { type Limit, limitsOf, requestSchema } from '../../schemas/catalogue.ts'
import {
  type Belongings,
  expectStillWith,
  type Moved,
  type OwnershipContext,
  oneFolder,
  reassign,
  withItems,
} from './ownership.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

const check = suite(checks, { actors: ['contentAdministrator'], fixtures: ['items', 'eligibleUser'] })
const itemLimit = limitsOf(requestSchema('reassign-items')).find(({ field }) => field === 'items') as Limit

type Required = 'items' | 'targetUsername'

/** Expects a request without that parameter to be refused, beside the same request with it. */
async function refusesWithout(
  context: OwnershipContext,
  [id, field]: readonly [ContractRequirementId, Required],
  by: Caller,
  further: RequestFields = {},
): Promise<void> {
  const { given, control, expect } = context
  const targetUsername = await given.receiver()
  const items = await given.items({ owner: 'itemOwner', count: 1 })
  const whole = { ...further, items: items.itemIds, targetUsername }
  const { [field]: _, ...without } = whole
  const probe = await by('reassign-items', { userName: items.owner }, without)
  expect(probe).keeps(id)
  const after = await by('reassign-items', { userName: items.owner }, whole)
  // A control that is refused may be the probe's doing. One that was sent twice, or is malformed, was performed.
  if (!isAccepted(after) && !isMalformed(after) && repeatedAmong([after]) === undefined)
    await expectStillWith(context, items, undefined, probe)
  control(after, `the control, the same request with ${field},`, id)
  expect(probe, after).toKeep(id)
}

for (const required of [
  ['reassign-items/items-required', 'items'],
  ['reassign-items/target-required', 'targetUsername'],
] as const) {
  const [id, field] = required
  check(id, {}, async (context) => {
    const folder = await oneFolder(context.given)
    await context.forAll(
      fc.boolean(),
      (isNamed, number) => {
        const further = isNamed ? { targetFoldername: `${folder} ${number}` } : {}
        return refusesWithout(context, required, context.as.contentAdministrator, further)
      },
      { cases: 'few', examples: [false, true] },
    )
  })

  for (const [ending, actor, who] of [
    ['by-owner', 'itemOwner', 'an owner'],
    ['by-custom-administrator', 'customAdministrator', 'a custom administrator'],
  ] as const)
    check(
      `${id}:${ending}`,
      { whereThere: { actors: [actor] }, title: `Without ${field} the request of ${who} is refused.` },
      (context) => refusesWithout(context, required, context.as[actor]),
    )
}

const longFolder = 'Received of the task that was given away in spring'

check('reassign-items/folder-created', {}, async (context) => {
  const { as, given, forAll, expect, configuration } = context
  const existing = 'that exists now'
  /** A folder may be filled from several owners. */
  const itemFor = async (ofAnother: boolean): Promise<Belongings> => {
    const isKnown = configuration.actors.itemOwnerUnprivileged?.credential !== undefined
    const items = () => given.items({ owner: 'itemOwner', count: 1 })
    if (!ofAnother || !isKnown) return items()
    return (await ifOffered(given.items({ owner: 'itemOwnerUnprivileged', count: 1 }))) ?? items()
  }
  let folders = 0
  // Names that are also valid file names, because a target may refuse others.
  const names = [`The city's 受領 принято ${longFolder}`, 'Übernommen', 'Roads v1.2 - final', '2024']
  await forAll(
    fc.constant('a folder'),
    async (_, number) => {
      const name = names[number % names.length] as string
      folders += 1
      const one = await given.receiver()
      const other = await given.receiverBeside(one)
      const mark = `${given.runId} ${folders}`
      const folder = /^\d+$/.test(name) ? uniqueName(name, markOf(mark, name)) : `${name} ${mark}`
      for (const [username, time, targetFoldername = folder] of [
        [one, 'that does not exist yet'],
        [one, existing],
        number === 0
          ? [one, 'that differs from another in case', folder.toUpperCase()]
          : [other, 'a folder name that another user has, too'],
      ] as const) {
        const items = await itemFor(number % 2 === 1 && time === existing)
        const answer = await reassign(as.contentAdministrator, items, username, { targetFoldername })
        expect(answer).toBeAccepted(`with a folder ${time}: ${targetFoldername}`, 'targetFoldername')
      }
    },
    { cases: 'some' },
  )
})

check('reassign-items/items-limit-accepts', {}, async (context) => {
  const { as, given, forAll, expect } = context
  const give = async (items: Belongings, named: boolean): Promise<Moved> => {
    const username = await given.receiver(items.owner)
    const folder = named ? { targetFoldername: await oneFolder(given) } : {}
    expect(await reassign(as.contentAdministrator, items, username, folder)).toBeAccepted(
      `${items.itemIds.length} items${named ? ' and a folder' : ''}`,
      itemLimit.field,
    )
    return { to: username, count: items.itemIds.length }
  }
  // The limit is the same with a folder.
  const { most } = itemLimit
  await forAll(
    fc.record({ count: withinItemLimit(itemLimit), named: fc.boolean() }),
    ({ count, named }) => withItems(context, count, (items) => give(items, named)),
    {
      cases: 'few',
      examples: [
        { count: most, named: false },
        { count: most - 1, named: false },
        { count: most, named: true },
        { count: 1, named: true },
      ],
      quick: [true, false].map((named) => ({ count: most, named })),
    },
  )
})

/** Numbers far beyond the limit need many items. */
const farBeyond = (run: { readonly runs: number }): number[] => (isThorough(run) ? [75, 99] : [12, 99])

check('reassign-items/items-limit-rejects', {}, async (context) => {
  const { as, given, forAll, expect, configuration } = context
  const refuses = async (items: Belongings): Promise<Moved> => {
    const count = items.itemIds.length
    const username = await given.receiver(items.owner)
    // One item beyond the limit without a folder, two with one: the limit holds for both.
    const folder = count % 2 === 0 ? { targetFoldername: await oneFolder(given) } : {}
    const probe = await reassign(as.contentAdministrator, items, username, folder)
    expect(probe).toBeRefused(`${count} items were accepted in one request`, itemLimit.field)
    return expectStillWith(context, items, username, probe)
  }
  await forAll(beyondItemLimit(itemLimit), (count) => withItems(context, count, refuses), {
    cases: 'few',
    examples: [1, 2, ...farBeyond(configuration.run)].map((more) => itemLimit.most + more),
    quick: [itemLimit.most + 1],
  })
})

const tooMany = itemLimit.most + 1

/** Uses items of itemOwner, one more than the limit. Both checks share them, because each moves only two. */
const withTooMany = ({ given }: OwnershipContext, use: (items: Belongings) => Promise<void>): Promise<void> =>
  given.inTurn<{ owner: string; itemIds: readonly string[] }, void>(
    'items beyond the limit',
    (alone) => given.items({ owner: 'itemOwner', count: alone ? tooMany : tooMany + 2 }),
    async (all) => {
      await use({ owner: all.owner, itemIds: all.itemIds.slice(0, tooMany) })
      all.itemIds = all.itemIds.slice(2)
    },
    { most: 1 },
  )

/** Others who may reassign keep the limit as well. */
for (const actor of ['customAdministrator', 'itemOwner'] as const) {
  check(
    `reassign-items/items-limit-rejects:${actor}`,
    {
      whereThere: { actors: [actor] },
      title: `The limit holds for ${actor}, and what it refuses does not happen later.`,
      traits: ['patient'],
    },
    (context) =>
      withTooMany(context, async (items) => {
        const { as, given, expect, inSituations } = context
        const username = await given.receiver()
        let probe: Answer | undefined
        await inSituations(async () => {
          probe = await reassign(as[actor], items, username)
          expect(probe).toBeRefused(`${tooMany} items were accepted in one request`, itemLimit.field)
        })
        await context.wait.later()
        const firstTwo = { ...items, itemIds: items.itemIds.slice(0, 2) }
        await expectStillWith(context, firstTwo, username, probe as Answer)
      }),
  )

  check(
    `reassign-items/items-limit-accepts:${actor}`,
    {
      whereThere: { actors: [actor] },
      title: `${itemLimit.most} items in one request are accepted from ${actor}.`,
    },
    async (context) => {
      const { as, given, control, expect } = context
      const give = async (items: Belongings): Promise<Moved> => {
        const username = await given.receiver(items.owner)
        const answer = await reassign(as[actor], items, username)
        // Only the number can be the reason.
        if (!isAccepted(answer))
          control(await reassign(as[actor], { ...items, itemIds: items.itemIds.slice(0, 1) }, username))
        expect(answer).toBeAccepted(`${items.itemIds.length} items`, itemLimit.field)
        return { to: username, count: items.itemIds.length }
      }
      // The stock is soon another user's.
      if (actor === 'itemOwner') await give(await given.items({ owner: actor, count: itemLimit.most }))
      else await withItems(context, itemLimit.most, give)
    },
  )
}
