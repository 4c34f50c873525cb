/** Faults of delete-collaboration, and losses of others that share a group or a guest with a deleted collaboration. */
import type { RequirementId } from '../../specs/requirements.ts'
import {
  afterAccepted,
  afterEachDelete,
  afterRefused,
  all,
  alsoMay,
  changeAccepted,
  collaborationOf,
  onceAccepted,
  refuseWhen,
  replacing,
  replacingIn,
  showDeleted,
} from '../alterations.ts'
import { collaborationIn } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import type { Collaboration, Store } from '../store.ts'
import { letIn } from './callers.ts'
import { anyRequestOf, type Fault, faultsOf, requirementsOf } from './fault.ts'

const operation = 'delete-collaboration'

/** Deletes the collaboration of the path, although the caller was refused. */
export function deleteAnyway(call: Call): void {
  const collaboration = collaborationIn(call)
  if (collaboration !== undefined) call.parts.remove(call.store, collaboration)
}

const workspaceNames = ({ workspaces }: Collaboration) => [...workspaces.values()].map(({ name }) => name)

/** A deletion also deletes the collaborations that have a workspace of the same name. */
const takeNamesakes = afterEachDelete((store, collaboration, remove) => {
  const names = new Set(workspaceNames(collaboration))
  for (const each of store.collaborations.values())
    if (each !== collaboration && workspaceNames(each).some((name) => names.has(name))) remove(store, each)
})

const noEffect: readonly RequirementId[] = ['delete-collaboration/refused-delete-has-no-effect']

/** How long a collaboration is remembered from the last workspace that it took. */
const rememberedMs = 3000

