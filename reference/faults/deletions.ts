/** Faults of deletions: what stays or comes back, and what others lose. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import {
  afterAccepted,
  afterEachDelete,
  all,
  around,
  changeParts,
  collaborationOf,
  counter,
  keepDeleted,
  onceAccepted,
  remembering,
  replacing,
  replacingIn,
  wrapping,
} from '../alterations.ts'
import { collaborationIn, workspaceIn } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import type { Collaboration, Store } from '../store.ts'
import { dependingOn, faultsOf, lateMs, placesOf, requirementsOf, type WrittenFault } from './fault.ts'
import { add, remove, sync, update } from './operation-names.ts'

const gone = [
  'delete-collaboration/gone-after-delete',
  'delete-collaboration/sharing-stops',
  'delete-collaboration/delete-twice',
] as const satisfies readonly RequirementId[]

/** Decides by the request, by the request that deleted, and by how often the collaboration was asked for since then. */
type Shown = (call: Call, deletion: Call, time: number) => boolean

/** Shows deleted collaborations to some requests of an operation. */
const showing = ([operation, isThere]: readonly [OperationId, Shown]): Alter =>
  remembering(
    () => ({ deletions: new Map<unknown, Call>(), timeOf: counter<unknown>() }),
    ({ deletions, timeOf }) =>
      all(
        keepDeleted,
        afterAccepted(remove, (call) => deletions.set(collaborationOf(call), call)),
        changeParts(
          operation,
          (call) => {
            const deletion = deletions.get(collaborationOf(call))
            return deletion !== undefined && isThere(call, deletion, timeOf(collaborationOf(call)))
          },
          { visible: () => true },
        ),
      ),
  )

const shownFaults = placesOf(
  showing,
  'A deleted collaboration can still be used',
  'delete-collaboration/gone-after-delete',
  {
    'deleted-takes-workspaces': [[add, () => true]],
    'deleted-comes-back': [[add, (_call, _deletion, time) => time > 1]],
    'deleted-is-there-every-fourth-time': [[add, (_call, _deletion, time) => time % 4 === 0]],
    'deleted-takes-participants': [[update, () => true]],
    'deleted-participants-come-back': [[update, (_call, _deletion, time) => time > 1]],
    'deleted-is-there-for-other-administrators': [[add, ({ user }, deletion) => user !== deletion.user]],
    'deleted-is-there-on-its-connection': [
      [add, ({ arrival }, deletion) => arrival.socket === deletion.arrival.socket],
    ],
    'deleted-syncs-what-was-synced': [
      [sync, (call) => (workspaceIn(call)?.syncs.length ?? 0) > 0],
      'delete-collaboration/sharing-stops',
    ],
  },
)

/** What can still be used, or comes back, after it was deleted. */
const stayingFaults = faultsOf({
  'sync-survives-deletion': {
    sentence: 'The workspaces of a deleted collaboration can be synced for ever.',
    breaks: ['delete-collaboration/sharing-stops'],
    alter: replacingIn('timings', { guestRefreshMs: Number.POSITIVE_INFINITY }),
  },
  'added-workspaces-stay-shared': {
    sentence: 'A deleted collaboration to which workspaces were added can be synced for ever.',
    breaks: ['delete-collaboration/sharing-stops'],
    alter: onceAccepted(add, collaborationOf, (tookOne) =>
      showing([sync, (call) => tookOne.has(collaborationOf(call))]),
    ),
  },
  'deleted-collaborations-come-back-later': {
    sentence: 'A deleted collaboration is there again a little more than a second later.',
    breaks: ['delete-collaboration/gone-after-delete'],
    mayBreak: gone,
    alter: afterEachDelete(({ collaborations }, collaboration) => {
      delete collaboration.deletedAt
      collaborations.set(collaboration.id, collaboration)
    }, lateMs),
  },
  'second-delete-brings-back': {
    sentence: 'A second delete of a collaboration is refused, and brings it back.',
    breaks: ['delete-collaboration/gone-after-delete'],
    mayBreak: ['delete-collaboration/delete-twice', 'delete-collaboration/concurrent-once'],
    alter: all(
      keepDeleted,
      around(remove, (call, honest) => {
        const collaboration = collaborationIn(call)
        if (collaboration?.deletedAt === undefined) return honest()
        delete collaboration.deletedAt
        return call.parts.refuse('unknown-collaboration')
      }),
    ),
  },
})

const removingGroups = (laterMs: number): Alter =>
  afterEachDelete((store, { workspaces }) => {
    for (const { portalGroupId } of workspaces.values()) store.groups.delete(portalGroupId)
  }, laterMs)

