/** Faults of deletions: what stays or comes back, and what others lose. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import {
  afterAccepted,
  afterEachDelete,
  all,
  around,
  changeCall,
  changeMay,
  collaborationOf,
  keepDeleted,
  onceAccepted,
  remembering,
  replacing,
  replacingIn,
  seenBefore,
  showDeleted,
  wrapping,
} from '../alterations.ts'
import { done } from '../answers.ts'
import { collaborationIn, workspaceIn } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import type { Collaboration, Store, Workspace } from '../store.ts'
import { dependingOn, faultsOf, lateMs, metBy, requirementsOf, type WrittenFault } from './fault.ts'

const add = 'add-workspace'
const sync = 'sync-workspace'
const update = 'update-participant'
const remove = 'delete-collaboration'

const gone = [
  'delete-collaboration/gone-after-delete',
  'delete-collaboration/sharing-stops',
  'delete-collaboration/delete-twice',
] as const satisfies readonly RequirementId[]

/** Shows some deleted collaborations to an operation. */
const showing =
  (operation: OperationId) =>
  (remember: () => (collaboration: Collaboration) => boolean): Alter =>
    remembering(remember, (isThere) => showDeleted(operation, isThere))

/** Whether the collaboration was asked for before. */
const asked = () => {
  const before = seenBefore<string>()
  return ({ id }: Collaboration) => before(id)
}

/** Some requests can still add workspaces to a deleted collaboration. */
const showingFor =
  (isThere: (deletion: Call, addition: Call) => boolean): Alter =>
  (parts) => {
    const deletions = new Map<unknown, Call>()
    let asking: Call | undefined
    all(
      afterAccepted(remove, (call) => deletions.set(collaborationOf(call), call)),
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

/** How long a collaboration is remembered from the last workspace that it took. */
const rememberedMs = 3000

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
    alter: onceAccepted(add, collaborationOf, (tookOne) => showDeleted(sync, ({ id }) => tookOne.has(id))),
  },
  'deleted-remembered-from-last-workspace': {
    sentence:
      'For three seconds after it has taken a workspace a collaboration takes further ones, although it was deleted.',
    breaks: ['delete-collaboration/gone-after-delete'],
    alter: onceAccepted(
      add,
      collaborationOf,
      (recent) => showDeleted(add, ({ id }) => recent.has(id)),
      rememberedMs,
    ),
  },
  'deleted-syncs-what-was-synced': {
    sentence: 'In a deleted collaboration those workspaces can be synced that were synced before.',
    breaks: ['delete-collaboration/sharing-stops'],
    alter(parts) {
      const honestly = parts.visible
      const wasSynced = (workspace?: Workspace) => workspace !== undefined && workspace.syncs.length > 0
      all(
        showDeleted(sync, ({ workspaces }) => [...workspaces.values()].some(wasSynced)),
        changeMay(
          sync,
          (may, call, collaboration) =>
            may && (honestly(collaboration, sync) || wasSynced(workspaceIn(call))),
        ),
      )(parts)
    },
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
  'delete-after-unknown-does-nothing': {
    sentence:
      'After a delete of what is not there, the next delete of the same user is a success without effect.',
    breaks: ['delete-collaboration/gone-after-delete'],
    // Refused callers also get this success.
    mayBreak: [
      'delete-collaboration/delete-twice',
      'delete-collaboration/sharing-stops',
      'delete-collaboration/refuses-guest',
      'delete-collaboration/refuses-non-administrator',
    ],
    alter(parts) {
      const missed = new Set<unknown>()
      around(remove, async (call, honest) => {
        const { collaborationID } = call.params
        const there = call.store.collaborations.has(collaborationID as string)
        if (call.user !== undefined && there && missed.delete(call.user))
          return done({ collaborationId: collaborationID })
        const answer = await honest()
        if (!there && answer.refused === 'unknown-collaboration') missed.add(call.user)
        return answer
      })(parts)
    },
  },
  'deleted-takes-workspaces': {
    sentence: 'A deleted collaboration still takes workspaces.',
    breaks: ['delete-collaboration/gone-after-delete'],
    alter: showing(add)(() => () => true),
  },
  'deleted-comes-back': {
    sentence: 'A deleted collaboration refuses the first workspace, and takes the next.',
    breaks: ['delete-collaboration/gone-after-delete'],
    alter: showing(add)(asked),
  },
  'deleted-takes-participants': {
    sentence: 'Participants of a deleted collaboration can still be updated.',
    breaks: ['delete-collaboration/gone-after-delete'],
    alter: showing(update)(() => () => true),
  },
  'deleted-participants-come-back': {
    sentence: 'A deleted collaboration refuses the first update of a participant, and takes the next.',
    breaks: ['delete-collaboration/gone-after-delete'],
    alter: showing(update)(asked),
  },
  'deleted-is-there-for-other-administrators': {
    sentence: 'A deleted collaboration is gone for who deleted it, and there for every other administrator.',
    breaks: ['delete-collaboration/gone-after-delete'],
    alter: showingFor((deletion, addition) => deletion.user !== addition.user),
  },
  'deleted-is-there-on-its-connection': {
    sentence: 'A deleted collaboration is gone, but for who asks on the connection on which it was deleted.',
    breaks: ['delete-collaboration/gone-after-delete'],
    alter: showingFor((deletion, addition) => deletion.arrival.socket === addition.arrival.socket),
  },
})

