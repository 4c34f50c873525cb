/** Faults in the effects of a request: too small, too large, or carried over into the next request. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '../../specs/operations.ts'
import {
  addedId,
  afterAccepted,
  afterEachDelete,
  afterRefused,
  all,
  alsoMay,
  around,
  changeAdded,
  changeMay,
  changeParts,
  collaborationOf,
  echoOf,
  keepDeleted,
  mixedUp,
  onceAccepted,
  onceRefused,
  refuseWhen,
  remembering,
  seenBefore,
  showDeleted,
} from '../alterations.ts'
import type { Reason } from '../answers.ts'
import { collaborationIn, itemIdsIn, itemsIn, participantIn, workspaceIn } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import type { Workspace } from '../store.ts'
import { forCaller } from '../users.ts'
import { refuseDeleteOfMoreThan } from './delete-collaboration.ts'
import {
  anyRequestOf,
  type Broken,
  type Fault,
  faultsOf,
  firstOf,
  isCustom,
  metByAny,
  namesFolder,
  requirementsOf,
  words,
} from './fault.ts'
import { giveBack, takeAsOwn } from './reassign-items.ts'

const add = 'add-workspace'
const reassign = 'reassign-items'
const sync = 'sync-workspace'
const update = 'update-participant'
const remove = 'delete-collaboration'

/** The refusals of callers with a valid credential, and of those without any. */
const ofCallers: readonly Reason[] = ['forbidden', 'token-required']

/** Effects that are too small, too large, or on the wrong object. */
export const partialEffectFaults = faultsOf({
  'refused-delete-drops-participants': {
    sentence: 'A refused delete takes the participants away, and leaves the rest.',
    breaks: ['delete-collaboration/refused-delete-has-no-effect'],
    alter: afterRefused(remove, ofCallers, (call) => collaborationIn(call)?.participants.clear()),
  },
  'refused-delete-stops-syncs': {
    sentence: 'After a refused delete the workspaces cannot be synced any more.',
    breaks: ['delete-collaboration/refused-delete-has-no-effect'],
    alter: onceRefused(remove, ofCallers, collaborationOf, (stopped) =>
      changeMay(sync, (may, _call, { id }) => may && !stopped.has(id)),
    ),
  },
  'delete-refused-with-workspaces': {
    sentence: 'A collaboration that has a workspace cannot be deleted.',
    breaks: ['delete-collaboration/deletes'],
    alter: refuseDeleteOfMoreThan(0),
  },
  'deleted-comes-back': {
    sentence: 'A deleted collaboration refuses the first workspace, and takes the next.',
    breaks: ['delete-collaboration/gone-after-delete'],
    alter: remembering(seenBefore<string>, (refused) => showDeleted(add, ({ id }) => refused(id))),
  },
  'foreign-item-rides-along': {
    sentence: 'Of the items of a request only the first is checked for its owner.',
    breaks: ['reassign-items/not-their-item'],
    alter: takeAsOwn((call) => {
      const [first, ...rest] = itemsIn(call)
      return first?.owner === call.params.userName ? rest : []
    }),
  },
  'only-fifty-items-move': {
    sentence: 'Of more than 50 items the first 50 move, and the request is accepted.',
    breaks: ['reassign-items/ownership-moves'],
    alter: giveBack((items) => items.slice(50)),
  },
  'items-stay-where-folder-is-named': {
    sentence: 'A reassignment that names a folder is accepted, but the items stay where they are.',
    breaks: ['reassign-items/ownership-moves'],
    mayBreak: ['reassign-items/concurrent-one-wins'],
    alter: giveBack((items, call) => (namesFolder(call) ? items : [])),
  },
  'custom-administrator-moves-nothing': {
    sentence: 'A reassignment by a custom administrator is accepted, but the items stay where they are.',
    breaks: ['reassign-items/ownership-moves'],
    alter: giveBack((items, call) => (isCustom(call) ? items : [])),
  },
  'former-owner-refused': {
    sentence: 'An item cannot be given back to a user who has had it before.',
    breaks: ['reassign-items/ownership-moves'],
    alter: onceAccepted(
      reassign,
      (call) => ownedItems(call, call.params.userName),
      (former) =>
        refuseWhen(reassign, 'bad-value', (call) =>
          ownedItems(call, call.form.get('targetUsername')).some((item) => former.has(item)),
        ),
    ),
  },
  'missing-target-orphans-items': {
    sentence: 'Without targetUsername the request is refused, but the items have no owner any more.',
    breaks: ['reassign-items/target-required'],
    mayBreak: requirementsOf('protocol'),
    alter: afterRefused(reassign, ['missing-target'], (call) => {
      for (const item of itemsIn(call)) item.owner = ''
    }),
  },
})

/** The items of a reassignment as those of a user, to be remembered. */
export function ownedItems(call: Call, username: string | undefined): string[] {
  return itemIdsIn(call).map((id) => `${id} ${username}`)
}

