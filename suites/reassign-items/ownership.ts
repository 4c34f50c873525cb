/** Reassignments, and who holds items now: read from which of them the deployment takes, since nothing else says. */

import { describe, isAccepted } from '../../clauses/acceptance.ts'
import { isMalformed } from '../../clauses/portal-like.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { Caller, How, RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext } from '../../runner/context/context.ts'
import type { Given } from '../../runner/context/given.ts'
import { attemptsWithoutSuccess } from '../../runner/effort.ts'
import { NotTested, repeatedAmong, Unproven } from '../../runner/findings.ts'
import { standIns } from '../../runner/operation-targets.ts'

/** What these rules need of a check's context. */
export type OwnershipContext = CheckContext<'contentAdministrator', 'items' | 'eligibleUser'>

/** Well below the limit of 100 items, so that a fault at the limit does not show here. */
const movedAtOnce = 50

/** Items that a fixture handed out for one who owns them. */
export interface Belongings {
  readonly owner: string
  readonly itemIds: readonly string[]
  /** The part that the owner plays; default: itemOwner. */
  readonly ownedBy?: 'itemOwner' | 'itemOwnerUnprivileged'
}

/** The name of a folder of an ordinary request, the same throughout a check. */
export const oneFolder = (given: Pick<Given<never>, 'request' | 'once'>): Promise<string> =>
  given.once('a folder', async () =>
    String((await given.request('reassign-items', standIns)).targetFoldername),
  )

/** A reassignment of those items by that caller, on the path of their owner. `more`: what else the request holds. */
export const reassign = (
  by: Caller,
  { owner, itemIds }: Pick<Belongings, 'owner' | 'itemIds'>,
  targetUsername: string,
  more: RequestFields = {},
  how: How = {},
): Promise<Answer> =>
  by('reassign-items', { userName: owner }, { items: itemIds, targetUsername, ...more }, how)

/** The most items that one request may name (§8). */
export const itemsPerRequest = 100

type Move = (owner: string, itemIds: readonly string[]) => Promise<Answer>

/** How a permitted caller was answered who gave items away for their owner. */
interface GivenAway {
  /** Who has them then, where that was accepted. */
  readonly username: string
  /** The last answer, and what it was about. */
  readonly after: Answer
  readonly ids: readonly string[]
  /** Another reassignment to the same user by the same caller. */
  readonly move: Move
}

/** Gives them away, by their owner where he is known and may, else by an administrator; in parts. */
async function giveAway(
  { as, callers, configuration, given }: OwnershipContext,
  { owner, itemIds }: Belongings,
): Promise<GivenAway> {
  const other = await given.receiverBeside(await given.receiver())
  const username = other === owner ? await given.receiver(other) : other
  // The owner himself where he is known: that he may is another requirement's affair.
  const isTheirs = configuration.actors.itemOwner?.username === owner
  let mover = (isTheirs ? callers.alsoMay.get('itemOwner') : undefined) ?? as.contentAdministrator
  const move: Move = (from, some) => reassign(mover, { owner: from, itemIds: some }, username)
  for (let from = 0; ; from += movedAtOnce) {
    const ids = itemIds.slice(from, Math.min(from + movedAtOnce, itemsPerRequest))
    const after = await move(owner, ids)
    const isLast = from + movedAtOnce >= Math.min(itemIds.length, itemsPerRequest)
    if (isAccepted(after) && !isLast) continue
    // What was sent again may have been done the first time, also where another asks for it then.
    if (isAccepted(after) || mover === as.contentAdministrator || repeatedAmong([after]) !== undefined)
      return { username, after, ids, move }
    mover = as.contentAdministrator
    from -= movedAtOnce
  }
}

/**
 * After a request that must not have moved them: the items are still with their owner, for whom a permitted caller can
 * give them away. A finding where they are found with `suspect`, the target of that request, or where others of that
 * owner can be given away and these cannot. Gives the username of the user who has them then.
 */
