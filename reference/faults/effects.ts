/** Faults in what requests effect: too little where they are accepted, something where they are refused, or races. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '../../specs/operations.ts'
import {
  addedId,
  afterAccepted,
  afterRefused,
  around,
  echoOf,
  onceAccepted,
  refuseWhen,
  remembering,
} from '../alterations.ts'
import type { Reason } from '../answers.ts'
import { collaborationIn, isOwner, itemIdsIn, itemsIn, workspaceIn } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import type { Item } from '../store.ts'
import { startSync } from '../syncing.ts'
import { forCaller } from '../users.ts'
import {
  dependingOn,
  faultsOf,
  isCustom,
  lateMs,
  metBy,
  namesFolder,
  refusalsOf,
  rowsOf,
  soonMs,
  type WrittenFault,
} from './fault.ts'

const add = 'add-workspace'
const reassign = 'reassign-items'

/** Moves items without any checks. */
function move(call: Call, ids = itemIdsIn(call)): void {
  for (const id of ids) {
    const item = call.store.items.get(id)
    if (item !== undefined) item.owner = call.form.get('targetUsername') ?? item.owner
  }
}

/** Moves items without any checks, and returns the fields of the answer. */
export function moveAll(call: Call, ids = itemIdsIn(call)) {
  move(call, ids)
  return echoOf(call)
}

/** Returns some items of an accepted reassignment to their owner, at once or later. */
const givingBack = (picked: (items: Item[], call: Call) => readonly Item[], laterMs = 0): Alter =>
  afterAccepted(
    reassign,
    (call) => {
      for (const item of picked(itemsIn(call), call)) item.owner = call.params.userName as string
    },
    laterMs,
  )

/** Reassignments that are accepted, though some items stay where they are. */
const stayingFaults = rowsOf(
  givingBack,
  {
    breaks: ['reassign-items/ownership-moves'],
    // Two simultaneous requests for the items are both accepted, too.
    mayBreak: ['reassign-items/concurrent-one-wins'],
  },
  {
    'items-stay-though-accepted': ['A reassignment is accepted, but its items stay.', (items) => items],
    'items-stay-where-folder-is-named': [
      'A reassignment is accepted, but its items stay where it names a folder.',
      (items, call) => (namesFolder(call) ? items : []),
    ],
    'custom-administrator-moves-nothing': [
      'A reassignment is accepted, but its items stay where a custom administrator asks.',
      (items, call) => (isCustom(call) ? items : []),
    ],
    'last-item-keeps-owner': [
      'A reassignment is accepted, but the last of several items stays.',
      (items) => items.slice(1).slice(-1),
    ],
    'middle-item-keeps-owner': [
      'A reassignment is accepted, but the items between the first and the last stay.',
      (items) => items.slice(1, -1),
    ],
    'only-fifty-items-move': [
      'A reassignment is accepted, but the items behind the first 50 stay.',
      (items) => items.slice(50),
    ],
  },
)

/** For an allowed caller, gives some items to the user of the path before the request is handled. */
const takingAsOwn = (picked: (call: Call) => readonly Item[]): Alter =>
  around(reassign, (call, honest) => {
    const owner = call.store.users.get(call.params.userName as string)
    if (owner !== undefined && call.parts.may[reassign](call, owner))
      for (const item of picked(call)) item.owner = owner.username
    return honest()
  })

/** What happens though a request was refused for one of these reasons, at once or later. */
type Effect = readonly [reasons: readonly Reason[], act: (call: Call) => void, laterMs?: number]

const refusedButDone =
  (operation: OperationId) =>
  ([reasons, act, laterMs]: Effect): Alter =>
    afterRefused(operation, reasons, act, laterMs)

/** The refusals of callers with a valid credential, and of those without any. */
export const ofCallers: readonly Reason[] = ['forbidden', 'token-required']

