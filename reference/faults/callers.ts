/**
 * Faults that accept the wrong caller or refuse the right one: for the kind of caller, for an almost valid credential,
 * for other parts of the request, or after an earlier request.
 */
import { type OperationId, operationIds } from '../../specs/operations.ts'
import { type RequirementId, requirementOf } from '../../specs/requirements.ts'
import {
  alsoMay,
  around,
  changeMay,
  collaborationOf,
  counter,
  everywhere,
  hasInvalidCredential,
  isAnonymous,
  type Key,
  onceAccepted,
  remembering,
  seenBefore,
  wrapping,
} from '../alterations.ts'
import { isOwner, targetOf } from '../handlers.ts'
import type { Alter, Answer, Call } from '../parts.ts'
import type { User } from '../store.ts'
import {
  type ActorName,
  isAdministrator,
  isGuestAdministrator,
  isOfHost,
  isOneOf,
  transferPrivilege,
} from '../users.ts'
import { signedCredential } from '../variants/identity.ts'
import { ownedItems } from './effects.ts'
import {
  dependingOn,
  faultsOf,
  formOf,
  hasNoDescription,
  metByAny,
  namesSynchronous,
  refusalsOf,
  requirementsOf,
  rowsOf,
  type WrittenFault,
  words,
} from './fault.ts'

const add = 'add-workspace'
const reassign = 'reassign-items'
const sync = 'sync-workspace'
const update = 'update-participant'
const remove = 'delete-collaboration'
const federation = 'update-federation'

/** Every requirement to refuse invalid credentials. */
const invalidCredentials = requirementsOf(...operationIds).filter((id) =>
  requirementOf(id).refuses?.includes('impostor'),
)

/** Every requirement that an administrator of the host is needed. Syncs need the guest's administrator. */
const anonymousAsHost = [
  'add-workspace/refuses-anonymous',
  'reassign-items/refuses-anonymous',
  'update-participant/refuses-anonymous',
  'delete-collaboration/refuses-anonymous',
  'update-federation/refuses-anonymous',
] as const satisfies readonly RequirementId[]

/** A collaboration may have been deleted by then by a caller who was to be refused. */
const noEffect = 'delete-collaboration/refused-delete-has-no-effect'

/** A verb and its object for each operation, for ids. */
const deeds = {
  'add-workspace': ['add', '-workspaces'],
  'reassign-items': ['reassign', ''],
  'sync-workspace': ['sync', ''],
  'update-participant': ['update', '-participants'],
  'delete-collaboration': ['delete', ''],
  'update-federation': ['update', '-federations'],
} as const satisfies Partial<Record<OperationId, readonly string[]>>

const isOtherGuest = ({ user }: Call): boolean => isAdministrator(user) && user.organization === 'otherGuest'

/** `refusal`: the end of the id of the requirement to refuse this caller. */
type Stranger = readonly [is: (call: Call) => boolean, refusal: string]

const strangers = {
  guests: [isGuestAdministrator, 'refuses-guest'],
  members: [isOfHost, 'refuses-non-administrator'],
  anonymous: [isAnonymous, 'refuses-anonymous'],
  'any-credential': [hasInvalidCredential, 'refuses-invalid-credential'],
  'other-guest': [isOtherGuest, 'refuses-guest'],
  'other-organization': [({ user }) => isAdministrator(user), 'refuses-other-organization'],
  'third-organization': [isOtherGuest, 'refuses-other-organization'],
} as const satisfies Readonly<Record<string, Stranger>>

const ofCollaborations = ['guests', 'members', 'anonymous', 'any-credential', 'other-guest'] as const
const ofOrganizations = ['anonymous', 'any-credential', 'other-organization', 'third-organization'] as const

/** The strangers that an operation accepts, one for each fault. */
const letIn = {
  'add-workspace': ofCollaborations,
  'reassign-items': ofOrganizations,
  'sync-workspace': ['anonymous', 'any-credential'],
  'update-participant': ofCollaborations,
  'delete-collaboration': ofCollaborations,
  'update-federation': ['members', ...ofOrganizations],
} as const satisfies Record<keyof typeof deeds, readonly (keyof typeof strangers)[]>