export async function expectStillWith(
  context: OwnershipContext,
  { ownedBy = 'itemOwner', ...items }: Belongings,
  suspect: string | undefined,
  refused: Answer,
  what = 'the request was refused, but items moved',
): Promise<string> {
  const { given, expect } = context
  const { username, after, ids, move } = await giveAway(context, items)
  const met = repeatedAmong([refused, after])
  if (met !== undefined && !isAccepted(after))
    throw new Unproven(
      `whether items moved: a request was retried after ${met} and may have been performed twice`,
      [refused, after],
    )
  if (isAccepted(after)) {
    expect(after).toBeAccepted()
    return username
  }
  // To a user from himself says nothing.
  if (suspect !== undefined && suspect !== username)
    for (const some of [ids, ...ids.slice(0, 3).map((id) => [id])]) {
      const found = await move(suspect, some)
      // The refusal is what must be proved: items that an earlier run has moved are found with others, too.
      expect(after, refused, found).toShow(!isAccepted(found), what, {
        expected: `after the refusal the items are still with ${items.owner}`,
        actual: `${some.slice(0, 3).join(', ')}${some.length > 3 ? ` and ${some.length - 3} more` : ''} could be given away for ${suspect}`,
        indirect: true,
      })
    }
  // The same number as before, so that the number is no reason to treat them otherwise.
  const others = await given.items({ owner: ownedBy, count: ids.length })
  const control = await move(others.owner, others.itemIds)
  if (!isAccepted(control)) {
    throw new Unproven(
      `the control, a reassignment by a permitted caller after the request, was ${describe(control)}`,
      [refused, after, control],
    )
  }
  if (await isWith(context, username, ids, move))
    throw new Unproven(
      `whether items moved: the reassignment by a permitted caller after the request was ${describe(after)}, and was done`,
      [refused, after],
    )
  // What is refused now and then says nothing of where the items are.
  let left: number = attemptsWithoutSuccess
  while (left > 0 && !isAccepted(await move(items.owner, ids))) left -= 1
  expect(after, refused, control).toShow(left > 0, what, {
    expected: `the items are still with ${items.owner}`,
    actual: `${describe(after)}, when a permitted caller gave them away for ${items.owner}, who could give others away`,
    indirect: true,
  })
  return username
}

/** Whether one of them is with that user, to whom a permitted caller gave them and was not answered with success. */
async function isWith(
  { as, given }: OwnershipContext,
  username: string,
  ids: readonly string[],
  move: Move,
): Promise<boolean> {
  const other = await given.receiver(username)
  for (let time = 0; time < attemptsWithoutSuccess; time += 1) {
    const back = await reassign(as.contentAdministrator, { owner: username, itemIds: ids.slice(0, 1) }, other)
    if (isAccepted(back) || isMalformed(back)) return true
    // Refused as the first was, and done after all.
    if (isAccepted(await move(other, ids.slice(0, 1)))) return true
  }
  return false
}

/** More items than a request may name, for all checks that need that many: they change hands and are not used up. */
export interface Stock {
  owner: string
  itemIds: readonly string[]
}

/** More than a request may name by this many. */
export const stockSize = itemsPerRequest + 2

/**
 * Uses the stock, one check after the other; a check that runs alone uses `count` items of its own. `use` says to whom
 * it gave how many of the first items, and the rest follows them; undefined where none moved.
 */
export async function withStock(
  { as, given, control }: OwnershipContext,
  count: number,
  use: (stock: Stock) => Promise<{ readonly to: string; readonly count: number } | undefined>,
): Promise<void> {
  const draw = (alone: boolean): Promise<Stock> =>
    given.items({ owner: 'itemOwner', count: alone ? count : stockSize })
  let lacking: NotTested | undefined
  const useAll = async (stock: Stock): Promise<void> => {
    const gone = await use(stock).catch((error: unknown) => {
      // Without a receiver nothing moved, so the next one is given the stock.
      if (!(error instanceof NotTested && error.add.includes('fixtures.eligibleUser'))) throw error
      lacking = error
    })
    if (gone === undefined) return
    const rest = { owner: stock.owner, itemIds: stock.itemIds.slice(gone.count) }
    if (rest.itemIds.length > 0) control(await reassign(as.contentAdministrator, rest, gone.to))
    stock.owner = gone.to
  }
  await given.inTurn('stock of items', draw, useAll)
  if (lacking !== undefined) throw lacking
}

/** The first items of the stock. */
export const partOf = ({ owner, itemIds }: Stock, count: number): Belongings => ({
  owner,
  itemIds: itemIds.slice(0, count),
})
