/** Variants of syncs and deletions, of sync durations and ids, and of parsing lists of items. */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  afterRefused,
  around,
  changeAccepted,
  changeCall,
  changeMay,
  collaborationOf,
  delayAnswers,
  onceAccepted,
  overlook,
  refuseText,
  refuseWhen,
  remembering,
  replacing,
  replacingIn,
  startBeside,
  wrapping,
} from '../alterations.ts'
import { done } from '../answers.ts'
import { itemIdsIn, itemsIn, syncModeOf, targetOf, workspaceIn } from '../handlers.ts'
import type { Call } from '../parts.ts'
import type { SyncJob, Workspace } from '../store.ts'
import { startSync } from '../syncing.ts'
import { isHostAdministrator } from '../users.ts'
import { variantsOf } from './variant.ts'

/** A running sync of any workspace. */
const running = ({ store }: Call): SyncJob | undefined =>
  [...store.collaborations.values()]
    .flatMap(({ workspaces }) => [...workspaces.values()])
    .find(({ sync }) => sync !== undefined)?.sync

const longerByMs = 2300
const slowByMs = 4000
const lateByMs = 50

/** Requirements that checks judge by the duration of syncs. */
const timed = ['sync-workspace/{starts,synchronous-blocks,asynchronous-returns,after-finish,*one-at-a-time}']

