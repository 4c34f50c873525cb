/** Faults that show only later, or in company: what a refusal leaves behind, the n-th use, a busy portal, a used connection. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type OperationId, operationIds } from '../../specs/operations.ts'
import { afterRefused, around, changeAdded, seenBefore, startBeside, wrapping } from '../alterations.ts'
import type { Reason } from '../answers.ts'
import { syncModeOf, workspaceIn } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import type { SyncJob, Workspace } from '../store.ts'
import { forCaller } from '../users.ts'
import { deleteAnyway } from './delete-collaboration.ts'
import { faultsOf, refusalsOf, requirementsOf } from './fault.ts'
import { move } from './reassign-items.ts'
import { freeable, scheduledSyncs } from './scopes.ts'

/** Has something happen within the settle time of the embedded portal. */
export function later(act: () => void): void {
  setTimeout(act, 150).unref()
}

/** Answers to add workspace lack a field where the condition holds. */
const lastSyncMissing =
  (condition: (call: Call) => boolean): Alter =>
  (parts) => {
    const marked = new WeakSet<object>()
    changeAdded((call) => (marked.has(call) ? { lastSyncSuccess: undefined } : {}))(parts)
    around('add-workspace', (call, honest) => {
      if (condition(call)) marked.add(call)
      return honest()
    })(parts)
  }

/** In whatever mode, everybody waits for the syncs of such workspaces, or nobody does. */
const waitsWhere =
  (waits: boolean, condition: (workspace: Workspace) => boolean): Alter =>
  (parts) => {
    around('sync-workspace', (call, honest) => {
      const workspace = workspaceIn(call)
      const { blocks } = parts
      // Nothing waits between gate and start, so that this concerns no other call.
      if (workspace !== undefined && condition(workspace)) parts.blocks = () => waits
      try {
        return honest()
      } finally {
        parts.blocks = blocks
      }
    })(parts)
  }

/** What was refused for that reason is refused for ever on that path. */
const lockedAfter =
  (operation: OperationId, why: Reason): Alter =>
  (parts) => {
    const locked = new Set<string>()
    around(operation, async (call, honest) => {
      const path = JSON.stringify(call.params)
      if (locked.has(path)) return parts.refuse(why)
      const answer = await honest()
      if (answer.refused === why) locked.add(path)
      return answer
    })(parts)
  }

export const laterFaults = faultsOf({
  'refused-delete-happens-later': {
    sentence: 'A delete that was refused to its caller happens a little later.',
    breaks: ['delete-collaboration/refused-delete-has-no-effect'],
    alter: afterRefused('delete-collaboration', forCaller, (call) => later(() => deleteAnyway(call))),
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
    breaks: refusalsOf('reassign-items'),
    alter: afterRefused('reassign-items', forCaller, (call) => later(() => move(call))),
  },
  'field-missing-after-300-workspaces': {
    sentence: 'From the three hundredth workspace on, workspaces have no lastSyncSuccess.',
    breaks: ['add-workspace/workspace-fields'],
    alter(parts) {
      let added = 0
      lastSyncMissing(() => ++added > 300)(parts)
    },
  },
  'field-missing-with-eight-at-once': {
    sentence: 'While eight requests are under way, workspaces have no lastSyncSuccess.',
    breaks: ['add-workspace/workspace-fields'],
    alter(parts) {
      let under = 0
      lastSyncMissing(() => under >= 8)(parts)
      for (const operation of operationIds)
        around(operation, async (_call, honest) => {
          under += 1
          try {
            // The honest portal answers at once: nothing would ever meet.
            await sleep(2)
            return await honest()
          } finally {
            under -= 1
          }
        })(parts)
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
    alter: (parts) => waitsWhere(false, seenBefore())(parts),
  },
  'second-asynchronous-sync-blocks': {
    sentence: 'From the second sync of a workspace on, asynchronous mode waits as synchronous mode does.',
    breaks: ['sync-workspace/asynchronous-returns'],
    alter: (parts) => waitsWhere(true, seenBefore())(parts),
  },
  'long-synchronous-sync-let-go': {
    sentence: 'In synchronous mode nobody waits for a sync of more than a second.',
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
    alter: wrapping('remove', (honest, parts) => {
      const freed = freeable(parts)
      return (store, collaboration) => {
        for (const sync of scheduledSyncs(store)) freed.add(sync)
        honest(store, collaboration)
      }
    }),
  },
})
