/** Faults in what requests effect: too little where they are accepted, something where they are refused, or races. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '../../specs/operations.ts'
import { afterAccepted, afterRefused, around, counter, echoOf, remembering } from '../alterations.ts'
import type { Reason } from '../answers.ts'
import { collaborationIn, isOwner, itemIdsIn, itemsIn, workspaceIn } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import type { Item } from '../store.ts'
import { startSync } from '../syncing.ts'
import { forCaller, isOfHost } from '../users.ts'
import {
  type Breaks,
  brokenOf,
  faultsOf,
  isCustom,
  lateMs,
  metBy,
  namesFolder,
  placesOf,
  refusalsOf,
  soonMs,
  type WrittenFault,
  words,
} from './fault.ts'
import { reassign, remove, sync, update } from './operation-names.ts'

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

const stayingFaults = placesOf(
  givingBack,
  'A reassignment is accepted, but not all of its items move',
  {
    breaks: ['reassign-items/ownership-moves'],
    // Two simultaneous requests for the items are both accepted, too.
    mayBreak: ['reassign-items/concurrent-one-wins'],
  },
  {
    'items-stay-though-accepted': [(items) => items],
    'items-stay-where-folder-is-named': [(items, call) => (namesFolder(call) ? items : [])],
    'custom-administrator-moves-nothing': [(items, call) => (isCustom(call) ? items : [])],
    'last-item-keeps-owner': [(items) => items.slice(1).slice(-1)],
    'middle-item-keeps-owner': [(items) => items.slice(1, -1)],
    'only-fifty-items-move': [(items) => items.slice(50)],
  },
)

/** The refusals of callers with a valid credential, and of those without any. */
export const ofCallers: readonly Reason[] = ['forbidden', 'token-required']

function moveUntilUnknown(call: Call): void {
  const ids = itemIdsIn(call)
  const firstUnknown = ids.findIndex((id) => !call.store.items.has(id))
  move(call, ids.slice(0, firstUnknown))
}

/** Deletes the collaboration of the path, although the caller was refused. */
function deleteAnyway(call: Call): void {
  const collaboration = collaborationIn(call)
  if (collaboration !== undefined) call.parts.remove(call.store, collaboration)
}

function startAnyway(call: Call): void {
  const workspace = workspaceIn(call)
  if (workspace !== undefined && !workspace.sync) startSync(call, workspace)
}

const unknownItem = 'reassign-items/unknown-item'
const tooMany = 'reassign-items/items-limit-rejects'
const keepsOwner = 'reassign-items/ineligible-target-keeps-owner'
const noEffect = 'delete-collaboration/refused-delete-has-no-effect'
const invalidCredential = 'delete-collaboration/refuses-invalid-credential'

/** What happens though a request was refused for one of these reasons, at once or later. */
type Effect = readonly [
  OperationId,
  reasons: Reason | readonly Reason[],
  act: (call: Call) => unknown,
  breaks: Breaks,
  laterMs?: number,
]

const effects: Readonly<Record<string, Effect>> = {
  'too-many-items-moved-though-refused': [reassign, 'too-many-items', moveAll, tooMany],
  'too-many-items-move-later': [reassign, 'too-many-items', moveAll, tooMany, soonMs],
  'items-before-unknown-one-move': [reassign, 'unknown-item', moveUntilUnknown, unknownItem],
  'ineligible-target-gets-items': [reassign, 'ineligible-target', moveAll, keepsOwner],
  'ineligible-target-gets-items-later': [reassign, 'ineligible-target', moveAll, keepsOwner, soonMs],
  'ineligible-target-gets-first-item': [
    reassign,
    'ineligible-target',
    (call) => move(call, itemIdsIn(call).slice(0, 1)),
    { breaks: [keepsOwner], mayBreak: ['reassign-items/ineligible-target'] },
  ],
  'unprivileged-owner-refused-but-items-move': [
    reassign,
    'forbidden',
    (call) => isOwner(call) && move(call),
    'reassign-items/refuses-owner-without-privilege',
  ],
  'other-user-refused-but-items-move': [
    reassign,
    'forbidden',
    (call) => isOfHost(call) && !isOwner(call) && move(call),
    // The caller may own the items.
    { breaks: ['reassign-items/refuses-other-user'], mayBreak: ['reassign-items/not-their-item'] },
  ],
  'foreign-items-refused-but-moved': [
    reassign,
    'not-their-item',
    moveAll,
    // Under the path of its former owner an item moves, too.
    {
      breaks: ['reassign-items/not-their-item'],
      mayBreak: ['reassign-items/ownership-moves', 'reassign-items/concurrent-one-wins'],
    },
  ],
  'refused-reassignment-happens-later': [
    reassign,
    forCaller,
    moveAll,
    // An item that moves late may be in another's hands by then.
    { breaks: refusalsOf(reassign), mayBreak: ['reassign-items/ownership-moves'] },
    soonMs,
  ],
  'guest-refused-but-deleted': [
    remove,
    'forbidden',
    (call) => isOfHost(call) || deleteAnyway(call),
    noEffect,
  ],
  // The delete without a credential must not be blamed on other callers, whom other requirements name.
  'anonymous-refused-but-deleted': [remove, 'token-required', deleteAnyway, noEffect],
  'invalid-credential-refused-but-deleted': [remove, 'invalid-token', deleteAnyway, invalidCredential],
  'refused-delete-drops-participants': [
    remove,
    ofCallers,
    (call) => collaborationIn(call)?.participants.clear(),
    noEffect,
  ],
  'refused-delete-happens-later': [remove, forCaller, deleteAnyway, [noEffect, invalidCredential], soonMs],
  'refused-deletes-happen-a-second-later': [remove, forCaller, deleteAnyway, metBy(noEffect, remove), lateMs],
  'sync-refused-but-started': [
    sync,
    forCaller,
    startAnyway,
    // The sync that it started is in the way of the next one, also in a new workspace.
    { breaks: refusalsOf(sync), mayBreak: ['sync-workspace/starts', 'add-workspace/id-works'] },
  ],
  'refused-update-drops-participant': [
    update,
    forCaller,
    (call) => collaborationIn(call)?.participants.delete(call.params.participantPortalID as string),
    metBy('update-participant/updates', update, 'protocol', remove),
  ],
}

