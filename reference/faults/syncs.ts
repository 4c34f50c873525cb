/** Faults of syncs: in their mode, and in keeping one from starting while another one is in progress. */
import type { RequirementId } from '../../specs/requirements.ts'
import {
  afterAccepted,
  afterEachDelete,
  afterRefused,
  all,
  changeParts,
  onceAccepted,
  refuseWhen,
  remembering,
  replacingIn,
  seenBefore,
  startBeside,
  wrapping,
} from '../alterations.ts'
import { syncModeOf, workspaceIn } from '../handlers.ts'
import type { Alter, Call, SyncMode } from '../parts.ts'
import type { Store, SyncJob, Workspace } from '../store.ts'
import { ofCallers } from './effects.ts'
import {
  anyRequestOf,
  type Broken,
  dependingOn,
  faultsOf,
  namesSynchronous,
  rowsOf,
  type WrittenFault,
  words,
} from './fault.ts'

const operation = 'sync-workspace'

/** Whether a sync has the wrong mode. `before`: the modes of the earlier syncs of its workspace. */
type Turn = (before: readonly SyncMode[], workspace: Workspace) => boolean

/** In some turns an asynchronous sync waits for its end, or a synchronous one does not. */
const waitingWrongly = ([mode, isWrong]: readonly [SyncMode, Turn]): Alter =>
  remembering(
    () => new WeakMap<Workspace, readonly SyncMode[]>(),
    (modes) =>
      all(
        changeParts(
          operation,
          (call) => {
            const workspace = workspaceIn(call)
            if (workspace === undefined || syncModeOf(call) !== mode) return false
            return isWrong(modes.get(workspace) ?? [], workspace)
          },
          { blocks: () => mode === 'asynchronous' },
        ),
        afterAccepted(operation, (call) => {
          const workspace = workspaceIn(call)
          if (workspace !== undefined)
            modes.set(workspace, [...(modes.get(workspace) ?? []), syncModeOf(call) as SyncMode])
        }),
      ),
  )

const hadOddNumberOf =
  (mode: SyncMode): Turn =>
  (before) =>
    before.filter((each) => each === mode).length % 2 === 1

const wasLast =
  (mode: SyncMode): Turn =>
  (before) =>
    before.at(-1) === mode

export const modeFaults = (
  [
    ['every-second-synchronous-sync-of-a-workspace', 'synchronous', hadOddNumberOf('synchronous')],
    ['every-second-asynchronous-sync-of-a-workspace', 'asynchronous', hadOddNumberOf('asynchronous')],
    ['synchronous-after-synchronous', 'synchronous', wasLast('synchronous')],
    ['synchronous-after-asynchronous', 'synchronous', wasLast('asynchronous')],
    ['asynchronous-after-synchronous', 'asynchronous', wasLast('synchronous')],
    ['asynchronous-after-asynchronous', 'asynchronous', wasLast('asynchronous')],
  ] as const
).map(([turn, mode, isWrong]): WrittenFault => {
  const isSynchronous = mode === 'synchronous'
  const what = isSynchronous
    ? 'No caller waits for the end of such a sync'
    : 'An asynchronous request waits for the end of its sync'
  return {
    id: `wrong-mode-${turn}`,
    sentence: `${what}: ${words(turn)}.`,
    breaks: [isSynchronous ? 'sync-workspace/synchronous-blocks' : 'sync-workspace/asynchronous-returns'],
    mayBreak: ['sync-workspace/own-syncs-one-at-a-time'],
    dependsOn: 'earlier requests',
    alter: waitingWrongly([mode, isWrong]),
  }
})

const overlap = 'sync-workspace/one-at-a-time' satisfies RequirementId

const anyOverlap: Broken = { breaks: [overlap], mayBreak: ['sync-workspace/own-syncs-one-at-a-time'] }

/** Allows some syncs to start while another one is running. */
const startingBeside = (remember: () => (running: SyncJob, call: Call) => boolean): Alter =>
  remembering(remember, startBeside)

