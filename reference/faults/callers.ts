/** Callers who must be refused, and are let in: each wrong caller of each operation (§5). */
import { type OperationId, operationIds } from '../../specs/operations.ts'
import { type RequirementId, requirements } from '../../specs/requirements.ts'
import { alsoMay, hasInvalidCredential, isAnonymous } from '../alterations.ts'
import type { Call, May } from '../parts.ts'
import { isAdministrator, isOfHost, isOneOf } from '../users.ts'
import { type Applied, type Chapter, product } from './fault.ts'

interface Deed {
  readonly right: keyof May
  /** What one caller does, and what several do, as parts of ids. */
  readonly one: string
  readonly many: string
  /** In a sentence, behind "may". */
  readonly may: string
  /** What it is done to, as a part of ids. */
  readonly noun: string
}

const deed = (right: keyof May, one: string, many: string, noun: string, may: string): Deed => ({
  ...{ right, one, many, noun, may },
})

/** What the operations let their callers do. */
export const deeds: Readonly<Record<OperationId, Deed>> = {
  'add-workspace': deed('addWorkspace', 'adds-workspaces', 'add-workspaces', 'workspace', 'add a workspace'),
  'update-task-run': deed('updateRun', 'updates-runs', 'update-runs', 'run', 'update a run'),
  'reassign-items': deed('reassign', 'reassigns', 'reassign', 'item', 'reassign the items of others'),
  'sync-workspace': deed('sync', 'syncs', 'sync', 'sync', 'start a sync'),
  'update-participant': deed(
    ...(['updateParticipant', 'updates-participants', 'update-participants'] as const),
    ...(['participant', 'update a participant'] as const),
  ),
  'delete-collaboration': deed(
    ...(['deleteCollaboration', 'deletes', 'delete'] as const),
    ...(['collaboration', 'delete a collaboration'] as const),
  ),
  'update-federation': deed(
    ...(['updateFederation', 'updates-federations', 'update-federations'] as const),
    ...(['federation', 'update the federation'] as const),
  ),
}

/** Whether the credential of a request resembles a real one. */
const resembles =
  (how: (presented: string, real: string) => boolean) =>
  ({ user, arrival, parts, store }: Call): boolean => {
    const presented = parts.credentialOf(arrival)
    if (user !== undefined || presented === undefined) return false
    return [...store.tokens.keys()].some((real) => how(presented, real))
  }

const isCutShort = (presented: string, real: string): boolean =>
  real.startsWith(presented) && presented.length >= real.length - 8

const hasOtherEnd = (presented: string, real: string): boolean =>
  presented.length === real.length && presented.startsWith(real.slice(0, Math.ceil(real.length * 0.7)))

const hasEmptyCredential = ({ arrival: { form, query } }: Call): boolean =>
  [form.get('token'), query.get('key')].includes('')

const isOfGuest = ({ user }: Call): boolean => isAdministrator(user) && user.organization !== 'host'

export const isOtherGuest = ({ user }: Call): boolean =>
  isAdministrator(user) && user.organization === 'otherGuest'

const administersHost = ({ user }: Call): boolean => isAdministrator(user) && user.organization === 'host'

/** A wrong caller: a part of ids, whether that names several, words, who it is, and as whom the contract refuses them. */
type WrongCaller = readonly [
  id: string,
  count: 'one' | 'many',
  who: string,
  is: (call: Call) => boolean,
  as: readonly string[],
]

/** Users of the host without administrative rights are refused as the one whom the contract names. */
const asMember = ['hostMember', 'outsider', 'syncNonInitiator']
const asGuest = ['guestAdministrator', 'syncNonInitiator']
const asHost = ['syncNonInitiator']

