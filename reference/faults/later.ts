/** Faults that show only in some requests, only later, or only while other requests are running. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '../../specs/operations.ts'
import {
  afterEachDelete,
  afterRefused,
  all,
  around,
  changeAccepted,
  changeAdded,
  changeDetails,
  changeParts,
  counter,
  everywhere,
  onceRefused,
  overlook,
  refuseWhen,
  remembering,
  seenBefore,
  startBeside,
  wrapping,
} from '../alterations.ts'
import type { Reason } from '../answers.ts'
import { isOwner, itemsIn, syncModeOf } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import type { SyncJob, Workspace } from '../store.ts'
import { forCaller } from '../users.ts'
import { deleteAnyway } from './delete-collaboration.ts'
import { faultsOf, namesFolder, namesSynchronous, refusalsOf, requirementsOf, soonMs } from './fault.ts'
import { move, takeAnyNumber } from './reassign-items.ts'
import { freeing, freeScheduled } from './scopes.ts'
import { waitsWhere } from './sync-workspace.ts'

const add = 'add-workspace'
const reassign = 'reassign-items'

/** Faults that depend on parameters, on the caller, or on earlier requests. */
export const rareRequestFaults = faultsOf({
  'ineligible-target-accepted-with-folder': {
    sentence: 'Where a folder is named, items go to a user who may not receive them.',
    breaks: ['reassign-items/ineligible-target'],
    // Without a refusal there is no error to check.
    mayBreak: requirementsOf(reassign).filter((id) => id.includes('/error-')),
    alter: changeParts(reassign, namesFolder, { eligible: () => true }),
  },
  'ineligible-target-accepted-for-owner': {
    sentence: 'An owner may give items to a user who may not receive them.',
    breaks: ['reassign-items/ineligible-target'],
    alter: changeParts(reassign, isOwner, { eligible: () => true }),
  },
  'too-many-items-with-folder': {
    sentence: 'Where a folder is named, more than 100 items are accepted.',
    breaks: ['reassign-items/items-limit-rejects'],
    alter: takeAnyNumber(namesFolder),
  },
  'item-id-missing-without-folder': {
    sentence: 'The answer has no itemId where no folder was named.',
    breaks: ['reassign-items/reassigns'],
    alter: changeAccepted(reassign, (call) => (namesFolder(call) ? {} : { itemId: undefined })),
  },
  'error-details-owner-is-former': {
    sentence: 'owner in error.details is the owner that the item had when somebody first asked for it.',
    breaks: ['reassign-items/error-details-owner'],
    alter(parts) {
      const first = new Map<unknown, string>()
      around(reassign, (call, honest) => {
        for (const { id, owner } of itemsIn(call)) if (!first.has(id)) first.set(id, owner)
        return honest()
      })(parts)
      changeDetails(({ itemId }) => ({ owner: first.get(itemId) }))(parts)
    },
  },
  'empty-run-status-accepted': {
    sentence: 'An empty status is accepted, although the list is closed.',
    breaks: ['update-task-run/statuses'],
    alter: overlook('update-task-run', 'missing-status', ({ form }) => form.get('status') === ''),
  },
  'syncs-overlap-after-refusal': {
    sentence: 'Once a second sync was refused, a third one starts while the first is in progress.',
    breaks: ['sync-workspace/one-at-a-time'],
    mayBreak: ['sync-workspace/own-syncs-one-at-a-time'],
    alter: remembering(seenBefore<SyncJob>, startBeside),
  },
  'synchronous-sync-leaves-lock': {
    sentence: 'After a synchronous sync every further one is refused.',
    breaks: ['sync-workspace/after-finish'],
    alter: wrapping('syncGate', (honest, parts) => {
      const locked = new WeakSet<Workspace>()
      return (call, workspace) => {
        if (locked.has(workspace)) return parts.refuse('sync-running')
        const instead = honest(call, workspace)
        if (instead === undefined && namesSynchronous(call)) locked.add(workspace)
        return instead
      }
    }),
  },
})

/** Omits lastSyncSuccess from some answers to add-workspace. */
const lastSyncMissing = (condition: (call: Call) => boolean): Alter =>
  remembering(
    () => new WeakSet<Call>(),
    (marked) =>
      all(
        changeAdded((call) => (marked.has(call) ? { lastSyncSuccess: undefined } : {})),
        around(add, (call, honest) => {
          if (condition(call)) marked.add(call)
          return honest()
        }),
      ),
  )

/** After a refusal for this reason, the path is refused for ever. */
const lockedAfter = (operation: OperationId, why: Reason): Alter => {
  const path = ({ params }: Call) => JSON.stringify(params)
  return onceRefused(operation, [why], path, (locked) =>
    refuseWhen(operation, why, (call) => locked.has(path(call))),
  )
}