const strangerFaults = (Object.keys(deeds) as (keyof typeof deeds)[]).flatMap((operation) =>
  letIn[operation].map((who): WrittenFault => {
    const [verb, object] = deeds[operation]
    const [is, refusal]: Stranger = strangers[who]
    const ending = who === 'guests' || who === 'members' ? '' : 's'
    return {
      id: `${who}-${verb}${ending}${object}`,
      sentence: `${operation} also accepts this caller: ${words(who)}.`,
      breaks: [`${operation}/${refusal}` as RequirementId],
      mayBreak: operation === remove ? [noEffect] : [],
      alter: alsoMay(operation, is),
    }
  }),
)

/** Some members of the host may do what they may not. */
export const memberFaults = (
  [
    ['item-owners-add-workspaces', add, 'itemOwner'],
    ['owners-without-privilege-update-participants', update, 'itemOwnerUnprivileged'],
    ['outsiders-delete', remove, 'outsider'],
    ['item-owners-update-federations', federation, 'itemOwner', 'itemOwnerUnprivileged'],
    ['host-members-sync', sync, 'hostMember'],
    ['task-owner-syncs', sync, 'taskOwner'],
    ['item-owner-syncs', sync, 'itemOwner'],
    ['item-owner-unprivileged-syncs', sync, 'itemOwnerUnprivileged'],
    ['outsider-syncs', sync, 'outsider'],
    ['custom-administrator-syncs', sync, 'customAdministrator'],
    ['organization-administrator-syncs', sync, 'organizationAdministrator'],
  ] as const satisfies readonly (readonly [id: string, OperationId, ...ActorName[]])[]
).map(([id, operation, ...actors]): WrittenFault => {
  const refusal = operation === sync ? 'refuses-non-designated' : 'refuses-non-administrator'
  return {
    id,
    sentence: `${operation} also accepts a member of the host: ${actors.join(' and ')}.`,
    breaks: [`${operation}/${refusal}` as RequirementId],
    alter: alsoMay(operation, isOneOf(...actors)),
  }
})

/** Also allows other callers of some operations. */
const admitting =
  <Operation extends OperationId>(...operations: readonly Operation[]) =>
  (others: Parameters<typeof alsoMay<Operation>>[1]): Alter =>
    alsoMay(operations, others)

/** Whether an anonymous caller names another portal than the host in the path. */
const isAnonymousElsewhere = (call: Call, { hostPortalId }: { readonly hostPortalId: string }): boolean =>
  isAnonymous(call) && call.params.portalID !== hostPortalId

const adderFaults = rowsOf(admitting(add), 'add-workspace/refuses-anonymous', {
  'workspace-roles-need-description': [
    'Roles are checked only where a description is sent.',
    hasNoDescription,
    refusalsOf(add),
  ],
  'first-workspace-by-anybody': [
    'No one is asked who he is who adds the first workspace of a collaboration.',
    (_call, { workspaces }) => workspaces.size === 0,
    {
      breaks: [
        'add-workspace/refuses-guest',
        'add-workspace/refuses-non-administrator',
        'add-workspace/refuses-anonymous',
      ],
      mayBreak: ['add-workspace/refuses-invalid-credential'],
      dependsOn: 'earlier requests',
    },
  ],
  'workspace-rights-from-syncing': [
    'A guest that has synced a workspace of a collaboration may add others to it.',
    (call, { workspaces }) =>
      isGuestAdministrator(call) && [...workspaces.values()].some(({ syncs }) => syncs.length > 0),
    { breaks: ['add-workspace/refuses-guest'], dependsOn: 'earlier requests' },
  ],
  'anonymous-adds-under-guest-path': [
    "Under the path of a guest's portal a workspace can be added without credentials.",
    isAnonymousElsewhere,
    { breaks: ['add-workspace/refuses-anonymous'], misplaced: true },
  ],
})

