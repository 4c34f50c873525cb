/** Faults of reassign-items in what it does with a target user who may not receive the items (§7). */
import { around, changeError } from '../alterations.ts'
import type { Fault } from './fault.ts'

const operation = 'reassign-items'

const reason = 'ineligible-target'

export const reassignErrorFaults: readonly Fault[] = [
  {
    id: 'ineligible-target-accepted',
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
    alter(parts) {
      parts.eligible = () => true
    },
  },
  {
    id: 'ineligible-target-gets-items',
    sentence: 'The request for an ineligible target is refused, but the owner changes.',
    breaks: ['reassign-items/ineligible-target-keeps-owner'],
    alter: (parts) =>
      around(parts, operation, async (call, honest) => {
        const answer = await honest()
        if (answer.refused === reason) {
          for (const id of (call.form.get('items') ?? '').split(',')) {
            const item = call.store.items.get(id)
            if (item !== undefined) item.owner = call.form.get('targetUsername') as string
          }
        }
        return answer
      }),
  },
  {
    id: 'error-code-as-string',
    sentence: 'error.code is a string.',
    breaks: ['reassign-items/error-shape', 'reassign-items/ineligible-target'],
    alter: (parts) => changeError(parts, operation, reason, (error) => ({ ...error, code: '403' })),
  },
  {
    id: 'error-code-400',
    sentence: 'error.code is 400 where the contract says 403.',
    breaks: ['reassign-items/ineligible-target'],
    alter: (parts) => changeError(parts, operation, reason, (error) => ({ ...error, code: 400 })),
  },
  {
    id: 'error-without-message-code',
    sentence: 'The error has no messageCode.',
    breaks: ['reassign-items/error-shape'],
    alter: (parts) => changeError(parts, operation, reason, ({ messageCode: _left, ...error }) => error),
  },
  {
    id: 'error-details-empty',
    sentence: 'error.details is empty.',
    breaks: ['reassign-items/error-details-items'],
    // An empty list has no entry that could lack a field.
    mayBreak: ['reassign-items/error-details-fields', 'reassign-items/error-details-owner'],
    alter: (parts) => changeError(parts, operation, reason, (error) => ({ ...error, details: [] })),
  },
  {
    id: 'error-details-only-first',
    sentence: 'error.details names only the first of the items.',
    breaks: ['reassign-items/error-details-items'],
    alter: (parts) =>
      changeError(parts, operation, reason, (error) => ({ ...error, details: error.details.slice(0, 1) })),
  },
  {
    id: 'error-details-item-twice',
    sentence: 'error.details names the first item twice.',
    breaks: ['reassign-items/error-details-items'],
    alter: (parts) =>
      changeError(parts, operation, reason, (error) => ({
        ...error,
        details: [...error.details.slice(0, 1), ...error.details],
      })),
  },
  {
    id: 'error-details-foreign-item',
    sentence: 'error.details names an item that nobody asked for in place of the first.',
    breaks: ['reassign-items/error-details-items'],
    alter: (parts) =>
      changeError(parts, operation, reason, (error) => ({
        ...error,
        details: error.details.map((entry, at) =>
          at === 0 ? { ...entry, itemId: parts.newId('item') } : entry,
        ),
      })),
  },
  {
    id: 'error-second-detail-without-keywords',
    sentence: 'The second entry of error.details has no reservedTypeKeywords.',
    breaks: ['reassign-items/error-details-fields'],
    alter: (parts) =>
      changeError(parts, operation, reason, (error) => ({
        ...error,
        details: error.details.map(({ reservedTypeKeywords, ...entry }, at) =>
          at === 1 ? entry : { ...entry, reservedTypeKeywords },
        ),
      })),
  },
  {
    id: 'error-beside-success',
    sentence: 'The error for an ineligible target stands beside success: false.',
    breaks: ['reassign-items/error-alone'],
    alter: (parts) =>
      around(parts, operation, async (_call, honest) => {
        const answer = await honest()
        return answer.refused === reason ? { ...answer, body: { success: false, ...answer.body } } : answer
      }),
  },
  {
    id: 'error-details-url-is-path',
    sentence: 'url in error.details is a path without a host.',
    breaks: ['reassign-items/error-details-url'],
    alter: (parts) =>
      changeError(parts, operation, reason, (error) => ({
        ...error,
        details: error.details.map((entry) => ({ ...entry, url: `/items/${entry.itemId}` })),
      })),
  },
  {
    id: 'error-details-owner-is-target',
    sentence: 'owner in error.details is the target user.',
    breaks: ['reassign-items/error-details-owner'],
    alter(parts) {
      const honest = parts.errorDetails
      parts.errorDetails = (items, target) =>
        honest(items, target).map((entry) => ({ ...(entry as object), owner: target.username }))
    },
  },
]
