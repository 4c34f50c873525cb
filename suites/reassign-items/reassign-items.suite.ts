/** §4.3 Reassign items: the answer, and what happens to the items. Parameters, roles and errors have files of their own. */
import fc from 'fast-check'
import { isAccepted } from '../../clauses/acceptance.ts'
import { usersElsewhere } from '../../clauses/facts.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { type CheckDefinition, suite } from '../../runner/check.ts'
import type { Caller, How } from '../../runner/context/calls.ts'
import { inTurn, isQuick } from '../../runner/effort.ts'
import { NotTested, Unproven } from '../../runner/findings.ts'
import { standIns } from '../../runner/operation-targets.ts'
import { expectNotWith, expectStillWith, type OwnershipContext, oneFolder, reassign } from './ownership.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

const check = suite(checks, { actors: ['contentAdministrator'], fixtures: ['items', 'eligibleUser'] })

check('reassign-items/reassigns', {}, async (context) => {
  const { as, given, forAll, expect } = context
  await forAll(
    given.requests('reassign-items', { fixed: standIns, leaveOut: 'nothing' }),
    async ({ targetFoldername, ...request }) => {
      const username = await given.receiver()
      for (const [count, folder] of [
        [2, { targetFoldername }],
        [1, {}],
      ] as const) {
        const { owner, itemIds } = await given.items({ owner: 'itemOwner', count })
        const real = { ...request, ...folder, items: itemIds, targetUsername: username }
        const answer = await as.contentAdministrator('reassign-items', { userName: owner }, real)
        // Another requirement says that a request without a folder is accepted.
        if (count > 1) expect(answer).toBeAccepted()
        expect(answer).toKeep('reassign-items/reassigns')
      }
    },
    { cases: 'few' },
  )
  await context.openPoints.aside(() => observeItemLists(context))
})

/** Observes open points: an id twice in a list, and spaces around commas. */
async function observeItemLists({ as, given, openPoints }: OwnershipContext): Promise<void> {
  const targetUsername = await given.receiver()
  const fateOf = async (write: (ids: readonly string[]) => string): Promise<string> => {
    const { owner, itemIds } = await given.items({ owner: 'itemOwner', count: 2 })
    const request = { items: write(itemIds), targetUsername }
    const answer = await as.contentAdministrator('reassign-items', { userName: owner }, request)
    return isAccepted(answer) ? 'accepted' : 'refused'
  }
  openPoints.observe(
    'duplicate-items',
    `an id that occurs twice: ${await fateOf(([one]) => `${one},${one}`)}`,
  )
  openPoints.observe('spaces-in-items', `a space after the comma: ${await fateOf((ids) => ids.join(', '))}`)
}

/** Expects the reassignment of an item to that user to be refused, and the item to stay. */
async function refusesTarget(
  context: OwnershipContext,
  by: Caller,
  targetUsername: string,
  { folder, did }: { readonly folder: boolean; readonly did: string },
): Promise<void> {
  const { given, expect } = context
  const items = await given.items({ owner: 'itemOwner', count: 1 })
  const named = folder ? { targetFoldername: await oneFolder(given) } : {}
  const answer = await reassign(by, items, targetUsername, named)
  expect(answer).toBeRefused(`items were given to ${targetUsername}, ${did}`, 'targetUsername')
  await expectStillWith(context, items, undefined, answer)
}

/** The callers who may reassign items, with the end of the check id for each but the first. */
const givers = [
  ['contentAdministrator', ''],
  ['customAdministrator', ':customAdministrator'],
  ['itemOwner', ':itemOwner'],
] as const

