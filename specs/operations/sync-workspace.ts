import { advice, clausesOf, implied, must, type Operation, open } from '../operation.ts'

/** §4.4 with §3 and §5. */
export const syncWorkspace = {
  id: 'sync-workspace',
  title: 'Sync workspace',
  section: '4.4',
  conformanceClass: 'guest',
  path: '/portals/{portalID}/collaborations/{collaborationID}/workspaces/{workspaceID}/sync',
  parameters: [open('f')],
  introduced: { release: '10.6.1' },
  callers: 'the participant designated to initiate sync operations',
  calledBy: 'syncInitiator',
  on: 'workspace',
  usesUp: true,
  effect: 'runs syncs of workspaces of the fixture provider',
  requirements: clausesOf({
    'sync-workspace/starts': {
      ...must('4.4', 'shape'),
      text: 'The designated participant can start a sync; the answer has jobId and key as strings.',
    },
    'sync-workspace/refuses-non-designated': {
      ...must('4.4', 'roles'),
      refuses: ['syncNonInitiator', 'hostAdministrator'],
      text: 'A participant that is not designated to initiate syncs is refused.',
    },
    'sync-workspace/refuses-anonymous': {
      ...must('5', 'roles'),
      refuses: ['anonymous'],
      text: 'A request without credentials is refused.',
    },
    'sync-workspace/synchronous-blocks': {
      ...must('4.4', 'order'),
      text: 'In synchronous mode the client is blocked until the sync is complete.',
      settledBy: 'sync-mode',
    },
    'sync-workspace/asynchronous-returns': {
      ...must('4.4', 'order'),
      text: 'In asynchronous mode the answer is returned at once and the client is not blocked.',
      settledBy: 'sync-mode',
    },
    'sync-workspace/one-at-a-time': {
      ...must('4.4', 'order'),
      text: 'While a scheduled sync of a workspace is in progress a new one is not started until it has finished.',
      settledBy: 'sync-mode',
    },
    'sync-workspace/own-syncs-one-at-a-time': {
      ...advice('4.4', 'order'),
      text: 'While a sync that somebody asked for is in progress a new one of that workspace is not started until it has finished.',
    },
    'sync-workspace/after-finish': {
      ...implied('3', 'order'),
      text: 'Once a sync has finished, the next one is accepted.',
      follows: 'A new sync waits until the current one has finished (§3), and no longer.',
    },
    'sync-workspace/refuses-invalid-credential': {
      ...implied('5', 'roles'),
      refuses: ['impostor'],
      text: 'An invalid credential is refused.',
      follows: 'Only the designated participant may sync (§5).',
    },
    'sync-workspace/unknown-workspace': {
      ...implied('4.4', 'relations'),
      mustExist: ['workspaceID'],
      belongs: 'workspaceID',
      text: 'A workspace that does not exist, or that belongs to another collaboration, is refused.',
      follows: 'The sync runs on one workspace of the collaboration of the path (§4.4).',
    },
    'sync-workspace/unknown-collaboration': {
      ...implied('4.4', 'relations'),
      mustExist: ['collaborationID'],
      text: 'A collaboration that does not exist is refused.',
      follows: 'The sync runs on one workspace of the collaboration of the path (§4.4).',
    },
  }),
} as const satisfies Operation