const movedFaults = rowsOf(refusedButDone(reassign), 'reassign-items/items-limit-rejects', {
  'too-many-items-moved-though-refused': [
    'A request with more than 100 items is refused, but the items move.',
    [['too-many-items'], (call) => move(call)],
  ],
  'unknown-item-refused-but-others-move': [
    'A request with an id that no item has is refused, but the items beside it move.',
    [['unknown-item'], (call) => move(call)],
    'reassign-items/unknown-item',
  ],
  'items-before-unknown-one-move': [
    'A request with an id that no item has is refused, but the items before it have moved by then.',
    [
      ['unknown-item'],
      (call) => {
        const ids = itemIdsIn(call)
        const firstUnknown = ids.findIndex((id) => !call.store.items.has(id))
        move(call, ids.slice(0, firstUnknown))
      },
    ],
    'reassign-items/unknown-item',
  ],
  'ineligible-target-gets-items': [
    'The request for an ineligible target is refused, but the owner changes.',
    [['ineligible-target'], (call) => move(call)],
    'reassign-items/ineligible-target-keeps-owner',
  ],
  'ineligible-target-gets-first-item': [
    'The request for an ineligible target is refused, but the first of its items moves.',
    [['ineligible-target'], (call) => move(call, itemIdsIn(call).slice(0, 1))],
    {
      breaks: ['reassign-items/ineligible-target-keeps-owner'],
      mayBreak: ['reassign-items/ineligible-target'],
    },
  ],
  'unprivileged-owner-refused-but-items-move': [
    'An owner without the privilege is refused, but his items move.',
    [['forbidden'], (call) => isOwner(call) && move(call)],
    'reassign-items/refuses-owner-without-privilege',
  ],
  'missing-target-orphans-items': [
    'Without targetUsername the request is refused, but the items have no owner any more.',
    [
      ['missing-target'],
      (call) => {
        for (const item of itemsIn(call)) item.owner = ''
      },
    ],
    metBy('reassign-items/target-required', 'protocol'),
  ],
})

/** Deletes the collaboration of the path, although the caller was refused. */
function deleteAnyway(call: Call): void {
  const collaboration = collaborationIn(call)
  if (collaboration !== undefined) call.parts.remove(call.store, collaboration)
}

const deletedFaults = rowsOf(
  refusedButDone('delete-collaboration'),
  'delete-collaboration/refused-delete-has-no-effect',
  {
    'guest-refused-but-deleted': [
      'A guest is refused, but the collaboration is deleted.',
      [['forbidden'], (call) => call.user?.organization !== 'host' && deleteAnyway(call)],
    ],
    'invalid-credential-refused-but-deleted': [
      'An invalid credential is refused, but the collaboration is deleted.',
      [['invalid-token'], deleteAnyway],
      'delete-collaboration/refuses-invalid-credential',
    ],
    'refused-delete-drops-participants': [
      'A refused delete takes the participants away, and leaves the rest.',
      [ofCallers, (call) => collaborationIn(call)?.participants.clear()],
    ],
  },
)

/** What happens some time after the answer, or is undone then. */
const delayedFaults = [
  ...rowsOf(refusedButDone(reassign), 'reassign-items/items-limit-rejects', {
    'too-many-items-move-later': [
      'A request with more than 100 items is refused, and the items move a little later.',
      [['too-many-items'], (call) => move(call), soonMs],
    ],
    'ineligible-target-gets-items-later': [
      'The request for an ineligible target is refused, and its items move a little later.',
      [['ineligible-target'], (call) => move(call), soonMs],
      'reassign-items/ineligible-target-keeps-owner',
    ],
    'refused-reassignment-happens-later': [
      'A reassignment that was refused to its caller happens a little later.',
      [forCaller, (call) => move(call), soonMs],
      refusalsOf(reassign),
    ],
    'refused-reassignments-happen-a-second-later': [
      'A reassignment without credentials is refused, and its items move a little more than a second later.',
      [['token-required'], (call) => move(call), lateMs],
      metBy('reassign-items/refuses-anonymous', reassign),
    ],
  }),
  ...rowsOf(refusedButDone('delete-collaboration'), 'delete-collaboration/refused-delete-has-no-effect', {
    'refused-delete-happens-later': [
      'A delete that was refused to its caller happens a little later.',
      [forCaller, deleteAnyway, soonMs],
      [
        'delete-collaboration/refused-delete-has-no-effect',
        'delete-collaboration/refuses-invalid-credential',
      ],
    ],
    'refused-deletes-happen-a-second-later': [
      'A delete that was refused to its caller happens a little more than a second later.',
      [forCaller, deleteAnyway, lateMs],
      metBy('delete-collaboration/refused-delete-has-no-effect', 'delete-collaboration'),
    ],
  }),
  ...faultsOf({
    'reassigned-items-go-back-later': {
      sentence: 'Items that were given away are with their former owner a little more than a second later.',
      ...metBy('reassign-items/ownership-moves', reassign),
      alter: givingBack(
        (items, { form }) => items.filter(({ owner }) => owner === form.get('targetUsername')),
        lateMs,
      ),
    },
    'added-workspaces-vanish-later': {
      sentence: 'A workspace that was added is gone a little more than a second later.',
      breaks: ['add-workspace/id-works'],
      mayBreak: ['delete-collaboration/sharing-stops', 'sync-workspace/starts'],
      alter: afterAccepted(
        add,
        (call, answer) => collaborationIn(call)?.workspaces.delete(addedId(answer)),
        lateMs,
      ),
    },
  }),
]