/** Faults that depend on an earlier refusal, the n-th use, other running requests, or a used connection. */
export const laterFaults = faultsOf({
  'refused-delete-happens-later': {
    sentence: 'A delete that was refused to its caller happens a little later.',
    breaks: [
      'delete-collaboration/refused-delete-has-no-effect',
      'delete-collaboration/refuses-invalid-credential',
    ],
    alter: afterRefused('delete-collaboration', forCaller, deleteAnyway, soonMs),
  },
  'participant-locked-after-bad-address': {
    sentence: 'A participant that was refused an e-mail address is updated no more.',
    breaks: ['update-participant/updates'],
    mayBreak: requirementsOf('update-participant'),
    alter: lockedAfter('update-participant', 'bad-email'),
  },
  'federation-locked-after-bad-setting': {
    sentence: 'A federation that was refused a setting is updated no more.',
    breaks: ['update-federation/updates'],
    mayBreak: requirementsOf('update-federation'),
    alter: lockedAfter('update-federation', 'bad-setting'),
  },
  'refused-reassignment-happens-later': {
    sentence: 'A reassignment that was refused to its caller happens a little later.',
    breaks: refusalsOf(reassign),
    alter: afterRefused(reassign, forCaller, (call) => move(call), soonMs),
  },
  'field-missing-after-300-workspaces': {
    sentence: 'From the three hundredth workspace on, workspaces have no lastSyncSuccess.',
    breaks: ['add-workspace/workspace-fields'],
    alter: remembering(counter<string>, (count) => lastSyncMissing(() => count(add) > 300)),
  },
  'field-missing-with-eight-at-once': {
    sentence: 'While eight requests are under way, workspaces have no lastSyncSuccess.',
    breaks: ['add-workspace/workspace-fields'],
    alter(parts) {
      let under = 0
      const counted = (operation: OperationId) =>
        around(operation, async (_call, honest) => {
          under += 1
          try {
            // The honest portal answers at once, so that requests would never overlap.
            await sleep(2)
            return await honest()
          } finally {
            under -= 1
          }
        })
      all(
        lastSyncMissing(() => under >= 8),
        everywhere(counted),
      )(parts)
    },
  },
  'field-missing-on-second-request-of-connection': {
    sentence: 'In the second answer of a connection workspaces have no lastSyncSuccess.',
    breaks: ['add-workspace/workspace-fields'],
    alter(parts) {
      const counts = new WeakMap<object, number>()
      const honest = parts.admit
      parts.admit = (arrival) => {
        counts.set(arrival.socket, (counts.get(arrival.socket) ?? 0) + 1)
        return honest(arrival)
      }
      lastSyncMissing(({ arrival }) => counts.get(arrival.socket) === 2)(parts)
    },
  },
  'second-synchronous-sync-returns-at-once': {
    sentence: 'From the second sync of a workspace on, synchronous mode does not wait.',
    breaks: ['sync-workspace/synchronous-blocks'],
    alter: remembering(seenBefore<Workspace>, (isSecond) => waitsWhere(false, isSecond)),
  },
  'second-asynchronous-sync-blocks': {
    sentence: 'From the second sync of a workspace on, asynchronous mode waits as synchronous mode does.',
    breaks: ['sync-workspace/asynchronous-returns'],
    alter: remembering(seenBefore<Workspace>, (isSecond) => waitsWhere(true, isSecond)),
  },
  'long-synchronous-sync-let-go': {
    sentence: 'In synchronous mode the answer does not wait for a sync of more than a second.',
    breaks: ['sync-workspace/synchronous-blocks'],
    mayBreak: ['sync-workspace/one-at-a-time'],
    alter: waitsWhere(false, ({ syncMs }) => syncMs > 1000),
  },
  'asynchronous-sync-overlaps-scheduled': {
    sentence: 'An asynchronous sync starts while a scheduled one is in progress; a synchronous one does not.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter: startBeside(({ scheduled }, call) => scheduled && syncModeOf(call) === 'asynchronous'),
  },
  'lock-of-scheduled-sync-ends-with-time': {
    sentence: 'Half a second after a scheduled sync was first met, another one may start.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter(parts) {
      const met = new WeakMap<SyncJob, number>()
      startBeside((running) => {
        if (!running.scheduled) return false
        const since = met.get(running) ?? performance.now()
        met.set(running, since)
        return performance.now() - since > 500
      })(parts)
    },
  },
  'lock-of-scheduled-sync-ends-with-deletion': {
    sentence: 'Deleting a collaboration lets syncs start in all others, whatever runs there.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter: freeing((freed) => afterEachDelete((store) => freeScheduled(freed, store))),
  },
})
