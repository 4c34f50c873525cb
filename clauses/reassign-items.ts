/** Judges of "reassign items" (§4.3, §8), except its error (§7), which is in reassign-error.ts. */
import { allows, refuses, refusesMistake, refusesParameter } from './callers.ts'
import {
  accepted,
  acceptedAfter,
  acceptedWhere,
  allOf,
  answerInWords,
  atMostOneWins,
  type Judge,
  type JudgesOf,
} from './clause.ts'
import { distinctItems, type Exchange, isStranger } from './exchange.ts'
import type { Facts } from './facts.ts'
import { mostIn } from './fields.ts'
import type { Ownership } from './item-facts.ts'
import { isIneligible, reassignErrorJudges } from './reassign-error.ts'
import { sameText } from './texts.ts'

const most = mostIn('reassign-items', 'items')

/** Whether the path names the caller. Undefined if the caller's user name is unknown. */
function isOfCaller({ caller, path }: Exchange, facts: Facts): boolean | undefined {
  const username = caller === undefined ? undefined : facts.usernameOf(caller)
  return username === undefined ? undefined : sameText(username, path.userName)
}

const isOwnPath = (exchange: Exchange, facts: Facts): boolean => isOfCaller(exchange, facts) === true
const isAnothersPath = (exchange: Exchange, facts: Facts): boolean => isOfCaller(exchange, facts) === false

/** The items of a request, unique across deployments and owners. */
const itemsOf = (exchange: Exchange): readonly string[] =>
  distinctItems(exchange, 'items').map((id) => JSON.stringify([exchange.baseUrl, exchange.path.userName, id]))

/** The item of a request that names one. Where a list has others too, these may move after a rival took the one. */
const onlyItemOf = (exchange: Exchange): readonly string[] => {
  const items = itemsOf(exchange)
  return items.length === 1 ? items : []
}

export const reassignItemsJudges: JudgesOf<'reassign-items'> = {
  'reassign-items/folder-created': acceptedWhere(({ value }) => (value('targetFoldername') ?? '') !== ''),
  'reassign-items/items-limit-accepts': accepted((exchange) => {
    const { length } = distinctItems(exchange, 'items')
    if (!exchange.recorded.form.exact || length > most) return undefined
    return length === most ? 'kept' : 'in part'
  }),
  'reassign-items/items-limit-rejects': refusesParameter((exchange) => {
    const { length } = distinctItems(exchange, 'items')
    if (!exchange.recorded.form.exact || length <= most) return undefined
    return {
      parameter: 'items',
      message: `more than ${most} items were accepted`,
      expected: `a request with more than ${most} items is refused`,
      actual: `${answerInWords(exchange)}; sent were ${length} items`,
    }
  }),
  'reassign-items/allows-owner': allows('itemOwner', isOwnPath),
  'reassign-items/refuses-owner-without-privilege': refuses('itemOwnerUnprivileged', isOwnPath),
  'reassign-items/refuses-other-user': allOf(
    refuses('outsider', isAnothersPath),
    refuses('itemOwner', isAnothersPath),
  ),
  'reassign-items/target-in-organization': refusesMistake(({ value }, facts) => {
    const target = value('targetUsername')
    if (target === undefined || !facts.isOfAnotherOrganization(target)) return undefined
    const message = `items were given to ${target}, a user of another organization`
    return { message, parameter: 'targetUsername' }
  }),
  'reassign-items/not-their-item': heldByOthers(
    ({ since }) => since === Number.NEGATIVE_INFINITY,
    'items of another user were reassigned on the path of a user who does not own them',
  ),
  'reassign-items/ownership-moves': heldByOthers(
    ({ since }) => since !== Number.NEGATIVE_INFINITY,
    'items were reassigned on the path of a user who had given them to another user before',
  ),
  'reassign-items/concurrent-one-wins': atMostOneWins(
    onlyItemOf,
    'two simultaneous reassignments of one item were both accepted',
    {
      rivals: (one, other) => one.value('targetUsername') !== other.value('targetUsername'),
      unlessAgainLater: true,
    },
  ),
  ...reassignErrorJudges,
  // The owner can give items away after a refusal, so the refusal did not move them.
  'reassign-items/ineligible-target-keeps-owner': acceptedAfter({
    happened: (exchange, facts) => (isIneligible(exchange, facts) ? itemsOf(exchange) : []),
    used: itemsOf,
  }),
}

/**
 * Items that somebody else owns cannot be given away under this path. If the user owns some of them, the rest is open.
 */
function heldByOthers(concerns: (holding: Ownership) => boolean, message: string): Judge {
  return accepted((exchange, facts) => {
    const { path, askedAt, caller } = exchange
    // An accepted stranger breaks another requirement.
    if (isStranger(caller)) return undefined
    const items = distinctItems(exchange, 'items')
    const holdings = items.flatMap((id) => facts.items.ownershipOf(id) ?? [])
    if (items.length === 0 || holdings.length < items.length || askedAt === undefined) return undefined
    if (!holdings.every(concerns)) return undefined
    if (holdings.every(({ owner }) => sameText(owner, path.userName))) return 'kept'
    const settled = holdings.every(({ since }) => askedAt > since + facts.run.settleMs)
    if (!settled || holdings.some(({ owner }) => sameText(owner, path.userName))) return undefined
    return {
      message,
      expected: `refused: the items are with ${holdings[0]?.owner}`,
      actual: answerInWords(exchange),
      marks: { request: ['items'] },
    }
  })
}