/** The items of a reassignment as those of a user, to be remembered. */
export const ownedItems = (call: Call, username: string | undefined): string[] =>
  itemIdsIn(call).map((id) => `${id} ${username}`)

/** Once items were given away, refuses some requests with them. `whose`: the user of the request who had them. */
const refusingFormerItemsOf = (whose: (call: Call) => string | undefined): Alter =>
  onceAccepted(
    reassign,
    (call) => ownedItems(call, call.params.userName),
    (former) =>
      refuseWhen(reassign, 'bad-value', (call) =>
        ownedItems(call, whose(call)).some((item) => former.has(item)),
      ),
  )

/** Checks ownership a while before the items move, in some requests. */
const checkingEarly =
  (isEarly: () => (call: Call) => boolean): Alter =>
  (parts) => {
    const early = isEarly()
    parts.beforeMove = (call) => sleep(early(call) ? 20 : 0)
  }

/** Two requests in a row meet, so that the fault shows in one pair of requests in some number. */
export const rareRaceFaults = [3, 4, 5].flatMap((oneIn) =>
  (
    [
      ['', () => true],
      ['-of-administrators', ({ user }: Call) => user?.role === 'administrator'],
    ] as const
  ).map(
    ([whose, concerns]): WrittenFault => ({
      id: `item-given-twice-one-time-in-${oneIn}${whose}`,
      sentence: `One time in ${oneIn} ownership is checked a while before the items move, so that two requests both give them away.`,
      breaks: ['reassign-items/concurrent-one-wins'],
      dependsOn: 'simultaneous requests',
      alter: checkingEarly(() => {
        let count = 0
        return (call) => concerns(call) && Math.floor(count++ / 2) % oneIn === 0
      }),
    }),
  ),
)

const raceFaults = faultsOf({
  'reassignments-serialised-by-caller': {
    sentence: 'Reassignments of one caller wait for each other, those of two callers do not.',
    breaks: ['reassign-items/concurrent-one-wins'],
    alter(parts) {
      const under = new Map<string, Promise<unknown>>()
      parts.beforeMove = () => sleep(12)
      around(reassign, (call, honest) => {
        const caller = call.user?.username ?? ''
        const mine = (under.get(caller) ?? Promise.resolve()).then(() => honest())
        const ended = mine.catch(() => undefined)
        under.set(caller, ended)
        return mine
      })(parts)
    },
  },
  'simultaneous-reassignments-forgotten': {
    sentence: 'Of two reassignments of one owner that meet, the one that ends last undoes the other.',
    ...metBy('reassign-items/ownership-moves', reassign),
    alter: around(reassign, async (call, honest) => {
      const { store, params } = call
      const ids = itemIdsIn(call)
      const before = [...store.items.values()].filter(
        ({ owner, id }) => owner === params.userName && !ids.includes(id),
      )
      const answer = await honest()
      if (answer.refused !== undefined) return answer
      await sleep(5)
      // Simulates a list of the owner's items that is read first and written back later.
      for (const item of before) item.owner = params.userName as string
      return answer
    }),
  },
  'second-of-two-workspaces-lost': {
    sentence: 'Of two workspaces that are added to a collaboration at once one is not stored.',
    ...metBy('add-workspace/id-works', add),
    alter: remembering(
      () => new Set<unknown>(),
      (underWay) =>
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
        }),
    ),
  },
  'item-given-twice': {
    sentence:
      'Ownership is checked 20 ms before the items move, so that two requests can both give them away.',
    breaks: ['reassign-items/concurrent-one-wins'],
    alter: checkingEarly(() => () => true),
  },
  'item-given-twice-into-folders': {
    sentence: 'Two simultaneous requests can both give an item away where they name a folder.',
    breaks: ['reassign-items/concurrent-one-wins'],
    alter: checkingEarly(() => namesFolder),
  },
})

