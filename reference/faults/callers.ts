/**
 * Faults that accept the wrong caller or refuse the right one: for the kind of caller, for an almost valid credential,
 * for other parts of the request, or after an earlier request.
 */
import { type OperationId, operationIds } from '../../specs/operations.ts'
import { type RequirementId, requirementOf } from '../../specs/requirements.ts'
import {
  alsoMay,
  changeMay,
  collaborationOf,
  counter,
  hasInvalidCredential,
  isAnonymous,
  type Key,
  remembering,
  seenBefore,
  wrapping,
} from '../alterations.ts'
import { isOwner, targetOf } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import type { Collaboration, User } from '../store.ts'
import {
  type ActorName,
  isAdministrator,
  isGuestAdministrator,
  isOfHost,
  isOneOf,
  transferPrivilege,
} from '../users.ts'
import { signedCredential } from '../variants/identity.ts'
import {
  type Broken,
  faultsOf,
  hasNoDescription,
  metByAny,
  namesSynchronous,
  placesOf,
  refusalsOf,
  requirementsOf,
  type WrittenFault,
  words,
} from './fault.ts'
import { add, federation, reassign, remove, sync, update } from './operation-names.ts'

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

type OfCollaborations = typeof add | typeof sync | typeof update | typeof remove

/** Whether an anonymous caller names another portal than the host in the path. */
const isAnonymousElsewhere = (call: Call, { hostPortalId }: Collaboration): boolean =>
  isAnonymous(call) && call.params.portalID !== hostPortalId

/** Whether the path and the group are those of the caller's own portal. */
const allNamedIsOwn = ({ user, params, form, store }: Call): boolean =>
  user !== undefined &&
  params.portalID === store.portals[user.organization] &&
  store.groups.get(form.get('portalGroupId') ?? '')?.organization === user.organization

const earlier = (...breaks: readonly RequirementId[]): Broken => ({ breaks, dependsOn: 'earlier requests' })

const nonDesignated = 'sync-workspace/refuses-non-designated'
const guestRefusals = ['add-workspace/refuses-guest', 'update-participant/refuses-guest'] as const

const admittedFaults = placesOf(
  ([operations, others]: readonly [
    OfCollaborations | readonly OfCollaborations[],
    (call: Call, collaboration: Collaboration) => boolean,
  ]): Alter => alsoMay(operations, others),
  'Too many callers are accepted',
  nonDesignated,
  {
    'workspace-roles-need-description': [[add, hasNoDescription], refusalsOf(add)],
    'workspace-rights-from-syncing': [
      [
        add,
        (call, { workspaces }) =>
          isGuestAdministrator(call) && [...workspaces.values()].some(({ syncs }) => syncs.length > 0),
      ],
      earlier('add-workspace/refuses-guest'),
    ],
    'guest-adds-with-own-group': [
      [add, (call) => isGuestAdministrator(call) && allNamedIsOwn(call)],
      { breaks: ['add-workspace/refuses-guest'], misplaced: true },
    ],
    'anonymous-adds-under-guest-path': [
      [add, isAnonymousElsewhere],
      { breaks: ['add-workspace/refuses-anonymous'], misplaced: true },
    ],
    'host-administrator-syncs': [
      [
        sync,
        ({ user, store }, { hostPortalId }) =>
          isAdministrator(user) && store.portals[user.organization] === hostPortalId,
      ],
    ],
    'any-participant-syncs': [[sync, ({ user }) => isAdministrator(user)]],
    'designated-portal-in-path-enough': [
      [
        sync,
        ({ user, params }, { designatedPortalId }) =>
          isAdministrator(user) && params.portalID === designatedPortalId,
      ],
    ],
    'synchronous-sync-unchecked': [[sync, namesSynchronous], refusalsOf(sync)],
    'anonymous-deletes-under-guest-path': [
      [remove, isAnonymousElsewhere],
      { breaks: ['delete-collaboration/refuses-anonymous'], misplaced: true },
    ],
    // A collaboration may already have a workspace from a fixture.
    'delete-rights-from-adding': [
      [remove, (_call, { workspaces }) => workspaces.size > 0],
      { ...earlier(...refusalsOf(remove)), mayBreak: [noEffect] },
    ],
    'role-from-path': [
      [
        [add, update],
        (call, { hostPortalId }) => isGuestAdministrator(call) && call.params.portalID === hostPortalId,
      ],
      guestRefusals,
    ],
    'guest-that-hosts-another-let-in': [
      [
        [add, update, remove],
        ({ user, store }) =>
          isAdministrator(user) &&
          [...store.collaborations.values()].some(
            ({ hostPortalId }) => hostPortalId === store.portals[user.organization],
          ),
      ],
      { breaks: [...guestRefusals, 'delete-collaboration/refuses-guest'], mayBreak: [noEffect] },
    ],
  },
)

