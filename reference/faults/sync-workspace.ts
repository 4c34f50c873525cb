/** Faults of sync-workspace. */
import {
  afterAccepted,
  alsoMay,
  changeAccepted,
  changeParts,
  hasInvalidCredential,
  isAnonymous,
  overlook,
  replacing,
  startBeside,
  wrapping,
} from '../alterations.ts'
import { collaborationIn, syncModeOf, workspaceIn } from '../handlers.ts'
import type { Call } from '../parts.ts'
import type { Workspace } from '../store.ts'
import { isAdministrator } from '../users.ts'
import { type Fault, faultsOf, requirementsOf } from './fault.ts'
import { homeOf, takeForId } from './resemblance.ts'

const operation = 'sync-workspace'

const newJob = ({ parts }: Call) => ({ jobId: parts.newId('job'), key: parts.newId('job') })

/** Some requests can sync a workspace that does not exist. Deleted workspaces do not exist either. */
const unknownWorkspaceSyncs = (where: (call: Call) => boolean): Omit<Fault, 'id' | 'sentence'> => ({
  breaks: ['sync-workspace/unknown-workspace'],
  mayBreak: ['add-workspace/id-works', 'delete-collaboration/sharing-stops'],
  alter: overlook(operation, 'unknown-workspace', newJob, where),
})

export const syncWorkspaceFaults = faultsOf({
  'any-participant-syncs': {
    sentence: 'A participant that is not designated may start a sync.',
    breaks: ['sync-workspace/refuses-non-designated'],
    alter: alsoMay('sync', ({ user }) => isAdministrator(user)),
  },
  'anonymous-syncs': {
    sentence: 'A sync can be started without credentials.',
    breaks: ['sync-workspace/refuses-anonymous'],
    alter: alsoMay('sync', isAnonymous),
  },
  'any-credential-syncs': {
    sentence: 'A sync can be started with an invalid credential.',
    breaks: ['sync-workspace/refuses-invalid-credential'],
    alter: alsoMay('sync', hasInvalidCredential),
  },
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
    alter(parts) {
      parts.timings.syncsLongerByMs = 300
      startBeside(({ scheduled }) => scheduled)(parts)
    },
  },
  'asynchronous-success-as-number': {
    sentence: 'success is 1 where the client does not wait for the sync.',
    breaks: ['protocol/success-boolean', 'sync-workspace/starts'],
    mayBreak: requirementsOf(operation, 'protocol'),
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
    breaks: ['sync-workspace/after-finish'],
    // Checks that sync one workspace several times meet the fault, too.
    mayBreak: requirementsOf(operation, 'protocol'),
    alter: wrapping(
      'syncGate',
      (honest, parts) => (call, workspace) =>
        workspace.lastSyncSuccess >= 0 ? parts.refuse('sync-running') : honest(call, workspace),
    ),
  },
  'sync-without-job': {
    sentence: 'The answer has no jobId.',
    breaks: ['sync-workspace/starts'],
    alter: changeAccepted(operation, () => ({ jobId: undefined })),
  },
  'unknown-workspace-syncs': {
    sentence: 'A sync of a workspace that does not exist is accepted.',
    breaks: ['sync-workspace/unknown-workspace'],
    alter: overlook(operation, 'unknown-workspace', newJob),
  },
  'workspace-of-other-collaboration-syncs': {
    sentence: 'A workspace can be synced under the path of another collaboration.',
    breaks: ['sync-workspace/unknown-workspace'],
    alter: takeForId(operation, 'collaborationID', ({ store, params }, id) =>
      store.collaborations.has(id) ? homeOf(store, params.workspaceID as string) : undefined,
    ),
  },
  'sync-in-unknown-collaboration': {
    sentence: 'A sync in a collaboration that does not exist is accepted.',
    breaks: ['sync-workspace/unknown-collaboration', 'delete-collaboration/sharing-stops'],
    alter: overlook(operation, 'unknown-collaboration', newJob),
  },
  'unknown-workspace-synced-synchronously': {
    sentence: 'A sync of a workspace that does not exist is accepted in synchronous mode.',
    ...unknownWorkspaceSyncs(({ form, parts }) => form.get(parts.sync.parameter) === parts.sync.synchronous),
  },
  'unknown-workspace-of-several-syncs': {
    sentence: 'A sync of a workspace that does not exist is accepted where the collaboration has several.',
    ...unknownWorkspaceSyncs((call) => (collaborationIn(call)?.workspaces.size ?? 0) > 1),
  },
  'organization-administrator-syncs': {
    sentence: 'Of the administrators of the host one may start a sync.',
    breaks: ['sync-workspace/refuses-non-designated'],
    alter: alsoMay('sync', ({ user }) => user?.username === 'organization_administrator'),
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
  'synchronous-sync-returns-at-once-after-asynchronous': {
    sentence:
      'The answer to a synchronous request waits for nothing where an asynchronous one was accepted before.',
    breaks: ['sync-workspace/synchronous-blocks'],
    mayBreak: ['sync-workspace/own-syncs-one-at-a-time'],
    alter(parts) {
      const asked = new WeakSet<Workspace>()
      afterAccepted(operation, (call) => {
        const workspace = workspaceIn(call)
        if (workspace !== undefined && syncModeOf(call) === 'asynchronous') asked.add(workspace)
      })(parts)
      changeParts(operation, (call) => asked.has(workspaceIn(call) as Workspace), { blocks: () => false })(
        parts,
      )
    },
  },
})
