/** Syncs that overlap, wait, or are stuck (§3, §4.4). */
import type { RequirementId } from '../../specs/requirements.ts'
import {
  afterAccepted,
  afterRefused,
  around,
  changeParts,
  refuseWhen,
  seenBefore,
  startBeside,
  wrapping,
} from '../alterations.ts'
import { syncModeOf, workspaceIn } from '../handlers.ts'
import type { Call, Parts } from '../parts.ts'
import type { Store, SyncJob, Workspace } from '../store.ts'
import { startSync } from '../syncing.ts'
import { forCaller } from '../users.ts'
import {
  type Applied,
  type Chapter,
  inWords,
  product,
  refusalsOf,
  requirementsOf,
  storiesOf,
} from './fault.ts'

const operation = 'sync-workspace'

const isAsynchronous = (call: Call): boolean => syncModeOf(call) === 'asynchronous'

/** Which syncs may start beside one that runs, decided anew for each portal. */
const overlaps: Readonly<Record<string, () => (running: SyncJob, call: Call) => boolean>> = {
  'syncs-overlap': () => () => true,
  'scheduled-sync-overlapped':
    () =>
    ({ scheduled }) =>
      scheduled,
  'asynchronous-sync-overlaps-scheduled':
    () =>
    ({ scheduled }, call) =>
      scheduled && isAsynchronous(call),
  'synchronous-sync-overlaps-scheduled':
    () =>
    ({ scheduled }, call) =>
      scheduled && !isAsynchronous(call),
  'lock-of-scheduled-sync-for-one-path':
    () =>
    ({ scheduled }, { params, store }) =>
      scheduled && params.portalID === store.portals.host,
  'syncs-overlap-after-refusal': () => seenBefore(),
  'second-asynchronous-sync-overlaps-scheduled'() {
    const asked = seenBefore<SyncJob>()
    return (running, call) => running.scheduled && isAsynchronous(call) && asked(running)
  },
  'lock-of-scheduled-sync-ends-with-time'() {
    const met = new WeakMap<SyncJob, number>()
    return (running) => {
      const since = met.get(running) ?? performance.now()
      met.set(running, since)
      return running.scheduled && performance.now() - since > 500
    }
  },
}

const overlapping = Object.entries(overlaps).map(
  ([id, lets]): Applied => ({
    id,
    sentence: `A sync starts while another one is in progress: ${inWords(id)}.`,
    breaks: ['sync-workspace/one-at-a-time'],
    mayBreak: ['sync-workspace/own-syncs-one-at-a-time'],
    alter: (parts) => startBeside(lets())(parts),
  }),
)

/** Whether everybody waits for such a sync, or nobody does, whatever the mode. */
type Waiting = readonly [waits: boolean, concerns: (workspace: Workspace) => boolean]

const waitings: Readonly<Record<string, () => Waiting>> = {
  'synchronous-sync-returns-at-once': () => [false, () => true],
  'asynchronous-sync-blocks': () => [true, () => true],
  'second-synchronous-sync-returns-at-once': () => [false, seenBefore()],
  'second-asynchronous-sync-blocks': () => [true, seenBefore()],
  'long-synchronous-sync-let-go': () => [false, ({ syncMs }) => syncMs > 1000],
}

const waiting = Object.entries(waitings).map(([id, begin]): Applied => {
  const breaks: RequirementId = begin()[0]
    ? 'sync-workspace/asynchronous-returns'
    : 'sync-workspace/synchronous-blocks'
  return {
    id,
    sentence: `The answer to a request for a sync comes at another time: ${inWords(id)}.`,
    breaks: [breaks],
    mayBreak: ['sync-workspace/one-at-a-time'],
    alter(parts) {
      const [waits, concerns] = begin()
      const isConcerned = (call: Call): boolean => {
        const workspace = workspaceIn(call)
        return workspace !== undefined && concerns(workspace)
      }
      changeParts(operation, isConcerned, { blocks: () => waits })(parts)
    },
  }
})

const syncProducts = [
  product('a sync starts beside another one', overlapping, { stateful: true }),
  product('the answer to a sync comes at another time', waiting, { stateful: true }),
]

/** The scheduled syncs that run now, of whatever workspace. */
function* scheduledSyncs(store: Store): Generator<SyncJob> {
  for (const { workspaces } of store.collaborations.values())
    for (const { sync } of workspaces.values()) if (sync?.scheduled === true) yield sync
}

/** Syncs beside which others may start: what is added to them is freed. */
function freeable(parts: Parts): WeakSet<SyncJob> {
  const freed = new WeakSet<SyncJob>()
  startBeside((running) => freed.has(running))(parts)
  return freed
}

const anySync = requirementsOf(operation, 'protocol')

