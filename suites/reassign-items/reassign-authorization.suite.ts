/** §5 Who may reassign items, and that a refusal moves nothing. */
import fc from 'fast-check'
import { isAccepted } from '../../clauses/acceptance.ts'
import type { PortalName } from '../../deployment/configuration/actors.ts'
import { suite } from '../../runner/check.ts'
import type { Caller } from '../../runner/context/calls.ts'
import { isQuick } from '../../runner/effort.ts'
import { otherGuestIn, standIns } from '../../runner/operation-targets.ts'
import { expectStillWith, type OwnershipContext, oneFolder, otherReceiver, reassign } from './ownership.ts'

const check = suite({ actors: ['contentAdministrator'], fixtures: ['items', 'eligibleUser'] })

/** Request shapes that may slip through a check of rights: one item or several, with a folder or without. */
interface Way {
  readonly count: number
  readonly folder: boolean
  /** Whether the check waits the settle time before it looks. */
  readonly later?: boolean
  /** Default: a user who may receive the items. */
  readonly target?: string | undefined
}

const ways: readonly Way[] = [
  { count: 1, folder: false },
  { count: 2, folder: true },
  { count: 3, folder: false },
]

for (const [id, actor] of [
  ['reassign-items/allows-default-administrator', 'contentAdministrator'],
  ['reassign-items/allows-custom-administrator', 'customAdministrator'],
  ['reassign-items/allows-owner', 'itemOwner'],
] as const) {
  check(id, { actors: [actor] }, async ({ as, given, forAll, expect, configuration }) => {
    const alsoOfAnother =
      actor !== 'itemOwner' && configuration.actors.itemOwnerUnprivileged?.credential !== undefined
    await forAll(
      given.requests('reassign-items', { fixed: standIns, leaveOut: 'nothing' }),
      async (request, number) => {
        // Whether the owner may reassign does not matter here.
        const owned = alsoOfAnother && number === 1 ? 'itemOwnerUnprivileged' : 'itemOwner'
        const { owner, itemIds } = await given.items({ owner: owned, count: 2 })
        const username = await given.receiver()
        const real = { ...request, items: itemIds, targetUsername: username }
        expect(await as[actor]('reassign-items', { userName: owner }, real)).toBeAccepted()
      },
      // Many other checks reassign items as administrators.
      { cases: actor === 'itemOwner' ? 'some' : 'few' },
    )
  })
}

/** More items than a page holds, and well below the limit. */
const manyOwn = 26

check(
  'reassign-items/allows-owner:many',
  {
    actors: ['contentAdministrator'],
    whereThere: { actors: ['itemOwner'] },
    traits: ['further'],
    title: 'The owner may give many items away in one request.',
  },
  async ({ as, given, control, expect }) => {
    const username = await given.receiver()
    for (const when of ['', ', after a request that was refused']) {
      const items = await given.items({ owner: 'itemOwner', count: manyOwn })
      const give = (by: Caller) => reassign(by, items, username)
      if (when !== '') await reassign(as.itemOwner, { ...items, itemIds: [] }, username)
      const answer = await give(as.itemOwner)
      // Another requirement says that this many items are accepted at all.
      if (!isAccepted(answer)) control(await give(as.contentAdministrator), 'the same by an administrator')
      expect(answer).toBeAccepted(`${manyOwn} items by their owner${when}`, 'items')
    }
  },
)

for (const [id, refused, owner, title] of [
  ['reassign-items/refuses-owner-without-privilege', 'itemOwnerUnprivileged', 'itemOwnerUnprivileged'],
  ['reassign-items/refuses-other-user', 'outsider', 'itemOwner'],
  [
    'reassign-items/refuses-other-user:privileged',
    'itemOwner',
    'itemOwnerUnprivileged',
    'A user with the privilege to transfer content is refused for items that are not his.',
  ],
] as const) {
  const needs =
    title === undefined
      ? { actors: [refused], traits: ['patient'] as const }
      : { whereThere: { actors: [refused] }, title, traits: ['cheap', 'patient'] as const }
  check(id, needs, (context) => {
    // Other users may not take them either, and a user without the privilege may not give them to one who has it.
    const target = refused === owner ? 'itemOwner' : refused
    return refusesAndMovesNothing(context, context.as[refused], owner, {
      target: context.configuration.actors[target]?.username,
    })
  })
}

for (const refused of ['hostMember', 'itemOwnerUnprivileged'] as const) {
  const needs = {
    whereThere: { actors: [refused] },
    traits: ['cheap'],
    title: `A caller who is neither the owner nor an administrator is refused, also ${refused}.`,
  } as const
  check(`reassign-items/refuses-other-user:${refused}`, needs, (context) =>
    movesNothing(context, context.as[refused], 'itemOwner', { count: 1, folder: false }),
  )
}

check(
  'reassign-items/refuses-other-user:former-owner',
  {
    actors: ['contentAdministrator'],
    whereThere: { actors: ['itemOwner'] },
    title: 'The former owner of items is refused on the path of their new owner.',
  },
  async ({ as, given, control, expect }) => {
    const former = await given.items({ owner: 'itemOwner', count: 1 })
    const owner = await given.receiver()
    const give = (by: Caller, owner: string, targetUsername: string) =>
      reassign(by, { ...former, owner }, targetUsername)
    const moved = await give(as.contentAdministrator, former.owner, owner)
    control(moved)
    const other = await otherReceiver(given, owner)
    expect(await give(as.itemOwner, owner, other), moved).toBeRefused(
      'the former owner reassigned items that belonged to another user by then',
    )
    control(await give(as.contentAdministrator, owner, other))
  },
)