/** What the others lose with a deleted collaboration. `remove` deletes further collaborations. */
type Loss = Parameters<typeof afterEachDelete>[0]

const workspaceNames = ({ workspaces }: Collaboration) => [...workspaces.values()].map(({ name }) => name)

const namesakes: Loss = (store, collaboration, remove) => {
  const names = new Set(workspaceNames(collaboration))
  for (const each of store.collaborations.values())
    if (each !== collaboration && workspaceNames(each).some((name) => names.has(name))) remove(store, each)
}

const theNext: Loss = (store, collaboration, remove) => {
  const all = [...store.collaborations.values()]
  const next = all[all.indexOf(collaboration) + 1]
  if (next !== undefined && next.deletedAt === undefined) remove(store, next)
}

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
    served: typeof update | typeof sync,
    guestOf: (call: Call) => string | undefined,
    spoil: (collaboration: Collaboration, guest: string) => void,
  ) =>
  (laterMs: number): Alter =>
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

type SharedLoss = readonly [
  id: string,
  sentence: string,
  mayBreak: readonly RequirementId[],
  alter: (laterMs: number) => Alter,
]

const sharedLosses: readonly SharedLoss[] = [
  [
    'delete-removes-groups',
    'A delete removes the groups with which its workspaces are linked',
    requirementsOf(add, remove, 'protocol'),
    (laterMs) => afterEachDelete(groups, laterMs),
  ],
  [
    'delete-takes-workspaces-elsewhere',
    'The delete of a collaboration in which a guest synced takes the workspaces of the others in which the guest synced',
    ['add-workspace/id-works', ...requirementsOf(sync, remove, 'protocol')],
    elsewhere(
      sync,
      ({ user }) => user?.username,
      ({ workspaces }) => workspaces.clear(),
    ),
  ],
  [
    'delete-takes-guest-elsewhere',
    'The delete of a collaboration in which a guest was updated takes that guest out of the others',
    requirementsOf(update, remove, sync, 'protocol'),
    elsewhere(
      update,
      ({ params }) => params.participantPortalID,
      ({ participants }, guest) => void participants.delete(guest),
    ),
  ],
  [
    'delete-takes-collaborations-of-its-groups',
    'A delete takes with it the collaborations that share a group with it',
    requirementsOf(add, remove, sync, update, 'protocol'),
    (laterMs) => afterEachDelete(collaborationsOfItsGroups, laterMs),
  ],
]

/** What others that share a group or a guest with a deleted collaboration lose, at once or later. */
export const sharedLossFaults = sharedLosses.flatMap(([id, sentence, mayBreak, alter]) =>
  (
    [
      ['', '', 0],
      ['-later', ', a moment later', 700],
    ] as const
  ).map(
    ([ending, when, laterMs]): WrittenFault => ({
      id: `${id}${ending}`,
      sentence: `${sentence}${when}.`,
      breaks: ['delete-collaboration/others-unaffected'],
      mayBreak,
      dependsOn: 'earlier requests',
      alter: alter(laterMs),
    }),
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

export const deletionRaceFaults = ([add, update, sync] as const).map(
  (operation): WrittenFault => ({
    id: `${operation}-keeps-what-is-being-deleted`,
    sentence: `Where ${operation} is accepted while its collaboration is deleted, that stays.`,
    breaks: ['delete-collaboration/gone-after-delete'],
    mayBreak: gone,
    dependsOn: 'simultaneous requests',
    alter: keptBy(operation),
  }),
)

const otherFaults = faultsOf({
  'deletes-nothing': {
    sentence: 'A delete is accepted, and nothing happens.',
    breaks: ['delete-collaboration/gone-after-delete', 'delete-collaboration/sharing-stops'],
    mayBreak: ['delete-collaboration/delete-twice', 'delete-collaboration/concurrent-once'],
    alter: replacing({ remove: () => {} }),
  },
  'deletes-namesakes': {
    sentence: 'A delete takes with it the collaborations that have a workspace of the same name.',
    // Checks may give the same name to workspaces in several collaborations.
    ...metBy('delete-collaboration/others-unaffected', remove),
    dependsOn: 'earlier requests',
    alter: afterEachDelete(namesakes),
  },
  'deletes-the-next': {
    sentence: 'A delete takes with it the collaboration that was made next.',
    breaks: ['delete-collaboration/others-unaffected'],
    // All requests in the other collaboration fail.
    mayBreak: requirementsOf(remove, add, update, sync, 'protocol'),
    alter: afterEachDelete(theNext),
  },
})

/** Faults of deletions. */
export const deletionFaults: readonly WrittenFault[] = [
  ...dependingOn('earlier requests', stayingFaults),
  ...otherFaults,
]