export const consequenceVariants = variantsOf({
  'runs-begin-scheduled': {
    sentence: 'No run is set to scheduled: each is so when it is made.',
    because: '§3: transitions are not shown',
    alter: refuseWhen('update-task-run', 'bad-value', ({ form }) => form.get('status') === 'scheduled'),
  },
  'other-sync-mode': {
    sentence: 'The mode of a sync is asked for with runMode=wait or runMode=background.',
    because: '§4.4: name, values and default of the mode are not shown',
    alter: replacing({ sync: { parameter: 'runMode', synchronous: 'wait', asynchronous: 'background' } }),
  },
  'second-sync-held': {
    sentence: 'A second sync waits until the first is over and then starts.',
    settles: ['second sync'],
    because: '§4.4: a new sync is not started until the current one is finished, so it may wait',
    alter(parts) {
      parts.syncGate = (call, { sync }) => sync?.done.then(() => parts.handlers['sync-workspace'](call))
    },
  },
  'second-sync-joins': {
    sentence: 'A second sync is answered with the job that is running.',
    settles: ['second sync', 'job ids that tell syncs apart'],
    because: '§4.4: a new sync is not started; what is answered meanwhile is not shown',
    alter(parts) {
      parts.syncGate = (call, { sync }) => {
        if (sync === undefined) return undefined
        const answer = done({ jobId: sync.id, key: sync.key })
        return parts.blocks(syncModeOf(call) ?? 'synchronous') ? sync.done.then(() => answer) : answer
      }
    },
  },
  'second-sync-elsewhere-refused': {
    sentence: 'While one workspace is synced, a sync of any other is refused.',
    settles: ['second sync'],
    because: '§4.4 speaks of one workspace; whether others wait is not shown',
    takesLong: true,
    alter: wrapping(
      'syncGate',
      (honest, parts) => (call, workspace) =>
        honest(call, workspace) ?? (running(call) === undefined ? undefined : parts.refuse('sync-running')),
    ),
  },
  'second-sync-elsewhere-held': {
    sentence: 'While one workspace is synced, a sync of any other waits until it is over and then starts.',
    settles: ['second sync'],
    because: '§4.4 speaks of one workspace; whether others wait is not shown',
    takesLong: true,
    alter: wrapping(
      'syncGate',
      (honest, parts) => (call, workspace) =>
        honest(call, workspace) ?? running(call)?.done.then(() => parts.handlers['sync-workspace'](call)),
    ),
  },
  'eventual-deletion': {
    sentence: 'A deletion shows only after 100 ms.',
    because: '§4.6: when a deletion shows is not shown',
    alter: replacingIn('timings', { deletionShowsMs: 100 }),
  },
  'guest-refreshes-at-once': {
    sentence: 'A guest loses a deleted collaboration at once.',
    because: "§4.6: the guest's next refresh may be at once",
    alter: replacingIn('timings', { guestRefreshMs: 0 }),
  },
  'idempotent-deletion': {
    sentence: 'A second delete of a collaboration is accepted.',
    because: '§4.6: a second delete is not shown',
    alter: onceAccepted('delete-collaboration', collaborationOf, (deleted) =>
      overlook(
        'delete-collaboration',
        'unknown-collaboration',
        (call) => isHostAdministrator(call) && deleted.has(collaborationOf(call)),
      ),
    ),
  },
  'simultaneous-reassignments-both-refused': {
    sentence: 'Two simultaneous reassignments of one item are both refused, as in a deadlock.',
    because: '§4.3: an item goes to one new owner, and whether one of two requests must win is not shown',
    alter: remembering(
      () => new Map<string, Call[]>(),
      (races) =>
        around('reassign-items', async (call, honest) => {
          const owner = call.store.users.get(call.params.userName ?? '')
          if (owner === undefined || !call.parts.may['reassign-items'](call, owner)) return honest()
          const items = itemIdsIn(call).join()
          const race = races.get(items) ?? []
          race.push(call)
          races.set(items, race)
          await sleep(lateByMs)
          races.delete(items)
          return race.length > 1 ? call.parts.refuse('bad-value') : honest()
        }),
    ),
  },
  'duplicate-items-refused': {
    sentence: 'An item that occurs twice in items is refused.',
    because: '§4.3: an id that occurs twice is not shown',
    alter: refuseWhen('reassign-items', 'bad-value', (call) => {
      const ids = itemIdsIn(call)
      return new Set(ids).size < ids.length
    }),
  },
  'spaces-in-items-refused': {
    sentence: 'Spaces around the commas of items are refused.',
    settles: ['characters in lists of items'],
    because: '§4.3: a comma-separated list; spaces are not shown',
    alter: refuseText(['items'], (text) => /\s/.test(text)),
  },
  'second-sync-queued': {
    sentence: 'A second sync gets a job of its own, which starts once all before it are over.',
    settles: ['second sync'],
    because: '§4.4: a new sync is not started until the current one is finished, so it may queue',
    alter(parts) {
      const queues = new WeakMap<Workspace, Promise<void>>()
      parts.syncGate = (call, workspace) => {
        if (workspace.sync === undefined) return undefined
        const before = queues.get(workspace) ?? workspace.sync.done
        const over = before.then(() => startSync(call, workspace).done)
        queues.set(workspace, over)
        void over.then(() => queues.get(workspace) === over && queues.delete(workspace))
        const answer = done({ jobId: parts.newId('job'), key: 'queued' })
        return parts.blocks(syncModeOf(call) ?? 'synchronous') ? over.then(() => answer) : answer
      }
    },
  },
  'syncs-of-varying-length': {
    sentence: 'A sync takes up to 150 ms longer than the last one.',
    settles: ['length of syncs'],
    because: '§4.4: how long a sync takes is not shown; public samples show 83 and 92 s',
    alter: remembering(
      () => new WeakMap<Workspace, number>(),
      (leastMs) =>
        changeCall('sync-workspace', (call) => {
          const workspace = workspaceIn(call)
          if (workspace === undefined) return call
          // The shortest duration, as the fixture promises it.
          const least = leastMs.get(workspace) ?? workspace.syncMs
          leastMs.set(workspace, least)
          workspace.syncMs = least + Math.random() * 150
          return call
        }),
    ),
  },
  'sync-under-own-portal-only': {
    sentence: "A sync is asked for under the id of its participant's portal only.",
    because: '§4.4: under which portal id the participant asks is not shown',
    alter: changeMay(
      'sync-workspace',
      (may, { params }, { designatedPortalId }) => may && params.portalID === designatedPortalId,
    ),
  },
  'receivable-items-move': {
    sentence: 'If the target can receive some of the items, these move, and the error names the others.',
    because: '§4.3: details name the items that could not be reassigned, so others may be',
    alter: afterRefused('reassign-items', ['ineligible-target'], (call) => {
      const { parts } = call
      const target = targetOf(call)
      if (target === undefined || !parts.eligible(target)) return
      for (const item of itemsIn(call)) if (parts.receivable(item, target)) item.owner = target.username
    }),
  },
  'mixed-items-partly-taken': {
    sentence: 'If some of the items belong to another user, the others move.',
    because: '§4.3: the contract does not show lists with items of another user',
    alter: changeCall('reassign-items', (call) => {
      const ids = itemIdsIn(call)
      const own = ids.filter((id) => call.store.items.get(id)?.owner === call.params.userName)
      const unknown = ids.some((id) => !call.store.items.has(id))
      const asItIs = unknown || own.length === 0 || own.length === ids.length
      if (asItIs || ids.length > call.parts.limits.items) return call
      return { ...call, form: call.form.with('items', own.join(',')) }
    }),
  },
  'second-sync-overlaps': {
    sentence: 'Syncs that are asked for may overlap; only a scheduled one keeps others away.',
    settles: ['second sync', 'job ids that tell syncs apart'],
    because: '§4.4 keeps a new sync off a scheduled one; of others nothing is shown',
    alter: startBeside(({ scheduled }) => !scheduled),
  },
  'job-id-of-workspace': {
    sentence: 'All syncs of a workspace have one jobId.',
    settles: ['job ids that tell syncs apart'],
    because: '§4.4: what jobId is for is not shown',
    alter: changeAccepted('sync-workspace', ({ params }) => ({ jobId: `job-of-${params.workspaceID}` })),
  },
  'long-syncs': {
    sentence: `Each sync takes ${longerByMs} ms longer than the least that its fixture promises.`,
    because: '§4.4: how long a sync takes is not shown; public samples show 83 and 92 s',
    takesLong: true,
    alter: replacingIn('timings', { syncsLongerByMs: longerByMs }),
  },
  'answers-slow-by-seconds': {
    sentence: `Each answer is ${slowByMs} ms late.`,
    settles: ['pace of answers'],
    because: 'no document promises how long an answer takes',
    takesLong: true,
    judged: timed,
    may: {
      inconclusive: { requirements: timed, because: /slow|tim(e|ing)|took|late|sync/i },
      'not-tested': { requirements: timed, because: /slow|tim(e|ing)|took|late|sync/i },
    },
    alter: delayAnswers(() => slowByMs),
  },
  'answers-late': {
    sentence: `Each answer is ${lateByMs} ms late.`,
    because: 'no document promises how long an answer takes',
    takesLong: true,
    alter: delayAnswers(() => lateByMs),
  },
})