const reassignerFaults = rowsOf(admitting(reassign), 'reassign-items/refuses-other-user', {
  'items-taken-for-oneself': [
    'A caller may reassign items of others to himself.',
    ({ user, form }, { organization }) =>
      user?.organization === organization && user.username === form.get('targetUsername'),
  ],
  'other-user-reassigns': [
    'A user who is neither the owner nor an administrator may reassign items.',
    ({ user }, owner) => user?.organization === 'host' && user !== owner,
  ],
  'privilege-enough-to-reassign': [
    'Who has the privilege to transfer content may also transfer that of others.',
    ({ user }) => user?.privileges.has(transferPrivilege) === true,
  ],
  'unprivileged-owner-reassigns': [
    'An owner may reassign his items without the privilege.',
    ({ user }, owner) => user === owner,
    'reassign-items/refuses-owner-without-privilege',
  ],
  'privilege-of-the-target-counts': [
    'An owner without the privilege may give items to a user who has it.',
    (call, owner) => call.user === owner && targetOf(call)?.privileges.has(transferPrivilege) === true,
    'reassign-items/refuses-owner-without-privilege',
  ],
})

const starterFaults = rowsOf(admitting(sync), 'sync-workspace/refuses-non-designated', {
  'host-administrator-syncs': [
    "The host's administrator may sync, although the host is not designated.",
    ({ user, store }, { hostPortalId }) =>
      isAdministrator(user) && store.portals[user.organization] === hostPortalId,
  ],
  'any-participant-syncs': [
    'A participant that is not designated may start a sync.',
    ({ user }) => isAdministrator(user),
  ],
  'designated-portal-in-path-enough': [
    "Every administrator may sync who writes the designated portal's id into the path.",
    ({ user, params }, { designatedPortalId }) =>
      isAdministrator(user) && params.portalID === designatedPortalId,
  ],
  'synchronous-sync-unchecked': [
    'Who may sync is checked in asynchronous mode only.',
    namesSynchronous,
    refusalsOf(sync),
  ],
})

const deleterFaults = rowsOf(admitting(remove), 'delete-collaboration/refuses-anonymous', {
  'anonymous-deletes-under-guest-path': [
    "Under the path of a guest's portal a collaboration can be deleted without credentials.",
    isAnonymousElsewhere,
    { breaks: ['delete-collaboration/refuses-anonymous'], misplaced: true },
  ],
  // A collaboration may already have a workspace from a fixture.
  'delete-rights-from-adding': [
    'Anybody may delete a collaboration to which an administrator has added a workspace.',
    (_call, { workspaces }) => workspaces.size > 0,
    { breaks: refusalsOf(remove), mayBreak: [noEffect], dependsOn: 'earlier requests' },
  ],
})

/** Also allows other callers after an allowed call with the same key. */
const admittingAfter = ([operation, key, others]: readonly [
  OperationId,
  Key,
  others: (call: Call) => boolean,
]): Alter =>
  remembering(
    () => new Set<unknown>(),
    (known) =>
      changeMay(operation, (may, call) => {
        if (may) known.add(key(call))
        return may || (known.has(key(call)) && others(call))
      }),
  )

const keptRightFaults = rowsOf(admittingAfter, 'sync-workspace/refuses-non-designated', {
  'sync-rights-kept-for-workspace': [
    'Once its participant has synced a workspace, every administrator may.',
    [sync, ({ params }) => params.workspaceID, ({ user }) => isAdministrator(user)],
  ],
  'participant-rights-from-updating': [
    'Once its administrator has updated a participant, every administrator may.',
    [update, collaborationOf, ({ user }) => isAdministrator(user)],
    'update-participant/refuses-guest',
  ],
  'workspace-rights-kept-on-connection': [
    'Once an administrator has added a workspace on a connection, that connection needs no credential.',
    [add, ({ arrival }) => arrival.socket, isAnonymous],
    'add-workspace/refuses-anonymous',
  ],
  'privilege-kept-from-administrator': [
    'Once an administrator gave something of a user away, that user may as well.',
    [reassign, ({ params }) => params.userName, isOwner],
    'reassign-items/refuses-owner-without-privilege',
  ],
})

/** Also allows callers of some operations for what each portal remembers of earlier requests. */
const admittingBy = ([operations, remember]: readonly [
  readonly OperationId[],
  remember: () => (call: Call) => boolean,
]): Alter => remembering(remember, (isAdmitted) => alsoMay(operations, isAdmitted))

/** Whether the same caller made the same request before. */
const secondTime = () => {
  const before = seenBefore<string>()
  return ({ params, form, arrival, parts }: Call) =>
    before(JSON.stringify([params, form.get('items'), parts.credentialOf(arrival)]))
}

