/** Faults in lists of items: entries in the middle, loops that stop half-way, and checks that depend on the caller. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterRefused, around, changeError, onceRefused, overlook, refuseWhen } from '../alterations.ts'
import { isOwner, itemIdsIn, itemsIn, targetOf } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import type { Item } from '../store.ts'
import { faultsOf, isCustom, requirementsOf, soonMs } from './fault.ts'
import { giveBack, move, moveAll, passOverUnknown, takeAnyNumber, takeAsOwn } from './reassign-items.ts'

const reassign = 'reassign-items'

/** The existing items between the first and the last of the list. */
const itemsBetween = (call: Call): Item[] =>
  itemIdsIn(call)
    .slice(1, -1)
    .flatMap((id) => call.store.items.get(id) ?? [])

/** Gives items to users of other organizations, or to users who do not exist. */
const giveToUnknown = (caller: (call: Call) => boolean, exists: boolean): Alter =>
  overlook(
    reassign,
    'unknown-target',
    (call) => caller(call) && (targetOf(call) !== undefined) === exists,
    moveAll,
  )

export const itemListFaults = faultsOf({
  'plain-commas-end-the-list': {
    sentence: 'Of a list whose commas are not escaped only the first item moves.',
    breaks: ['protocol/encoding'],
    alter: giveBack((items, { arrival: { body } }) =>
      /items=[^&]*,/.test(body.toString('latin1')) ? items.slice(1) : [],
    ),
  },
  'items-before-unknown-one-move': {
    sentence: 'A request with an id that no item has is refused, but the items before it have moved by then.',
    breaks: ['reassign-items/unknown-item'],
    alter: afterRefused(reassign, ['unknown-item'], (call) => {
      const ids = itemIdsIn(call)
      const firstUnknown = ids.findIndex((id) => !call.store.items.has(id))
      move(call, ids.slice(0, firstUnknown))
    }),
  },
  'unknown-item-in-the-middle-passed-over': {
    sentence: 'An id that no item has is passed over where it stands neither first nor last.',
    breaks: ['reassign-items/unknown-item'],
    alter: passOverUnknown((call, at) => at > 0 && at < itemIdsIn(call).length - 1),
  },
  'foreign-item-in-the-middle-moves': {
    sentence: 'Of the items of a request only the first and the last are looked at for their owner.',
    breaks: ['reassign-items/not-their-item'],
    alter: takeAsOwn(itemsBetween),
  },
  'items-of-others-given-away-by-custom-administrator': {
    sentence: 'A custom administrator may give items away under the path of a user who does not own them.',
    breaks: ['reassign-items/not-their-item'],
    alter: overlook(reassign, 'not-their-item', isCustom, moveAll),
  },
  'middle-item-keeps-owner': {
    sentence: 'Of three items or more those in the middle stay, and the request is accepted.',
    breaks: ['reassign-items/ownership-moves'],
    alter: giveBack((items) => items.slice(1, -1)),
  },
  'single-item-stays-with-former-owner': {
    sentence:
      'An item that was given away together with others can still be given away alone for its former owner.',
    breaks: ['reassign-items/ownership-moves'],
    // Two simultaneous requests for the item are both accepted, too.
    mayBreak: ['reassign-items/concurrent-one-wins'],
    alter(parts) {
      const former = new Map<string, string>()
      around(reassign, async (call, honest) => {
        const ids = itemIdsIn(call)
        const [only] = ids
        const item = ids.length === 1 ? call.store.items.get(only as string) : undefined
        if (item !== undefined && former.get(item.id) === call.params.userName)
          item.owner = call.params.userName as string
        const answer = await honest()
        if (answer.refused === undefined && ids.length > 1)
          for (const id of ids) former.set(id, call.params.userName as string)
        return answer
      })(parts)
    },
  },
  'first-item-alone-must-be-receivable': {
    sentence: 'Of the items of a request only the first is checked, whether its target can receive it.',
    breaks: ['reassign-items/ineligible-target'],
    mayBreak: requirementsOf(reassign),
    alter: overlook(reassign, 'ineligible-target', canReceiveFirst, moveAll),
  },
  'ineligible-target-gets-first-item': {
    sentence: 'The request for an ineligible target is refused, but the first of its items moves.',
    breaks: ['reassign-items/ineligible-target-keeps-owner'],
    mayBreak: ['reassign-items/ineligible-target'],
    alter: afterRefused(reassign, ['ineligible-target'], (call) => move(call, itemIdsIn(call).slice(0, 1))),
  },
  'ineligible-target-gets-items-later': {
    sentence: 'The request for an ineligible target is refused, and its items move a little later.',
    breaks: ['reassign-items/ineligible-target-keeps-owner'],
    alter: afterRefused(reassign, ['ineligible-target'], (call) => move(call), soonMs),
  },
  'item-once-refused-is-locked': {
    sentence: 'An item that was refused for an ineligible target cannot be given to anybody any more.',
    breaks: ['reassign-items/ineligible-target-keeps-owner'],
    mayBreak: ['reassign-items/ineligible-target'],
    alter: onceRefused(reassign, ['ineligible-target'], itemIdsIn, (locked) =>
      refuseWhen(reassign, 'not-their-item', (call) => {
        const target = targetOf(call)
        const isEligible = target === undefined || call.parts.eligible(target)
        return isEligible && itemIdsIn(call).some((id) => locked.has(id))
      }),
    ),
  },
  'too-many-items-move-later': {
    sentence: 'A request with more than 100 items is refused, and the items move a little later.',
    breaks: ['reassign-items/items-limit-rejects'],
    alter: afterRefused(reassign, ['too-many-items'], (call) => move(call), soonMs),
  },
  'too-many-items-for-custom-administrator': {
    sentence: 'A custom administrator may name more than 100 items.',
    breaks: ['reassign-items/items-limit-rejects'],
    alter: takeAnyNumber(isCustom),
  },
  'unknown-items-passed-over-for-owner': {
    sentence: 'Where the owner asks, ids that no item has are passed over.',
    breaks: ['reassign-items/unknown-item'],
    alter: passOverUnknown(isOwner),
  },
  'unknown-target-accepted-for-owner': {
    sentence: 'An owner may give items to a user who does not exist.',
    breaks: ['reassign-items/unknown-target'],
    alter: giveToUnknown(isOwner, false),
  },
  'owner-gives-to-other-organization': {
    sentence: 'An owner may give items to a user of another organization.',
    breaks: ['reassign-items/target-in-organization'],
    alter: giveToUnknown(isOwner, true),
  },
  'custom-administrator-gives-to-other-organization': {
    sentence: 'A custom administrator may give items to a user of another organization.',
    breaks: ['reassign-items/target-in-organization'],
    alter: giveToUnknown(isCustom, true),
  },
  'error-details-at-most-ten': {
    sentence: 'error.details names no more than ten items.',
    breaks: ['reassign-items/error-details-items'],
    alter: changeError((details) => ({ details: details.slice(0, 10) })),
  },
  'error-code-400-for-many-items': {
    sentence: 'Where more than 20 items are named, error.code is 400.',
    breaks: ['reassign-items/ineligible-target'],
    alter: changeError((details) => (details.length > 20 ? { code: 400 } : {})),
  },
  'simultaneous-reassignments-forgotten': {
    sentence: 'Of two reassignments of one owner that meet, the one that ends last undoes the other.',
    breaks: ['reassign-items/ownership-moves'],
    mayBreak: requirementsOf(reassign),
    alter: around(reassign, async (call, honest) => {
      const { store, params } = call
      const ids = itemIdsIn(call)
      const before = [...store.items.values()].filter(
        ({ owner, id }) => owner === params.userName && !ids.includes(id),
      )
      const answer = await honest()
      if (answer.refused !== undefined) return answer
      await sleep(5)
      // Simulates a list of the owner's items that is read first and written back later.
      for (const item of before) item.owner = params.userName as string
      return answer
    }),
  },
})

/** Whether the target may receive items, and can receive the first one. */
function canReceiveFirst(call: Call): boolean {
  const target = targetOf(call)
  const [first] = itemsIn(call)
  if (target === undefined || first === undefined) return false
  return call.parts.eligible(target) && call.parts.receivable(first, target)
}
