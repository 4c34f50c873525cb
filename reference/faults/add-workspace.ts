/** Faults of add-workspace in its answer and in the form that it takes; limits and callers have files of their own. */
import { createHash } from 'node:crypto'
import {
  alsoMay,
  alsoMayAfter,
  changeAccepted,
  changeBytes,
  changeCall,
  changeView,
  hasInvalidCredential,
  isAnonymous,
  overlook,
  refuseWhen,
} from '../alterations.ts'
import type { Call } from '../parts.ts'
import { isGuestAdministrator, isOfHost } from '../permissions.ts'
import type { Collaboration } from '../store.ts'
import { acceptancesOf, faultsOf, refusalsOf } from './fault.ts'

const operation = 'add-workspace'

export const addWorkspaceFaults = faultsOf({
  'workspace-id-from-name': {
    sentence: 'The id of a workspace is derived from its name, so that equal names get equal ids.',
    breaks: ['add-workspace/id-is-new', 'add-workspace/id-works'],
    mayBreak: ['add-workspace/concurrent-ids-distinct'],
    alter: changeView(({ name }) => ({
      id: createHash('sha256').update(name).digest('hex').slice(0, 32),
    })),
  },
  'workspace-id-from-clock': {
    sentence:
      'The id of a workspace is the time in hundredths of a second, so that simultaneous ones collide.',
    breaks: ['add-workspace/concurrent-ids-distinct', 'add-workspace/id-works'],
    mayBreak: ['add-workspace/id-is-new'],
    alter: changeView(({ created }) => ({
      id: Math.floor(created / 10)
        .toString(16)
        .padStart(32, '0'),
    })),
  },
  'every-sixth-workspace-elsewhere': {
    sentence: 'The answer for every sixth workspace names a wrong collaboration.',
    breaks: ['add-workspace/collaboration-id'],
    alter(parts) {
      let added = 0
      changeView(() => (++added % 6 === 0 ? { collaborationId: parts.newId('collaboration') } : {}))(parts)
    },
  },
  'workspace-times-in-seconds': {
    sentence: 'created and modified are in seconds.',
    breaks: ['add-workspace/timestamps'],
    alter: changeView(({ created, modified }) => ({
      created: Math.floor(created / 1000),
      modified: Math.floor(modified / 1000),
    })),
  },
  'workspace-modified-before-created': {
    sentence: 'modified lies a second before created.',
    breaks: ['add-workspace/timestamps'],
    alter: changeView(({ created }) => ({ modified: created - 1000 })),
  },
  'workspace-size-as-string': {
    sentence: 'maxItemSizeInMB is a string.',
    breaks: ['add-workspace/config-fields'],
    alter: changeView((_, { config }) => ({ config: { ...(config as object), maxItemSizeInMB: '100' } })),
  },
  'config-boolean-as-text': {
    sentence: 'bidirectionalSyncCapable is the string "false".',
    breaks: ['add-workspace/config-fields'],
    alter: changeView((_, { config }) => ({
      config: { ...(config as object), bidirectionalSyncCapable: 'false' },
    })),
  },
  'workspace-without-last-sync': {
    sentence: 'The workspace has no lastSyncSuccess.',
    breaks: ['add-workspace/workspace-fields'],
    alter: changeView(() => ({ lastSyncSuccess: undefined })),
  },
  'workspace-missing-in-answer': {
    sentence: 'The workspace is added, but the answer does not hold it.',
    breaks: ['add-workspace/creates'],
    alter: changeAccepted(operation, () => ({ workspace: undefined })),
  },
  'answers-in-latin-1': {
    sentence: 'The answer to an accepted request has a further field in Latin-1 where JSON is UTF-8.',
    breaks: ['protocol/form-post', 'protocol/json-format', ...acceptancesOf(operation)],
    alter: changeBytes(operation, (body) =>
      Buffer.concat([body.subarray(0, body.lastIndexOf('}')), Buffer.from(',"server":"Orléans"}', 'latin1')]),
    ),
  },
  'parameter-order-matters': {
    sentence: 'A request is refused where f comes before the name of the workspace.',
    breaks: ['protocol/encoding'],
    alter: refuseWhen(operation, 'bad-value', ({ form }) => {
      const names = form.pairs.map(([name]) => name)
      return names.includes('f') && names.indexOf('f') < names.indexOf('collaborationWorkspaceName')
    }),
  },
  'workspace-in-unknown-collaboration': {
    sentence: 'A workspace can be added to a collaboration that does not exist.',
    breaks: ['add-workspace/unknown-collaboration', 'delete-collaboration/gone-after-delete'],
    alter: overlook(operation, 'unknown-collaboration', ({ form, params, parts }) => ({
      workspace: parts.viewWorkspace({
        id: parts.newId('workspace'),
        name: form.get('collaborationWorkspaceName') ?? '',
        description: form.get('collaborationWorkspaceDescription') ?? '',
        collaborationId: params.collaborationID as string,
        portalGroupId: '',
        created: parts.now(),
        modified: parts.now(),
        lastSyncSuccess: -1,
        syncMs: 0,
        syncs: [],
        copied: new Set(),
      }),
    })),
  },
  'unknown-group-linked': {
    sentence: 'A workspace can be linked with a group that does not exist.',
    breaks: ['add-workspace/unknown-group'],
    alter: changeCall(operation, (call) => {
      const groups = new Map(call.store.groups)
      const [any] = groups.values()
      groups.get = (id) => call.store.groups.get(id) ?? any
      return { ...call, store: { ...call.store, groups } }
    }),
  },
  'last-sync-in-seconds': {
    sentence: 'lastSyncSuccess of a new workspace is the present in seconds.',
    breaks: ['add-workspace/last-sync-milliseconds'],
    alter: changeView(({ created }) => ({ lastSyncSuccess: Math.floor(created / 1000) })),
  },
  'last-sync-in-the-future': {
    sentence: 'lastSyncSuccess of a new workspace lies two days ahead.',
    breaks: ['add-workspace/last-sync-milliseconds'],
    alter: changeView(({ created }) => ({ lastSyncSuccess: created + 2 * 86_400_000 })),
  },
  'workspace-id-of-nothing': {
    sentence: 'The id in the answer is not that of the workspace that was added.',
    breaks: ['add-workspace/id-works'],
    alter: (parts) => changeView(() => ({ id: parts.newId('workspace') }))(parts),
  },
})