/** One request in some number is let in. */
const countedFaults = rowsOf(admittingBy, refusalsOf(add), {
  'second-delete-unchecked': [
    'Who was refused a delete is accepted when he asks again.',
    [[remove], secondTime],
    { breaks: refusalsOf(remove), dependsOn: 'earlier requests' },
  ],
  'second-reassignment-unchecked': [
    'Who was refused a reassignment is accepted when he asks again.',
    [[reassign], secondTime],
    { breaks: refusalsOf(reassign), dependsOn: 'earlier requests' },
  ],
  'third-try-let-in': [
    'Who was refused twice, be that for whatever workspace, is accepted the third time.',
    [
      [add],
      () => {
        const count = counter<unknown>()
        return ({ parts, arrival }) => count(parts.credentialOf(arrival)) % 3 === 0
      },
    ],
    { breaks: refusalsOf(add), dependsOn: 'number of requests' },
  ],
  'anonymous-let-in-every-fifth-time': [
    'Of five requests of an operation without credentials one is accepted.',
    [
      operationIds,
      () => {
        const count = counter<string>()
        return (call) => isAnonymous(call) && count(call.operation) % 5 === 0
      },
    ],
    {
      breaks: [...anonymousAsHost, 'sync-workspace/refuses-anonymous'],
      mayBreak: ['update-task-run/refuses-anonymous', noEffect],
      dependsOn: 'number of requests',
    },
  ],
  'anonymous-let-in-on-cold-cache': [
    'The first request of each operation without credentials is accepted.',
    [
      operationIds,
      () => {
        const isWarm = seenBefore<string>()
        return (call) => isAnonymous(call) && !isWarm(call.operation)
      },
    ],
    {
      breaks: ['add-workspace/refuses-anonymous'],
      mayBreak: [
        ...anonymousAsHost,
        // The first anonymous sync may meet a running sync and be refused for that.
        'sync-workspace/refuses-anonymous',
        'update-task-run/refuses-anonymous',
        noEffect,
      ],
      dependsOn: 'number of requests',
    },
  ],
})

const lingeringFaults = faultsOf({
  'former-owner-gives-away': {
    sentence: 'Who owned an item before its present owner gives it away on the path of that one.',
    breaks: ['reassign-items/refuses-other-user'],
    alter: onceAccepted(
      reassign,
      (call) => ownedItems(call, call.params.userName),
      (former) =>
        alsoMay(reassign, (call) => ownedItems(call, call.user?.username).every((item) => former.has(item))),
    ),
  },
  'success-replayed-to-anonymous': {
    sentence: 'The success of a request is replayed to a caller who sends it without credentials.',
    breaks: [
      ...anonymousAsHost.filter((id) => id !== 'delete-collaboration/refuses-anonymous'),
      'sync-workspace/refuses-anonymous',
    ],
    // Checks do not always repeat an accepted delete.
    mayBreak: ['delete-collaboration/refuses-anonymous', 'update-task-run/refuses-anonymous'],
    alter: remembering(
      () => new Map<string, Answer>(),
      (cache) =>
        everywhere((operation) =>
          around(operation, async (call, honest) => {
            const key = JSON.stringify([operation, call.params, formOf(call)])
            const cached = cache.get(key)
            if (cached !== undefined && isAnonymous(call)) return cached
            const answer = await honest()
            if (answer.refused === undefined) cache.set(key, answer)
            return answer
          }),
        ),
    ),
  },
})

/** Accepts a credential that resembles a real one. */
const takingForToken =
  (resembles: (presented: string, real: string) => boolean): Alter =>
  (parts) => {
    parts.identify = (arrival, store) => {
      const presented = parts.credentialOf(arrival)
      if (presented === undefined) return undefined
      const known = store.tokens.get(presented)
      return known ?? [...store.tokens].find(([real]) => resembles(presented, real))?.[1]
    }
  }