for (const [giver, ending] of givers) {
  const isFirst = ending === ''
  const among = isFirst ? {} : { most: 1 }
  const titled = (text: string) => (isFirst ? {} : { title: `${text}, also where ${giver} asks.` })

  check(
    `reassign-items/unknown-target${ending}`,
    {
      whereThere: { actors: isFirst ? [] : [giver] },
      ...titled('A target user who does not exist is refused, and nothing moves'),
    },
    async (context) => {
      const { ids, receiver } = context.given
      const known = await receiver()
      const similar = ids.namesLike(known)
      // A username that is cut at a dot is unknown, too.
      const cut = isFirst ? [`${known}.${ids.unknownLike('no-one')}`] : []
      const names = [ids.unknownLike(known), ...similar.slice(0, isFirst ? 5 : 1), ...cut]
      await context.forAll(
        fc.constantFrom(...names, ...similar),
        (name, number) =>
          refusesTarget(context, context.as[giver], name, {
            folder: number % 2 === 1,
            did: 'a user who does not exist',
          }),
        { cases: 'few', ...among, examples: names, quick: [...similar.slice(-2), ...cut] },
      )
    },
  )

  check(
    `reassign-items/unknown-item${ending}`,
    {
      whereThere: { actors: isFirst ? [] : [giver] },
      ...titled('An unknown item id is refused, and nothing moves'),
    },
    async (context) => {
      const { as, given, forAll, expect, configuration } = context
      await forAll(
        fc.record({ count: fc.integer({ min: 1, max: 3 }), folder: fc.boolean() }),
        async ({ count, folder }, number) => {
          const items = await given.items({ owner: 'itemOwner', count })
          const [first = '', ...rest] = items.itemIds
          const resembling = [given.ids.nobodysLike(first), ...given.ids.partlyResembling(first)]
          // A quick run has one case and begins with the last two, which find most.
          let tried = isQuick(configuration.run) ? resembling.length - 2 : number * 2
          const next = () => inTurn(resembling, tried++, 1)[0] as string
          const targetUsername = await given.receiver()
          const named = folder ? { targetFoldername: await oneFolder(given) } : {}
          const lists: (readonly [string, readonly string[], readonly string[]])[] = [
            [next(), [], []],
            [next(), [first, ...rest], []],
            [next(), [], [first, ...rest]],
          ]
          if (rest.length > 0) lists.push([next(), [first], rest])
          let refused: Answer | undefined
          for (const [unknown, before, after] of lists) {
            const itemIds = [...before, unknown, ...after]
            refused = await reassign(as[giver], { ...items, itemIds }, targetUsername, named)
            expect(refused).toBeRefused(
              `${unknown}, an unknown item id, was accepted${itemIds.length > 1 ? ' beside real ones' : ''}`,
              'items',
            )
          }
          const { to: known } = await expectStillWith(context, items, targetUsername, refused as Answer)
          if (isQuick(configuration.run)) return
          const later = await reassign(as[giver], { ...items, itemIds: [next()] }, known)
          expect(later).toBeRefused(
            `an id that no item has was accepted for ${known}, who had been given others`,
            'items',
          )
        },
        {
          cases: 'few',
          ...among,
          examples: [false, true].slice(0, isFirst ? 2 : 1).map((folder) => ({ count: 2, folder })),
        },
      )
    },
  )

  check(
    `reassign-items/target-in-organization${ending}`,
    {
      actors: ['guestAdministrator', giver],
      ...titled('A user of another organization is refused as the target, and nothing moves'),
    },
    async (context) => {
      const { as, configuration, inSituations } = context
      const targets = usersElsewhere(configuration.actors)
      if (targets.length === 0)
        throw new NotTested(
          configuration.actors.guestAdministrator?.username === undefined
            ? 'no username of another organization is known: add actors.guestAdministrator.username'
            : 'the host may have a user of the same name: give an actor of another portal a user name that no actor of the host has and that is not one of many portals, such as admin or siteadmin',
          ['actors.guestAdministrator.username'],
        )
      const refuses = (target: string, folder: boolean) =>
        refusesTarget(context, as[giver], target, { folder, did: 'a user of another organization' })
      await inSituations(() => refuses(targets[0] as string, false))
      const judged = isQuick(configuration.run) ? targets.slice(0, 1) : targets
      for (const [at, target] of judged.entries()) {
        if (at > 0) await refuses(target, false)
        await refuses(target, true)
      }
    },
  )
}

/**
 * Expects that no permitted caller can reassign another user's item on the owner's path. `place`: where it is in a list
 * of that owner's items, which the target need not refuse. `receiverFirst`: looks first whether the receiver has it.
 */
async function foreignStays(
  context: OwnershipContext,
  caller: Caller,
  {
    named = false,
    place,
    receiverFirst = false,
    ownedBy = 'itemOwnerUnprivileged',
  }: {
    readonly named?: boolean
    readonly place?: number
    readonly receiverFirst?: boolean
    /** Whose the foreign item is. The path is that of the other one. */
    readonly ownedBy?: 'itemOwner' | 'itemOwnerUnprivileged'
  } = {},
): Promise<void> {
  const { given, expect } = context
  const other = ownedBy === 'itemOwner' ? 'itemOwnerUnprivileged' : 'itemOwner'
  const own = await given.items({ owner: other, count: place === undefined ? 1 : 2 })
  const foreign = await given.items({ owner: ownedBy, count: 1 })
  if (foreign.owner === own.owner)
    throw new NotTested(
      `items of two users needed: the provider gives those of itemOwner and of itemOwnerUnprivileged to one, ${own.owner}`,
      ['fixtures.items'],
    )
  const username = await given.receiver()
  const folder = named ? { targetFoldername: await oneFolder(given) } : {}
  const itemIds = place === undefined ? foreign.itemIds : own.itemIds.toSpliced(place, 0, ...foreign.itemIds)
  const answer = await reassign(caller, { ...own, itemIds }, username, folder)
  const did = `an item of ${foreign.owner} could be reassigned on the path of ${own.owner}`
  if (place === undefined) expect(answer).toBeRefused(did)
  if (receiverFirst) await expectNotWith(context, foreign, username, answer)
  const what = place === undefined ? undefined : `${did}, beside one of his own`
  await expectStillWith(context, { ...foreign, ownedBy }, username, answer, what)
}

