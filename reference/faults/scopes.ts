/** Faults in the scope of a rule: other guests, other administrators, other connections, other workspaces. */
import {
  afterAccepted,
  afterRefused,
  all,
  alsoMay,
  alsoMayAfter,
  changeCall,
  changeMay,
  collaborationOf,
  counter,
  everyNth,
  isAnonymous,
  overlook,
  remembering,
  seenBefore,
  showDeleted,
  startBeside,
  wrapping,
} from '../alterations.ts'
import { syncModeOf, workspaceIn } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import type { Store, SyncJob, User } from '../store.ts'
import { isAdministrator, isGuestAdministrator, isOneOf } from '../users.ts'
import { signedCredential } from '../variants/identity.ts'
import { isAnonymousElsewhere, letIn } from './callers.ts'
import { anonymousAsHost, faultsOf, invalidCredentials, refusalsOf, requirementsOf } from './fault.ts'
import { moveAll } from './reassign-items.ts'

const add = 'add-workspace'
const sync = 'sync-workspace'

/** Some running syncs do not block others: those that are added to the set. */
export const freeing = (free: (freed: WeakSet<SyncJob>) => Alter): Alter =>
  remembering(
    () => new WeakSet<SyncJob>(),
    (freed) =>
      all(
        startBeside((running) => freed.has(running)),
        free(freed),
      ),
  )

/** Adds the running scheduled syncs of all workspaces. */
export function freeScheduled(freed: WeakSet<SyncJob>, { collaborations }: Store): void {
  for (const { workspaces } of collaborations.values())
    for (const { sync } of workspaces.values()) if (sync?.scheduled === true) freed.add(sync)
}

/** Some requests can still add workspaces to a deleted collaboration. */
const deletedIsThere =
  (isThere: (deletion: Call, addition: Call) => boolean): Alter =>
  (parts) => {
    const deletions = new Map<unknown, Call>()
    let asking: Call | undefined
    all(
      afterAccepted('delete-collaboration', (call) => deletions.set(collaborationOf(call), call)),
      showDeleted(add, ({ id }) => {
        const deletion = deletions.get(id)
        return deletion !== undefined && asking !== undefined && isThere(deletion, asking)
      }),
      changeCall(add, (call) => {
        asking = call
        return call
      }),
    )(parts)
  }

