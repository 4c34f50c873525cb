/** Judges of "reassign items" (§4.3, §8), and of its error for a target who may not receive the items (§7). */
import { type Fields, isObject } from '../schemas/values.ts'
import { show } from '../schemas/wording.ts'
import { isUrl } from '../specs/paths.ts'
import { allows, isOtherwiseRight, refuses, refusesMistake, refusesParameter } from './callers.ts'
import {
  accepted,
  acceptedAfter,
  acceptedWhere,
  allOf,
  answerInWords,
  atMostOneWins,
  each,
  type Judge,
  type Judgement,
  type JudgesOf,
  wrongField,
} from './clause.ts'
import { distinctItems, type Exchange, isRefused, isStranger } from './exchange.ts'
import type { Facts } from './facts.ts'
import { mostIn, sameId, schemaBreach } from './fields.ts'
import type { Ownership } from './item-facts.ts'
import { sameText } from './texts.ts'

const inEntries = (path: string): boolean => path.startsWith('error.details[')

/**
 * Whether this is the error for an ineligible target: it lists items, or says so in words and no other reason is known.
 */
function isIneligible(exchange: Exchange, facts: Facts): boolean {
  const error = errorOf(exchange)
  if (error === undefined) return false
  if (entriesOf(error).some((entry) => Object.hasOwn(entry, 'itemId'))) return true
  return /\btarget\s*user\b.*\bprivileges?\b/is.test(String(error.message)) && mayBeDue(exchange, facts)
}

/** Whether the target may be the reason. Other refusals use similar words. */
function mayBeDue(exchange: Exchange, facts: Facts): boolean {
  const target = exchange.value('targetUsername') ?? ''
  const receives = [
    facts.receives(target),
    ...distinctItems(exchange, 'items').map((id) => facts.receivesItem(target, id)),
  ]
  const isRecorded = exchange.caller === undefined
  const mayBe = isRecorded ? !receives[0] : receives.includes(false) && areTheirs(exchange, facts)
  return mayBe && isOtherwiseRight(exchange, facts)
}

/** Whether the fixtures say that the target can receive nothing. */
const cannotReceive = ({ value }: Exchange, facts: Facts): boolean =>
  facts.receives(value('targetUsername') ?? '') === false

/** Whether the answer must be that error: the target, who cannot receive every item, is the only mistake. */
const isDue = (exchange: Exchange, facts: Facts): boolean =>
  lacksPrivileges(exchange, facts) && facts.controlFor(exchange, 'targetUsername') !== undefined

/** Whether the fixtures say that the target cannot receive the items, or some of them. */
const lacksPrivileges = (exchange: Exchange, facts: Facts): boolean =>
  cannotReceive(exchange, facts) ||
  distinctItems(exchange, 'items').some(
    (id) => facts.receivesItem(exchange.value('targetUsername') ?? '', id) === false,
  )

/** Whether the user in the path owns all items of the request. */
const areTheirs = (exchange: Exchange, facts: Facts): boolean =>
  distinctItems(exchange, 'items').every(
    (id) => facts.items.ownershipOf(id)?.owner === exchange.path.userName,
  )

/** The items that the target can receive and those that it cannot. Both empty if one is unknown. */
function receivedOf(
  exchange: Exchange,
  asked: ReadonlySet<string>,
  facts: Facts,
): { readonly can: readonly string[]; readonly cannot: readonly string[] } {
  const target = exchange.value('targetUsername') ?? ''
  const known = [...asked].map((id) => [id, facts.receivesItem(target, id)] as const)
  if (known.some(([, can]) => can === undefined) || !areTheirs(exchange, facts))
    return { can: [], cannot: [] }
  const those = (wanted: boolean): string[] => known.flatMap(([id, can]) => (can === wanted ? [id] : []))
  return { can: those(true), cannot: those(false) }
}

