/** Faults of syncs: in their mode, and in keeping one from starting while another one is in progress. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RequirementId } from '../../specs/requirements.ts'
import {
  afterAccepted,
  afterEachDelete,
  afterRefused,
  all,
  around,
  changeParts,
  remembering,
  replacingIn,
  seenBefore,
  startBeside,
  wrapping,
} from '../alterations.ts'
import type { Reason } from '../answers.ts'
import { syncModeOf, workspaceIn } from '../handlers.ts'
import type { Alter, SyncMode } from '../parts.ts'
import type { SyncJob, Workspace } from '../store.ts'
import { ofCallers } from './effects.ts'
import { anyRequestOf, type Broken, dependingOn, faultsOf, placesOf, type WrittenFault } from './fault.ts'

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

const blocks = 'sync-workspace/synchronous-blocks' satisfies RequirementId
const returns = 'sync-workspace/asynchronous-returns' satisfies RequirementId
const overlap = 'sync-workspace/one-at-a-time' satisfies RequirementId
const anyOverlap: Broken = { breaks: [overlap], mayBreak: ['sync-workspace/own-syncs-one-at-a-time'] }

const inTurn = (requirement: RequirementId): Broken => ({
  ...anyOverlap,
  breaks: [requirement],
  dependsOn: 'earlier requests',
})

export const modeFaults = placesOf(
  waitingWrongly,
  'Some syncs have the mode that was not asked for',
  inTurn(blocks),
  {
    'wrong-mode-every-second-synchronous-sync-of-a-workspace': [
      ['synchronous', hadOddNumberOf('synchronous')],
    ],
    'wrong-mode-every-second-asynchronous-sync-of-a-workspace': [
      ['asynchronous', hadOddNumberOf('asynchronous')],
      inTurn(returns),
    ],
    'wrong-mode-synchronous-after-synchronous': [['synchronous', wasLast('synchronous')]],
    'wrong-mode-synchronous-after-asynchronous': [['synchronous', wasLast('asynchronous')]],
    'wrong-mode-asynchronous-after-synchronous': [['asynchronous', wasLast('synchronous')], inTurn(returns)],
    'wrong-mode-asynchronous-after-asynchronous': [
      ['asynchronous', wasLast('asynchronous')],
      inTurn(returns),
    ],
  },
)

const blockingFaults = placesOf(waitingWrongly, 'A sync has the mode that was not asked for', blocks, {
  'synchronous-sync-returns-at-once': [['synchronous', () => true]],
  'long-synchronous-sync-let-go': [
    ['synchronous', (_before, { syncMs }) => syncMs > 1000],
    { breaks: [blocks], mayBreak: [overlap] },
  ],
  'asynchronous-sync-blocks': [['asynchronous', () => true], returns],
})

const partFaults = faultsOf({
  'asynchronous-sync-blocks-for-most-of-it': {
    sentence: 'An asynchronous sync answers after six tenths of it.',
    breaks: [returns],
    alter: around(operation, async (call, honest) => {
      const answer = await honest()
      const { syncMs = 0 } = workspaceIn(call) ?? {}
      if (answer.refused === undefined && syncModeOf(call) === 'asynchronous') await sleep(syncMs * 0.6)
      return answer
    }),
  },
})

const overlapFaults = placesOf(startBeside, 'A sync starts while another one is in progress', overlap, {
  'syncs-overlap': [() => true, anyOverlap],
  'scheduled-sync-overlapped': [({ scheduled }) => scheduled],
  'asynchronous-sync-overlaps-scheduled': [
    ({ scheduled }, call) => scheduled && syncModeOf(call) === 'asynchronous',
  ],
  'lock-of-scheduled-sync-for-one-path': [
    ({ scheduled }, { params, store }) => scheduled && params.portalID === store.portals.host,
  ],
})

/** The progress of a sync, from 0 to 1. */
const overOf = ({ begunAt, dueAt }: SyncJob): number => (performance.now() - begunAt) / (dueAt - begunAt)

const isLong = ({ begunAt, dueAt }: SyncJob): boolean => dueAt - begunAt >= 700
const isShort = (sync: SyncJob): boolean => !isLong(sync)

/** On a busy machine, a request may come too late for a short sync, so that its parts are longer. */
const margin = 0.2

/**
 * Parts of a sync. Near the end of a short sync the next one starts after it is over, so that such a fault would not
 * show.
 */
