/** Reassigns items and finds out who owns them: only the reassignments that the deployment accepts show that. */
import { describe, isAccepted, isMalformed } from '../../clauses/acceptance.ts'
import { mostIn } from '../../clauses/fields.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { Caller, How, RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext, Given } from '../../runner/context/context.ts'
import { attemptsWithoutSuccess } from '../../runner/effort.ts'
import { NotApplicable, NotTested, repeatedAmong, Unproven } from '../../runner/findings.ts'
import { standIns } from '../../runner/operation-targets.ts'

/** The context that these functions need. */
export type OwnershipContext = CheckContext<'contentAdministrator', 'items' | 'eligibleUser'>

/** The limit of items in one request (§8). */
export const itemsPerRequest = mostIn('reassign-items', 'items')

/** Well below the limit, so that a fault at the limit does not show. From this many items on, `withItems` uses the stock. */
export const halfOfLimit = itemsPerRequest / 2

/** Items from a fixture, with their owner. */
export interface Belongings {
  readonly owner: string
  readonly itemIds: readonly string[]
  /** The actor who owns them. Default: itemOwner. */
  readonly ownedBy?: 'itemOwner' | 'itemOwnerUnprivileged'
}

/** An ordinary folder name, the same throughout a check. */
export const oneFolder = (given: Pick<Given<never>, 'request' | 'once'>): Promise<string> =>
  given.once('a folder', async () =>
    String((await given.request('reassign-items', standIns)).targetFoldername),
  )

/** Reassigns the items on the path of their owner. `more`: further parameters. */
export const reassign = (
  by: Caller,
  { owner, itemIds }: Pick<Belongings, 'owner' | 'itemIds'>,
  targetUsername: string,
  more: RequestFields = {},
  how: How = {},
): Promise<Answer> =>
  by('reassign-items', { userName: owner }, { items: itemIds, targetUsername, ...more }, how)

/** Another user who may receive items. Throws `NotApplicable` if there is none. */
export async function otherReceiver(given: OwnershipContext['given'], one: string): Promise<string> {
  const other = await given.receiverBeside(one)
  if (other === one) throw new NotApplicable('only one user can receive items here, and this check needs two')
  return other
}

type Move = (owner: string, itemIds: readonly string[]) => Promise<Answer>

/** The result of a permitted caller's reassignment for the owner. */
interface GivenAway {
  /** The new owner, if it was accepted. */
  readonly username: string
  /** The last answer, and the items of its request. */
  readonly after: Answer
  readonly ids: readonly string[]
  /** Repeats the reassignment for other items, to the same user by the same caller. */
  readonly move: Move
}

/** Reassigns items in parts: as their owner if configured and permitted, else as an administrator. */
async function giveAway(
  { as, callers, configuration, given }: OwnershipContext,
  { owner, itemIds }: Belongings,
): Promise<GivenAway> {
  const other = await given.receiverBeside(await given.receiver())
  const username = other === owner ? await given.receiver(other) : other
  // As the owner if configured. Another requirement says that owners may.
  const isTheirs = configuration.actors.itemOwner?.username === owner
  let mover = (isTheirs ? callers.alsoMay.get('itemOwner') : undefined) ?? as.contentAdministrator
  const move: Move = (from, some) => reassign(mover, { owner: from, itemIds: some }, username)
  for (let from = 0; ; from += halfOfLimit) {
    const ids = itemIds.slice(from, Math.min(from + halfOfLimit, itemsPerRequest))
    const after = await move(owner, ids)
    const isLast = from + halfOfLimit >= Math.min(itemIds.length, itemsPerRequest)
    if (isAccepted(after) && !isLast) continue
    // A retried request may have taken effect the first time, so a refusal of the retry proves nothing.
    if (isAccepted(after) || mover === as.contentAdministrator || repeatedAmong([after]) !== undefined)
      return { username, after, ids, move }
    mover = as.contentAdministrator
    from -= halfOfLimit
  }
}

/**
 * Expects the items to be still with their owner after a request that must not move them: a permitted caller can
 * reassign them for the owner. Throws a finding if `suspect`, the target of that request, has them, or if other items of
 * the owner can be reassigned and these cannot. Returns the username of the new owner.
 */