/** Whether an administrator of a guest names the host in the path. */
const claimsHost = (call: Call, { hostPortalId }: Collaboration): boolean =>
  isGuestAdministrator(call) && call.params.portalID === hostPortalId

export const addWorkspaceCallerFaults = faultsOf({
  'workspace-rights-kept-on-connection': {
    sentence:
      'Once an administrator has added a workspace on a connection, nobody has to prove who he is on it.',
    breaks: ['add-workspace/refuses-anonymous'],
    alter: alsoMayAfter('addWorkspace', isAnonymous, ({ arrival }) => arrival.socket),
  },
  'workspace-roles-need-description': {
    sentence: 'Roles are checked only where a description is sent.',
    breaks: refusalsOf('add-workspace'),
    alter: alsoMay('addWorkspace', ({ form }) => form.get('collaborationWorkspaceDescription') === undefined),
  },
  'guests-add-workspaces': {
    sentence: "A guest's administrator may add a workspace.",
    breaks: ['add-workspace/refuses-guest'],
    alter: alsoMay('addWorkspace', isGuestAdministrator),
  },
  'members-add-workspaces': {
    sentence: 'Any member of the host may add a workspace.',
    breaks: ['add-workspace/refuses-non-administrator'],
    alter: alsoMay('addWorkspace', isOfHost),
  },
  'anonymous-adds-workspaces': {
    sentence: 'A workspace can be added without credentials.',
    breaks: ['add-workspace/refuses-anonymous'],
    alter: alsoMay('addWorkspace', isAnonymous),
  },
  'any-credential-adds-workspaces': {
    sentence: 'A workspace can be added with a credential that nobody was given.',
    breaks: ['add-workspace/refuses-invalid-credential'],
    alter: alsoMay('addWorkspace', hasInvalidCredential),
  },
  'role-from-path': {
    sentence:
      "The id of the host in the path makes any guest's administrator one of the host, who adds workspaces and updates participants.",
    breaks: ['add-workspace/refuses-guest', 'update-participant/refuses-guest'],
    alter(parts) {
      alsoMay('addWorkspace', claimsHost)(parts)
      alsoMay('updateParticipant', claimsHost)(parts)
    },
  },
})