check(
  'reassign-items/refuses-owner-without-privilege:after-administrator',
  {
    actors: ['contentAdministrator', 'itemOwnerUnprivileged'],
    title:
      'An owner without the privilege is refused also right after an administrator gave an item of his away.',
  },
  async ({ as, given, control, expect }) => {
    const { owner, itemIds } = await given.items({ owner: 'itemOwnerUnprivileged', count: 2 })
    const targetUsername = await given.receiver()
    const give = (by: Caller, at: number) =>
      reassign(by, { owner, itemIds: itemIds.slice(at, at + 1) }, targetUsername)
    const moved = await give(as.contentAdministrator, 0)
    control(moved)
    expect(await give(as.itemOwnerUnprivileged, 1), moved).toBeRefused(
      'an owner without the privilege gave an item away, right after an administrator had',
    )
    control(await give(as.contentAdministrator, 1))
  },
)

const otherPortal = { actors: ['guestAdministrator'], traits: ['patient'] } as const

check('reassign-items/refuses-other-organization', otherPortal, async (context) => {
  for (const [at, portal] of context.callers.portalsTriedBy('guestAdministrator').entries())
    await refusesAndMovesNothing(context, context.as.guestAdministrator, 'itemOwner', {
      portal,
      // The request shapes vary on the first path only, where the caller also tries to take the items.
      ...(at === 0
        ? { target: context.configuration.actors.guestAdministrator?.username }
        : { shapes: ways.slice(0, 1) }),
    })
})

check(
  'reassign-items/refuses-other-organization:other-guest',
  {
    whereThere: { actors: ['syncNonInitiator'] },
    traits: ['cheap', 'patient'],
    title: 'The administrator of another guest is refused as well, and nothing moves.',
  },
  async (context) => {
    const portal = otherGuestIn(context)
    await refusesAndMovesNothing(context, context.as.syncNonInitiator, 'itemOwner', {
      portal,
      shapes: ways.slice(0, 2),
    })
  },
)

check('reassign-items/refuses-anonymous', { traits: ['patient'] }, (context) =>
  refusesAndMovesNothing(context, context.as.anonymous, 'itemOwner'),
)
check('reassign-items/refuses-invalid-credential', { traits: ['patient'] }, (context) =>
  refusesAndMovesNothing(context, context.as.impostor, 'itemOwner'),
)

type Owner = 'itemOwner' | 'itemOwnerUnprivileged'

async function refusesAndMovesNothing(
  context: OwnershipContext,
  caller: Caller,
  ownedBy: Owner,
  {
    portal,
    target,
    shapes = ways,
  }: {
    readonly portal?: PortalName
    readonly target?: string | undefined
    readonly shapes?: readonly Way[]
  } = {},
): Promise<void> {
  const judge = (way: Way) => movesNothing(context, caller, ownedBy, way, portal)
  const alone = { count: 1, folder: false }
  // A quick run tries the most tempting request: the caller takes the items.
  if (isQuick(context.configuration.run)) return judge({ ...alone, target })
  // One path is enough.
  if (shapes.length > 1) await judge({ ...alone, later: true })
  await context.forAll(fc.constantFrom(...shapes), judge, {
    most: 0,
    examples: shapes,
  })
  if (target !== undefined) await context.inSituations(() => judge({ ...alone, target }), 2)
}

/** Expects a wrong caller's request to be refused twice, and nothing to move. */
async function movesNothing(
  context: OwnershipContext,
  caller: Caller,
  ownedBy: Owner,
  { count, folder, later = false, target }: Way,
  portal: PortalName = 'host',
): Promise<void> {
  const { given, expect, configuration } = context
  const items = await given.items({ owner: ownedBy, count })
  const username = target ?? (await given.receiver())
  const real = {
    items: items.itemIds,
    targetUsername: username,
    ...(folder ? { targetFoldername: await oneFolder(given) } : {}),
  }
  const at = { userName: items.owner, portal }
  const answer = await caller('reassign-items', at, real)
  expect(answer).toBeRefused()
  // A refused caller must be refused again: the target must not remember the first request as permitted.
  let last = answer
  if (!isQuick(configuration.run)) {
    last = await caller('reassign-items', at, real)
    expect(last, answer).toBeRefused('a caller who had been refused was accepted the second time')
  }
  // A refused request must not take effect later either.
  if (later) await context.wait.later()
  await expectStillWith(context, { ...items, ownedBy }, username, last)
}

check(
  'reassign-items/refuses-anonymous:used-connection',
  { title: 'Without credentials refused, on a connection that an administrator has just used.' },
  async (context) => {
    const { as, given, control, expect, callers } = context
    await callers.onOneConnection(async (on) => {
      const username = await given.receiver()
      const before = await given.items({ owner: 'itemOwner', count: 1 })
      const used = await reassign(as.contentAdministrator, before, username, {}, { on })
      control(used)
      // An answer cached for one caller must not serve another caller with the same request.
      expect(await reassign(as.anonymous, before, username, {}, { on }), used).toBeRefused(
        'a stranger was accepted with a request that had been accepted from an administrator',
      )
      const items = await given.items({ owner: 'itemOwner', count: 1 })
      expect(await reassign(as.anonymous, items, username, {}, { on }), used).toBeRefused(
        'a stranger was accepted on a connection that an administrator had used',
      )
      await expectStillWith(context, items, username, used)
    })
  },
)
