/** Faults of reassign-items: in limits and parameters, in what moves, in its callers, in its error (§7), and in lists. */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  afterAccepted,
  afterRefused,
  alsoMay,
  around,
  changeAccepted,
  changeCall,
  changeDetails,
  changeError,
  changeMay,
  changeParts,
  echoOf,
  onceRefused,
  overlook,
  refuseWhen,
  replacing,
  replacingIn,
  wrapping,
} from '../alterations.ts'
import { done } from '../answers.ts'
import { isOwner, itemIdsIn, itemsIn, targetOf } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import type { Item, User } from '../store.ts'
import { letIn } from './callers.ts'
import { faultsOf, isCustom, metByAny, namesFolder, requirementsOf, soonMs } from './fault.ts'

const operation = 'reassign-items'

/** Moves items without any checks. */
export function move(call: Call, ids = itemIdsIn(call)): void {
  for (const id of ids) {
    const item = call.store.items.get(id)
    if (item !== undefined) item.owner = call.form.get('targetUsername') ?? item.owner
  }
}

/** Moves items without any checks, and returns the fields of the answer. */
export function moveAll(call: Call, ids = itemIdsIn(call)) {
  move(call, ids)
  return echoOf(call)
}

/** Accepts requests, and returns some items to their owner at once or later. */
export const giveBack = (picked: (items: Item[], call: Call) => readonly Item[], laterMs = 0): Alter =>
  afterAccepted(
    operation,
    (call) => {
      for (const item of picked(itemsIn(call), call)) item.owner = call.params.userName as string
    },
    laterMs,
  )

/** For an allowed caller, gives some items to the user of the path before the request is handled. */
export const takeAsOwn = (picked: (call: Call) => readonly Item[]): Alter =>
  around(operation, (call, honest) => {
    const owner = call.store.users.get(call.params.userName as string)
    if (owner !== undefined && call.parts.may[operation](call, owner))
      for (const item of picked(call)) item.owner = owner.username
    return honest()
  })

/** Drops unknown ids from the list, unless all are unknown. */
const passOverUnknown = (concerns: (call: Call, at: number) => boolean = () => true): Alter =>
  changeCall(operation, (call) => {
    const known = itemIdsIn(call).filter((id, at) => call.store.items.has(id) || !concerns(call, at))
    return known.length === 0 ? call : { ...call, form: call.form.with('items', known.join(',')) }
  })

/** Lifts the limit on items for some calls. */
export const takeAnyNumber =
  (concerns: (call: Call) => boolean): Alter =>
  (parts) =>
    changeParts(operation, concerns, { limits: { ...parts.limits, items: 10_000 } })(parts)

/** Accepts reassignments without items of some callers. */
export function moveNothingFor(caller: (call: Call) => boolean): Alter {
  return around(operation, (call, honest) =>
    caller(call) && !call.form.get('items') ? done({ itemId: '' }) : honest(),
  )
}

/** Refuses a folder that the target user has, or one that it does not have. */
const refuseFolder = (has: boolean): Alter =>
  refuseWhen(operation, 'bad-value', (call) => {
    const folder = call.form.get('targetFoldername')
    return folder !== undefined && targetOf(call)?.folders.has(folder) === has
  })

