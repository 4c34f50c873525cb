import { clausesOf, implied, must, type Operation, open } from '../operation.ts'

const echo = 'The field holds the name or description of the workspace (§2), so it holds what was sent.'

/** §4.1 with §2, §5 and §8. */
export const addWorkspace = {
  id: 'add-workspace',
  title: 'Add workspace',
  section: '4.1',
  conformanceClass: 'host',
  path: '/portals/{portalID}/collaborations/{collaborationID}/addWorkspace',
  parameters: [
    open('collaborationWorkspaceName'),
    open('collaborationWorkspaceDescription'),
    open('portalGroupId'),
    open('f'),
  ],
  introduced: { release: '10.5' },
  callers: 'an administrator of the host',
  calledBy: 'hostAdministrator',
  on: 'collaboration',
  effect: 'creates workspaces in collaborations of the fixture provider',
  requirements: clausesOf({
    'add-workspace/creates': {
      ...must('4.1', 'shape'),
      text: "A host administrator's valid request is accepted and the answer holds the new workspace.",
    },
    'add-workspace/workspace-fields': {
      ...must('2', 'shape'),
      text: 'The workspace has id, name, description and collaborationId as strings, config as an object, and created, modified and lastSyncSuccess as integers.',
    },
    'add-workspace/config-fields': {
      ...must('2', 'shape'),
      text: 'The config of the workspace has maxItemSizeInMB and maxReplicationPackageSizeInMB as integers and bidirectionalSyncCapable as a boolean.',
    },
    'add-workspace/collaboration-id': {
      ...must('4.1', 'relations'),
      echoes: [['workspace.collaborationId', 'collaborationID']],
      text: 'workspace.collaborationId is the collaboration of the path, every time.',
    },
    'add-workspace/id-is-new': {
      ...must('4.1', 'relations'),
      text: 'Every new workspace gets an id of its own, also where names are equal.',
    },
    'add-workspace/timestamps': {
      ...must('2', 'relations'),
      text: 'created and modified are Unix times in milliseconds, near the present, and modified is not before created.',
    },
    'add-workspace/last-sync-milliseconds': {
      ...implied('2', 'relations'),
      text: 'A lastSyncSuccess above zero is a time in milliseconds, neither in the future nor before the collaboration could exist.',
      follows: 'lastSyncSuccess is a Unix timestamp in milliseconds (§2). Negative values are open.',
    },
    'add-workspace/name-kept': {
      ...implied('2', 'relations'),
      text: 'A name of printable text comes back as it was sent.',
      follows: echo,
    },
    'add-workspace/description-kept': {
      ...implied('2', 'relations'),
      text: 'A description of printable text comes back as it was sent.',
      follows: echo,
    },
    'add-workspace/name-limit-accepts': {
      ...implied('8', 'limits'),
      text: 'Names of 1 to 100 characters are accepted, whatever script they are written in.',
      follows: 'The limit is 100 characters at most (§8), so it forbids no name up to there.',
    },
    'add-workspace/name-limit-rejects': {
      ...must('8', 'limits'),
      text: 'A name of 101 characters or more is not accepted, whether refused or quietly shortened.',
    },
    'add-workspace/description-limit-accepts': {
      ...must('8', 'limits'),
      text: 'Descriptions of 1 to 250 characters are accepted, whatever script they are written in.',
    },
    'add-workspace/description-limit-rejects': {
      ...must('8', 'limits'),
      text: 'A description of 251 characters or more is not accepted, whether refused or quietly shortened.',
    },
    'add-workspace/refuses-guest': {
      ...must('4.1', 'roles'),
      refuses: ['guestAdministrator'],
      text: "Only the host creates workspaces: a guest's administrator is refused.",
    },
    'add-workspace/refuses-non-administrator': {
      ...must('5', 'roles'),
      refuses: ['hostMember'],
      text: 'A member of the host without administrative rights is refused.',
    },
    'add-workspace/refuses-anonymous': {
      ...must('5', 'roles'),
      refuses: ['anonymous'],
      text: 'A request without credentials is refused, also on a connection that an administrator has just used.',
    },
    'add-workspace/refuses-invalid-credential': {
      ...implied('5', 'roles'),
      refuses: ['impostor'],
      text: 'An invalid credential is refused.',
      follows: 'Only an administrator of the host may add a workspace (§5).',
    },
    'add-workspace/unknown-collaboration': {
      ...implied('4.1', 'relations'),
      mustExist: ['collaborationID'],
      text: 'A collaboration that does not exist is refused.',
      follows: 'The workspace is added to the collaboration of the path (§4.1).',
    },
    'add-workspace/unknown-group': {
      ...implied('4.1', 'relations'),
      mustExist: ['portalGroupId'],
      text: 'A group that does not exist is refused.',
      follows: 'The workspace is linked with the portal group that portalGroupId names (§4.1).',
    },
    'add-workspace/concurrent-ids-distinct': {
      ...implied('4.1', 'races'),
      text: 'Workspaces added at the same moment get distinct ids.',
      follows: 'workspace.id is the ID of the new workspace (§4.1).',
    },
    'add-workspace/id-works': {
      ...implied('4.1', 'consequences'),
      text: 'The id of a new workspace is an id: what takes a workspace id takes it.',
      follows: 'workspace.id is the ID of the new workspace (§4.1).',
      settledBy: 'new-workspaces',
    },
  }),
} as const satisfies Operation