const withoutPrivilege = 'reassign-items/refuses-owner-without-privilege'

const reassignerFaults = placesOf(
  (others: (call: Call, owner: User) => boolean) => alsoMay(reassign, others),
  'Too many callers may reassign items',
  'reassign-items/refuses-other-user',
  {
    'items-taken-for-oneself': [
      ({ user, form }, { organization }) =>
        user?.organization === organization && user.username === form.get('targetUsername'),
    ],
    'other-user-reassigns': [({ user }, owner) => user?.organization === 'host' && user !== owner],
    'privilege-enough-to-reassign': [({ user }) => user?.privileges.has(transferPrivilege) === true],
    'unprivileged-owner-reassigns': [({ user }, owner) => user === owner, withoutPrivilege],
    'privilege-of-the-target-counts': [
      (call, owner) => call.user === owner && targetOf(call)?.privileges.has(transferPrivilege) === true,
      withoutPrivilege,
    ],
  },
)

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

const keptRightFaults = placesOf(
  admittingAfter,
  'A right is kept from an allowed request',
  earlier(nonDesignated),
  {
    'sync-rights-kept-for-workspace': [
      [sync, ({ params }) => params.workspaceID, ({ user }) => isAdministrator(user)],
    ],
    'participant-rights-from-updating': [
      [update, collaborationOf, ({ user }) => isAdministrator(user)],
      earlier('update-participant/refuses-guest'),
    ],
    'workspace-rights-kept-on-connection': [
      [add, ({ arrival }) => arrival.socket, isAnonymous],
      earlier('add-workspace/refuses-anonymous'),
    ],
    'privilege-kept-from-administrator': [
      [reassign, ({ params }) => params.userName, isOwner],
      earlier(withoutPrivilege),
    ],
  },
)

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

const countedFaults = placesOf(
  admittingBy,
  'After some requests, one is accepted from anybody',
  earlier(...refusalsOf(remove)),
  {
    'second-delete-unchecked': [[[remove], secondTime]],
    'second-reassignment-unchecked': [[[reassign], secondTime], earlier(...refusalsOf(reassign))],
    'anonymous-let-in-every-fifth-time': [
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
  },
)

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

const resemblingFaults = placesOf(
  takingForToken,
  'A credential that resembles a real one is accepted',
  invalidCredentials,
  {
    'credential-cut-short-let-in': [
      (presented, real) => real.startsWith(presented) && presented.length >= real.length - 8,
    ],
    'credential-first-half-enough': [
      (presented, real) => presented.length >= 16 && real.startsWith(presented.slice(0, 16)),
    ],
    'credential-end-not-compared': [
      (presented, real) =>
        presented.length === real.length && presented.startsWith(real.slice(0, Math.ceil(real.length * 0.7))),
    ],
    'ended-credential-let-in': [() => false],
  },
)

const signatures = {
  'any-signature-that-was-given': (signature, right, given) => signature === right || given.has(signature),
  'signature-not-looked-at': () => true,
  'signature-may-be-missing': (signature, right) => signature === '' || signature === right,
} as const satisfies Readonly<Record<string, Parameters<typeof signedCredential>[0]>>

const signatureFaults = Object.entries(signatures).map(
  ([id, passes]): WrittenFault => ({
    id,
    sentence: `Credentials are signed, and some are accepted without the right signature: ${words(id)}.`,
    breaks: invalidCredentials,
    ...signedCredential(passes),
  }),
)

/** Refuses some of the callers who may reassign items. */
const excluding = (refused: (user: User | undefined, owner: User) => boolean): Alter =>
  changeMay(reassign, (may, { user }, owner) => may && !refused(user, owner))

const excludedFaults = placesOf(
  excluding,
  'Some callers who may reassign items are refused',
  'reassign-items/allows-custom-administrator',
  {
    'custom-administrators-refused': [(user) => user?.role === 'custom'],
    'default-administrators-refused': [
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
    'privileged-owner-refused': [(user, owner) => user === owner, metByAny('reassign-items/allows-owner')],
  },
)

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
})

/** Faults that accept the wrong caller or refuse the right one. */
export const callerFaults: readonly WrittenFault[] = [
  ...strangerFaults,
  ...admittedFaults,
  ...reassignerFaults,
  ...keptRightFaults,
  ...countedFaults,
  ...resemblingFaults,
  ...signatureFaults,
  ...excludedFaults,
  ...otherFaults,
]
