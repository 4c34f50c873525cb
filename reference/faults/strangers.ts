/** Callers without any role in an operation who may perform it, and allowed callers to whom a rule does not apply. */
import type { RequirementId } from '../../specs/requirements.ts'
import { alsoMay, around, overlook } from '../alterations.ts'
import { done } from '../answers.ts'
import { itemIdsIn } from '../handlers.ts'
import type { Call } from '../parts.ts'
import { isOneOf } from '../users.ts'
import { faultsOf } from './fault.ts'
import { moveAll } from './reassign-items.ts'

const sync: readonly RequirementId[] = ['sync-workspace/refuses-non-designated']

const syncers = Object.fromEntries(
  (['taskOwner', 'itemOwner', 'itemOwnerUnprivileged', 'outsider', 'customAdministrator'] as const).map(
    (actor) => [
      `${actor.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}-syncs`,
      {
        sentence: `${actor}, a member of the host, may start a sync, which only the guest may.`,
        breaks: sync,
        alter: alsoMay('sync', isOneOf(actor)),
      },
    ],
  ),
)

const isCustom = ({ user }: Call): boolean => user?.role === 'custom'

const namesFolder = ({ form }: Call): boolean => form.get('targetFoldername') !== undefined

const excused = {
  'custom-administrator-names-no-items': {
    sentence: 'A request without items is accepted of a custom administrator, and moves none.',
    breaks: ['reassign-items/items-required'],
    alter: around('reassign-items', (call, honest) =>
      isCustom(call) && !call.form.get('items') ? done({ itemId: '' }) : honest(),
    ),
  },
  'custom-administrator-names-no-target': {
    sentence: 'A request without targetUsername is accepted of a custom administrator, and moves nothing.',
    breaks: ['reassign-items/target-required'],
    alter: overlook('reassign-items', 'missing-target', (call) => ({ itemId: itemIdsIn(call)[0] }), isCustom),
  },
  'unknown-items-accepted-with-folder': {
    sentence: 'Where a folder is named, ids that no item has are passed over.',
    breaks: ['reassign-items/unknown-item'],
    alter: overlook(
      'reassign-items',
      'unknown-item',
      (call) => ({ itemId: itemIdsIn(call)[0] }),
      namesFolder,
    ),
  },
  'foreign-items-given-away-with-folder': {
    sentence: 'Where a folder is named, items of others are given away under any path.',
    breaks: ['reassign-items/not-their-item'],
    mayBreak: ['reassign-items/ownership-moves', 'reassign-items/refuses-other-user'],
    alter: around('reassign-items', async (call, honest) => {
      const answer = await honest()
      return answer.refused === 'not-their-item' && namesFolder(call) ? done(moveAll(call)) : answer
    }),
  },
  'targets-elsewhere-accepted-with-folder': {
    sentence: 'Where a folder is named, items can be given to a user who does not exist.',
    breaks: ['reassign-items/unknown-target'],
    mayBreak: ['reassign-items/target-in-organization'],
    alter: overlook(
      'reassign-items',
      'unknown-target',
      (call) => ({ itemId: itemIdsIn(call)[0] }),
      namesFolder,
    ),
  },
} as const

export const strangerFaults = faultsOf({ ...syncers, ...excused })