/** Faults about the user who had an item before. */
const formerOwnerFaults = faultsOf({
  'single-item-stays-with-former-owner': {
    sentence:
      'An item that was given away together with others can still be given away alone for its former owner.',
    breaks: ['reassign-items/ownership-moves'],
    mayBreak: ['reassign-items/concurrent-one-wins'],
    alter(parts) {
      const former = new Map<string, string>()
      around(reassign, async (call, honest) => {
        const ids = itemIdsIn(call)
        const owner = call.params.userName as string
        const [item] = itemsIn(call)
        if (item !== undefined && ids.length === 1 && former.get(item.id) === owner) item.owner = owner
        const answer = await honest()
        if (answer.refused === undefined && ids.length > 1) for (const id of ids) former.set(id, owner)
        return answer
      })(parts)
    },
  },
  'former-owner-refused': {
    sentence: 'An item cannot be given back to a user who has had it before.',
    breaks: ['reassign-items/ownership-moves'],
    alter: refusingFormerItemsOf(({ form }) => form.get('targetUsername')),
  },
  'items-given-back-stay': {
    sentence: 'An item that was given back cannot be given away a second time by the same owner.',
    ...metBy('reassign-items/ownership-moves', reassign),
    alter: refusingFormerItemsOf(({ params }) => params.userName),
  },
})

const otherFaults = faultsOf({
  'plain-commas-end-the-list': {
    sentence: 'Of a list whose commas are not escaped only the first item moves.',
    breaks: ['protocol/encoding'],
    alter: givingBack((items, { arrival: { body } }) =>
      /items=[^&]*,/.test(body.toString('latin1')) ? items.slice(1) : [],
    ),
  },
  'foreign-item-rides-along': {
    sentence: 'Of the items of a request only the first is checked for its owner.',
    breaks: ['reassign-items/not-their-item'],
    alter: takingAsOwn((call) => {
      const [first, ...rest] = itemsIn(call)
      return first?.owner === call.params.userName ? rest : []
    }),
  },
  'foreign-item-in-the-middle-moves': {
    sentence: 'Of the items of a request only the owners of the first and the last are checked.',
    breaks: ['reassign-items/not-their-item'],
    alter: takingAsOwn((call) =>
      itemIdsIn(call)
        .slice(1, -1)
        .flatMap((id) => call.store.items.get(id) ?? []),
    ),
  },
  'foreign-items-refused-but-moved': {
    sentence: 'A request for an item that its user does not own is refused, but the item goes to the target.',
    breaks: ['reassign-items/not-their-item'],
    // Under the path of its former owner an item moves, too.
    mayBreak: ['reassign-items/ownership-moves', 'reassign-items/concurrent-one-wins'],
    alter: afterRefused(reassign, ['not-their-item'], (call) => move(call)),
  },
  'sync-refused-but-started': {
    sentence: 'Who may not sync is refused, but the sync starts.',
    // A valid sync right after such a refusal meets the sync that the fault started.
    breaks: refusalsOf('sync-workspace'),
    mayBreak: ['sync-workspace/starts'],
    alter: afterRefused('sync-workspace', forCaller, (call) => {
      const workspace = workspaceIn(call)
      if (workspace !== undefined && !workspace.sync) startSync(call.parts, workspace)
    }),
  },
  'refused-update-drops-participant': {
    sentence: 'An update that is refused to its caller takes the participant out of the collaboration.',
    ...metBy('update-participant/updates', 'update-participant', 'protocol', 'delete-collaboration'),
    alter: afterRefused('update-participant', forCaller, (call) =>
      collaborationIn(call)?.participants.delete(call.params.participantPortalID as string),
    ),
  },
})

/** Faults in what requests effect. */
export const effectFaults: readonly WrittenFault[] = [
  ...stayingFaults,
  ...movedFaults,
  ...deletedFaults,
  ...dependingOn('time', delayedFaults),
  ...dependingOn('simultaneous requests', raceFaults),
  ...dependingOn('earlier requests', formerOwnerFaults),
  ...otherFaults,
]
