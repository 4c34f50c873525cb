/** Faults in the scope of a rule: other guests, other administrators, other connections, other workspaces. */
import {
  afterAccepted,
  afterRefused,
  alsoMay,
  alsoMayAfter,
  around,
  changeMay,
  isAnonymous,
  overlook,
  seenBefore,
  showDeleted,
  startBeside,
  wrapping,
} from '../alterations.ts'
import { syncModeOf, workspaceIn } from '../handlers.ts'
import type { Alter, Call, Parts } from '../parts.ts'
import type { Store, SyncJob, User } from '../store.ts'
import { isAdministrator, isGuestAdministrator, isOneOf } from '../users.ts'
import { signedCredential } from '../variants/identity.ts'
import { anonymousAsHost, faultsOf, invalidCredentials, refusalsOf, requirementsOf } from './fault.ts'
import { moveAll } from './reassign-items.ts'

const isOtherGuest = ({ user }: Call): boolean => isAdministrator(user) && user.organization === 'otherGuest'

/** Running syncs that do not block others. Add a sync to the returned set to free it. */
export function freeable(parts: Parts): WeakSet<SyncJob> {
  const freed = new WeakSet<SyncJob>()
  startBeside((running) => freed.has(running))(parts)
  return freed
}

/** The running scheduled syncs of all workspaces. */
export function* scheduledSyncs(store: Store): Generator<SyncJob> {
  for (const { workspaces } of store.collaborations.values())
    for (const { sync } of workspaces.values()) if (sync?.scheduled === true) yield sync
}

/** Some requests can still add workspaces to a deleted collaboration. */
const deletedIsThere =
  (isThere: (deletion: Call, add: Call) => boolean): Alter =>
  (parts) => {
    const deletions = new Map<string, Call>()
    afterAccepted('delete-collaboration', (call) =>
      deletions.set(call.params.collaborationID as string, call),
    )(parts)
    let asking: Call | undefined
    showDeleted(({ id }, operation) => {
      const deletion = operation === 'add-workspace' ? deletions.get(id) : undefined
      return deletion !== undefined && asking !== undefined && isThere(deletion, asking)
    })(parts)
    around('add-workspace', (call, honestly) => {
      asking = call
      return honestly()
    })(parts)
  }