const overlapFaults = rowsOf(startingBeside, overlap, {
  'syncs-overlap': [
    'A second sync starts while the first is in progress, also where that is a scheduled one.',
    () => () => true,
    anyOverlap,
  ],
  'syncs-overlap-after-refusal': [
    'Once a second sync was refused, a third one starts while the first is in progress.',
    () => seenBefore<SyncJob>(),
    anyOverlap,
  ],
  'scheduled-sync-overlapped': [
    'A sync that is asked for starts while a scheduled one is in progress.',
    () =>
      ({ scheduled }) =>
        scheduled,
  ],
  'asynchronous-sync-overlaps-scheduled': [
    'An asynchronous sync starts while a scheduled one is in progress; a synchronous one does not.',
    () =>
      ({ scheduled }, call) =>
        scheduled && syncModeOf(call) === 'asynchronous',
  ],
  'second-asynchronous-sync-overlaps-scheduled': [
    'While a scheduled sync is in progress the first asynchronous request is refused, and the second starts.',
    () => {
      const asked = seenBefore<SyncJob>()
      return (running, call) => running.scheduled && syncModeOf(call) === 'asynchronous' && asked(running)
    },
  ],
  'lock-of-scheduled-sync-for-one-path': [
    'Under the portal of the host a sync starts while a scheduled one is in progress; under that of the guest it does not.',
    () =>
      ({ scheduled }, { params, store }) =>
        scheduled && params.portalID === store.portals.host,
  ],
  'lock-of-scheduled-sync-ends-with-time': [
    'Half a second after a scheduled sync was first met, another one may start.',
    () => {
      const met = new WeakMap<SyncJob, number>()
      return (running) => {
        if (!running.scheduled) return false
        const since = met.get(running) ?? performance.now()
        met.set(running, since)
        return performance.now() - since > 500
      }
    },
  ],
})

/** The progress of a sync, from 0 to 1. */
const overOf = ({ begunAt, dueAt }: SyncJob): number => (performance.now() - begunAt) / (dueAt - begunAt)

const isLong = ({ begunAt, dueAt }: SyncJob): boolean => dueAt - begunAt >= 700

/** On a busy machine, a request may come too late for a short sync, so that its parts are longer. */
const margin = 0.2

/**
 * Parts of a sync. Near the end of a short sync the next one starts after it is over, so that such a fault would not
 * show.
 */
export const partialOverlapFaults = (
  [
    ['at-its-beginning', 0, 0.2, () => true],
    ['at-its-beginning-where-it-is-short', 0 - margin, 0.2 + margin, (sync) => !isLong(sync)],
    ['at-its-beginning-where-it-is-long', 0, 0.2, isLong],
    ['in-its-middle', 0.35, 0.75, () => true],
    ['in-its-middle-where-it-is-short', 0.35 - margin, 0.75 + margin, (sync) => !isLong(sync)],
    ['in-its-middle-where-it-is-long', 0.35, 0.75, isLong],
    ['before-its-end', 0.7, 1, () => true],
    ['before-its-end-where-it-is-long', 0.7, 1, isLong],
  ] as const satisfies readonly (readonly [string, number, number, (sync: SyncJob) => boolean])[]
).map(
  ([part, from, to, concerns]): WrittenFault => ({
    id: `scheduled-sync-overlapped-${part}`,
    sentence: `A sync that is asked for starts while a scheduled one is in progress: ${words(part)}.`,
    breaks: [overlap],
    dependsOn: 'simultaneous requests',
    alter: startBeside(
      (running) => running.scheduled && concerns(running) && overOf(running) >= from && overOf(running) <= to,
    ),
  }),
)

/** Some running syncs do not block others: those that are added to the set. */
const freeing = (free: (freed: WeakSet<SyncJob>) => Alter): Alter =>
  remembering(
    () => new WeakSet<SyncJob>(),
    (freed) =>
      all(
        startBeside((running) => freed.has(running)),
        free(freed),
      ),
  )

/** Adds the running scheduled syncs of all workspaces. */
function freeScheduled(freed: WeakSet<SyncJob>, { collaborations }: Store): void {
  for (const { workspaces } of collaborations.values())
    for (const { sync } of workspaces.values()) if (sync?.scheduled === true) freed.add(sync)
}

const freedFaults = rowsOf(freeing, overlap, {
  'lock-of-scheduled-sync-ends-with-deletion': [
    'Deleting a collaboration lets syncs start in all others, whatever runs there.',
    (freed) => afterEachDelete((store) => freeScheduled(freed, store)),
  ],
  'lock-of-scheduled-sync-ends-with-other-sync': [
    'The end of a sync of any workspace lets syncs start in all others, whatever runs there.',
    (freed) =>
      afterAccepted(operation, (call) => {
        void (workspaceIn(call)?.sync?.done ?? Promise.resolve()).then(() => freeScheduled(freed, call.store))
      }),
  ],
  'refused-caller-ends-lock': [
    'A request for a sync that is refused to its caller lets the next one start, although a scheduled sync is in progress.',
    (freed) =>
      afterRefused(operation, ofCallers, (call) => {
        const running = workspaceIn(call)?.sync
        if (running?.scheduled === true) freed.add(running)
      }),
  ],
})