const resemblingFaults = rowsOf(takingForToken, invalidCredentials, {
  'credential-cut-short-let-in': [
    'A token that lacks up to eight characters at its end is as good as a whole one.',
    (presented, real) => real.startsWith(presented) && presented.length >= real.length - 8,
  ],
  'credential-first-half-enough': [
    'Only the first 16 characters of a token are compared.',
    (presented, real) => presented.length >= 16 && real.startsWith(presented.slice(0, 16)),
  ],
  'credential-end-not-compared': [
    'Of a token the first seven tenths are compared, and its length.',
    (presented, real) =>
      presented.length === real.length && presented.startsWith(real.slice(0, Math.ceil(real.length * 0.7))),
  ],
  'ended-credential-let-in': ['A token is as good as ever when its time is over.', () => false],
})

const signatures = {
  'any-signature-that-was-given': (signature, right, given) => signature === right || given.has(signature),
  'signature-not-looked-at': () => true,
  'signature-may-be-missing': (signature, right) => signature === '' || signature === right,
} as const satisfies Readonly<Record<string, Parameters<typeof signedCredential>[0]>>

const signatureFaults = Object.entries(signatures).map(
  ([id, passes]): WrittenFault => ({
    id,
    sentence: `Credentials are signed: ${words(id)}.`,
    breaks: invalidCredentials,
    ...signedCredential(passes),
  }),
)

/** Refuses some of the callers who may reassign items. */
const excluding = (refused: (user: User | undefined, owner: User) => boolean): Alter =>
  changeMay(reassign, (may, { user }, owner) => may && !refused(user, owner))

const excludedFaults = rowsOf(excluding, 'reassign-items/allows-custom-administrator', {
  'custom-administrators-refused': [
    'A custom role with administrative privileges may not reassign items of others.',
    (user) => user?.role === 'custom',
  ],
  'default-administrators-refused': [
    'Only custom administrators and owners may reassign items.',
    (user) => user?.role === 'administrator',
    [
      'protocol/form-post',
      'reassign-items/reassigns',
      'reassign-items/folder-optional',
      'reassign-items/folder-created',
      'reassign-items/items-limit-accepts',
      'reassign-items/allows-default-administrator',
    ],
  ],
  // Any check may act as the owner where several callers are allowed.
  'privileged-owner-refused': [
    'An owner may not reassign his items, although he has the privilege.',
    (user, owner) => user === owner,
    metByAny('reassign-items/allows-owner'),
  ],
})

const otherFaults = faultsOf({
  'empty-credential-let-in': {
    sentence: 'An empty token is taken for that of an administrator of the host.',
    breaks: anonymousAsHost,
    alter: wrapping(
      'identify',
      (honest) => (arrival, store) =>
        [arrival.form.get('token'), arrival.query.get('key')].includes('')
          ? [...store.users.values()].find(({ actor }) => actor === 'contentAdministrator')
          : honest(arrival, store),
    ),
  },
  'role-from-path': {
    sentence:
      "The id of the host in the path makes any guest's administrator one of the host, who adds workspaces and updates participants.",
    breaks: ['add-workspace/refuses-guest', 'update-participant/refuses-guest'],
    alter: alsoMay(
      [add, update],
      (call, { hostPortalId }) => isGuestAdministrator(call) && call.params.portalID === hostPortalId,
    ),
  },
  'guest-that-hosts-another-let-in': {
    sentence:
      'The administrator of a guest that hosts a collaboration of its own may do as the host of any other does.',
    breaks: [
      'add-workspace/refuses-guest',
      'update-participant/refuses-guest',
      'delete-collaboration/refuses-guest',
    ],
    mayBreak: [noEffect],
    alter: alsoMay([add, update, remove], ({ user, store }) => {
      const hosts = [...store.collaborations.values()].map(({ hostPortalId }) => hostPortalId)
      return isAdministrator(user) && hosts.includes(store.portals[user.organization])
    }),
  },
})

/** Faults that accept the wrong caller or refuse the right one. */
export const callerFaults: readonly WrittenFault[] = [
  ...strangerFaults,
  ...adderFaults,
  ...reassignerFaults,
  ...starterFaults,
  ...deleterFaults,
  ...dependingOn('earlier requests', [...keptRightFaults, ...lingeringFaults]),
  ...countedFaults,
  ...resemblingFaults,
  ...signatureFaults,
  ...excludedFaults,
  ...otherFaults,
]
