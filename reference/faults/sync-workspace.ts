/** Faults of sync-workspace. */
import {
  all,
  alsoMay,
  changeAccepted,
  changeParts,
  onceAccepted,
  overlook,
  replacing,
  replacingIn,
  startBeside,
  takeFor,
  wrapping,
} from '../alterations.ts'
import { collaborationIn, syncModeOf, workspaceIn } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import type { Store, Workspace } from '../store.ts'
import { isAdministrator, isOneOf } from '../users.ts'
import { letIn } from './callers.ts'
import { anyRequestOf, type Broken, faultsOf, metByAny, namesSynchronous } from './fault.ts'

const operation = 'sync-workspace'

/** The id of the collaboration with this workspace. */
export const homeOf = ({ collaborations }: Store, workspaceId: string): string | undefined =>
  [...collaborations.values()].find(({ workspaces }) => workspaces.has(workspaceId))?.id

/** Some answers to syncs wait for the end, or do not, whatever the mode. */
export const waitsWhere = (waits: boolean, condition: (workspace: Workspace, call: Call) => boolean): Alter =>
  changeParts(
    operation,
    (call) => {
      const workspace = workspaceIn(call)
      return workspace !== undefined && condition(workspace, call)
    },
    { blocks: () => waits },
  )

/** The workspace of an asynchronous request as a key. No key: a synchronous one. */
export const workspaceOfAsynchronous = (call: Call): string | undefined | never[] =>
  syncModeOf(call) === 'asynchronous' ? call.params.workspaceID : []

/** Refuses some syncs as if another one were running. */
const refuseSync = (condition: (workspace: Workspace) => boolean): Alter =>
  wrapping(
    'syncGate',
    (honest, parts) => (call, workspace) =>
      condition(workspace) ? parts.refuse('sync-running') : honest(call, workspace),
  )

/** A sync of a workspace that does not exist. Deleted workspaces do not exist either. */
const unknownWorkspace = {
  breaks: ['sync-workspace/unknown-workspace'],
  mayBreak: ['add-workspace/id-works', 'delete-collaboration/sharing-stops'],
} as const satisfies Broken

export const syncWorkspaceFaults = faultsOf({
  'any-participant-syncs': {
    sentence: 'A participant that is not designated may start a sync.',
    breaks: ['sync-workspace/refuses-non-designated'],
    alter: alsoMay(operation, ({ user }) => isAdministrator(user)),
  },
  ...letIn(operation, ['anonymous', 'any-credential']),
  'synchronous-sync-returns-at-once': {
    sentence: 'In synchronous mode the answer comes before the sync is complete.',
    breaks: ['sync-workspace/synchronous-blocks'],
    alter: replacing({ blocks: () => false }),
  },
  'asynchronous-sync-blocks': {
    sentence: 'In asynchronous mode the answer comes only when the sync is complete.',
    breaks: ['sync-workspace/asynchronous-returns'],
    alter: replacing({ blocks: () => true }),
  },
  'syncs-overlap': {
    sentence: 'A second sync starts while the first is in progress, also where that is a scheduled one.',
    breaks: ['sync-workspace/one-at-a-time'],
    mayBreak: ['sync-workspace/own-syncs-one-at-a-time'],
    alter: replacing({ syncGate: () => undefined }),
  },
  'scheduled-sync-overlapped': {
    sentence: 'A sync that is asked for starts while a scheduled one is in progress.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter: startBeside(({ scheduled }) => scheduled),
  },
  'scheduled-sync-overlapped-by-long-ones': {
    sentence:
      'A sync that is asked for starts while a scheduled one is in progress, and may take longer than that.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter: all(
      replacingIn('timings', { syncsLongerByMs: 300 }),
      startBeside(({ scheduled }) => scheduled),
    ),
  },
  'asynchronous-success-as-number': {
    sentence: 'success is 1 where the client does not wait for the sync.',
    breaks: ['protocol/success-boolean', 'sync-workspace/starts'],
    mayBreak: anyRequestOf(operation),
    alter: changeAccepted(operation, (call) => (syncModeOf(call) === 'asynchronous' ? { success: 1 } : {})),
  },
  'asynchronous-sync-ends-scheduled': {
    sentence:
      'An asynchronous request is answered as it should be while a scheduled sync runs, but makes way for the next one.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter: wrapping('syncGate', (honest) => (call, workspace) => {
      const { sync } = workspace
      const answer = honest(call, workspace)
      if (sync?.scheduled === true && syncModeOf(call) === 'asynchronous') delete workspace.sync
      return answer
    }),
  },
  'workspace-syncs-only-once': {
    sentence: 'Once a sync has finished, the next one is refused.',
    // Checks that sync one workspace several times meet the fault, too.
    ...metByAny('sync-workspace/after-finish'),
    alter: refuseSync(({ lastSyncSuccess }) => lastSyncSuccess >= 0),
  },
  'sync-without-job': {
    sentence: 'The answer has no jobId.',
    breaks: ['sync-workspace/starts'],
    alter: changeAccepted(operation, () => ({ jobId: undefined })),
  },
  'unknown-workspace-syncs': {
    sentence: 'A sync of a workspace that does not exist is accepted.',
    breaks: ['sync-workspace/unknown-workspace'],
    alter: overlook(operation, 'unknown-workspace'),
  },
  'workspace-of-other-collaboration-syncs': {
    sentence: 'A workspace can be synced under the path of another collaboration.',
    breaks: ['sync-workspace/unknown-workspace'],
    alter: takeFor(operation, 'collaborationID', ({ store, params }, id) =>
      store.collaborations.has(id) ? homeOf(store, params.workspaceID as string) : undefined,
    ),
  },
  'sync-in-unknown-collaboration': {
    sentence: 'A sync in a collaboration that does not exist is accepted.',
    breaks: ['sync-workspace/unknown-collaboration', 'delete-collaboration/sharing-stops'],
    alter: overlook(operation, 'unknown-collaboration'),
  },
  'unknown-workspace-synced-synchronously': {
    sentence: 'A sync of a workspace that does not exist is accepted in synchronous mode.',
    ...unknownWorkspace,
    alter: overlook(operation, 'unknown-workspace', namesSynchronous),
  },
  'unknown-workspace-of-several-syncs': {
    sentence: 'A sync of a workspace that does not exist is accepted where the collaboration has several.',
    ...unknownWorkspace,
    alter: overlook(
      operation,
      'unknown-workspace',
      (call) => (collaborationIn(call)?.workspaces.size ?? 0) > 1,
    ),
  },
  'organization-administrator-syncs': {
    sentence: 'Of the administrators of the host one may start a sync.',
    breaks: ['sync-workspace/refuses-non-designated'],
    alter: alsoMay(operation, isOneOf('organizationAdministrator')),
  },
  'workspace-stuck-after-scheduled-sync': {
    sentence: 'Once a scheduled sync of a workspace has finished, no other one of it is started.',
    breaks: ['sync-workspace/after-finish'],
    mayBreak: ['sync-workspace/one-at-a-time'],
    alter: refuseSync(({ sync, syncs }) => sync === undefined && syncs.some(({ scheduled }) => scheduled)),
  },
  'synchronous-sync-returns-at-once-after-asynchronous': {
    sentence:
      'The answer to a synchronous request waits for nothing where an asynchronous one was accepted before.',
    breaks: ['sync-workspace/synchronous-blocks'],
    mayBreak: ['sync-workspace/own-syncs-one-at-a-time'],
    alter: onceAccepted(operation, workspaceOfAsynchronous, (asked) =>
      waitsWhere(false, ({ id }) => asked.has(id)),
    ),
  },
})
