/** Faults in whom and what a rule holds for: other guests, other administrators, other connections, other workspaces. */
import { afterAccepted, afterRefused, alsoMay, around, isAnonymous } from '../alterations.ts'
import { syncModeOf, workspaceIn } from '../handlers.ts'
import type { Call, Parts } from '../parts.ts'
import { isAdministrator } from '../permissions.ts'
import type { SyncJob, User } from '../store.ts'
import { signedCredential } from '../variants/identity.ts'
import { anonymousAsHost, type Fault, invalidCredentials, requirementsOf } from './fault.ts'

const isOtherGuest = ({ user }: Call): boolean => isAdministrator(user) && user.organization === 'otherGuest'
const isElsewhere = ({ user }: Call): boolean => isAdministrator(user) && user.organization !== 'host'

/** Lets a sync start beside a scheduled one that was freed. */
function freeable(parts: Parts): WeakSet<SyncJob> {
  const freed = new WeakSet<SyncJob>()
  const honest = parts.syncGate
  parts.syncGate = (call, workspace) =>
    workspace.sync !== undefined && freed.has(workspace.sync) ? undefined : honest(call, workspace)
  return freed
}

function* scheduledSyncs({ store }: Call): Generator<SyncJob> {
  for (const { workspaces } of store.collaborations.values())
    for (const { sync } of workspaces.values()) if (sync?.scheduled === true) yield sync
}

/** A deleted collaboration still takes workspaces of some. */
function deletedIsThere(parts: Parts, isThere: (deletion: Call, add: Call) => boolean): void {
  const deletions = new Map<string, Call>()
  const honest = parts.visible
  parts.remove = (_store, collaboration) => {
    collaboration.deletedAt = performance.now()
  }
  afterAccepted(parts, 'delete-collaboration', (call) =>
    deletions.set(call.params.collaborationID as string, call),
  )
  let asking: Call | undefined
  parts.visible = (collaboration, operation) => {
    const deletion = operation === 'add-workspace' ? deletions.get(collaboration.id) : undefined
    return (
      honest(collaboration, operation) ||
      (deletion !== undefined && asking !== undefined && isThere(deletion, asking))
    )
  }
  around(parts, 'add-workspace', (call, honestly) => {
    asking = call
    return honestly()
  })
}