/** Faults in which a refused text, a refused caller, a deletion or another answer affects the next request. */
export const leftBehindFaults = faultsOf({
  'second-of-two-workspaces-lost': {
    sentence: 'Of two workspaces that are added to a collaboration at once one is not stored.',
    breaks: ['add-workspace/id-works'],
    mayBreak: requirementsOf(add),
    alter(parts) {
      const underWay = new Set<unknown>()
      around(add, async (call, honest) => {
        const { collaborationID } = call.params
        const isSecond = underWay.has(collaborationID)
        underWay.add(collaborationID)
        await sleep(5)
        const answer = await honest()
        underWay.delete(collaborationID)
        if (isSecond && answer.refused === undefined)
          collaborationIn(call)?.workspaces.delete(addedId(answer))
        return answer
      })(parts)
    },
  },
  'refused-delete-remembered': {
    sentence: 'A delete that was refused to somebody is refused to everybody from then on.',
    ...metByAny('delete-collaboration/deletes'),
    alter: onceRefused(remove, ofCallers, collaborationOf, (tried) =>
      refuseWhen(remove, 'forbidden', (call) => tried.has(collaborationOf(call))),
    ),
  },
  'items-given-back-stay': {
    sentence: 'An item that was given back cannot be given away a second time by the same owner.',
    breaks: ['reassign-items/ownership-moves'],
    mayBreak: requirementsOf(reassign),
    alter: onceAccepted(
      reassign,
      (call) => ownedItems(call, call.params.userName),
      (given) =>
        refuseWhen(reassign, 'not-their-item', (call) =>
          ownedItems(call, call.params.userName).some((item) => given.has(item)),
        ),
    ),
  },
  'workspace-answers-mixed-up': {
    sentence:
      'Of workspaces that are added at the same moment all are answered with the collaboration of the last one.',
    breaks: ['add-workspace/collaboration-id'],
    alter: mixedUp(add, ({ params }) => ({ collaborationId: params.collaborationID })),
  },
  'workspace-names-mixed-up': {
    sentence:
      'Of workspaces that are added at the same moment all are answered with the name of the last one.',
    // Another name than the one sent looks like a misread form.
    ...metByAny('add-workspace/name-kept'),
    alter: mixedUp(add, ({ form }, { name }) => ({ name: form.get('collaborationWorkspaceName') ?? name })),
  },
  'run-answers-mixed-up': {
    sentence: 'Of runs that are updated at the same moment all are answered with the ids of the last one.',
    breaks: ['update-task-run/identifiers'],
    alter: mixedUp('update-task-run', echoOf),
  },
  'federation-answers-mixed-up': {
    sentence:
      'Of federations that are updated at the same moment all are answered with the id of the last one.',
    breaks: ['update-federation/identifier'],
    alter: mixedUp('update-federation', echoOf),
  },
  'name-of-the-refused-one': {
    sentence: 'After a workspace was refused for its name, the next one gets the beginning of that name.',
    // The old name may show in the answer to any request, even one in an unusual form.
    ...metByAny('add-workspace/name-kept'),
    alter(parts) {
      let left: string | undefined
      all(
        afterRefused(add, ['name-too-long'], ({ form }) => {
          left = form.get('collaborationWorkspaceName')?.slice(0, 100)
        }),
        changeAdded((_, { name }) => {
          const instead = left ?? name
          left = undefined
          return { name: instead }
        }),
      )(parts)
    },
  },
  'first-workspace-without-limits': {
    sentence: 'The limits of texts are checked only once a collaboration has a workspace.',
    breaks: ['add-workspace/name-limit-rejects', 'add-workspace/description-limit-rejects'],
    alter: changeParts(add, (call) => collaborationIn(call)?.workspaces.size === 0, { fits: () => true }),
  },
  'first-workspace-by-anybody': {
    sentence: 'No one is asked who he is who adds the first workspace of a collaboration.',
    breaks: [
      'add-workspace/refuses-guest',
      'add-workspace/refuses-non-administrator',
      'add-workspace/refuses-anonymous',
    ],
    mayBreak: ['add-workspace/refuses-invalid-credential'],
    alter: alsoMay(add, (_call, { workspaces }) => workspaces.size === 0),
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
  'deletion-drops-participants-elsewhere': {
    sentence:
      'A delete takes the participants out of the collaborations in which one was updated since the last delete.',
    breaks: ['delete-collaboration/others-unaffected'],
    mayBreak: requirementsOf(update, remove, 'protocol'),
    alter: onceAccepted(update, collaborationOf, (updated) =>
      afterEachDelete(({ collaborations }) => {
        for (const id of updated) collaborations.get(String(id))?.participants.clear()
        updated.clear()
      }),
    ),
  },
  'deleted-takes-participants': {
    sentence: 'Participants of a deleted collaboration can still be updated.',
    breaks: ['delete-collaboration/gone-after-delete'],
    alter: showDeleted(update),
  },
  'deleted-participants-come-back': {
    sentence: 'A deleted collaboration refuses the first update of a participant, and takes the next.',
    breaks: ['delete-collaboration/gone-after-delete'],
    alter: remembering(seenBefore<string>, (refused) => showDeleted(update, ({ id }) => refused(id))),
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
  'refused-update-drops-participant': {
    sentence: 'An update that is refused to its caller takes the participant out of the collaboration.',
    breaks: ['update-participant/updates'],
    mayBreak: requirementsOf(update, 'protocol', remove),
    alter: afterRefused(update, forCaller, (call) =>
      collaborationIn(call)?.participants.delete(call.params.participantPortalID as string),
    ),
  },
  'participants-updated-only-once': {
    sentence: 'A participant that was updated refuses every further update.',
    breaks: ['update-participant/updates'],
    mayBreak: requirementsOf(update, 'protocol', remove),
    alter: refuseWhen(update, 'being-edited', (call) => participantIn(call)?.email !== undefined),
  },
  'second-workspace-not-synced': {
    sentence: 'Of the workspaces of a collaboration only the first can be synced.',
    breaks: ['sync-workspace/starts'],
    mayBreak: requirementsOf(sync, remove, add, 'protocol'),
    alter: refuseWhen(sync, 'not-linked', (call) => {
      const [first] = collaborationIn(call)?.workspaces.keys() ?? []
      return first !== undefined && first !== call.params.workspaceID
    }),
  },
  'folders-of-others-refused': {
    sentence: 'A folder is refused where another user has one of that name.',
    ...metByAny('reassign-items/folder-created'),
    alter: refuseWhen(reassign, 'bad-value', ({ form, store }) => {
      const folder = form.get('targetFoldername')
      const others = [...store.users.values()].filter(
        ({ username }) => username !== form.get('targetUsername'),
      )
      return folder !== undefined && others.some(({ folders }) => folders.has(folder))
    }),
  },
})

/** What a request names besides the portal. */
const namesIn = ({ params: { portalID: _, ...params } }: Call): string[] => Object.values(params)

const path = (call: Call): string => JSON.stringify(namesIn(call))

const reasonOf = { anonymous: 'token-required', 'a-wrong-credential': 'invalid-token' } as const

/** A refusal affects the valid requests of an operation. */
const refusedToTheRight = (operation: OperationId): Broken => ({
  breaks: [firstOf(operation)],
  mayBreak: [...anyRequestOf(operation), 'delete-collaboration/refused-delete-has-no-effect'],
})

/**
 * Task runs are refused to the anonymous only, because who may update them is open, and so are syncs, because a refused
 * one may be waiting for another sync.
 */
const locks = (
  [
    [add, 'anonymous'],
    [add, 'a-wrong-credential'],
    ['update-task-run', 'anonymous'],
    [sync, 'anonymous'],
    [update, 'anonymous'],
    [update, 'a-wrong-credential'],
    ['update-federation', 'anonymous'],
    ['update-federation', 'a-wrong-credential'],
  ] as const
).map(
  ([operation, whom]): Fault => ({
    id: `${operation}-locked-once-refused-to-${whom}`,
    sentence: `Once ${operation} was refused to ${words(whom)}, it is refused on that path to everybody.`,
    ...refusedToTheRight(operation),
    alter: onceRefused(operation, [reasonOf[whom]], path, (locked) =>
      refuseWhen(operation, 'bad-value', (call) => call.user !== undefined && locked.has(path(call))),
    ),
  }),
)

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

const lostRights = ([add, 'update-task-run', sync, update, 'update-federation'] as const).map(
  (operation): Fault => ({
    id: `right-to-${operation}-lost-once-refused-to-others`,
    sentence: `Once ${operation} was refused to anybody, the user who was accepted last in that place is always refused.`,
    ...refusedToTheRight(operation),
    alter: rightLost(operation),
  }),
)

const races = [3, 4, 5].flatMap((oneIn) =>
  (
    [
      ['', () => true],
      ['-of-administrators', ({ user }: Call) => user?.role === 'administrator'],
    ] as const
  ).map(
    ([whose, concerns]): Fault => ({
      id: `item-given-twice-one-time-in-${oneIn}${whose}`,
      sentence: `One time in ${oneIn} ownership is checked a while before the items move, so that two requests both give them away.`,
      breaks: ['reassign-items/concurrent-one-wins'],
      alter(parts) {
        let count = 0
        parts.beforeMove = (call) => sleep(concerns(call) && Math.floor(count++ / 2) % oneIn === 0 ? 20 : 0)
      },
    }),
  ),
)

/** Faults in which a refusal affects callers with the right, and races that sometimes go wrong. */
export const lockFaults: readonly Fault[] = [...locks, ...lostRights, ...races]