/** Refuses some syncs as if another one were running. */
const refusingSync = (condition: (workspace: Workspace) => boolean): Alter =>
  wrapping(
    'syncGate',
    (honest, parts) => (call, workspace) =>
      condition(workspace) ? parts.refuse('sync-running') : honest(call, workspace),
  )

const gateFaults = faultsOf({
  'scheduled-sync-overlapped-by-long-ones': {
    sentence:
      'A sync that is asked for starts while a scheduled one is in progress, and may take longer than that.',
    breaks: [overlap],
    alter: all(
      replacingIn('timings', { syncsLongerByMs: 300 }),
      startBeside(({ scheduled }) => scheduled),
    ),
  },
  'asynchronous-sync-ends-scheduled': {
    sentence:
      'An asynchronous request is answered as it should be while a scheduled sync runs, but makes way for the next one.',
    breaks: [overlap],
    alter: wrapping('syncGate', (honest) => (call, workspace) => {
      const { sync } = workspace
      const answer = honest(call, workspace)
      if (sync?.scheduled === true && syncModeOf(call) === 'asynchronous') delete workspace.sync
      return answer
    }),
  },
  'second-synchronous-sync-does-not-wait': {
    sentence:
      'While a scheduled sync is in progress the first synchronous request waits for its end, and the next one starts.',
    breaks: [overlap],
    alter: wrapping('syncGate', (honest, parts) => {
      const waitedFor = seenBefore<SyncJob>()
      return (call, workspace) => {
        const { sync: running } = workspace
        if (running?.scheduled !== true || syncModeOf(call) !== 'synchronous') return honest(call, workspace)
        if (waitedFor(running)) return undefined
        return running.done.then(() => parts.handlers[operation](call))
      }
    }),
  },
})

/** A sync that is over keeps others from starting. */
const lockFaults = faultsOf({
  'asynchronous-sync-ends-synchronous-ones': {
    sentence: 'Once a workspace was synced asynchronously, it is not synced synchronously any more.',
    breaks: ['sync-workspace/after-finish'],
    // A caller that waits for a sync may meet the sync of another caller.
    mayBreak: ['sync-workspace/starts', 'sync-workspace/synchronous-blocks', overlap],
    alter: onceAccepted(
      operation,
      (call) => (syncModeOf(call) === 'asynchronous' ? call.params.workspaceID : []),
      (ended) =>
        refuseWhen(
          operation,
          'sync-running',
          (call) => syncModeOf(call) !== 'asynchronous' && ended.has(call.params.workspaceID),
        ),
    ),
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
  'workspace-syncs-only-once': {
    sentence: 'Once a sync has finished, the next one is refused.',
    breaks: ['sync-workspace/after-finish'],
    // Checks that sync one workspace several times meet the fault, too.
    mayBreak: [...anyRequestOf('sync-workspace'), 'add-workspace/id-works'],
    alter: refusingSync(({ lastSyncSuccess }) => lastSyncSuccess >= 0),
  },
  'workspace-stuck-after-scheduled-sync': {
    sentence: 'Once a scheduled sync of a workspace has finished, no other one of it is started.',
    breaks: ['sync-workspace/after-finish'],
    mayBreak: [overlap],
    alter: refusingSync(({ sync, syncs }) => sync === undefined && syncs.some(({ scheduled }) => scheduled)),
  },
})

const always: Turn = () => true

const blockingFaults = rowsOf(waitingWrongly, 'sync-workspace/synchronous-blocks', {
  'synchronous-sync-returns-at-once': [
    'In synchronous mode the answer comes before the sync is complete.',
    ['synchronous', always],
  ],
  'long-synchronous-sync-let-go': [
    'In synchronous mode the answer does not wait for a sync of more than a second.',
    ['synchronous', (_before, { syncMs }) => syncMs > 1000],
    {
      breaks: ['sync-workspace/synchronous-blocks'],
      mayBreak: ['sync-workspace/one-at-a-time'],
    },
  ],
  'asynchronous-sync-blocks': [
    'In asynchronous mode the answer comes only when the sync is complete.',
    ['asynchronous', always],
    'sync-workspace/asynchronous-returns',
  ],
})

/** Faults of syncs. */
export const syncFaults: readonly WrittenFault[] = [
  ...dependingOn('simultaneous requests', [...overlapFaults, ...freedFaults, ...gateFaults]),
  ...dependingOn('earlier requests', lockFaults),
  ...blockingFaults,
]