check('reassign-items/not-their-item', { actors: ['itemOwner'] }, (context) =>
  context.forAll(
    fc.constantFrom('contentAdministrator' as const, 'itemOwner' as const),
    (caller, number) =>
      foreignStays(context, context.as[caller], {
        named: number > 1,
        receiverFirst: number % 2 === 1,
      }),
    {
      cases: 'few',
      // Each without a folder, and then with one.
      examples: ['contentAdministrator', 'itemOwner', 'contentAdministrator', 'itemOwner'] as const,
    },
  ),
)

check(
  'reassign-items/not-their-item:of-the-caller',
  {
    actors: ['itemOwner'],
    title: 'An owner cannot give away an item of his own on the path of another user.',
  },
  (context) => foreignStays(context, context.as.itemOwner, { ownedBy: 'itemOwner' }),
)

check(
  'reassign-items/not-their-item:customAdministrator',
  {
    whereThere: { actors: ['itemOwner', 'customAdministrator'] },
    traits: ['cheap'],
    title:
      'An item that the user of the path does not own is not given away, also where customAdministrator asks.',
  },
  (context) => context.inSituations(() => foreignStays(context, context.as.customAdministrator)),
)

check(
  'reassign-items/not-their-item:among-their-own',
  {
    actors: ['itemOwner'],
    traits: ['cheap'],
    title: 'An item of another user does not move, even among items of the owner of the path.',
  },
  async (context) => {
    const places = isQuick(context.configuration.run) ? [1] : [0, 1, 2]
    for (const caller of ['contentAdministrator', 'itemOwner'] as const)
      for (const place of places)
        await foreignStays(context, context.as[caller], { place, named: place === 1 })
  },
)

check('reassign-items/concurrent-one-wins', { traits: ['overlapping', 'timed'] }, async (context) => {
  const { as, callers, given, forAll, expect } = context
  const administrator = as.contentAdministrator
  let decided = false
  await forAll(
    // Of a list, a portal may move what the other request left.
    fc.constant(1),
    async (count, round) => {
      // In half of the rounds the owner is one of them. They take turns in going first.
      const other = round % 4 < 2 ? administrator : (callers.alsoMay.get('itemOwner') ?? administrator)
      const givers = round % 8 < 4 ? [administrator, other] : [other, administrator]
      const items = await given.items({ owner: 'itemOwner', count })
      const one = await given.receiver()
      const targets = [one, await given.receiver(one)]
      const folder = round % 2 === 0 ? undefined : await oneFolder(given)
      // Each names its own folder, so that a conflict over the folder cannot stop one of them.
      const give = (at: number, how: How = {}) => {
        const into = folder === undefined ? {} : { targetFoldername: `${folder} ${round}-${at}` }
        return reassign(givers[at] as Caller, items, targets[at] as string, into, how)
      }
      const answers = await callers.together([(gate) => give(0, { gate }), (gate) => give(1, { gate })])
      const [first, last] = answers as [Answer, Answer]
      const met = answers.every(({ sentAt }) => answers.every(({ answeredAt }) => sentAt < answeredAt))
      if (answers.every(isAccepted)) {
        // If the item can be reassigned again, it did not move, so the race does not explain both acceptances.
        if (isAccepted(await give(1))) return
        const message = 'two simultaneous reassignments of one item were both accepted'
        expect(last, ...answers).toShow(!met, message, {
          expected: 'at most one accepted',
          actual: `both were, for ${targets.join(' and ')}; a third one after them was refused`,
          proved: true,
        })
      }
      for (const answer of answers)
        if (expect(answer, ...answers).keeps('reassign-items/concurrent-one-wins')) decided = true
      // Each may be refused for the other, as in a deadlock. Alone it must be accepted, so that nothing else is the reason.
      if (met && !answers.some(isAccepted) && isAccepted(await give(0))) {
        expect(first, last).toBeRefused()
        decided = true
      }
    },
    { cases: 'some', width: 1 },
  )
  if (!decided)
    throw new Unproven('no race of two reassignments had an accepted one while both were in flight')
})