export const scopeFaults = faultsOf({
  'item-owners-add-workspaces': {
    sentence: 'Who may transfer items of his own may add a workspace as well.',
    breaks: ['add-workspace/refuses-non-administrator'],
    alter: alsoMay('addWorkspace', isOneOf('itemOwner')),
  },
  'owners-without-privilege-update-participants': {
    sentence: 'An owner of items who may not transfer them may update a participant.',
    breaks: ['update-participant/refuses-non-administrator'],
    alter: alsoMay('updateParticipant', isOneOf('itemOwnerUnprivileged')),
  },
  'outsiders-delete': {
    sentence: 'A user of the host who owns nothing may delete a collaboration.',
    breaks: ['delete-collaboration/refuses-non-administrator'],
    alter: alsoMay('deleteCollaboration', isOneOf('outsider')),
  },
  'item-owners-update-federations': {
    sentence: 'Who owns items of the organization may update its federation.',
    breaks: ['update-federation/refuses-non-administrator'],
    alter: alsoMay('updateFederation', isOneOf('itemOwner', 'itemOwnerUnprivileged')),
  },
  'host-members-sync': {
    sentence: 'A member of the host may start a sync, which its administrator may not.',
    breaks: ['sync-workspace/refuses-non-designated'],
    alter: alsoMay('sync', isOneOf('hostMember')),
  },
  'guest-takes-items-himself': {
    sentence: 'The administrator of a guest may reassign the items of the host to himself.',
    breaks: ['reassign-items/refuses-other-organization'],
    alter(parts) {
      const forHimself = ({ user, form }: Call): boolean =>
        user?.actor === 'guestAdministrator' && form.get('targetUsername') === user.username
      alsoMay('reassign', forHimself)(parts)
      overlook('reassign-items', 'unknown-target', moveAll, forHimself)(parts)
    },
  },
  'other-guest-adds-workspaces': {
    sentence: 'The administrator of a guest that is not designated may add a workspace.',
    breaks: ['add-workspace/refuses-guest'],
    alter: alsoMay('addWorkspace', isOtherGuest),
  },
  'other-guest-updates-participants': {
    sentence: 'The administrator of a guest that is not designated may update a participant.',
    breaks: ['update-participant/refuses-guest'],
    alter: alsoMay('updateParticipant', isOtherGuest),
  },
  'other-guest-deletes': {
    sentence: 'The administrator of a guest that is not designated may delete a collaboration.',
    breaks: ['delete-collaboration/refuses-guest'],
    alter: alsoMay('deleteCollaboration', isOtherGuest),
  },
  'third-organization-updates-federations': {
    sentence: 'The administrator of one of the other organizations may update the federation.',
    breaks: ['update-federation/refuses-other-organization'],
    alter: alsoMay('updateFederation', isOtherGuest),
  },
  'third-organization-reassigns': {
    sentence: 'The administrator of one of the other organizations may reassign items.',
    breaks: ['reassign-items/refuses-other-organization'],
    alter: alsoMay('reassign', isOtherGuest),
  },
  'workspace-rights-from-syncing': {
    sentence: 'A guest that has synced a workspace of a collaboration may add others to it.',
    breaks: ['add-workspace/refuses-guest'],
    alter: alsoMay(
      'addWorkspace',
      (call, { workspaces }) =>
        isGuestAdministrator(call) && [...workspaces.values()].some(({ syncs }) => syncs.length > 0),
    ),
  },
  'participant-rights-from-updating': {
    sentence: 'Once its administrator has updated a participant, every administrator may.',
    breaks: ['update-participant/refuses-guest'],
    alter: alsoMayAfter(
      'updateParticipant',
      ({ user }) => isAdministrator(user),
      (_, { id }) => id,
    ),
  },
  'deleted-is-there-for-other-administrators': {
    sentence: 'A deleted collaboration is gone for who deleted it, and there for every other administrator.',
    breaks: ['delete-collaboration/gone-after-delete'],
    alter: deletedIsThere((deletion, add) => deletion.user !== add.user),
  },
  'deleted-is-there-on-its-connection': {
    sentence: 'A deleted collaboration is gone, but for who asks on the connection on which it was deleted.',
    breaks: ['delete-collaboration/gone-after-delete'],
    alter: deletedIsThere((deletion, add) => deletion.arrival.socket === add.arrival.socket),
  },
  'connection-keeps-its-caller': {
    sentence:
      'On a connection on which an administrator of the host was accepted, every caller counts as that administrator.',
    breaks: ['add-workspace/refuses-guest', 'update-participant/refuses-guest'],
    mayBreak: [
      ...anonymousAsHost,
      ...invalidCredentials,
      ...refusalsOf('add-workspace', 'reassign-items', 'update-participant', 'update-federation'),
      'add-workspace/id-works',
      ...requirementsOf(
        'delete-collaboration',
        'sync-workspace',
        'update-task-run',
        'reassign-items',
        'protocol',
      ),
    ],
    alter: wrapping('identify', (honest) => {
      const callers = new WeakMap<object, User>()
      return (arrival, store) => {
        const kept = callers.get(arrival.socket)
        if (kept !== undefined) return kept
        const user = honest(arrival, store)
        if (user?.actor === 'hostAdministrator') callers.set(arrival.socket, user)
        return user
      }
    }),
  },
  'rights-linger': {
    sentence: 'For some 20 ms after an administrator has added a workspace, requests need no credential.',
    breaks: ['add-workspace/refuses-anonymous'],
    mayBreak: refusalsOf('add-workspace'),
    alter(parts) {
      let until = 0
      changeMay('addWorkspace', (may) => {
        if (may) until = performance.now() + 20
        return may || performance.now() < until
      })(parts)
    },
  },
  'third-try-let-in': {
    sentence: 'Who was refused twice, be that for whatever workspace, is accepted the third time.',
    breaks: refusalsOf('add-workspace'),
    alter(parts) {
      const tries = new Map<string | undefined, number>()
      alsoMay('addWorkspace', ({ arrival }) => {
        const who = parts.credentialOf(arrival)
        const count = (tries.get(who) ?? 0) + 1
        tries.set(who, count)
        return count % 3 === 0
      })(parts)
    },
  },
  'anonymous-adds-every-hundredth-time': {
    sentence: 'Of a hundred requests without credentials to add a workspace one is accepted.',
    breaks: ['add-workspace/refuses-anonymous'],
    alter(parts) {
      let strangers = 0
      alsoMay('addWorkspace', (call) => isAnonymous(call) && ++strangers % 100 === 0)(parts)
    },
  },
  'anonymous-adds-under-guest-path': {
    sentence: "Under the path of a guest's portal a workspace can be added without credentials.",
    breaks: ['add-workspace/refuses-anonymous'],
    alter: alsoMay(
      'addWorkspace',
      (call, { hostPortalId }) => isAnonymous(call) && call.params.portalID !== hostPortalId,
    ),
  },
  'signature-not-looked-at': {
    sentence: 'Credentials are signed, and any signature will do.',
    breaks: invalidCredentials,
    ...signedCredential(() => true),
  },
  'signature-may-be-missing': {
    sentence: 'Credentials are signed, and those without a signature are taken as well.',
    breaks: invalidCredentials,
    ...signedCredential((signature, right) => signature === '' || signature === right),
  },
  'lock-of-scheduled-sync-for-one-path': {
    sentence:
      'Under the portal of the host a sync starts while a scheduled one is in progress; under that of the guest it does not.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter: startBeside(
      ({ scheduled }, { params, store }) => scheduled && params.portalID === store.portals.host,
    ),
  },
  'lock-of-scheduled-sync-ends-with-other-sync': {
    sentence: 'The end of a sync of any workspace lets syncs start in all others, whatever runs there.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter(parts) {
      const freed = freeable(parts)
      afterAccepted('sync-workspace', (call) => {
        void (workspaceIn(call)?.sync?.done ?? Promise.resolve()).then(() => {
          for (const sync of scheduledSyncs(call.store)) freed.add(sync)
        })
      })(parts)
    },
  },
  'refused-caller-ends-lock': {
    sentence:
      'A request for a sync that is refused to its caller lets the next one start, although a scheduled sync is in progress.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter(parts) {
      const freed = freeable(parts)
      afterRefused('sync-workspace', ['forbidden', 'token-required'], (call) => {
        const running = workspaceIn(call)?.sync
        if (running?.scheduled === true) freed.add(running)
      })(parts)
    },
  },
  'second-asynchronous-sync-overlaps-scheduled': {
    sentence:
      'While a scheduled sync is in progress the first asynchronous request is refused, and the second starts.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter(parts) {
      const asked = seenBefore<SyncJob>()
      startBeside(
        (running, call) => running.scheduled && syncModeOf(call) === 'asynchronous' && asked(running),
      )(parts)
    },
  },
  'second-synchronous-sync-does-not-wait': {
    sentence:
      'While a scheduled sync is in progress the first synchronous request waits for its end, and the next one starts.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter: wrapping('syncGate', (honest, parts) => {
      const waitedFor = seenBefore<SyncJob>()
      return (call, workspace) => {
        const { sync } = workspace
        if (sync?.scheduled !== true || syncModeOf(call) !== 'synchronous') return honest(call, workspace)
        if (waitedFor(sync)) return undefined
        return sync.done.then(() => parts.handlers['sync-workspace'](call))
      }
    }),
  },
})