export const deleteCollaborationFaults = faultsOf({
  ...letIn(operation, ['anonymous'], noEffect),
  ...letIn(operation, ['any-credential']),
  'guests-delete': {
    sentence: 'A guest can delete a collaboration.',
    breaks: ['delete-collaboration/refuses-guest'],
    mayBreak: noEffect,
    alter: alsoMay(operation, ({ user }) => user !== undefined && user.organization !== 'host'),
  },
  ...letIn(operation, ['members'], noEffect),
  'guest-refused-but-deleted': {
    sentence: 'A guest is refused, but the collaboration is deleted.',
    breaks: noEffect,
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
    alter: showDeleted('add-workspace'),
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
    alter: afterEachDelete((store, collaboration, remove) => {
      const all = [...store.collaborations.values()]
      const next = all[all.indexOf(collaboration) + 1]
      if (next !== undefined && next.deletedAt === undefined) remove(store, next)
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
    mayBreak: anyRequestOf(operation),
    alter: changeAccepted(operation, () => ({ success: undefined })),
  },
  'delete-of-many-workspaces-refused': {
    sentence: 'A collaboration with more than two workspaces is not deleted.',
    breaks: ['delete-collaboration/deletes'],
    alter: refuseDeleteOfMoreThan(2),
  },
  'deleted-remembered-from-last-workspace': {
    sentence:
      'For three seconds after it has taken a workspace a collaboration takes further ones, although it was deleted.',
    breaks: ['delete-collaboration/gone-after-delete'],
    alter(parts) {
      const took = new Map<unknown, number>()
      const isRecent = (id: unknown) => Date.now() - (took.get(id) ?? 0) < rememberedMs
      all(
        afterAccepted('add-workspace', (call) => {
          const id = collaborationOf(call)
          if (!isRecent(id)) took.set(id, Date.now())
        }),
        showDeleted('add-workspace', ({ id }) => isRecent(id)),
      )(parts)
    },
  },
  'added-workspaces-stay-shared': {
    sentence: 'A deleted collaboration to which workspaces were added can be synced for ever.',
    breaks: ['delete-collaboration/sharing-stops'],
    alter: onceAccepted('add-workspace', collaborationOf, (tookOne) =>
      showDeleted('sync-workspace', ({ id }) => tookOne.has(id)),
    ),
  },
})

/** Refuses to delete a collaboration with more than this many workspaces. */
export function refuseDeleteOfMoreThan(workspaces: number): Alter {
  return refuseWhen(
    operation,
    'bad-value',
    (call) => (collaborationIn(call)?.workspaces.size ?? 0) > workspaces,
  )
}

type Loss = (store: Store, collaboration: Collaboration) => void

const groups: Loss = (store, { workspaces }) => {
  for (const { portalGroupId } of workspaces.values()) store.groups.delete(portalGroupId)
}

const collaborationsOfItsGroups: Loss = (store, { id, workspaces }) => {
  const taken = new Set([...workspaces.values()].map(({ portalGroupId }) => portalGroupId))
  for (const other of store.collaborations.values())
    if (other.id !== id && [...other.workspaces.values()].some((each) => taken.has(each.portalGroupId)))
      other.deletedAt ??= performance.now()
}

/** If a guest was served in several collaborations, the delete of one damages the others. */
const elsewhere =
  (
    served: 'update-participant' | 'sync-workspace',
    guestOf: (call: Call) => string | undefined,
    spoil: (collaboration: Collaboration, guest: string) => void,
    laterMs: number,
  ): Alter =>
  (parts) => {
    const placesOf = new Map<string, Set<string>>()
    afterAccepted(served, (call) => {
      const guest = guestOf(call) ?? ''
      placesOf.set(guest, (placesOf.get(guest) ?? new Set()).add(call.params.collaborationID as string))
    })(parts)
    afterEachDelete(({ collaborations }, { id }) => {
      for (const [guest, places] of placesOf) {
        if (!places.delete(id)) continue
        for (const place of places) {
          const other = collaborations.get(place)
          if (other !== undefined) spoil(other, guest)
        }
        places.clear()
      }
    }, laterMs)(parts)
  }

const atOnceOrLater = [
  ['', 0, ''],
  ['-later', 700, ', a moment later'],
] as const

export const sharedLossFaults: readonly Fault[] = atOnceOrLater.flatMap(([ending, laterMs, when]) => {
  const losses: readonly Omit<Fault, 'breaks'>[] = [
    {
      id: `delete-removes-groups${ending}`,
      sentence: `A delete removes the groups with which its workspaces are linked${when}.`,
      mayBreak: requirementsOf('add-workspace', operation, 'protocol'),
      alter: afterEachDelete(groups, laterMs),
    },
    {
      id: `delete-takes-workspaces-elsewhere${ending}`,
      sentence: `The delete of a collaboration in which a guest synced takes the workspaces of the others in which the guest synced${when}.`,
      mayBreak: ['add-workspace/id-works', ...requirementsOf('sync-workspace', operation, 'protocol')],
      alter: elsewhere(
        'sync-workspace',
        ({ user }) => user?.username,
        ({ workspaces }) => workspaces.clear(),
        laterMs,
      ),
    },
    {
      id: `delete-takes-guest-elsewhere${ending}`,
      sentence: `The delete of a collaboration in which a guest was updated takes that guest out of the others${when}.`,
      mayBreak: requirementsOf('update-participant', operation, 'sync-workspace', 'protocol'),
      alter: elsewhere(
        'update-participant',
        ({ params }) => params.participantPortalID,
        ({ participants }, guest) => void participants.delete(guest),
        laterMs,
      ),
    },
    {
      id: `delete-takes-collaborations-of-its-groups${ending}`,
      sentence: `A delete takes with it the collaborations that share a group with it${when}.`,
      mayBreak: requirementsOf(
        'add-workspace',
        operation,
        'sync-workspace',
        'update-participant',
        'protocol',
      ),
      alter: afterEachDelete(collaborationsOfItsGroups, laterMs),
    },
  ]
  return losses.map((loss) => ({ breaks: ['delete-collaboration/others-unaffected'], ...loss }))
})
