/** Reassignments that go wrong in a list, after others, or beside others (§4.3, §7). */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  afterAccepted,
  afterRefused,
  alsoMay,
  around,
  changeDetails,
  changeError,
  overlook,
  refuseWhen,
  replacing,
  wrapping,
} from '../alterations.ts'
import { itemIdsIn, itemsIn, targetOf } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import type { Item, User } from '../store.ts'
import { firstItem, move, moveAll, namesFolder, passOverUnknown } from './effects.ts'
import { type Chapter, faultsOf, requirementsOf, storiesOf } from './fault.ts'

const operation = 'reassign-items'

/** Before ownership is checked, gives such items to the user of the path. */
const unchecked = (picked: (items: Item[]) => Item[]): Alter =>
  around(operation, (call, honest) => {
    const owner = call.store.users.get(call.params.userName as string)
    const items = itemsIn(call)
    if (owner !== undefined && items[0]?.owner === owner.username && call.parts.may.reassign(call, owner))
      for (const item of picked(items)) item.owner = owner.username
    return honest()
  })

const isGuestForHimself = ({ user, form }: Call): boolean =>
  user?.actor === 'guestAdministrator' && form.get('targetUsername') === user.username

const reassignmentFaults = faultsOf({
  'first-hundred-items-taken': {
    sentence: 'Of more than 100 items the first 100 are taken, and the request is accepted.',
    breaks: ['reassign-items/items-limit-rejects'],
    alter: overlook(operation, 'too-many-items', (call) => {
      move(call, itemIdsIn(call).slice(0, 100))
      return firstItem(call)
    }),
  },
  'foreign-item-rides-along': {
    sentence: 'Of the items of a request only the first is looked at for its owner.',
    breaks: ['reassign-items/not-their-item'],
    alter: unchecked((items) => items.slice(1)),
  },
  'foreign-item-in-the-middle-moves': {
    sentence: 'Of the items of a request only the first and the last are looked at for their owner.',
    breaks: ['reassign-items/not-their-item'],
    alter: unchecked((items) => items.slice(1, -1)),
  },
  'items-before-unknown-one-move': {
    sentence: 'A request with an id that no item has is refused, but the items before it have moved by then.',
    breaks: ['reassign-items/unknown-item'],
    alter: afterRefused(operation, ['unknown-item'], (call) => {
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
  'plain-commas-end-the-list': {
    sentence: 'Of a list whose commas are not escaped only the first item moves.',
    breaks: ['protocol/encoding'],
    alter: afterAccepted(operation, (call) => {
      if (/items=[^&]*,/.test(call.arrival.body.toString('latin1')))
        for (const item of itemsIn(call).slice(1)) item.owner = call.params.userName as string
    }),
  },
  'missing-target-orphans-items': {
    sentence: 'Without targetUsername the request is refused, but the items have no owner any more.',
    breaks: ['reassign-items/target-required'],
    mayBreak: requirementsOf('protocol'),
    alter: afterRefused(operation, ['missing-target'], (call) => {
      for (const item of itemsIn(call)) item.owner = ''
    }),
  },
  'guest-takes-items-himself': {
    sentence: 'The administrator of a guest may reassign the items of the host to himself.',
    breaks: ['reassign-items/refuses-other-organization'],
    alter(parts) {
      alsoMay('reassign', isGuestForHimself)(parts)
      overlook(operation, 'unknown-target', moveAll, isGuestForHimself)(parts)
    },
  },
  'first-item-alone-must-be-receivable': {
    sentence: 'Of the items of a request only the first is looked at, whether its target can receive it.',
    breaks: ['reassign-items/ineligible-target'],
    mayBreak: requirementsOf(operation),
    alter: overlook(operation, 'ineligible-target', moveAll, (call) => {
      const target = targetOf(call)
      const [first] = itemsIn(call)
      if (target === undefined || first === undefined) return false
      return call.parts.eligible(target) && call.parts.receivable(first, target)
    }),
  },
  'error-details-list-all-items': {
    sentence: 'error.details names all items of the request where the target could receive some.',
    breaks: ['reassign-items/error-details-items'],
    alter: around(operation, async (call, honest) => {
      const { parts } = call
      const answer = await honest()
      if (answer.refused !== 'ineligible-target') return answer
      return parts.refuse('ineligible-target', parts.errorDetails(itemsIn(call), targetOf(call) as User))
    }),
  },
  'error-beside-success': {
    sentence: 'The error for an ineligible target stands beside success: false.',
    breaks: ['reassign-items/error-alone'],
    alter: around(operation, async (_call, honest) => {
      const answer = await honest()
      if (answer.refused !== 'ineligible-target') return answer
      return { ...answer, body: { success: false, ...answer.body } }
    }),
  },
  'error-details-owner-is-target': {
    sentence: 'owner in error.details is the target user.',
    breaks: ['reassign-items/error-details-owner'],
    alter: wrapping(
      'errorDetails',
      (honest) => (items, target) =>
        honest(items, target).map((entry) => ({ ...(entry as object), owner: target.username })),
    ),
  },
})

const reassignmentStories = storiesOf({
  'item-given-twice': {
    sentence: 'Ownership is checked 20 ms before items move, so that two requests can give them away.',
    breaks: ['reassign-items/concurrent-one-wins'],
    alter: replacing({ beforeMove: () => sleep(20) }),
  },
  'item-given-twice-into-folders': {
    sentence: 'Two simultaneous requests can both give an item away where they name a folder.',
    breaks: ['reassign-items/concurrent-one-wins'],
    alter: replacing({ beforeMove: (call) => sleep(namesFolder(call) ? 20 : 0) }),
  },
  'items-told-once': {
    sentence: 'error.details leaves out the items that an earlier refusal has named.',
    breaks: ['reassign-items/error-details-items'],
    alter(parts) {
      const told = new Set<unknown>()
      changeError((all) => {
        const details = all.filter(({ itemId }) => !told.has(itemId))
        for (const { itemId } of details) told.add(itemId)
        return { details }
      })(parts)
    },
  },
  'item-once-refused-is-locked': {
    sentence: 'An item that was refused for an ineligible target cannot be given to anybody any more.',
    breaks: ['reassign-items/ineligible-target-keeps-owner'],
    mayBreak: ['reassign-items/ineligible-target'],
    alter(parts) {
      const locked = new Set<string>()
      refuseWhen(operation, 'not-their-item', (call) => {
        const target = targetOf(call)
        return (
          itemIdsIn(call).some((id) => locked.has(id)) && (target === undefined || parts.eligible(target))
        )
      })(parts)
      afterRefused(operation, ['ineligible-target'], (call) => {
        for (const id of itemIdsIn(call)) locked.add(id)
      })(parts)
    },
  },
  'items-given-back-stay': {
    sentence: 'An item that was given back cannot be given away a second time by the same owner.',
    breaks: ['reassign-items/ownership-moves'],
    mayBreak: requirementsOf(operation),
    alter(parts) {
      const given = new Set<string>()
      const keysOf = (call: Call) => itemIdsIn(call).map((id) => `${call.params.userName}/${id}`)
      afterAccepted(operation, (call) => {
        for (const key of keysOf(call)) given.add(key)
      })(parts)
      refuseWhen(operation, 'not-their-item', (call) => keysOf(call).some((key) => given.has(key)))(parts)
    },
  },
  'former-owner-refused': {
    sentence: 'An item cannot be given back to a user who has had it before.',
    breaks: ['reassign-items/ownership-moves'],
    alter(parts) {
      const former = new Set<string>()
      const keysOf = (call: Call, name?: string) => itemIdsIn(call).map((id) => `${id} ${name}`)
      afterAccepted(operation, (call) => {
        for (const key of keysOf(call, call.params.userName)) former.add(key)
      })(parts)
      refuseWhen(operation, 'bad-value', (call) =>
        keysOf(call, call.form.get('targetUsername')).some((key) => former.has(key)),
      )(parts)
    },
  },
  'single-item-stays-with-former-owner': {
    sentence: 'An item that was given away with others can be given away alone for its former owner.',
    breaks: ['reassign-items/ownership-moves'],
    // Of two requests for it at the same moment both are accepted, too.
    mayBreak: ['reassign-items/concurrent-one-wins'],
    alter(parts) {
      const former = new Map<string, string>()
      around(operation, (call, honest) => {
        const [item, ...rest] = itemsIn(call)
        const owner = call.params.userName as string
        if (item !== undefined && rest.length === 0 && former.get(item.id) === owner) item.owner = owner
        return honest()
      })(parts)
      afterAccepted(operation, (call) => {
        const ids = itemIdsIn(call)
        if (ids.length > 1) for (const id of ids) former.set(id, call.params.userName as string)
      })(parts)
    },
  },
  'error-details-owner-is-former': {
    sentence: 'owner in error.details is the owner that the item had when somebody first asked for it.',
    breaks: ['reassign-items/error-details-owner'],
    alter(parts) {
      const first = new Map<unknown, string>()
      around(operation, (call, honest) => {
        for (const { id, owner } of itemsIn(call)) if (!first.has(id)) first.set(id, owner)
        return honest()
      })(parts)
      changeDetails(({ itemId }) => ({ owner: first.get(itemId) }))(parts)
    },
  },
  'reassignments-serialised-by-caller': {
    sentence: 'Reassignments of one caller wait for each other, those of two callers do not.',
    breaks: ['reassign-items/concurrent-one-wins'],
    alter(parts) {
      const under = new Map<string, Promise<unknown>>()
      const key = ({ user }: Call) => user?.username ?? ''
      parts.beforeMove = () => sleep(12)
      around(operation, (call, honest) => {
        const mine = (under.get(key(call)) ?? Promise.resolve()).then(() => honest())
        under.set(
          key(call),
          mine.catch(() => undefined),
        )
        return mine
      })(parts)
    },
  },
  'simultaneous-reassignments-forgotten': {
    sentence: 'Of two reassignments of one owner that meet, the one that ends last undoes the other.',
    breaks: ['reassign-items/ownership-moves'],
    mayBreak: requirementsOf(operation),
    alter: around(operation, async (call, honest) => {
      const { store, params } = call
      const ids = itemIdsIn(call)
      const before = [...store.items.values()].filter(
        ({ owner, id }) => owner === params.userName && !ids.includes(id),
      )
      const answer = await honest()
      if (answer.refused !== undefined) return answer
      await sleep(5)
      // The list of what its owner has is written back as it was read.
      for (const item of before) item.owner = params.userName as string
      return answer
    }),
  },
})

export const reassignmentsChapter: Chapter = { faults: [...reassignmentFaults, ...reassignmentStories] }