const refusedButDone = Object.entries(effects).map(
  ([id, [operation, reasons, act, breaks, laterMs]]): WrittenFault => ({
    id,
    sentence: `${operation} is refused, and something happens anyway: ${words(id)}.`,
    ...brokenOf(breaks),
    dependsOn: laterMs === undefined ? undefined : 'time',
    alter: afterRefused(operation, [reasons].flat(), act, laterMs),
  }),
)

/** What is undone some time after the answer. */
const undoneFaults = faultsOf({
  'reassigned-items-go-back-later': {
    sentence: 'Items that were given away are with their former owner a little more than a second later.',
    ...metBy('reassign-items/ownership-moves', reassign),
    dependsOn: 'time',
    alter: givingBack(
      (items, { form }) => items.filter(({ owner }) => owner === form.get('targetUsername')),
      lateMs,
    ),
  },
})

/** Checks ownership a while before the items move, in some requests, so that two can both give an item away. */
const checkingEarly =
  (isEarly: () => (call: Call) => boolean): Alter =>
  (parts) => {
    const early = isEarly()
    parts.beforeMove = (call) => sleep(early(call) ? 20 : 0)
  }

const oneWins = {
  breaks: ['reassign-items/concurrent-one-wins'],
  dependsOn: 'simultaneous requests',
} as const

/** Two requests in a row meet, so that the fault shows in one pair of requests in some number. */
export const rareRaceFaults = [3, 4, 5].flatMap((oneIn) => {
  const concerning = (concerns: (call: Call) => boolean) => () => {
    let count = 0
    return (call: Call) => concerns(call) && Math.floor(count++ / 2) % oneIn === 0
  }
  return placesOf(checkingEarly, 'Two requests both give an item away', oneWins, {
    [`item-given-twice-one-time-in-${oneIn}`]: [concerning(() => true)],
    [`item-given-twice-one-time-in-${oneIn}-of-administrators`]: [
      concerning(({ user }) => user?.role === 'administrator'),
    ],
  })
})

const raceFaults = placesOf(checkingEarly, 'Two requests can both give an item away', oneWins, {
  'item-given-twice': [() => () => true],
  'item-given-twice-into-folders': [() => namesFolder],
})

/** For an allowed caller, gives some items to the user of the path before the request is handled. */
const takingAsOwn = (picked: (items: Item[], owner: string) => readonly Item[]): Alter =>
  around(reassign, (call, honest) => {
    const owner = call.store.users.get(call.params.userName as string)
    if (owner !== undefined && call.parts.may[reassign](call, owner))
      for (const item of picked(itemsIn(call), owner.username)) item.owner = owner.username
    return honest()
  })

const foreignFaults = placesOf(
  takingAsOwn,
  'Of the items of a request not all are checked for their owner',
  'reassign-items/not-their-item',
  {
    'foreign-item-rides-along': [([first, ...others], username) => (first?.owner === username ? others : [])],
    'foreign-item-in-the-middle-moves': [(items) => items.slice(1, -1)],
  },
)

const otherFaults = faultsOf({
  'first-owner-keeps-items-every-fourth-time': {
    sentence:
      'Every fourth request for an item on the path of its first owner moves it, as if it were still there.',
    breaks: ['reassign-items/ownership-moves'],
    dependsOn: 'earlier requests',
    alter: remembering(
      () => ({ firstOwners: new Map<Item, string>(), timeOf: counter<Item>() }),
      ({ firstOwners, timeOf }) =>
        takingAsOwn((items, owner) => {
          for (const item of items) if (!firstOwners.has(item)) firstOwners.set(item, item.owner)
          return items.filter(
            (item) => item.owner !== owner && firstOwners.get(item) === owner && timeOf(item) % 4 === 0,
          )
        }),
    ),
  },
  'plain-commas-end-the-list': {
    sentence: 'Of a list whose commas are not escaped only the first item moves.',
    breaks: ['protocol/encoding'],
    alter: givingBack((items, { arrival: { body } }) =>
      /items=[^&]*,/.test(body.toString('latin1')) ? items.slice(1) : [],
    ),
  },
})

/** Faults in what requests effect. */
export const effectFaults: readonly WrittenFault[] = [
  ...stayingFaults,
  ...refusedButDone,
  ...undoneFaults,
  ...raceFaults,
  ...foreignFaults,
  ...otherFaults,
]
