/** Faults of reassign-items in limits, parameters and callers, and in what moves. */

import { alsoMay, around, hasInvalidCredential, isAnonymous, overlook, refuseWhen } from '../alterations.ts'
import type { Call } from '../parts.ts'
import type { User } from '../users.ts'
import { type Fault, requirementsOf } from './fault.ts'

const operation = 'reassign-items'

const itemIds = ({ form }: Call) => (form.get('items') ?? '').split(',')

const firstItem = (call: Call) => ({ itemId: itemIds(call)[0] ?? '' })

/** Gives items away without a look at anything. */
function move(call: Call, ids = itemIds(call)): void {
  for (const id of ids) {
    const item = call.store.items.get(id)
    if (item !== undefined) item.owner = call.form.get('targetUsername') ?? item.owner
  }
}

function isOwnersCall({ user }: Call, owner: User): boolean {
  return user === owner
}

export const reassignItemsFaults: readonly Fault[] = [
  {
    id: 'first-hundred-items-taken',
    sentence: 'Of more than 100 items the first 100 are taken, and the request is accepted.',
    breaks: ['reassign-items/items-limit-rejects'],
    alter: (parts) =>
      overlook(parts, operation, 'too-many-items', (call) => {
        move(call, itemIds(call).slice(0, 100))
        return firstItem(call)
      }),
  },
  {
    id: 'too-many-items-moved-though-refused',
    sentence: 'A request with more than 100 items is refused, but the items move.',
    breaks: ['reassign-items/items-limit-rejects'],
    alter: (parts) =>
      around(parts, operation, async (call, honest) => {
        const answer = await honest()
        if (answer.refused === 'too-many-items') move(call)
        return answer
      }),
  },
  {
    id: 'hundred-items-refused',
    sentence: 'A request with exactly 100 items is refused.',
    breaks: ['reassign-items/items-limit-accepts'],
    alter(parts) {
      parts.limits.items = 99
    },
  },
  {
    id: 'items-not-required',
    sentence: 'A request without items is accepted.',
    breaks: ['reassign-items/items-required'],
    alter: (parts) => overlook(parts, operation, 'missing-items', firstItem),
  },
  {
    id: 'target-not-required',
    sentence: 'A request without targetUsername is accepted.',
    breaks: ['reassign-items/target-required'],
    alter: (parts) => overlook(parts, operation, 'missing-target', firstItem),
  },
  {
    id: 'unknown-target-accepted',
    sentence: 'Items can be given to a user who does not exist.',
    breaks: ['reassign-items/unknown-target'],
    alter: (parts) =>
      overlook(parts, operation, 'unknown-target', (call) => {
        move(call)
        return firstItem(call)
      }),
  },
  {
    id: 'folder-must-exist',
    sentence: 'A folder that the target user does not have yet is refused.',
    breaks: ['reassign-items/folder-created'],
    // Whether other requests carry the optional folder is up to those who send them.
    mayBreak: requirementsOf(operation, 'protocol'),
    alter: (parts) =>
      refuseWhen(parts, operation, 'bad-value', ({ form, store }) => {
        const folder = form.get('targetFoldername')
        const target = store.users.get(form.get('targetUsername') ?? '')
        return folder !== undefined && target !== undefined && !target.folders.has(folder)
      }),
  },
  {
    id: 'folder-must-be-new',
    sentence: 'A folder that the target user already has is refused.',
    breaks: ['reassign-items/folder-created'],
    alter: (parts) =>
      refuseWhen(parts, operation, 'bad-value', ({ form, store }) => {
        const folder = form.get('targetFoldername')
        const target = store.users.get(form.get('targetUsername') ?? '')
        return folder !== undefined && target?.folders.has(folder) === true
      }),
  },
  {
    id: 'custom-administrators-refused',
    sentence: 'A custom role with administrative privileges may not reassign items of others.',
    breaks: ['reassign-items/allows-custom-administrator'],
    alter(parts) {
      const honest = parts.may.reassign
      parts.may.reassign = (call, owner) => call.user?.role !== 'custom' && honest(call, owner)
    },
  },
  {
    id: 'privileged-owner-refused',
    sentence: 'An owner may not reassign his items, although he has the privilege.',
    breaks: ['reassign-items/allows-owner'],
    // Who sends the requests that anybody entitled may send is up to the suite.
    mayBreak: requirementsOf(operation, 'protocol'),
    alter(parts) {
      const honest = parts.may.reassign
      parts.may.reassign = (call, owner) => call.user !== owner && honest(call, owner)
    },
  },
  {
    id: 'other-user-reassigns',
    sentence: 'A user who is neither the owner nor an administrator may reassign items.',
    breaks: ['reassign-items/refuses-other-user'],
    alter: (parts) =>
      alsoMay(parts, 'reassign', ({ user }, owner) => user?.organization === 'host' && user !== owner),
  },
  {
    id: 'unprivileged-owner-reassigns',
    sentence: 'An owner may reassign his items without the privilege.',
    breaks: ['reassign-items/refuses-owner-without-privilege'],
    alter: (parts) => alsoMay(parts, 'reassign', isOwnersCall),
  },
  {
    id: 'unprivileged-owner-refused-but-items-move',
    sentence: 'An owner without the privilege is refused, but his items move.',
    breaks: ['reassign-items/refuses-owner-without-privilege'],
    alter: (parts) =>
      around(parts, operation, async (call, honest) => {
        const answer = await honest()
        const isOwner = call.user !== undefined && call.user.username === call.params.userName
        if (answer.refused === 'forbidden' && isOwner) move(call)
        return answer
      }),
  },
  {
    id: 'anonymous-reassigns',
    sentence: 'Items can be reassigned without credentials.',
    breaks: ['reassign-items/refuses-anonymous'],
    alter: (parts) => alsoMay(parts, 'reassign', isAnonymous),
  },
  {
    id: 'any-credential-reassigns',
    sentence: 'Items can be reassigned with a credential that nobody was given.',
    breaks: ['reassign-items/refuses-invalid-credential'],
    alter: (parts) => alsoMay(parts, 'reassign', hasInvalidCredential),
  },
  {
    id: 'items-of-others-given-away',
    sentence: 'Items are given away under the path of a user who does not own them.',
    breaks: [
      'reassign-items/not-their-item',
      'reassign-items/ownership-moves',
      'reassign-items/concurrent-one-wins',
    ],
    alter: (parts) =>
      overlook(parts, operation, 'not-their-item', (call) => {
        move(call)
        return firstItem(call)
      }),
  },
  {
    id: 'items-stay-though-accepted',
    sentence: 'A reassignment is accepted, but the items stay where they are.',
    breaks: ['reassign-items/ownership-moves', 'reassign-items/concurrent-one-wins'],
    alter: (parts) =>
      around(parts, operation, async (call, honest) => {
        const answer = await honest()
        if (answer.refused === undefined) {
          for (const id of itemIds(call)) {
            const item = call.store.items.get(id)
            if (item !== undefined) item.owner = call.params.userName as string
          }
        }
        return answer
      }),
  },
  {
    id: 'item-given-twice',
    sentence:
      'Ownership is checked 20 ms before the items move, so that two requests can both give them away.',
    breaks: ['reassign-items/concurrent-one-wins'],
    alter(parts) {
      parts.beforeMove = () => new Promise((resolve) => setTimeout(resolve, 20))
    },
  },
]