/** Faults in limits and parameters, and in what moves. */
export const reassignItemsFaults = faultsOf({
  'first-hundred-items-taken': {
    sentence: 'Of more than 100 items the first 100 are taken, and the request is accepted.',
    breaks: ['reassign-items/items-limit-rejects'],
    alter: overlook(operation, 'too-many-items', undefined, (call) =>
      moveAll(call, itemIdsIn(call).slice(0, 100)),
    ),
  },
  'too-many-items-moved-though-refused': {
    sentence: 'A request with more than 100 items is refused, but the items move.',
    breaks: ['reassign-items/items-limit-rejects'],
    alter: afterRefused(operation, ['too-many-items'], (call) => move(call)),
  },
  'hundred-items-refused': {
    sentence: 'A request with exactly 100 items is refused.',
    breaks: ['reassign-items/items-limit-accepts'],
    alter: replacingIn('limits', { items: 99 }),
  },
  'hundred-and-one-items-accepted': {
    sentence: 'A request with 101 items is accepted.',
    breaks: ['reassign-items/items-limit-rejects'],
    alter: replacingIn('limits', { items: 101 }),
  },
  'items-not-required': {
    sentence: 'A request without items is accepted.',
    breaks: ['reassign-items/items-required'],
    alter: overlook(operation, 'missing-items'),
  },
  'target-not-required': {
    sentence: 'A request without targetUsername is accepted.',
    breaks: ['reassign-items/target-required'],
    alter: overlook(operation, 'missing-target'),
  },
  'unknown-target-accepted': {
    sentence: 'Items can be given to a user who does not exist.',
    breaks: ['reassign-items/unknown-target', 'reassign-items/target-in-organization'],
    alter: overlook(operation, 'unknown-target', undefined, moveAll),
  },
  'folder-required': {
    sentence: 'A request without targetFoldername is refused.',
    breaks: ['reassign-items/folder-optional', 'reassign-items/items-limit-accepts'],
    alter: refuseWhen(operation, 'missing-parameter', (call) => !namesFolder(call)),
  },
  'folder-must-exist': {
    sentence: 'A folder that the target user does not have yet is refused.',
    // Other checks may send the optional folder, too.
    ...metByAny('reassign-items/folder-created'),
    alter: refuseFolder(false),
  },
  'folder-must-be-new': {
    sentence: 'A folder that the target user already has is refused.',
    breaks: ['reassign-items/folder-created'],
    // Checks may give items to the same folder several times.
    mayBreak: ['reassign-items/items-limit-accepts'],
    alter: refuseFolder(true),
  },
  'items-of-others-given-away': {
    sentence: 'Items are given away under the path of a user who does not own them.',
    breaks: ['reassign-items/not-their-item', 'reassign-items/ownership-moves'],
    mayBreak: ['reassign-items/concurrent-one-wins'],
    alter: overlook(operation, 'not-their-item', undefined, moveAll),
  },
  'items-stay-though-accepted': {
    sentence: 'A reassignment is accepted, but the items stay where they are.',
    breaks: ['reassign-items/ownership-moves'],
    mayBreak: ['reassign-items/concurrent-one-wins'],
    alter: giveBack((items) => items),
  },
  'last-item-keeps-owner': {
    sentence: 'Of several items all but the last move, and the request is accepted.',
    breaks: ['reassign-items/ownership-moves'],
    // Two simultaneous requests for the item are both accepted, too.
    mayBreak: ['reassign-items/concurrent-one-wins'],
    alter: giveBack((items) => items.slice(1).slice(-1)),
  },
  'reassign-without-item-id': {
    sentence: 'The answer to an accepted request has no itemId.',
    breaks: ['reassign-items/reassigns'],
    alter: changeAccepted(operation, () => ({ itemId: undefined })),
  },
  'item-given-twice': {
    sentence:
      'Ownership is checked 20 ms before the items move, so that two requests can both give them away.',
    breaks: ['reassign-items/concurrent-one-wins'],
    alter: replacing({ beforeMove: () => sleep(20) }),
  },
  'item-given-twice-into-folders': {
    sentence: 'Two simultaneous requests can both give an item away where they name a folder.',
    breaks: ['reassign-items/concurrent-one-wins'],
    alter: replacing({ beforeMove: (call) => sleep(namesFolder(call) ? 20 : 0) }),
  },
  'unknown-item-accepted': {
    sentence: 'An id that no item has is accepted.',
    breaks: ['reassign-items/unknown-item'],
    alter: overlook(operation, 'unknown-item'),
  },
  'unknown-items-passed-over': {
    sentence: 'Ids that no item has are passed over where others stand beside them, and those move.',
    breaks: ['reassign-items/unknown-item'],
    alter: passOverUnknown(),
  },
  'unknown-item-refused-but-others-move': {
    sentence: 'A request with an id that no item has is refused, but the items beside it move.',
    breaks: ['reassign-items/unknown-item'],
    alter: afterRefused(operation, ['unknown-item'], (call) => move(call)),
  },
  'target-of-other-organization-accepted': {
    sentence: 'Items can be given to a user of another organization.',
    breaks: ['reassign-items/target-in-organization'],
    alter: overlook(operation, 'unknown-target', (call) => targetOf(call) !== undefined, moveAll),
  },
})

const reason = 'ineligible-target'