export const scopeFaults = faultsOf({
  'item-owners-add-workspaces': {
    sentence: 'Who may transfer items of his own may add a workspace as well.',
    breaks: ['add-workspace/refuses-non-administrator'],
    alter: alsoMay(add, isOneOf('itemOwner')),
  },
  'owners-without-privilege-update-participants': {
    sentence: 'An owner of items who may not transfer them may update a participant.',
    breaks: ['update-participant/refuses-non-administrator'],
    alter: alsoMay('update-participant', isOneOf('itemOwnerUnprivileged')),
  },
  'outsiders-delete': {
    sentence: 'A user of the host who owns nothing may delete a collaboration.',
    breaks: ['delete-collaboration/refuses-non-administrator'],
    alter: alsoMay('delete-collaboration', isOneOf('outsider')),
  },
  'item-owners-update-federations': {
    sentence: 'Who owns items of the organization may update its federation.',
    breaks: ['update-federation/refuses-non-administrator'],
    alter: alsoMay('update-federation', isOneOf('itemOwner', 'itemOwnerUnprivileged')),
  },
  'host-members-sync': {
    sentence: 'A member of the host may start a sync, which its administrator may not.',
    breaks: ['sync-workspace/refuses-non-designated'],
    alter: alsoMay(sync, isOneOf('hostMember')),
  },
  'guest-takes-items-himself': {
    sentence: 'The administrator of a guest may reassign the items of the host to himself.',
    breaks: ['reassign-items/refuses-other-organization'],
    alter: all(
      alsoMay('reassign-items', isForGuestHimself),
      overlook('reassign-items', 'unknown-target', isForGuestHimself, moveAll),
    ),
  },
  ...letIn(add, ['other-guest']),
  ...letIn('update-participant', ['other-guest']),
  ...letIn('delete-collaboration', ['other-guest']),
  ...letIn('update-federation', ['third-organization']),
  ...letIn('reassign-items', ['third-organization']),
  'workspace-rights-from-syncing': {
    sentence: 'A guest that has synced a workspace of a collaboration may add others to it.',
    breaks: ['add-workspace/refuses-guest'],
    alter: alsoMay(
      add,
      (call, { workspaces }) =>
        isGuestAdministrator(call) && [...workspaces.values()].some(({ syncs }) => syncs.length > 0),
    ),
  },
  'participant-rights-from-updating': {
    sentence: 'Once its administrator has updated a participant, every administrator may.',
    breaks: ['update-participant/refuses-guest'],
    alter: alsoMayAfter('update-participant', collaborationOf, ({ user }) => isAdministrator(user)),
  },
  'deleted-is-there-for-other-administrators': {
    sentence: 'A deleted collaboration is gone for who deleted it, and there for every other administrator.',
    breaks: ['delete-collaboration/gone-after-delete'],
    alter: deletedIsThere((deletion, addition) => deletion.user !== addition.user),
  },
  'deleted-is-there-on-its-connection': {
    sentence: 'A deleted collaboration is gone, but for who asks on the connection on which it was deleted.',
    breaks: ['delete-collaboration/gone-after-delete'],
    alter: deletedIsThere((deletion, addition) => deletion.arrival.socket === addition.arrival.socket),
  },
  'connection-keeps-its-caller': {
    sentence:
      'On a connection on which an administrator of the host was accepted, every caller counts as that administrator.',
    breaks: ['add-workspace/refuses-guest', 'update-participant/refuses-guest'],
    mayBreak: [
      ...anonymousAsHost,
      ...invalidCredentials,
      ...refusalsOf(add, 'reassign-items', 'update-participant', 'update-federation'),
      'add-workspace/id-works',
      ...requirementsOf('delete-collaboration', sync, 'update-task-run', 'reassign-items', 'protocol'),
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
    mayBreak: refusalsOf(add),
    alter(parts) {
      let until = 0
      changeMay(add, (may) => {
        if (may) until = performance.now() + 20
        return may || performance.now() < until
      })(parts)
    },
  },
  'third-try-let-in': {
    sentence: 'Who was refused twice, be that for whatever workspace, is accepted the third time.',
    breaks: refusalsOf(add),
    alter: remembering(counter<unknown>, (count) =>
      alsoMay(add, ({ parts, arrival }) => count(parts.credentialOf(arrival)) % 3 === 0),
    ),
  },
  'anonymous-adds-every-hundredth-time': {
    sentence: 'Of a hundred requests without credentials to add a workspace one is accepted.',
    breaks: ['add-workspace/refuses-anonymous'],
    alter: remembering(
      () => everyNth(100),
      (isHundredth) => alsoMay(add, (call) => isAnonymous(call) && isHundredth()),
    ),
  },
  'anonymous-adds-under-guest-path': {
    sentence: "Under the path of a guest's portal a workspace can be added without credentials.",
    breaks: ['add-workspace/refuses-anonymous'],
    alter: alsoMay(add, isAnonymousElsewhere),
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
    alter: freeing((freed) =>
      afterAccepted(sync, (call) => {
        void (workspaceIn(call)?.sync?.done ?? Promise.resolve()).then(() => freeScheduled(freed, call.store))
      }),
    ),
  },
  'refused-caller-ends-lock': {
    sentence:
      'A request for a sync that is refused to its caller lets the next one start, although a scheduled sync is in progress.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter: freeing((freed) =>
      afterRefused(sync, ['forbidden', 'token-required'], (call) => {
        const running = workspaceIn(call)?.sync
        if (running?.scheduled === true) freed.add(running)
      }),
    ),
  },
  'second-asynchronous-sync-overlaps-scheduled': {
    sentence:
      'While a scheduled sync is in progress the first asynchronous request is refused, and the second starts.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter: remembering(seenBefore<SyncJob>, (asked) =>
      startBeside(
        (running, call) => running.scheduled && syncModeOf(call) === 'asynchronous' && asked(running),
      ),
    ),
  },
  'second-synchronous-sync-does-not-wait': {
    sentence:
      'While a scheduled sync is in progress the first synchronous request waits for its end, and the next one starts.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter: wrapping('syncGate', (honest, parts) => {
      const waitedFor = seenBefore<SyncJob>()
      return (call, workspace) => {
        const { sync: running } = workspace
        if (running?.scheduled !== true || syncModeOf(call) !== 'synchronous') return honest(call, workspace)
        if (waitedFor(running)) return undefined
        return running.done.then(() => parts.handlers['sync-workspace'](call))
      }
    }),
  },
})

/** Whether the administrator of a guest asks for items for himself. */
function isForGuestHimself({ user, form }: Call): boolean {
  return user?.actor === 'guestAdministrator' && form.get('targetUsername') === user.username
}
