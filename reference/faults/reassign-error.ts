/** Faults of reassign-items in who may call it, and in what it does with a target user who may not receive the items (§7). */
import {
  afterRefused,
  alsoMay,
  around,
  changeDetails,
  changeError,
  changeMay,
  hasInvalidCredential,
  isAnonymous,
  refuseWhen,
  replacing,
  wrapping,
} from '../alterations.ts'
import { itemsIn, targetOf } from '../handlers.ts'
import { isAdministrator } from '../permissions.ts'
import type { User } from '../store.ts'
import { faultsOf, requirementsOf } from './fault.ts'
import { move } from './reassign-items.ts'

const operation = 'reassign-items'

const reason = 'ineligible-target'

export const reassignErrorFaults = faultsOf({
  'ineligible-target-accepted': {
    sentence: 'Items go to a user who lacks the privileges to receive them.',
    breaks: ['reassign-items/ineligible-target'],
    // Without a refusal there is no error to look at.
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
    sentence: 'error.details names an item that nobody asked for in place of the first.',
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
    alter: changeMay('reassign', (may, { user }) => may && user?.role !== 'custom'),
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
    alter: changeMay('reassign', (may, { user }) => may && user?.role !== 'administrator'),
  },
  'privileged-owner-refused': {
    sentence: 'An owner may not reassign his items, although he has the privilege.',
    breaks: ['reassign-items/allows-owner'],
    // Who sends the requests that anybody entitled may send is up to the suite.
    mayBreak: requirementsOf(operation, 'protocol'),
    alter: changeMay('reassign', (may, { user }, owner) => may && user !== owner),
  },
  'other-user-reassigns': {
    sentence: 'A user who is neither the owner nor an administrator may reassign items.',
    breaks: ['reassign-items/refuses-other-user'],
    alter: alsoMay('reassign', ({ user }, owner) => user?.organization === 'host' && user !== owner),
  },
  'unprivileged-owner-reassigns': {
    sentence: 'An owner may reassign his items without the privilege.',
    breaks: ['reassign-items/refuses-owner-without-privilege'],
    alter: alsoMay('reassign', ({ user }, owner) => user === owner),
  },
  'unprivileged-owner-refused-but-items-move': {
    sentence: 'An owner without the privilege is refused, but his items move.',
    breaks: ['reassign-items/refuses-owner-without-privilege'],
    alter: afterRefused(operation, ['forbidden'], (call) => {
      if (call.user?.username === call.params.userName) move(call)
    }),
  },
  'anonymous-reassigns': {
    sentence: 'Items can be reassigned without credentials.',
    breaks: ['reassign-items/refuses-anonymous'],
    alter: alsoMay('reassign', isAnonymous),
  },
  'any-credential-reassigns': {
    sentence: 'Items can be reassigned with a credential that nobody was given.',
    breaks: ['reassign-items/refuses-invalid-credential'],
    alter: alsoMay('reassign', hasInvalidCredential),
  },
  'other-organization-reassigns': {
    sentence: 'The administrator of another organization may reassign items.',
    breaks: ['reassign-items/refuses-other-organization'],
    alter: alsoMay('reassign', ({ user }) => isAdministrator(user)),
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
  'hundred-items-need-no-folder': {
    sentence: 'A hundred items are refused where a folder is named.',
    breaks: ['reassign-items/items-limit-accepts'],
    mayBreak: ['reassign-items/ownership-moves', 'reassign-items/items-limit-rejects'],
    alter: refuseWhen(
      operation,
      'too-many-items',
      ({ form }) =>
        form.get('items')?.split(',').length === 100 && form.get('targetFoldername') !== undefined,
    ),
  },
})