/** Faults with a target user who may not receive the items (§7). */
export const reassignErrorFaults = faultsOf({
  'ineligible-target-accepted': {
    sentence: 'Items go to a user who lacks the privileges to receive them.',
    breaks: ['reassign-items/ineligible-target'],
    // Without a refusal there is no error to check.
    mayBreak: [
      'reassign-items/error-shape',
      'reassign-items/error-details-fields',
      'reassign-items/error-details-items',
      'reassign-items/error-details-owner',
      'reassign-items/ineligible-target-keeps-owner',
    ],
    alter: replacing({ eligible: () => true }),
  },
  'ineligible-target-gets-items': {
    sentence: 'The request for an ineligible target is refused, but the owner changes.',
    breaks: ['reassign-items/ineligible-target-keeps-owner'],
    alter: afterRefused(operation, [reason], (call) => move(call)),
  },
  'error-code-as-string': {
    sentence: 'error.code is a string.',
    breaks: ['reassign-items/error-shape', 'reassign-items/ineligible-target'],
    alter: changeError(() => ({ code: '403' })),
  },
  'error-code-400': {
    sentence: 'error.code is 400 where the contract says 403.',
    breaks: ['reassign-items/ineligible-target'],
    alter: changeError(() => ({ code: 400 })),
  },
  'error-without-message-code': {
    sentence: 'The error has no messageCode.',
    breaks: ['reassign-items/error-shape'],
    alter: changeError(() => ({ messageCode: undefined })),
  },
  'error-details-empty': {
    sentence: 'error.details is empty.',
    breaks: ['reassign-items/error-details-items'],
    // An empty list has no entry that could lack a field.
    mayBreak: ['reassign-items/error-details-fields', 'reassign-items/error-details-owner'],
    alter: changeError(() => ({ details: [] })),
  },
  'error-details-only-first': {
    sentence: 'error.details names only the first of the items.',
    breaks: ['reassign-items/error-details-items'],
    alter: changeError((details) => ({ details: details.slice(0, 1) })),
  },
  'error-details-list-all-items': {
    sentence: 'error.details names all items of the request where the target could receive some.',
    breaks: ['reassign-items/error-details-items'],
    alter: around(operation, async (call, honest) => {
      const { parts } = call
      const answer = await honest()
      if (answer.refused !== reason) return answer
      return parts.refuse(reason, parts.errorDetails(itemsIn(call), targetOf(call) as User))
    }),
  },
  'error-details-item-twice': {
    sentence: 'error.details names the first item twice.',
    breaks: ['reassign-items/error-details-items'],
    alter: changeError((details) => ({ details: [...details.slice(0, 1), ...details] })),
  },
  'error-details-foreign-item': {
    sentence: 'error.details names an item that was not in the request in place of the first.',
    breaks: ['reassign-items/error-details-items'],
    alter: (parts) => changeDetails((_, at) => (at === 0 ? { itemId: parts.newId('item') } : {}))(parts),
  },
  'error-second-detail-without-keywords': {
    sentence: 'The second entry of error.details has no reservedTypeKeywords.',
    breaks: ['reassign-items/error-details-fields'],
    alter: changeDetails((_, at) => (at === 1 ? { reservedTypeKeywords: undefined } : {})),
  },
  'error-beside-success': {
    sentence: 'The error for an ineligible target stands beside success: false.',
    breaks: ['reassign-items/error-alone'],
    alter: around(operation, async (_call, honest) => {
      const answer = await honest()
      return answer.refused === reason ? { ...answer, body: { success: false, ...answer.body } } : answer
    }),
  },
  'error-details-url-is-path': {
    sentence: 'url in error.details is a path without a host.',
    breaks: ['reassign-items/error-details-url'],
    alter: changeDetails(({ itemId }) => ({ url: `/items/${itemId}` })),
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

export const reassignCallerFaults = faultsOf({
  'custom-administrators-refused': {
    sentence: 'A custom role with administrative privileges may not reassign items of others.',
    breaks: ['reassign-items/allows-custom-administrator'],
    alter: changeMay(operation, (may, { user }) => may && user?.role !== 'custom'),
  },
  'default-administrators-refused': {
    sentence: 'Only custom administrators and owners may reassign items.',
    breaks: [
      'protocol/form-post',
      'reassign-items/reassigns',
      'reassign-items/folder-optional',
      'reassign-items/folder-created',
      'reassign-items/items-limit-accepts',
      'reassign-items/allows-default-administrator',
    ],
    alter: changeMay(operation, (may, { user }) => may && user?.role !== 'administrator'),
  },
  'privileged-owner-refused': {
    sentence: 'An owner may not reassign his items, although he has the privilege.',
    // Any check may act as the owner where several callers are allowed.
    ...metByAny('reassign-items/allows-owner'),
    alter: changeMay(operation, (may, { user }, owner) => may && user !== owner),
  },
  'other-user-reassigns': {
    sentence: 'A user who is neither the owner nor an administrator may reassign items.',
    breaks: ['reassign-items/refuses-other-user'],
    alter: alsoMay(operation, ({ user }, owner) => user?.organization === 'host' && user !== owner),
  },
  'unprivileged-owner-reassigns': {
    sentence: 'An owner may reassign his items without the privilege.',
    breaks: ['reassign-items/refuses-owner-without-privilege'],
    alter: alsoMay(operation, ({ user }, owner) => user === owner),
  },
  'unprivileged-owner-refused-but-items-move': {
    sentence: 'An owner without the privilege is refused, but his items move.',
    breaks: ['reassign-items/refuses-owner-without-privilege'],
    alter: afterRefused(operation, ['forbidden'], (call) => {
      if (isOwner(call)) move(call)
    }),
  },
  ...letIn(operation, ['anonymous', 'any-credential', 'other-organization']),
  'items-reported-once': {
    sentence: 'error.details leaves out the items that an earlier refusal has named.',
    breaks: ['reassign-items/error-details-items'],
    alter(parts) {
      const reported = new Set<unknown>()
      changeError((all) => {
        const details = all.filter(({ itemId }) => !reported.has(itemId))
        for (const { itemId } of details) reported.add(itemId)
        return { details }
      })(parts)
    },
  },
  'hundred-items-need-no-folder': {
    sentence: 'A hundred items are refused where a folder is named.',
    breaks: ['reassign-items/items-limit-accepts'],
    mayBreak: ['reassign-items/ownership-moves', 'reassign-items/items-limit-rejects'],
    alter: refuseWhen(
      operation,
      'too-many-items',
      (call) => itemIdsIn(call).length === 100 && namesFolder(call),
    ),
  },
})

/** Callers and requests to which a rule does not apply. */
export const excusedFaults = faultsOf({
  'custom-administrator-names-no-items': {
    sentence: 'A request without items is accepted of a custom administrator, and moves none.',
    breaks: ['reassign-items/items-required'],
    alter: moveNothingFor(isCustom),
  },
  'custom-administrator-names-no-target': {
    sentence: 'A request without targetUsername is accepted of a custom administrator, and moves nothing.',
    breaks: ['reassign-items/target-required'],
    alter: overlook(operation, 'missing-target', isCustom),
  },
  'unknown-items-accepted-with-folder': {
    sentence: 'Where a folder is named, ids that no item has are passed over.',
    breaks: ['reassign-items/unknown-item'],
    alter: overlook(operation, 'unknown-item', namesFolder),
  },
  'foreign-items-given-away-with-folder': {
    sentence: 'Where a folder is named, items of others are given away under any path.',
    breaks: ['reassign-items/not-their-item'],
    mayBreak: ['reassign-items/ownership-moves', 'reassign-items/refuses-other-user'],
    alter: overlook(operation, 'not-their-item', namesFolder, moveAll),
  },
  'targets-elsewhere-accepted-with-folder': {
    sentence: 'Where a folder is named, items can be given to a user who does not exist.',
    breaks: ['reassign-items/unknown-target'],
    mayBreak: ['reassign-items/target-in-organization'],
    alter: overlook(operation, 'unknown-target', namesFolder),
  },
})

/** The existing items between the first and the last of the list. */
const itemsBetween = (call: Call): Item[] =>
  itemIdsIn(call)
    .slice(1, -1)
    .flatMap((id) => call.store.items.get(id) ?? [])

/** Gives items to users of other organizations, or to users who do not exist. */
const giveToUnknown = (caller: (call: Call) => boolean, exists: boolean): Alter =>
  overlook(
    operation,
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
  'foreign-item-in-the-middle-moves': {
    sentence: 'Of the items of a request only the owners of the first and the last are checked.',
    breaks: ['reassign-items/not-their-item'],
    alter: takeAsOwn(itemsBetween),
  },
  'items-of-others-given-away-by-custom-administrator': {
    sentence: 'A custom administrator may give items away under the path of a user who does not own them.',
    breaks: ['reassign-items/not-their-item'],
    alter: overlook(operation, 'not-their-item', isCustom, moveAll),
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
      around(operation, async (call, honest) => {
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
    mayBreak: requirementsOf(operation),
    alter: overlook(operation, 'ineligible-target', canReceiveFirst, moveAll),
  },
  'ineligible-target-gets-first-item': {
    sentence: 'The request for an ineligible target is refused, but the first of its items moves.',
    breaks: ['reassign-items/ineligible-target-keeps-owner'],
    mayBreak: ['reassign-items/ineligible-target'],
    alter: afterRefused(operation, ['ineligible-target'], (call) => move(call, itemIdsIn(call).slice(0, 1))),
  },
  'ineligible-target-gets-items-later': {
    sentence: 'The request for an ineligible target is refused, and its items move a little later.',
    breaks: ['reassign-items/ineligible-target-keeps-owner'],
    alter: afterRefused(operation, ['ineligible-target'], (call) => move(call), soonMs),
  },
  'item-once-refused-is-locked': {
    sentence: 'An item that was refused for an ineligible target cannot be given to anybody any more.',
    breaks: ['reassign-items/ineligible-target-keeps-owner'],
    mayBreak: ['reassign-items/ineligible-target'],
    alter: onceRefused(operation, ['ineligible-target'], itemIdsIn, (locked) =>
      refuseWhen(operation, 'not-their-item', (call) => {
        const target = targetOf(call)
        const isEligible = target === undefined || call.parts.eligible(target)
        return isEligible && itemIdsIn(call).some((id) => locked.has(id))
      }),
    ),
  },
  'too-many-items-move-later': {
    sentence: 'A request with more than 100 items is refused, and the items move a little later.',
    breaks: ['reassign-items/items-limit-rejects'],
    alter: afterRefused(operation, ['too-many-items'], (call) => move(call), soonMs),
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
