/** Faults that show only in some requests to reassign, to sync or to update a run: by parameters, by caller, by what was before. */
import { around, changeAccepted, changeError, overlook } from '../alterations.ts'
import type { Call, Parts } from '../parts.ts'
import { type Fault, requirementsOf } from './fault.ts'

const reassign = 'reassign-items'
const update = 'update-task-run'

const namesFolder = ({ form }: Call) => form.get('targetFoldername') !== undefined
const byOwner = ({ user, params }: Call) => user?.username === params.userName

/** Answers some requests as a portal would whose parts are altered so. */
export function whereLaxer(parts: Parts, condition: (call: Call) => boolean, laxer: Partial<Parts>): void {
  const honest = parts.handlers[reassign]
  parts.handlers[reassign] = (call) =>
    honest(condition(call) ? { ...call, parts: { ...parts, ...laxer } } : call)
}

const ids = ({ params }: Call) => ({ taskId: params.taskID, runId: params.runID })

export const rareRequestFaults: readonly Fault[] = [
  {
    id: 'ineligible-target-accepted-with-folder',
    sentence: 'Where a folder is named, items go to a user who may not receive them.',
    breaks: ['reassign-items/ineligible-target'],
    // Without a refusal there is no error to look at.
    mayBreak: requirementsOf(reassign).filter((id) => id.includes('/error-')),
    alter: (parts) => whereLaxer(parts, namesFolder, { eligible: () => true }),
  },
  {
    id: 'ineligible-target-accepted-for-owner',
    sentence: 'An owner may give items to a user who may not receive them.',
    breaks: ['reassign-items/ineligible-target'],
    alter: (parts) => whereLaxer(parts, byOwner, { eligible: () => true }),
  },
  {
    id: 'too-many-items-with-folder',
    sentence: 'Where a folder is named, more than 100 items are accepted.',
    breaks: ['reassign-items/items-limit-rejects'],
    alter: (parts) => whereLaxer(parts, namesFolder, { limits: { ...parts.limits, items: 10_000 } }),
  },
  {
    id: 'item-id-missing-without-folder',
    sentence: 'The answer has no itemId where no folder was named.',
    breaks: ['reassign-items/reassigns'],
    alter: (parts) =>
      changeAccepted(parts, reassign, ({ itemId, ...body }, call) =>
        namesFolder(call) ? { ...body, itemId } : body,
      ),
  },
  {
    id: 'error-details-owner-is-former',
    sentence: 'owner in error.details is the owner that the item had when somebody first asked for it.',
    breaks: ['reassign-items/error-details-owner'],
    alter(parts) {
      const first = new Map<unknown, string>()
      around(parts, reassign, (call, honest) => {
        for (const id of (call.form.get('items') ?? '').split(',')) {
          const owner = call.store.items.get(id)?.owner
          if (owner !== undefined && !first.has(id)) first.set(id, owner)
        }
        return honest()
      })
      changeError(parts, reassign, 'ineligible-target', (error) => ({
        ...error,
        details: error.details.map((entry) => ({ ...entry, owner: first.get(entry.itemId) })),
      }))
    },
  },
  {
    id: 'empty-run-status-accepted',
    sentence: 'An empty status is accepted, although the list is closed.',
    breaks: ['update-task-run/statuses'],
    alter(parts) {
      const honest = parts.handlers[update]
      overlook(parts, update, 'missing-status', ids)
      const lax = parts.handlers[update]
      parts.handlers[update] = (call) => (call.form.get('status') === '' ? lax(call) : honest(call))
    },
  },
  {
    id: 'syncs-overlap-after-refusal',
    sentence: 'Once a second sync was refused, a third one starts while the first is in progress.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter(parts) {
      const refused = new WeakSet<object>()
      const honest = parts.syncGate
      parts.syncGate = (call, workspace) => {
        const { sync } = workspace
        if (sync === undefined || refused.has(sync)) return undefined
        refused.add(sync)
        return honest(call, workspace)
      }
    },
  },
  {
    id: 'synchronous-sync-leaves-lock',
    sentence: 'After a synchronous sync every further one is refused.',
    breaks: ['sync-workspace/after-finish'],
    alter(parts) {
      const locked = new WeakSet<object>()
      const honest = parts.syncGate
      parts.syncGate = (call, workspace) => {
        if (locked.has(workspace)) return parts.refuse('sync-running')
        const instead = honest(call, workspace)
        if (instead === undefined && call.form.get(parts.sync.parameter) === parts.sync.synchronous)
          locked.add(workspace)
        return instead
      }
    },
  },
]