/** The delete of a collaboration in which this operation was accepted damages the others in which it was. */
const elsewhere =
  (served: typeof update | typeof sync, spoil: (collaboration: Collaboration) => void) =>
  (laterMs: number): Alter =>
    onceAccepted(served, collaborationOf, (places) =>
      afterEachDelete(({ collaborations }, { id }) => {
        if (!places.delete(id)) return
        for (const collaboration of collaborations.values())
          if (places.has(collaboration.id)) spoil(collaboration)
      }, laterMs),
    )

/** What others that share a group or a guest with a deleted collaboration lose, at once or later. */
export const sharedLossFaults = (
  [
    ['delete-removes-groups', requirementsOf(add, remove, 'protocol'), removingGroups],
    [
      'delete-takes-workspaces-elsewhere',
      ['add-workspace/id-works', ...requirementsOf(sync, remove, 'protocol')],
      elsewhere(sync, ({ workspaces }) => workspaces.clear()),
    ],
    [
      'delete-takes-guest-elsewhere',
      requirementsOf(update, remove, sync, 'protocol'),
      elsewhere(update, ({ participants }) => participants.clear()),
    ],
  ] as const satisfies readonly (readonly [string, readonly RequirementId[], (laterMs: number) => Alter])[]
).flatMap(([id, mayBreak, alter]) =>
  placesOf(
    alter,
    'The delete of a collaboration takes something from others',
    {
      breaks: ['delete-collaboration/others-unaffected'],
      mayBreak,
      dependsOn: 'earlier requests',
    },
    { [id]: [0], [`${id}-later`]: [700] },
  ),
)

/** How long deletes take, so that other requests overlap with them. */
const deletionMs = 15
const raceMs = 10

/** If a use overlaps with a delete, both are accepted, but the collaboration stays. */
const keptBy = (operation: OperationId): Alter =>
  remembering(
    () => new Set<string>(),
    (used) =>
      all(
        around(remove, async (_call, honest) => {
          await sleep(deletionMs)
          return honest()
        }),
        around(operation, async (call, honest) => {
          const id = call.params.collaborationID as string
          used.add(id)
          await sleep(deletionMs + raceMs)
          used.delete(id)
          return honest()
        }),
        wrapping('remove', (honest) => (store: Store, collaboration) => {
          if (!used.has(collaboration.id)) honest(store, collaboration)
        }),
      ),
  )

export const deletionRaceFaults = placesOf(
  keptBy,
  'What is used while it is deleted stays',
  {
    breaks: ['delete-collaboration/gone-after-delete'],
    mayBreak: gone,
    dependsOn: 'simultaneous requests',
  },
  {
    'add-workspace-keeps-what-is-being-deleted': [add],
    'update-participant-keeps-what-is-being-deleted': [update],
    'sync-workspace-keeps-what-is-being-deleted': [sync],
  },
)

/** Few checks add that many to one collaboration. */
const severalWorkspaces = 3

const otherFaults = faultsOf({
  'deletes-nothing': {
    sentence: 'A delete is accepted, and nothing happens.',
    breaks: ['delete-collaboration/gone-after-delete', 'delete-collaboration/sharing-stops'],
    mayBreak: ['delete-collaboration/delete-twice', 'delete-collaboration/concurrent-once'],
    alter: replacing({ remove: () => {} }),
  },
  'deletes-nothing-with-three-workspaces': {
    sentence: 'A delete is accepted, and nothing happens where a collaboration has three workspaces.',
    breaks: ['delete-collaboration/gone-after-delete'],
    mayBreak: gone,
    alter: wrapping('remove', (honest) => (store: Store, collaboration) => {
      if (collaboration.workspaces.size < severalWorkspaces) honest(store, collaboration)
    }),
  },
  'deletes-the-next': {
    sentence: 'A delete takes with it the collaboration that was made next.',
    breaks: ['delete-collaboration/others-unaffected'],
    // All requests in the other collaboration fail.
    mayBreak: requirementsOf(remove, add, update, sync, 'protocol'),
    alter: afterEachDelete((store, collaboration, removeAlso) => {
      const known = [...store.collaborations.values()]
      const next = known[known.indexOf(collaboration) + 1]
      if (next !== undefined && next.deletedAt === undefined) removeAlso(store, next)
    }),
  },
})

/** Faults of deletions. */
export const deletionFaults: readonly WrittenFault[] = [
  ...dependingOn('earlier requests', [...shownFaults, ...stayingFaults]),
  ...otherFaults,
]
