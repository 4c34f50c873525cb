/** Faults of reassign-items in limits and parameters, and in what moves. */

import { setTimeout as sleep } from 'node:timers/promises'
import {
  afterAccepted,
  afterRefused,
  changeAccepted,
  changeCall,
  changeParts,
  overlook,
  refuseWhen,
  replacing,
  replacingIn,
} from '../alterations.ts'
import { itemIdsIn, itemsIn, targetOf } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import { faultsOf, requirementsOf } from './fault.ts'

const operation = 'reassign-items'

/** What the answer to an accepted request holds beside success. */
const firstItem = (call: Call) => ({ itemId: itemIdsIn(call)[0] })

/** Gives items away without a look at anything. */
export function move(call: Call, ids = itemIdsIn(call)): void {
  for (const id of ids) {
    const item = call.store.items.get(id)
    if (item !== undefined) item.owner = call.form.get('targetUsername') ?? item.owner
  }
}

/** Leaves ids that no item has out of such requests, unless they have no others. */
export const passOverUnknown = (concerns: (call: Call, at: number) => boolean = () => true): Alter =>
  changeCall(operation, (call) => {
    const known = itemIdsIn(call).filter((id, at) => call.store.items.has(id) || !concerns(call, at))
    return known.length === 0 ? call : { ...call, form: call.form.with('items', known.join(',')) }
  })

/** Takes any number of items in such requests. */
export const takeAnyNumber =
  (concerns: (call: Call) => boolean): Alter =>
  (parts) =>
    changeParts(operation, concerns, { limits: { ...parts.limits, items: 10_000 } })(parts)

/** Gives all of them away, and says what the answer then holds. */
export function moveAll(call: Call): { itemId: string | undefined } {
  move(call)
  return firstItem(call)
}

export const reassignItemsFaults = faultsOf({
  'first-hundred-items-taken': {
    sentence: 'Of more than 100 items the first 100 are taken, and the request is accepted.',
    breaks: ['reassign-items/items-limit-rejects'],
    alter: overlook(operation, 'too-many-items', (call) => {
      move(call, itemIdsIn(call).slice(0, 100))
      return firstItem(call)
    }),
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
    alter: overlook(operation, 'missing-items', firstItem),
  },
  'target-not-required': {
    sentence: 'A request without targetUsername is accepted.',
    breaks: ['reassign-items/target-required'],
    alter: overlook(operation, 'missing-target', firstItem),
  },
  'unknown-target-accepted': {
    sentence: 'Items can be given to a user who does not exist.',
    breaks: ['reassign-items/unknown-target', 'reassign-items/target-in-organization'],
    alter: overlook(operation, 'unknown-target', moveAll),
  },
  'folder-required': {
    sentence: 'A request without targetFoldername is refused.',
    breaks: ['reassign-items/folder-optional', 'reassign-items/items-limit-accepts'],
    alter: refuseWhen(
      operation,
      'missing-parameter',
      ({ form }) => form.get('targetFoldername') === undefined,
    ),
  },
  'folder-must-exist': {
    sentence: 'A folder that the target user does not have yet is refused.',
    breaks: ['reassign-items/folder-created'],
    // Whether other requests carry the optional folder is up to those who send them.
    mayBreak: requirementsOf(operation, 'protocol'),
    alter: refuseWhen(operation, 'bad-value', (call) => {
      const folder = call.form.get('targetFoldername')
      const target = targetOf(call)
      return folder !== undefined && target !== undefined && !target.folders.has(folder)
    }),
  },
  'folder-must-be-new': {
    sentence: 'A folder that the target user already has is refused.',
    breaks: ['reassign-items/folder-created'],
    // Many items go to one folder more than once.
    mayBreak: ['reassign-items/items-limit-accepts'],
    alter: refuseWhen(operation, 'bad-value', (call) => {
      const folder = call.form.get('targetFoldername')
      return folder !== undefined && targetOf(call)?.folders.has(folder) === true
    }),
  },
  'items-of-others-given-away': {
    sentence: 'Items are given away under the path of a user who does not own them.',
    breaks: ['reassign-items/not-their-item', 'reassign-items/ownership-moves'],
    mayBreak: ['reassign-items/concurrent-one-wins'],
    alter: overlook(operation, 'not-their-item', moveAll),
  },
  'items-stay-though-accepted': {
    sentence: 'A reassignment is accepted, but the items stay where they are.',
    breaks: ['reassign-items/ownership-moves'],
    mayBreak: ['reassign-items/concurrent-one-wins'],
    alter: afterAccepted(operation, (call) => {
      for (const item of itemsIn(call)) item.owner = call.params.userName as string
    }),
  },
  'last-item-keeps-owner': {
    sentence: 'Of several items all but the last move, and the request is accepted.',
    breaks: ['reassign-items/ownership-moves'],
    // Of two requests for it at the same moment both are accepted, too.
    mayBreak: ['reassign-items/concurrent-one-wins'],
    alter: afterAccepted(operation, (call) => {
      const [, ...rest] = itemsIn(call)
      const last = rest.at(-1)
      if (last !== undefined) last.owner = call.params.userName as string
    }),
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
    alter(parts) {
      parts.beforeMove = ({ form }) => sleep(form.get('targetFoldername') === undefined ? 0 : 20)
    },
  },
  'unknown-item-accepted': {
    sentence: 'An id that no item has is accepted.',
    breaks: ['reassign-items/unknown-item'],
    alter: overlook(operation, 'unknown-item', firstItem),
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
    alter: overlook(operation, 'unknown-target', moveAll, (call) => targetOf(call) !== undefined),
  },
})
