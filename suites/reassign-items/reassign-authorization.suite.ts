/** §5 Who may reassign items, and that a refusal moves nothing. */
import fc from 'fast-check'
import { isAccepted } from '../../clauses/acceptance.ts'
import type { Part } from '../../clauses/exchange.ts'
import type { ActorName, PortalName } from '../../deployment/configuration/actors.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import { type CheckDefinition, type Needs, suite } from '../../runner/check.ts'
import type { CheckId } from '../../runner/check-result.ts'
import type { Caller } from '../../runner/context/calls.ts'
import { isQuick } from '../../runner/effort.ts'
import { otherGuestIn, standIns } from '../../runner/operation-targets.ts'
import { actorsOf } from '../common/wrong-callers.ts'
import { type Belongings, expectStillWith, type OwnershipContext, oneFolder } from './ownership.ts'

/** The checks of this file. */
export const checks: CheckDefinition[] = []

type Owner = 'itemOwner' | 'itemOwnerUnprivileged'

const check = suite(checks, { actors: ['contentAdministrator'], fixtures: ['items', 'eligibleUser'] })

/** Request shapes that may slip through a check of rights: one item or several, with a folder or without. */
interface Way {
  readonly count: number
  readonly folder: boolean
  /** Whether the check waits the settle time before it looks. */
  readonly later?: boolean
  /** Default: a user who may receive the items. */
  readonly target?: string | undefined
}

const alone: Way = { count: 1, folder: false }

const ways: readonly Way[] = [alone, { count: 2, folder: true }, { count: 3, folder: false }]

/** More items than a page holds, and well below the limit. */
const manyOwn = 26

for (const [id, actor] of [
  ['reassign-items/allows-default-administrator', 'contentAdministrator'],
  ['reassign-items/allows-custom-administrator', 'customAdministrator'],
  ['reassign-items/allows-owner', 'itemOwner'],
] as const) {
  check(id, { actors: [actor] }, async ({ as, given, forAll, control, expect, configuration }) => {
    const alsoOfAnother =
      actor !== 'itemOwner' && configuration.actors.itemOwnerUnprivileged?.credential !== undefined
    await forAll(
      given.requests('reassign-items', { fixed: standIns, leaveOut: 'nothing' }),
      async (request, number) => {
        // Whether the owner may reassign does not matter here.
        const owned = alsoOfAnother && number === 1 ? 'itemOwnerUnprivileged' : 'itemOwner'
        const count = actor === 'itemOwner' && number === 1 ? manyOwn : 2
        const give = async (by: Caller, { owner, itemIds }: Belongings): Promise<Answer> => {
          const real = { ...request, items: itemIds, targetUsername: await given.receiver() }
          return by('reassign-items', { userName: owner }, real)
        }
        const items = await given.items({ owner: owned, count })
        const answer = await give(as[actor], items)
        // Another requirement says that this many items are accepted at all.
        if (count === manyOwn && !isAccepted(answer))
          control(await give(as.contentAdministrator, items), 'the same by an administrator')
        expect(answer).toBeAccepted(`${count} items`, 'items')
      },
      // Many other checks reassign items as administrators.
      { cases: actor === 'itemOwner' ? 'some' : 'few' },
    )
  })
}

/** A caller who must be refused, and for whose requests nothing may move. */
interface RefusedCaller {
  readonly id: CheckId
  readonly caller: Part
  /** Whose items. Default: those of itemOwner. */
  readonly ownedBy?: Owner
  /** Who gets the items in one more request, the most tempting one. */
  readonly taker?: ActorName
  /** Default: all. */
  readonly ways?: readonly Way[]
  /** The portals whose paths the caller tries. Default: the host. */
  readonly portals?: (context: OwnershipContext) => readonly PortalName[]
  /** Set if another caller proves the requirement. */
  readonly title?: string
}

const refusedCallers: readonly RefusedCaller[] = [
  {
    id: 'reassign-items/refuses-owner-without-privilege',
    caller: 'itemOwnerUnprivileged',
    ownedBy: 'itemOwnerUnprivileged',
    // A user without the privilege may not give items to one who has it either.
    taker: 'itemOwner',
  },
  { id: 'reassign-items/refuses-other-user', caller: 'outsider', taker: 'outsider' },
  {
    id: 'reassign-items/refuses-other-user:privileged',
    caller: 'itemOwner',
    ownedBy: 'itemOwnerUnprivileged',
    taker: 'itemOwner',
    title: 'A user with the privilege to transfer content is refused for items that are not his.',
  },
  {
    id: 'reassign-items/refuses-other-organization',
    caller: 'guestAdministrator',
    taker: 'guestAdministrator',
    portals: ({ callers }) => callers.portalsTriedBy('guestAdministrator'),
  },
  {
    id: 'reassign-items/refuses-other-organization:other-guest',
    caller: 'syncNonInitiator',
    ways: ways.slice(0, 2),
    portals: (context) => [otherGuestIn(context)],
    title: 'The administrator of another guest is refused as well, and nothing moves.',
  },
  { id: 'reassign-items/refuses-anonymous', caller: 'anonymous' },
  { id: 'reassign-items/refuses-invalid-credential', caller: 'impostor' },
]

for (const row of refusedCallers) {
  const { id, title, caller } = row
  const actors: readonly ActorName[] = actorsOf(caller)
  // The check waits for a late effect.
  const patient: Needs = { traits: title === undefined ? ['patient'] : ['patient', 'cheap'] }
  const needs: Needs = title === undefined ? { actors } : { whereThere: { actors }, title }
  check(id, { ...needs, ...patient }, (context) => refusesAndMovesNothing(context, row))
}

async function refusesAndMovesNothing(context: OwnershipContext, row: RefusedCaller): Promise<void> {
  const { actors, run } = context.configuration
  const [first = 'host', ...others] = row.portals?.(context) ?? []
  const judge = (way: Way, portal = first) => movesNothing(context, row, way, portal)
  const target = row.taker && actors[row.taker]?.username
  // A quick run tries the most tempting request on each path.
  if (isQuick(run)) await judge({ ...alone, target })
  else {
    await judge({ ...alone, later: true })
    const examples = row.ways ?? ways
    await context.forAll(fc.constantFrom(...examples), (way) => judge(way), { most: 0, examples })
    if (target !== undefined) await context.inSituations(() => judge({ ...alone, target }), 2)
  }
  for (const portal of others) await judge(alone, portal)
}

/** Expects a wrong caller's request to be refused twice, and nothing to move. */
async function movesNothing(
  context: OwnershipContext,
  { caller: refused, ownedBy = 'itemOwner' }: RefusedCaller,
  { count, folder, later = false, target }: Way,
  portal: PortalName,
): Promise<void> {
  const { given, expect, configuration } = context
  const caller = context.callers.by(refused)
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
