/** Callers who may do what they must not: each kind of caller, in each operation. */
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { alsoMay, hasInvalidCredential, isAnonymous } from '../alterations.ts'
import type { Call } from '../parts.ts'
import { isAdministrator, isGuestAdministrator, isOfHost } from '../users.ts'
import type { Written } from './fault.ts'

/** Words for each operation: a verb and its object for ids, and what a person may do or what can be done. */
const deeds = {
  'add-workspace': ['add', '-workspaces', 'add a workspace', 'A workspace can be added'],
  'reassign-items': ['reassign', '', 'reassign items', 'Items can be reassigned'],
  'sync-workspace': ['sync', '', 'start a sync', 'A sync can be started'],
  'update-participant': ['update', '-participants', 'update a participant', 'A participant can be updated'],
  'delete-collaboration': ['delete', '', 'delete a collaboration', 'A collaboration can be deleted'],
  'update-federation': ['update', '-federations', 'update the federation', 'A federation can be updated'],
} as const satisfies Partial<Record<OperationId, readonly string[]>>

export const isOtherGuest = ({ user }: Call): boolean =>
  isAdministrator(user) && user.organization === 'otherGuest'

type Stranger = readonly [
  is: (call: Call) => boolean,
  /** The end of the id of the requirement to refuse this caller. */
  refusal: string,
  says: (may: string, can: string) => string,
]

const strangers = {
  guests: [isGuestAdministrator, 'refuses-guest', (may) => `A guest's administrator may ${may}.`],
  members: [isOfHost, 'refuses-non-administrator', (may) => `Any member of the host may ${may}.`],
  anonymous: [isAnonymous, 'refuses-anonymous', (_, can) => `${can} without credentials.`],
  'any-credential': [
    hasInvalidCredential,
    'refuses-invalid-credential',
    (_, can) => `${can} with an invalid credential.`,
  ],
  'other-guest': [
    isOtherGuest,
    'refuses-guest',
    (may) => `The administrator of a guest that is not designated may ${may}.`,
  ],
  'other-organization': [
    ({ user }) => isAdministrator(user),
    'refuses-other-organization',
    (may) => `The administrator of another organization may ${may}.`,
  ],
  'third-organization': [
    isOtherGuest,
    'refuses-other-organization',
    (may) => `The administrator of one of the other organizations may ${may}.`,
  ],
} as const satisfies Readonly<Record<string, Stranger>>

/** Faults that let these callers in. */
export const letIn = (
  operation: keyof typeof deeds,
  callers: readonly (keyof typeof strangers)[],
  mayBreak?: readonly RequirementId[],
): Readonly<Record<string, Written>> =>
  Object.fromEntries(
    callers.map((who) => {
      const [verb, object, may, can] = deeds[operation]
      const [is, refusal, says]: Stranger = strangers[who]
      const fault: Written = {
        sentence: says(may, can),
        breaks: [`${operation}/${refusal}` as RequirementId],
        ...(mayBreak === undefined ? {} : { mayBreak }),
        alter: alsoMay(operation, is),
      }
      const ending = who === 'guests' || who === 'members' ? '' : 's'
      return [`${who}-${verb}${ending}${object}`, fault]
    }),
  )