const callers: readonly WrongCaller[] = [
  ['anonymous', 'one', 'A caller without credentials', isAnonymous, ['anonymous']],
  ['empty-credential', 'one', 'A caller with an empty credential', hasEmptyCredential, ['anonymous']],
  ['any-credential', 'one', 'A caller with a made-up credential', hasInvalidCredential, ['impostor']],
  ['credential-cut-short', 'one', 'A real credential without its end', resembles(isCutShort), ['impostor']],
  ['credential-end', 'one', 'A real credential with another end', resembles(hasOtherEnd), ['impostor']],
  ['ended-credential', 'one', 'A credential that has ended', resembles(Object.is), ['impostor']],
  ['guests', 'many', 'Any administrator of a guest', isOfGuest, asGuest],
  ['other-guest', 'one', 'The administrator of the guest that is not designated', isOtherGuest, asGuest],
  ['members', 'many', 'Any member of the host', isOfHost, ['hostMember', 'outsider']],
  ['host-members', 'many', 'A plain member of the host', isOneOf('hostMember'), asMember.slice(1)],
  ['host-administrator', 'one', 'An administrator of the host', administersHost, asHost],
  ['organization-administrator', 'one', 'One of several', isOneOf('organizationAdministrator'), asHost],
  ['item-owners', 'many', 'A user who may transfer own items', isOneOf('itemOwner'), asMember],
  ['owners-without-privilege', 'many', 'An owner of items', isOneOf('itemOwnerUnprivileged'), asMember],
  ['outsiders', 'many', 'A user who owns nothing', isOneOf('outsider'), asMember],
  ['task-owners', 'many', 'A user who owns tasks', isOneOf('taskOwner'), asMember],
]

/** Names of those faults that are called otherwise. */
const names: Readonly<Record<string, string>> = {
  'guests-reassign': 'other-organization-reassigns',
  'guests-update-federations': 'other-organization-updates-federations',
  'guests-sync': 'any-participant-syncs',
  'other-guest-reassigns': 'third-organization-reassigns',
  'other-guest-updates-federations': 'third-organization-updates-federations',
  'members-reassign': 'other-user-reassigns',
}

/** The requirement that refuses such a caller. */
export const refusing = (operation: OperationId, as: readonly string[]): RequirementId | undefined =>
  requirements.find(
    ({ operation: subject, refuses = [] }) =>
      subject === operation && refuses.some((caller) => as.includes(caller)),
  )?.id

/** What a check of another requirement sees of a delete that should have been refused. */
export const alsoSeen = (operation: OperationId): readonly RequirementId[] =>
  operation === 'delete-collaboration' ? ['delete-collaboration/refused-delete-has-no-effect'] : []

/** Rights to reassign are for items of others: what owners may do with their own is a requirement of its own. */
const ofOthers =
  (operation: OperationId, is: (call: Call) => boolean) =>
  (call: Call): boolean =>
    is(call) && (operation !== 'reassign-items' || call.user?.username !== call.params.userName)

const letIn: readonly Applied[] = callers.flatMap(([id, count, who, is, as]) =>
  operationIds.flatMap((operation): Applied[] => {
    const requirement = refusing(operation, as)
    if (requirement === undefined) return []
    const { right, may, ...does } = deeds[operation]
    const name = `${id}-${does[count]}`
    return [
      {
        id: names[name] ?? name,
        sentence: `${who} may ${may}.`,
        breaks: [requirement],
        mayBreak: alsoSeen(operation),
        alter: alsoMay(right, ofOthers(operation, is)),
      },
    ]
  }),
)

const ownItems: Applied = {
  id: 'unprivileged-owner-reassigns',
  sentence: 'An owner may reassign own items without the privilege.',
  breaks: ['reassign-items/refuses-owner-without-privilege'],
  alter: alsoMay('reassign', ({ user }, owner) => user === owner),
}

const notTried = 'not found: the suite never asks as this caller'

const openCapability = 'left open: who may update a run (run-capability); that strangers may not is advice'

const callerProducts = [
  product('a wrong caller is let in', [...letIn, ownItems], {
    leftOut: {
      'other-guest-syncs': 'equivalent to any-participant-syncs: there are two guests, and the other one may',
      'item-owners-sync': notTried,
      'owners-without-privilege-sync': notTried,
      'outsiders-sync': notTried,
      'task-owners-sync': notTried,
      'task-owners-add-workspaces': notTried,
      'task-owners-reassign': notTried,
      'task-owners-update-participants': notTried,
      'task-owners-delete': notTried,
      'task-owners-update-federations': notTried,
      'anonymous-updates-runs': openCapability,
      'empty-credential-updates-runs': openCapability,
    },
  }),
]

export const callersChapter: Chapter = { products: callerProducts }