export async function expectStillWith(
  context: OwnershipContext,
  { ownedBy = 'itemOwner', ...items }: Belongings,
  suspect: string | undefined,
  refused: Answer,
  what = refusedButMoved,
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
  // A reassignment from a user to the same user proves nothing.
  if (suspect !== undefined && suspect !== username)
    for (const some of [ids, ...ids.slice(0, 3).map((id) => [id])]) {
      const found = await move(suspect, some)
      // An earlier run may have moved these items, so the refusal itself must be proved.
      expect(after, refused, found).toShow(!isAccepted(found), what, {
        expected: `after the refusal the items are still with ${items.owner}`,
        actual: reassignable(some, suspect),
        indirect: true,
      })
    }
  // The same number of items, so that the number cannot be the reason.
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
      `whether items moved is not known: the reassignment by a permitted caller after the request was ${describe(after)}; yet the target carried it out`,
      [refused, after],
    )
  // An operation that refuses now and then does not show where the items are.
  let left: number = attemptsWithoutSuccess
  while (left > 0 && !isAccepted(await move(items.owner, ids))) left -= 1
  expect(after, refused, control).toShow(left > 0, what, {
    expected: `the items are still with ${items.owner}`,
    actual: `${describe(after)}, when a permitted caller reassigned them on the path of ${items.owner}, where others could be reassigned`,
    indirect: true,
  })
  return username
}

/**
 * Expects that a refused request did not give the items to its target: a permitted caller cannot reassign them for that
 * user. Shows what `expectStillWith` cannot: after a look that asks for the owner first, a target that moves refused
 * items has moved them again.
 */
export async function expectNotWith(
  { as, given, expect }: OwnershipContext,
  { itemIds }: Pick<Belongings, 'itemIds'>,
  suspect: string,
  refused: Answer,
): Promise<void> {
  const username = await given.receiverBeside(suspect)
  // A reassignment from a user to the same user proves nothing.
  if (username === suspect) return
  const found = await reassign(as.contentAdministrator, { owner: suspect, itemIds }, username)
  // An earlier run may have moved these items, so the refusal itself must be proved.
  expect(found, refused).toShow(!isAccepted(found), refusedButMoved, {
    expected: `after the refusal ${suspect} does not have the items`,
    actual: reassignable(itemIds, suspect),
    indirect: true,
  })
}

const refusedButMoved = 'the request was refused, but items moved'

/** Says that a permitted caller could reassign the items on the path of that user, who therefore has them. */
function reassignable(itemIds: readonly string[], owner: string): string {
  const more = itemIds.length > 3 ? ` and ${itemIds.length - 3} more` : ''
  return `${itemIds.slice(0, 3).join(', ')}${more} could be reassigned on the path of ${owner}`
}

/** Whether a permitted caller's refused reassignment moved one of the items to that user after all. */
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
    // Also refused, and yet performed.
    if (isAccepted(await move(other, ids.slice(0, 1)))) return true
  }
  return false
}

/** More items than one request may name, shared by checks that need many: they change owners and are not used up. */
interface Stock {
  owner: string
  itemIds: readonly string[]
}

/** A little more than the limit. */
const stockSize = itemsPerRequest + 2

/**
 * Uses the stock, one check at a time. A check that runs alone uses `count` items of its own. `use` returns the new
 * owner and the number of the first items that moved, and the rest follows; undefined if none moved.
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
      // Without a receiver nothing moved, so the next check gets the stock.
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

/** Uses that many items: those of the stock if they are many and it has them. `use` returns their new owner. */
export async function withItems(
  context: OwnershipContext,
  count: number,
  use: (items: Belongings) => Promise<string>,
): Promise<void> {
  if (count < halfOfLimit || count > stockSize)
    await use(await context.given.items({ owner: 'itemOwner', count }))
  else
    await withStock(context, count, async (stock) => ({
      to: await use(partOf(stock, count)),
      count: Math.min(count, itemsPerRequest),
    }))
}

/** The first items of the stock. */
export const partOf = ({ owner, itemIds }: Stock, count: number): Belongings => ({
  owner,
  itemIds: itemIds.slice(0, count),
})