export const partialOverlapFaults = placesOf(
  ([from, to, concerns]: readonly [number, number, (sync: SyncJob) => boolean]): Alter =>
    startBeside(
      (running) => running.scheduled && concerns(running) && overOf(running) >= from && overOf(running) <= to,
    ),
  'A sync starts in a part of a scheduled one',
  { breaks: [overlap], dependsOn: 'simultaneous requests' },
  {
    'scheduled-sync-overlapped-at-its-beginning': [[0, 0.2, () => true]],
    'scheduled-sync-overlapped-at-its-beginning-where-it-is-short': [[0 - margin, 0.2 + margin, isShort]],
    'scheduled-sync-overlapped-at-its-beginning-where-it-is-long': [[0, 0.2, isLong]],
    'scheduled-sync-overlapped-in-its-middle': [[0.35, 0.75, () => true]],
    'scheduled-sync-overlapped-in-its-middle-where-it-is-short': [[0.35 - margin, 0.75 + margin, isShort]],
    'scheduled-sync-overlapped-in-its-middle-where-it-is-long': [[0.35, 0.75, isLong]],
    'scheduled-sync-overlapped-before-its-end': [[0.7, 1, () => true]],
    'scheduled-sync-overlapped-before-its-end-where-it-is-long': [[0.7, 1, isLong]],
  },
)

/** Lets the next sync of a workspace start, although a scheduled one is in progress. */
function endLock(workspace: Workspace | undefined): void {
  if (workspace?.sync?.scheduled === true) delete workspace.sync
}

/** Refuses some syncs as if another one were running. */
const refusingSync = (condition: (workspace: Workspace) => boolean): Alter =>
  wrapping(
    'syncGate',
    (honest, parts) => (call, workspace) =>
      condition(workspace) ? parts.refuse('sync-running') : honest(call, workspace),
  )

const endedLockFaults = placesOf(
  (alter: Alter) => alter,
  'The lock of a running sync does not hold',
  overlap,
  {
    'syncs-overlap-after-refusal': [remembering(seenBefore<SyncJob>, startBeside), anyOverlap],
    'scheduled-sync-overlapped-by-long-ones': [
      all(
        replacingIn('timings', { syncsLongerByMs: 300 }),
        startBeside(({ scheduled }) => scheduled),
      ),
    ],
    'lock-of-scheduled-sync-ends-with-deletion': [
      afterEachDelete(({ collaborations }) => {
        for (const { workspaces } of collaborations.values())
          for (const each of workspaces.values()) endLock(each)
      }),
    ],
    'refused-caller-ends-lock': [afterRefused(operation, ofCallers, (call) => endLock(workspaceIn(call)))],
    'asynchronous-sync-ends-scheduled': [
      wrapping('syncGate', (honest) => (call, workspace) => {
        const answer = honest(call, workspace)
        if (syncModeOf(call) === 'asynchronous') endLock(workspace)
        return answer
      }),
    ],
  },
)

/** A sync that is over keeps others from starting. */
const lockFaults = faultsOf({
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

/** A refused request blocks its workspace for good. */
const leavesLock = (reasons: readonly Reason[], leaves: (workspace: Workspace) => boolean): Alter =>
  remembering(
    () => new WeakSet<Workspace>(),
    (locked) =>
      all(
        refusingSync((workspace) => workspace.sync === undefined && locked.has(workspace)),
        afterRefused(operation, reasons, (call) => {
          const workspace = workspaceIn(call)
          if (workspace !== undefined && leaves(workspace)) locked.add(workspace)
        }),
      ),
  )

const leftLockFaults = faultsOf({
  'refused-caller-locks-workspace': {
    sentence: 'A refused caller blocks the workspace for good.',
    breaks: ['sync-workspace/starts'],
    mayBreak: ['lifecycle/consistent', 'sync-workspace/after-finish', 'add-workspace/id-works'],
    alter: leavesLock(['forbidden'], () => true),
  },
  'refused-during-scheduled-sync-locks-workspace': {
    sentence: 'A sync that is refused during a scheduled one blocks the workspace for good.',
    breaks: ['sync-workspace/after-finish'],
    mayBreak: [overlap],
    alter: leavesLock(['sync-running'], ({ sync }) => sync?.scheduled === true),
  },
})

/** Faults of syncs. */
export const syncFaults: readonly WrittenFault[] = [
  ...dependingOn('simultaneous requests', [...overlapFaults, ...endedLockFaults]),
  ...dependingOn('earlier requests', [...lockFaults, ...leftLockFaults]),
  ...blockingFaults,
  ...partFaults,
]
