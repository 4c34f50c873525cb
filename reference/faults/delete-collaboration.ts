/** Faults of delete-collaboration. */
import {
  afterAccepted,
  afterRefused,
  alsoMay,
  changeAccepted,
  hasInvalidCredential,
  isAnonymous,
  refuseWhen,
  replacing,
  replacingIn,
  showDeleted,
  wrapping,
} from '../alterations.ts'
import { collaborationIn } from '../handlers.ts'
import type { Call, Parts } from '../parts.ts'
import type { Collaboration } from '../store.ts'
import { isOfHost } from '../users.ts'
import { faultsOf, requirementsOf } from './fault.ts'

const operation = 'delete-collaboration'

/** Deletes the collaboration of the path, although the caller was refused. */
export function deleteAnyway(call: Call): void {
  const collaboration = collaborationIn(call)
  if (collaboration !== undefined) call.parts.remove(call.store, collaboration)
}

const workspaceNames = ({ workspaces }: Collaboration) => [...workspaces.values()].map(({ name }) => name)

/** A deletion also deletes the collaborations that have a workspace of the same name. */
function takeNamesakes(parts: Parts): void {
  const honest = parts.remove
  parts.remove = (store, collaboration) => {
    const names = new Set(workspaceNames(collaboration))
    for (const each of store.collaborations.values()) {
      if (each === collaboration || workspaceNames(each).some((name) => names.has(name))) honest(store, each)
    }
  }
}

export const deleteCollaborationFaults = faultsOf({
  'anonymous-deletes': {
    sentence: 'A collaboration can be deleted without credentials.',
    breaks: ['delete-collaboration/refuses-anonymous'],
    mayBreak: ['delete-collaboration/refused-delete-has-no-effect'],
    alter: alsoMay('deleteCollaboration', isAnonymous),
  },
  'any-credential-deletes': {
    sentence: 'A collaboration can be deleted with an invalid credential.',
    breaks: ['delete-collaboration/refuses-invalid-credential'],
    alter: alsoMay('deleteCollaboration', hasInvalidCredential),
  },
  'guests-delete': {
    sentence: 'A guest can delete a collaboration.',
    breaks: ['delete-collaboration/refuses-guest'],
    mayBreak: ['delete-collaboration/refused-delete-has-no-effect'],
    alter: alsoMay('deleteCollaboration', ({ user }) => user !== undefined && user.organization !== 'host'),
  },
  'members-delete': {
    sentence: 'Any member of the host may delete a collaboration.',
    breaks: ['delete-collaboration/refuses-non-administrator'],
    mayBreak: ['delete-collaboration/refused-delete-has-no-effect'],
    alter: alsoMay('deleteCollaboration', isOfHost),
  },
  'guest-refused-but-deleted': {
    sentence: 'A guest is refused, but the collaboration is deleted.',
    breaks: ['delete-collaboration/refused-delete-has-no-effect'],
    alter: afterRefused(operation, ['forbidden'], (call) => {
      if (call.user?.organization !== 'host') deleteAnyway(call)
    }),
  },
  'invalid-credential-refused-but-deleted': {
    sentence: 'An invalid credential is refused, but the collaboration is deleted.',
    breaks: ['delete-collaboration/refuses-invalid-credential'],
    alter: afterRefused(operation, ['invalid-token'], deleteAnyway),
  },
  'deleted-takes-workspaces': {
    sentence: 'A deleted collaboration still takes workspaces.',
    breaks: ['delete-collaboration/gone-after-delete'],
    alter: showDeleted((_collaboration, asked) => asked === 'add-workspace'),
  },
  'deletes-nothing': {
    sentence: 'A delete is accepted, and nothing happens.',
    breaks: ['delete-collaboration/gone-after-delete', 'delete-collaboration/sharing-stops'],
    mayBreak: ['delete-collaboration/delete-twice', 'delete-collaboration/concurrent-once'],
    alter: replacing({ remove: () => {} }),
  },
  'deletes-namesakes': {
    sentence: 'A delete takes with it the collaborations that have a workspace of the same name.',
    breaks: ['delete-collaboration/others-unaffected'],
    // Checks may give the same name to workspaces in several collaborations.
    mayBreak: requirementsOf(operation),
    alter: takeNamesakes,
  },
  'deletes-the-next': {
    sentence: 'A delete takes with it the collaboration that was made next.',
    breaks: ['delete-collaboration/others-unaffected'],
    // All requests in the other collaboration fail.
    mayBreak: requirementsOf(operation, 'add-workspace', 'update-participant', 'sync-workspace', 'protocol'),
    alter: wrapping('remove', (honest) => (store, collaboration) => {
      const all = [...store.collaborations.values()]
      const next = all[all.indexOf(collaboration) + 1]
      honest(store, collaboration)
      if (next !== undefined && next.deletedAt === undefined) honest(store, next)
    }),
  },
  'sync-survives-deletion': {
    sentence: 'The workspaces of a deleted collaboration can be synced for ever.',
    breaks: ['delete-collaboration/sharing-stops'],
    alter: replacingIn('timings', { guestRefreshMs: Number.POSITIVE_INFINITY }),
  },
  'delete-without-success': {
    sentence: 'The answer to an accepted delete has no success.',
    breaks: ['delete-collaboration/deletes', 'protocol/success-boolean'],
    // Without `success`, no delete counts as accepted.
    mayBreak: requirementsOf(operation, 'protocol'),
    alter: changeAccepted(operation, () => ({ success: undefined })),
  },
  'delete-of-many-workspaces-refused': {
    sentence: 'A collaboration with more than two workspaces is not deleted.',
    breaks: ['delete-collaboration/deletes'],
    alter: refuseWhen(
      'delete-collaboration',
      'bad-value',
      (call) => (collaborationIn(call)?.workspaces.size ?? 0) > 2,
    ),
  },
  'deleted-remembered-from-last-workspace': {
    sentence:
      'For three seconds after it has taken a workspace a collaboration takes further ones, although it was deleted.',
    breaks: ['delete-collaboration/gone-after-delete'],
    alter(parts) {
      const took = new Map<string, number>()
      afterAccepted('add-workspace', ({ params }) => {
        const id = params.collaborationID ?? ''
        if (!took.has(id) || Date.now() - (took.get(id) ?? 0) > 3000) took.set(id, Date.now())
      })(parts)
      showDeleted(({ id }, asked) => asked === 'add-workspace' && Date.now() - (took.get(id) ?? 0) < 3000)(
        parts,
      )
    },
  },
  'added-workspaces-stay-shared': {
    sentence: 'A deleted collaboration to which workspaces were added can be synced for ever.',
    breaks: ['delete-collaboration/sharing-stops'],
    alter(parts) {
      const tookOne = new Set<string>()
      afterAccepted('add-workspace', ({ params }) => tookOne.add(params.collaborationID as string))(parts)
      showDeleted(({ id }, asked) => asked === 'sync-workspace' && tookOne.has(id))(parts)
    },
  },
})
