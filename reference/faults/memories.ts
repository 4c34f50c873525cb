/** Faults in which an earlier request decides about valid later ones: locks, rights that are lost, rules forgotten. */
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import {
  afterAccepted,
  afterRefused,
  all,
  changeMay,
  collaborationOf,
  type Key,
  onceAccepted,
  onceRefused,
  overlook,
  refuseWhen,
  remembering,
} from '../alterations.ts'
import type { Reason } from '../answers.ts'
import { itemIdsIn, targetOf } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import type { User } from '../store.ts'
import { forCaller, isAdministrator } from '../users.ts'
import { ofCallers } from './effects.ts'
import {
  anyRequestOf,
  type Broken,
  dependingOn,
  faultsOf,
  firstOf,
  formOf,
  metBy,
  metByAny,
  placesOf,
} from './fault.ts'
import { add, federation, reassign, remove, run, sync, update } from './operation-names.ts'

/** What a request names besides the portal. */
const namesIn = ({ params: { portalID: _, ...params } }: Call): string[] => Object.values(params)

const path = (call: Call): string => JSON.stringify(namesIn(call))

/** Once a path was refused for one of these reasons, it is refused to all who have a credential. */
const locking = ([operation, reasons, why = 'bad-value']: readonly [
  OperationId,
  reasons: readonly Reason[],
  why?: Reason,
]): Alter =>
  onceRefused(operation, reasons, path, (locked) =>
    refuseWhen(operation, why, (call) => call.user !== undefined && locked.has(path(call))),
  )

const onceLocked = 'What was refused once is refused to everybody from then on'

const lockedFaults = placesOf(locking, onceLocked, metBy('update-participant/updates', update), {
  'participant-locked-after-bad-address': [[update, ['bad-email']]],
  'federation-locked-after-bad-setting': [
    [federation, ['bad-setting']],
    metBy('update-federation/updates', federation),
  ],
  'refused-delete-remembered': [[remove, ofCallers, 'forbidden'], metByAny('delete-collaboration/deletes')],
})

/** A refusal affects the valid requests of an operation. */
const refusedToTheRight = (operation: OperationId): Broken => ({
  breaks: [firstOf(operation)],
  mayBreak: [
    ...anyRequestOf(operation),
    'delete-collaboration/refused-delete-has-no-effect',
    ...(operation === sync ? (['add-workspace/id-works'] as const) : []),
  ],
  dependsOn: 'earlier requests',
})

/** After a refusal in a place, the user who was last accepted there is refused everywhere. */
const rightLost =
  (operation: OperationId): Alter =>
  (parts) => {
    const place = (call: Call) => namesIn(call)[0] ?? ''
    const acceptedLast = new Map<string, string>()
    const lost = new Set<string | undefined>()
    all(
      afterRefused(operation, forCaller, (call) => lost.add(acceptedLast.get(place(call)))),
      afterAccepted(operation, (call) => {
        if (call.user !== undefined) acceptedLast.set(place(call), call.user.username)
      }),
      refuseWhen(operation, 'forbidden', ({ user }) => user !== undefined && lost.has(user.username)),
    )(parts)
  }

/**
 * Faults in which a refusal affects callers with the right. Task runs are locked for the anonymous only, because who may
 * update them is open, and so are syncs, because a refused one may be waiting for another sync. A lost right to add could
 * also mean a full portal, and one of a user who may do nothing else, an ended credential.
 */
export const lockFaults = [
  ...([add, run, sync, update, federation] as const).flatMap((operation) =>
    placesOf(locking, onceLocked, refusedToTheRight(operation), {
      [`${operation}-locked-once-refused-to-anonymous`]: [[operation, ['token-required']]],
    }),
  ),
  ...([add, update, federation] as const).flatMap((operation) =>
    placesOf(locking, onceLocked, refusedToTheRight(operation), {
      [`${operation}-locked-once-refused-to-a-wrong-credential`]: [[operation, ['invalid-token']]],
    }),
  ),
  ...([update, federation] as const).flatMap((operation) =>
    placesOf(rightLost, 'A right is lost with a refusal', refusedToTheRight(operation), {
      [`right-to-${operation}-lost-once-refused-to-others`]: [operation],
    }),
  ),
]

/** The target and the folder of a reassignment. Without a folder: another one for each owner. */
const folderIn = ({ form, params }: Call): string =>
  [form.get('targetUsername'), form.get('targetFoldername') ?? `root of ${params.userName}`].join('/')

const repeatedFaults = faultsOf({
  'refused-delete-stops-syncs': {
    sentence: 'After a refused delete the workspaces cannot be synced any more.',
    breaks: ['delete-collaboration/refused-delete-has-no-effect'],
    alter: onceRefused(remove, ofCallers, collaborationOf, (stopped) =>
      changeMay(sync, (may, _call, { id }) => may && !stopped.has(id)),
    ),
  },
  'items-locked-once-refused-in-part': {
    sentence: 'Items of a request that is refused for some of them cannot be given away any more.',
    breaks: ['reassign-items/ineligible-target-keeps-owner'],
    alter: onceRefused(
      reassign,
      ['ineligible-target'],
      (call) => (call.parts.eligible(targetOf(call) as User) ? itemIdsIn(call) : []),
      (locked) => refuseWhen(reassign, 'bad-value', (call) => itemIdsIn(call).some((id) => locked.has(id))),
    ),
  },
  'folder-takes-items-of-one-owner': {
    sentence: 'A folder takes only items of the owner whose items it was made for.',
    ...metByAny('reassign-items/folder-created'),
    alter: remembering(
      () => new Map<string, unknown>(),
      (owners) =>
        all(
          afterAccepted(reassign, (call) => {
            if (!owners.has(folderIn(call))) owners.set(folderIn(call), call.params.userName)
          }),
          refuseWhen(
            reassign,
            'bad-value',
            (call) => (owners.get(folderIn(call)) ?? call.params.userName) !== call.params.userName,
          ),
        ),
    ),
  },
  'identical-update-refused': {
    sentence: 'An update that changes nothing is refused.',
    ...metByAny('update-federation/idempotent'),
    alter: remembering(
      () => new Map<string, string>(),
      (last) =>
        all(
          afterAccepted(federation, (call) => last.set(path(call), formOf(call))),
          refuseWhen(
            federation,
            'bad-setting',
            (call) => isAdministrator(call.user) && last.get(path(call)) === formOf(call),
          ),
        ),
    ),
  },
})

const forgetting = ([operation, reason, key]: readonly [OperationId, Reason, Key]): Alter =>
  onceAccepted(operation, key, (known) => overlook(operation, reason, (call) => known.has(key(call))))

const inRequestsTo = (operation: OperationId, requirement: RequirementId): Broken => ({
  ...metBy(requirement, operation),
  dependsOn: 'earlier requests',
})

/** Rules that do not apply if an earlier request with the same key was accepted. */
export const forgottenRuleFaults = placesOf(
  forgetting,
  'Where a request for the same was accepted before, a rule is forgotten',
  inRequestsTo(reassign, 'reassign-items/unknown-item'),
  {
    'reassign-items-items-not-looked-at-for-known': [
      [reassign, 'unknown-item', ({ form }) => form.get('targetUsername')],
    ],
    'update-task-run-status-not-looked-at-for-known': [
      [run, 'missing-status', ({ params }) => params.runID],
      inRequestsTo(run, 'update-task-run/status-required'),
    ],
  },
)

/** Faults in which an earlier request decides about valid later ones. */
export const memoryFaults = dependingOn('earlier requests', [...lockedFaults, ...repeatedFaults])