const errorJudges: JudgesOf<'reassign-items'> = {
  'reassign-items/ineligible-target': each((exchange, facts) => {
    const due = isDue(exchange, facts)
    if (errorOf(exchange)?.code === 403) return due || isIneligible(exchange, facts) ? 'kept' : undefined
    // An accepted stranger, or items given away for another user, break other requirements.
    const known = cannotReceive(exchange, facts) && areTheirs(exchange, facts)
    const letIn = exchange.accepted !== undefined && known && !isStranger(exchange.caller)
    if (!letIn && !(due && isRefused(exchange))) return undefined
    return {
      message: 'the answer for a target who cannot receive items is not the error with code 403',
      expected: 'a JSON object with error.code: 403',
      actual: answerInWords(exchange),
      marks: { request: ['targetUsername'], ...(letIn ? {} : { response: ['error.code'] }) },
    }
  }),
  'reassign-items/error-shape': ofError((error) => {
    const breach = schemaBreach('reassign-items.error', { error }, (path) => !inEntries(path))
    const message = 'the error does not match its schema'
    const expected =
      'error.code an integer, error.messageCode and error.message strings, error.details an array'
    return breach === undefined ? 'kept' : { message, expected, ...breach }
  }),
  'reassign-items/error-details-fields': ofEntries((_, error) => {
    const breach = schemaBreach('reassign-items.error', { error }, inEntries)
    const message = 'a field of an entry of details is missing or has the wrong type'
    const expected =
      'in every entry itemId, type, url, owner as strings and reservedTypeKeywords as an array of strings'
    return breach === undefined ? 'kept' : { message, expected, ...breach }
  }),
  'reassign-items/error-details-items': ofDetails((entries, _, exchange, facts) => {
    const asked = new Set(distinctItems(exchange, 'items'))
    const seen = new Set<unknown>()
    const found = entries.map(({ itemId }) => itemId)
    if (asked.size === 0 || !found.every((id) => typeof id === 'string')) return undefined
    const named = found.map((id) => asSent(id.trim(), asked, facts))
    const foreign = named.filter((id) => !asked.has(id))
    const doubled = named.filter((id) => seen.size === seen.add(id).size)
    const received = receivedOf(exchange, asked, facts)
    const noneCanGo = cannotReceive(exchange, facts) && (isDue(exchange, facts) || areTheirs(exchange, facts))
    const due = noneCanGo ? [...asked] : received.cannot
    const missing = due.filter((id) => !named.includes(id))
    const spared = received.can.filter((id) => named.includes(id))
    const wrong = Object.entries({
      'not of the request': foreign,
      'without an entry': missing,
      'could be received': spared,
      'more than once': doubled,
    }).flatMap(([what, ids]) => (ids.length === 0 ? [] : [`${what}: ${show(ids)}`]))
    if (wrong.length === 0) return entries.length === 0 ? undefined : 'kept'
    return {
      message: 'details does not name the items that could not be reassigned, each once',
      expected: noneCanGo
        ? `one entry for each of the ${asked.size} items of the request`
        : received.cannot.length > 0
          ? `one entry for each of the ${received.cannot.length} items that the target cannot receive`
          : `entries for items among the ${asked.size} of the request, none twice`,
      actual: `${named.length} entries; ${wrong.join('; ')}`,
      marks: { request: ['items'], response: ['error.details'] },
    }
  }),
  'reassign-items/error-details-owner': ofEntries((entries, _, exchange, facts) => {
    const { path, askedAt = 0 } = exchange
    const judgements = entries.map(
      ({ owner }, at): Judgement =>
        typeof owner === 'string'
          ? sameId(owner, path.userName as string, `error.details[${at}].owner`, facts)
          : undefined,
    )
    const breach = judgements.find((judgement) => isObject(judgement))
    if (breach === undefined) return judgements.includes(undefined) ? undefined : 'kept'
    // Items that were moved a moment ago may still show their former owner.
    const since = distinctItems(exchange, 'items').map(
      (id) => facts.items.movedAt(id) ?? Number.NEGATIVE_INFINITY,
    )
    return askedAt > Math.max(...since) + facts.run.settleMs ? breach : undefined
  }),
  'reassign-items/error-alone': ofError((_, { body = {} }) => {
    const others = Object.keys(body).filter((name) => name !== 'error')
    if (others.length === 0) return 'kept'
    return {
      message: 'the answer holds more than the error',
      expected: 'one field, error',
      actual: `also ${others.slice(0, 5).join(', ')}`,
      marks: { response: others.slice(0, 5) },
    }
  }),
  'reassign-items/error-details-url': ofEntries((entries) => {
    const wrong = entries.findIndex(({ url }) => typeof url === 'string' && !isUrl(url))
    if (wrong >= 0) return ofOtherForm(`error.details[${wrong}].url`, entries[wrong]?.url, 'a URL')
    return entries.every(({ url }) => typeof url === 'string') ? 'kept' : undefined
  }),
  'reassign-items/error-message-code': ofError(({ messageCode }) => {
    if (typeof messageCode !== 'string') return undefined
    if (/^CONT_\d+$/.test(messageCode)) return 'kept'
    return ofOtherForm('error.messageCode', messageCode, 'CONT_ and a number')
  }),
}

/** The id as the request has it. An answer may give it in another case, unless that is the id of another fixture. */
function asSent(id: string, asked: ReadonlySet<string>, facts: Facts): string {
  if (asked.has(id) || facts.wasHandedOut(id)) return id
  const alike = [...asked].filter((each) => sameText(each, id))
  return alike.length === 1 ? (alike[0] as string) : id
}

function ofError(look: (error: Fields, exchange: Exchange, facts: Facts) => Judgement): Judge {
  return each((exchange, facts) => {
    const error = errorOf(exchange)
    // Another error has another reason. That it came instead of this one is judged by its code.
    const known = isIneligible(exchange, facts) || (isDue(exchange, facts) && Number(error?.code) === 403)
    return error !== undefined && known ? look(error, exchange, facts) : undefined
  })
}

type LookAtEntries = (
  entries: readonly Fields[],
  error: Fields,
  exchange: Exchange,
  facts: Facts,
) => Judgement

function ofDetails(look: LookAtEntries): Judge {
  return ofError((error, exchange, facts) =>
    Array.isArray(error.details) ? look(entriesOf(error), error, exchange, facts) : undefined,
  )
}

function ofEntries(look: LookAtEntries): Judge {
  return ofDetails((entries, ...others) => (entries.length === 0 ? undefined : look(entries, ...others)))
}

/** A field has the wrong form. */
const ofOtherForm = (field: string, found: unknown, form: string): Judgement =>
  wrongField(field, { message: `${field} is not ${form}`, expected: form, found })

function errorOf(exchange: Exchange): Fields | undefined {
  const error = exchange.body?.error
  return isRefused(exchange) && isObject(error) ? error : undefined
}

const entriesOf = ({ details }: Fields): Fields[] =>
  Array.isArray(details) ? details.map((entry) => (isObject(entry) ? entry : {})) : []

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
      actual: `${answerInWords(exchange)}; the request had ${length} items`,
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
  ...errorJudges,
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