const syncStories = storiesOf({
  'scheduled-sync-overlapped-by-long-ones': {
    sentence: 'A sync that is asked for starts while a scheduled one is in progress, and takes longer.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter(parts) {
      parts.timings.syncsLongerByMs = 300
      startBeside(({ scheduled }) => scheduled)(parts)
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
  'lock-of-scheduled-sync-ends-with-other-sync': {
    sentence: 'The end of a sync of any workspace lets syncs start in all others, whatever runs there.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter(parts) {
      const freed = freeable(parts)
      afterAccepted(operation, (call) => {
        void (workspaceIn(call)?.sync?.done ?? Promise.resolve()).then(() => {
          for (const sync of scheduledSyncs(call.store)) freed.add(sync)
        })
      })(parts)
    },
  },
  'refused-caller-ends-lock': {
    sentence:
      'A request for a sync that is refused to its caller lets the next one start beside a scheduled sync.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter(parts) {
      const freed = freeable(parts)
      afterRefused(operation, ['forbidden', 'token-required'], (call) => {
        const running = workspaceIn(call)?.sync
        if (running?.scheduled === true) freed.add(running)
      })(parts)
    },
  },
  'asynchronous-sync-ends-scheduled': {
    sentence: 'An asynchronous request beside a scheduled sync is refused, but makes way for the next one.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter: wrapping('syncGate', (honest) => (call, workspace) => {
      const { sync } = workspace
      const answer = honest(call, workspace)
      if (sync?.scheduled === true && isAsynchronous(call)) delete workspace.sync
      return answer
    }),
  },
  'second-synchronous-sync-does-not-wait': {
    sentence:
      'Beside a scheduled sync the first synchronous request waits for its end, and the next one starts.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter: wrapping('syncGate', (honest, parts) => {
      const waitedFor = seenBefore<SyncJob>()
      return (call, workspace) => {
        const { sync } = workspace
        if (sync?.scheduled !== true || isAsynchronous(call)) return honest(call, workspace)
        if (waitedFor(sync)) return undefined
        return sync.done.then(() => parts.handlers[operation](call))
      }
    }),
  },
  'workspace-syncs-only-once': {
    sentence: 'Once a sync has finished, the next one is refused.',
    breaks: ['sync-workspace/after-finish'],
    // Checks that sync one workspace several times meet it too.
    mayBreak: anySync,
    alter: refuseWhen(operation, 'sync-running', (call) => (workspaceIn(call)?.lastSyncSuccess ?? -1) >= 0),
  },
  'workspace-stuck-after-scheduled-sync': {
    sentence: 'Once a scheduled sync of a workspace has finished, no other one of it is started.',
    breaks: ['sync-workspace/after-finish'],
    mayBreak: ['sync-workspace/one-at-a-time'],
    alter: wrapping(
      'syncGate',
      (honest, parts) => (call, workspace) =>
        workspace.sync === undefined && workspace.syncs.some(({ scheduled }) => scheduled)
          ? parts.refuse('sync-running')
          : honest(call, workspace),
    ),
  },
  'synchronous-sync-leaves-lock': {
    sentence: 'After a synchronous sync every further one is refused.',
    breaks: ['sync-workspace/after-finish'],
    alter: wrapping('syncGate', (honest, parts) => {
      const locked = new WeakSet<object>()
      return (call, workspace) => {
        if (locked.has(workspace)) return parts.refuse('sync-running')
        const instead = honest(call, workspace)
        if (instead === undefined && call.form.get(parts.sync.parameter) === parts.sync.synchronous)
          locked.add(workspace)
        return instead
      }
    }),
  },
  'asynchronous-sync-ends-synchronous-ones': {
    sentence: 'Once a workspace was synced asynchronously, it is not synced synchronously any more.',
    breaks: ['sync-workspace/after-finish'],
    // Whoever waits for a sync meets one that was asked for by somebody else.
    mayBreak: anySync,
    alter(parts) {
      const ended = new Set<unknown>()
      around(operation, async (call, honest) => {
        if (!isAsynchronous(call) && ended.has(call.params.workspaceID)) return parts.refuse('sync-running')
        const answer = await honest()
        if (isAsynchronous(call) && answer.refused === undefined) ended.add(call.params.workspaceID)
        return answer
      })(parts)
    },
  },
  'synchronous-sync-returns-at-once-after-asynchronous': {
    sentence:
      'The answer to a synchronous request waits for nothing where an asynchronous one was accepted before.',
    breaks: ['sync-workspace/synchronous-blocks'],
    mayBreak: ['sync-workspace/own-syncs-one-at-a-time'],
    alter(parts) {
      const asked = new WeakSet<Workspace>()
      afterAccepted(operation, (call) => {
        const workspace = workspaceIn(call)
        if (workspace !== undefined && isAsynchronous(call)) asked.add(workspace)
      })(parts)
      changeParts(operation, (call) => asked.has(workspaceIn(call) as Workspace), { blocks: () => false })(
        parts,
      )
    },
  },
  'sync-refused-but-started': {
    sentence: 'A caller who may not sync is refused, but the sync starts.',
    breaks: refusalsOf(operation),
    alter: afterRefused(operation, forCaller, (call) => {
      const workspace = workspaceIn(call)
      if (workspace !== undefined && !workspace.sync) startSync(call.parts, workspace)
    }),
  },
})

export const syncsChapter: Chapter = { products: syncProducts, faults: syncStories }