export const scopeFaults: readonly Fault[] = [
  {
    id: 'other-guest-adds-workspaces',
    sentence: 'The administrator of a guest that is not designated may add a workspace.',
    breaks: ['add-workspace/refuses-guest'],
    alter: (parts) => alsoMay(parts, 'addWorkspace', isOtherGuest),
  },
  {
    id: 'other-guest-updates-participants',
    sentence: 'The administrator of a guest that is not designated may update a participant.',
    breaks: ['update-participant/refuses-guest'],
    alter: (parts) => alsoMay(parts, 'updateParticipant', isOtherGuest),
  },
  {
    id: 'other-guest-deletes',
    sentence: 'The administrator of a guest that is not designated may delete a collaboration.',
    breaks: ['delete-collaboration/refuses-guest'],
    alter: (parts) => alsoMay(parts, 'deleteCollaboration', isOtherGuest),
  },
  {
    id: 'third-organization-updates-federations',
    sentence: 'The administrator of one of the other organizations may update the federation.',
    breaks: ['update-federation/refuses-other-organization'],
    alter: (parts) => alsoMay(parts, 'updateFederation', isOtherGuest),
  },
  {
    id: 'third-organization-reassigns',
    sentence: 'The administrator of one of the other organizations may reassign items.',
    breaks: ['reassign-items/refuses-other-organization'],
    alter: (parts) => alsoMay(parts, 'reassign', isOtherGuest),
  },
  {
    id: 'workspace-rights-from-syncing',
    sentence: 'A guest that has synced a workspace of a collaboration may add others to it.',
    breaks: ['add-workspace/refuses-guest'],
    alter(parts) {
      alsoMay(
        parts,
        'addWorkspace',
        (call, { workspaces }) =>
          isElsewhere(call) && [...workspaces.values()].some(({ syncs }) => syncs.length > 0),
      )
    },
  },
  {
    id: 'participant-rights-from-updating',
    sentence: 'Once its administrator has updated a participant, every administrator may.',
    breaks: ['update-participant/refuses-guest'],
    alter(parts) {
      const updated = new Set<string>()
      const honest = parts.may.updateParticipant
      parts.may.updateParticipant = (call, collaboration) => {
        if (!honest(call, collaboration)) return isAdministrator(call.user) && updated.has(collaboration.id)
        updated.add(collaboration.id)
        return true
      }
    },
  },
  {
    id: 'deleted-is-there-for-other-administrators',
    sentence: 'A deleted collaboration is gone for who deleted it, and there for every other administrator.',
    breaks: ['delete-collaboration/gone-after-delete'],
    alter: (parts) => deletedIsThere(parts, (deletion, add) => deletion.user !== add.user),
  },
  {
    id: 'deleted-is-there-on-its-connection',
    sentence: 'A deleted collaboration is gone, but for who asks on the connection on which it was deleted.',
    breaks: ['delete-collaboration/gone-after-delete'],
    alter: (parts) =>
      deletedIsThere(parts, (deletion, add) => deletion.arrival.socket === add.arrival.socket),
  },
  {
    id: 'connection-keeps-its-caller',
    sentence:
      'On a connection on which an administrator of the host was accepted, whoever calls is that administrator.',
    breaks: ['add-workspace/refuses-guest', 'update-participant/refuses-guest'],
    mayBreak: [
      ...anonymousAsHost,
      ...invalidCredentials,
      ...requirementsOf('add-workspace', 'reassign-items', 'update-participant', 'update-federation').filter(
        (id) => id.includes('/refuses-'),
      ),
      'add-workspace/id-works',
      ...requirementsOf(
        'delete-collaboration',
        'sync-workspace',
        'update-task-run',
        'reassign-items',
        'protocol',
      ),
    ],
    alter(parts) {
      const callers = new WeakMap<object, User>()
      const honest = parts.identify
      parts.identify = (arrival, store) => {
        const kept = callers.get(arrival.socket)
        if (kept !== undefined) return kept
        const user = honest(arrival, store)
        if (user?.actor === 'hostAdministrator') callers.set(arrival.socket, user)
        return user
      }
    },
  },
  {
    id: 'rights-linger',
    sentence: 'For some 20 ms after an administrator has added a workspace, nobody is asked who he is.',
    breaks: ['add-workspace/refuses-anonymous'],
    mayBreak: requirementsOf('add-workspace').filter((id) => id.includes('/refuses-')),
    alter(parts) {
      let until = 0
      const honest = parts.may.addWorkspace
      parts.may.addWorkspace = (call, collaboration) => {
        if (!honest(call, collaboration)) return performance.now() < until
        until = performance.now() + 20
        return true
      }
    },
  },
  {
    id: 'third-try-let-in',
    sentence: 'Who was refused twice, be that for whatever workspace, is let in the third time.',
    breaks: [
      'add-workspace/refuses-guest',
      'add-workspace/refuses-non-administrator',
      'add-workspace/refuses-anonymous',
      'add-workspace/refuses-invalid-credential',
    ],
    alter(parts) {
      const tries = new Map<string | undefined, number>()
      alsoMay(parts, 'addWorkspace', ({ arrival }) => {
        const who = parts.credentialOf(arrival)
        const count = (tries.get(who) ?? 0) + 1
        tries.set(who, count)
        return count % 3 === 0
      })
    },
  },
  {
    id: 'anonymous-adds-every-hundredth-time',
    sentence: 'Of a hundred requests without credentials to add a workspace one is let in.',
    breaks: ['add-workspace/refuses-anonymous'],
    alter(parts) {
      let strangers = 0
      alsoMay(parts, 'addWorkspace', (call) => isAnonymous(call) && ++strangers % 100 === 0)
    },
  },
  {
    id: 'anonymous-adds-under-guest-path',
    sentence: "Under the path of a guest's portal a workspace can be added without credentials.",
    breaks: ['add-workspace/refuses-anonymous'],
    alter: (parts) =>
      alsoMay(
        parts,
        'addWorkspace',
        (call, { hostPortalId }) => isAnonymous(call) && call.params.portalID !== hostPortalId,
      ),
  },
  {
    id: 'credential-prefix-ignored',
    sentence: 'What stands before a token is not looked at.',
    breaks: invalidCredentials,
    alter(parts) {
      parts.identify = (arrival, store) => {
        const presented = parts.credentialOf(arrival) ?? ''
        return (
          store.tokens.get(presented) ?? [...store.tokens].find(([real]) => presented.endsWith(real))?.[1]
        )
      }
    },
  },
  {
    id: 'signature-not-looked-at',
    sentence: 'Credentials are signed, and any signature will do.',
    breaks: invalidCredentials,
    ...signedCredential(() => true),
  },
  {
    id: 'signature-may-be-missing',
    sentence: 'Credentials are signed, and those without a signature are taken as well.',
    breaks: invalidCredentials,
    ...signedCredential((signature, right) => signature === '' || signature === right),
  },
  {
    id: 'lock-of-scheduled-sync-for-one-path',
    sentence:
      'Under the portal of the host a sync starts while a scheduled one is in progress; under that of the guest it does not.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter(parts) {
      const honest = parts.syncGate
      parts.syncGate = (call, workspace) =>
        workspace.sync?.scheduled === true && call.params.portalID === call.store.portals.host
          ? undefined
          : honest(call, workspace)
    },
  },
  {
    id: 'lock-of-scheduled-sync-ends-with-other-sync',
    sentence: 'The end of a sync of any workspace lets syncs start in all others, whatever runs there.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter(parts) {
      const freed = freeable(parts)
      afterAccepted(parts, 'sync-workspace', (call) => {
        void (workspaceIn(call)?.sync?.done ?? Promise.resolve()).then(() => {
          for (const sync of scheduledSyncs(call)) freed.add(sync)
        })
      })
    },
  },
  {
    id: 'refused-caller-ends-lock',
    sentence:
      'A request for a sync that is refused to its caller lets the next one start, although a scheduled sync is in progress.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter(parts) {
      const freed = freeable(parts)
      afterRefused(parts, 'sync-workspace', ['forbidden', 'token-required'], (call) => {
        const running = workspaceIn(call)?.sync
        if (running?.scheduled === true) freed.add(running)
      })
    },
  },
  {
    id: 'second-asynchronous-sync-overlaps-scheduled',
    sentence:
      'While a scheduled sync is in progress the first asynchronous request is refused, and the second starts.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter(parts) {
      const asked = new WeakSet<object>()
      const honest = parts.syncGate
      parts.syncGate = (call, workspace) => {
        const { sync } = workspace
        if (sync?.scheduled !== true || syncModeOf(call) !== 'asynchronous') return honest(call, workspace)
        if (asked.has(sync)) return undefined
        asked.add(sync)
        return honest(call, workspace)
      }
    },
  },
]
