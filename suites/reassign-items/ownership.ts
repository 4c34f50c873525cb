/** Reassigns items and finds out who owns them: only the reassignments that the deployment accepts show that. */
import { isAccepted } from '../../clauses/acceptance.ts'
import { mostIn } from '../../clauses/fields.ts'
import { listedFixtures } from '../../deployment/configuration/configuration.ts'
import type { Answer } from '../../deployment/http/exchange.ts'
import type { Caller, How, RequestFields } from '../../runner/context/calls.ts'
import type { CheckContext, Given } from '../../runner/context/context.ts'
import { looks } from '../../runner/effort.ts'
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

/**
 * Expects the items to be still with their owner after a request that must not move them: a permitted caller can
 * reassign them for the owner. Throws a finding if `suspect`, the target of that request, has them, or if other items of
 * the owner can be reassigned and these cannot. Of many items it moves the first ones. Returns how many, and the new
 * owner.
 */
export async function expectStillWith(
  { as, callers, configuration, given, control, expect, wait }: OwnershipContext,
  { ownedBy = 'itemOwner', owner, itemIds }: Belongings,
  suspect: string | undefined,
  refused: Answer,
  what = refusedButMoved,
): Promise<Moved> {
  const other = await given.receiverBeside(await given.receiver())
  const to = other === owner ? await given.receiver(other) : other
  // As the owner if configured. Another requirement says that owners may.
  const isTheirs = configuration.actors.itemOwner?.username === owner
  const mover = (isTheirs ? callers.alsoMay.get('itemOwner') : undefined) ?? as.contentAdministrator
  const ids = itemIds.slice(0, halfOfLimit)
  const move = (from: string, some: readonly string[]) => reassign(mover, { owner: from, itemIds: some }, to)
  let after = await move(owner, ids)
  if (!isAccepted(after)) {
    // A reassignment from a user to the same user proves nothing.
    if (suspect !== undefined && suspect !== to)
      for (const some of [ids, ...ids.slice(0, 3).map((id) => [id])])
        expectNotOf([await move(suspect, some), refused, after], some, suspect, {
          expect,
          configuration,
          what,
        })
    // The same number of items, so that the number cannot be the reason.
    const others = await given.items({ owner: ownedBy, count: ids.length })
    control(await move(others.owner, others.itemIds), 'a reassignment of other items after the request')
    if (repeatedAmong([after]) === undefined)
      after = await wait.untilAccepted(() => move(owner, ids), looks.some)
  }
  expect(after, refused).toBeAccepted(`${what}: the items of ${owner}, reassigned by a permitted caller`)
  return { to, count: ids.length }
}

/**
 * Expects that a refused request did not give the items to its target: a permitted caller cannot reassign them for that
 * user. Shows what `expectStillWith` cannot: after a look that asks for the owner first, a target that moves refused
 * items has moved them again.
 */
export async function expectNotWith(
  { as, given, expect, configuration }: OwnershipContext,
  { itemIds }: Pick<Belongings, 'itemIds'>,
  suspect: string,
  refused: Answer,
): Promise<void> {
  const username = await given.receiverBeside(suspect)
  // A reassignment from a user to the same user proves nothing.
  if (username === suspect) return
  const found = await reassign(as.contentAdministrator, { owner: suspect, itemIds }, username)
  expectNotOf([found, refused], itemIds, suspect, { expect, configuration, what: refusedButMoved })
}

const refusedButMoved = 'the request was refused, but items moved'

/** Expects that the items could not be reassigned on the path of that user. Those of a list may have been his before. */
function expectNotOf(
  [found, ...before]: readonly [Answer, ...Answer[]],
  itemIds: readonly string[],
  username: string,
  {
    expect,
    configuration,
    what,
  }: Pick<OwnershipContext, 'expect' | 'configuration'> & { readonly what: string },
): void {
  if (isAccepted(found) && listedFixtures(configuration) !== undefined)
    throw new Unproven(
      `${username} has the items now, and an earlier run may have given them: list items that were never given away`,
      [found, ...before],
    )
  const more = itemIds.length > 3 ? ` and ${itemIds.length - 3} more` : ''
  // An earlier run may have moved these items, so the refusal itself must be proved.
  expect(found, ...before).toShow(!isAccepted(found), what, {
    expected: `after the refusal ${username} does not have the items`,
    actual: `${itemIds.slice(0, 3).join(', ')}${more} could be reassigned on the path of ${username}`,
    indirect: true,
  })
}

/** More items than one request may name, shared by checks that need many: they change owners and are not used up. */
interface Stock {
  owner: string
  itemIds: readonly string[]
}

/** The new owner of the first items, and how many they are. */
export interface Moved {
  readonly to: string
  readonly count: number
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
  use: (stock: Stock) => Promise<Moved | undefined>,
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

/** Uses that many items: those of the stock if they are many and it has them. `use` returns which moved, and to whom. */
export async function withItems(
  context: OwnershipContext,
  count: number,
  use: (items: Belongings) => Promise<Moved>,
): Promise<void> {
  if (count < halfOfLimit || count > stockSize)
    await use(await context.given.items({ owner: 'itemOwner', count }))
  else await withStock(context, count, (stock) => use(partOf(stock, count)))
}

/** The first items of the stock. */
export const partOf = ({ owner, itemIds }: Stock, count: number): Belongings => ({
  owner,
  itemIds: itemIds.slice(0, count),
})
