/** Faults of add-workspace in who may call it. */
import type { Socket } from 'node:net'
import { alsoMay, hasInvalidCredential, isAnonymous } from '../alterations.ts'
import type { Call } from '../parts.ts'
import { isAdministrator } from '../permissions.ts'
import type { Collaboration } from '../store.ts'
import type { Fault } from './fault.ts'

/** Whether an administrator of a guest names the host in the path. */
function claimsHost({ user, params }: Call, { hostPortalId }: Collaboration): boolean {
  return isAdministrator(user) && user.organization !== 'host' && params.portalID === hostPortalId
}

export const addWorkspaceCallerFaults: readonly Fault[] = [
  {
    id: 'workspace-rights-kept-on-connection',
    sentence:
      'Once an administrator has added a workspace on a connection, nobody has to prove who he is on it.',
    breaks: ['add-workspace/refuses-anonymous'],
    alter(parts) {
      const trusted = new WeakSet<Socket>()
      const honest = parts.may.addWorkspace
      parts.may.addWorkspace = (call, collaboration) => {
        const { socket } = call.arrival
        if (!honest(call, collaboration)) return isAnonymous(call) && trusted.has(socket)
        trusted.add(socket)
        return true
      }
    },
  },
  {
    id: 'workspace-roles-need-description',
    sentence: 'Roles are checked only where a description is sent.',
    breaks: [
      'add-workspace/refuses-guest',
      'add-workspace/refuses-non-administrator',
      'add-workspace/refuses-anonymous',
      'add-workspace/refuses-invalid-credential',
    ],
    alter: (parts) =>
      alsoMay(
        parts,
        'addWorkspace',
        ({ form }) => form.get('collaborationWorkspaceDescription') === undefined,
      ),
  },
  {
    id: 'guests-add-workspaces',
    sentence: "A guest's administrator may add a workspace.",
    breaks: ['add-workspace/refuses-guest'],
    alter: (parts) =>
      alsoMay(parts, 'addWorkspace', ({ user }) => isAdministrator(user) && user.organization !== 'host'),
  },
  {
    id: 'members-add-workspaces',
    sentence: 'Any member of the host may add a workspace.',
    breaks: ['add-workspace/refuses-non-administrator'],
    alter: (parts) => alsoMay(parts, 'addWorkspace', ({ user }) => user?.organization === 'host'),
  },
  {
    id: 'anonymous-adds-workspaces',
    sentence: 'A workspace can be added without credentials.',
    breaks: ['add-workspace/refuses-anonymous'],
    alter: (parts) => alsoMay(parts, 'addWorkspace', isAnonymous),
  },
  {
    id: 'any-credential-adds-workspaces',
    sentence: 'A workspace can be added with a credential that nobody was given.',
    breaks: ['add-workspace/refuses-invalid-credential'],
    alter: (parts) => alsoMay(parts, 'addWorkspace', hasInvalidCredential),
  },
  {
    id: 'role-from-path',
    sentence:
      "The id of the host in the path makes any guest's administrator one of the host, who adds workspaces and updates participants.",
    breaks: ['add-workspace/refuses-guest', 'update-participant/refuses-guest'],
    alter(parts) {
      alsoMay(parts, 'addWorkspace', claimsHost)
      alsoMay(parts, 'updateParticipant', claimsHost)
    },
  },
]
