/**
 * Faults that accept the wrong caller: of another kind, for an almost valid credential, for other parts of the request,
 * or after an earlier request.
 */
import { type OperationId, operationIds } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import {
  afterRefused,
  alsoMay,
  alsoMayAfter,
  around,
  counter,
  everywhere,
  hasInvalidCredential,
  isAnonymous,
  remembering,
  seenBefore,
  wrapping,
} from '../alterations.ts'
import { workspaceIn } from '../handlers.ts'
import type { Alter, Answer, Call } from '../parts.ts'
import { startSync } from '../syncing.ts'
import {
  forCaller,
  isAdministrator,
  isGuestAdministrator,
  isHostAdministrator,
  isOfHost,
  isOneOf,
  transferPrivilege,
  usernameOf,
} from '../users.ts'
import {
  anonymousAsHost,
  type Fault,
  faultsOf,
  invalidCredentials,
  namesSynchronous,
  refusalsOf,
  type Written,
} from './fault.ts'

/** Words for each operation: a verb and its object for ids, and what a person may do or what can be done. */
const deeds = {
  'add-workspace': ['add', '-workspaces', 'add a workspace', 'A workspace can be added'],
  'reassign-items': ['reassign', '', 'reassign items', 'Items can be reassigned'],
  'sync-workspace': ['sync', '', 'start a sync', 'A sync can be started'],
  'update-participant': ['update', '-participants', 'update a participant', 'A participant can be updated'],
  'delete-collaboration': ['delete', '', 'delete a collaboration', 'A collaboration can be deleted'],
  'update-federation': ['update', '-federations', 'update the federation', 'A federation can be updated'],
} as const satisfies Partial<Record<OperationId, readonly string[]>>

const isOtherGuest = ({ user }: Call): boolean => isAdministrator(user) && user.organization === 'otherGuest'

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

const reassign = 'reassign-items'
const remove = 'delete-collaboration'
const sync = 'sync-workspace'

/** Accepts a credential that resembles a real one. */
const takeForToken =
  (resembles: (presented: string, real: string) => boolean): Alter =>
  (parts) => {
    parts.identify = (arrival, store) => {
      const presented = parts.credentialOf(arrival)
      if (presented === undefined) return undefined
      const known = store.tokens.get(presented)
      return known ?? [...store.tokens].find(([real]) => resembles(presented, real))?.[1]
    }
  }

export const nearlyRightCallerFaults = faultsOf({
  'credential-cut-short-let-in': {
    sentence: 'A token that lacks up to eight characters at its end is as good as a whole one.',
    breaks: invalidCredentials,
    alter: takeForToken(
      (presented, real) => real.startsWith(presented) && presented.length >= real.length - 8,
    ),
  },
  'credential-end-not-compared': {
    sentence: 'Of a token the first seven tenths are compared, and its length.',
    breaks: invalidCredentials,
    alter: takeForToken(
      (presented, real) =>
        presented.length === real.length && presented.startsWith(real.slice(0, Math.ceil(real.length * 0.7))),
    ),
  },
  'ended-credential-let-in': {
    sentence: 'A token is as good as ever when its time is over.',
    breaks: invalidCredentials,
    alter: takeForToken(() => false),
  },
  'guest-that-hosts-another-let-in': {
    sentence:
      'The administrator of a guest that hosts a collaboration of its own may do as the host of any other does.',
    breaks: [
      'add-workspace/refuses-guest',
      'update-participant/refuses-guest',
      'delete-collaboration/refuses-guest',
    ],
    mayBreak: ['delete-collaboration/refused-delete-has-no-effect'],
    alter: alsoMay(['add-workspace', 'update-participant', remove], ({ user, store }) => {
      const hosts = [...store.collaborations.values()].map(({ hostPortalId }) => hostPortalId)
      return isAdministrator(user) && hosts.includes(store.portals[user.organization])
    }),
  },
  'success-replayed-to-anonymous': {
    sentence: 'The success of a request is replayed to a caller who sends it without credentials.',
    breaks: [
      'add-workspace/refuses-anonymous',
      'reassign-items/refuses-anonymous',
      'sync-workspace/refuses-anonymous',
      'update-participant/refuses-anonymous',
      'update-federation/refuses-anonymous',
    ],
    // Checks do not always repeat an accepted delete.
    mayBreak: ['delete-collaboration/refuses-anonymous', 'update-task-run/refuses-anonymous'],
    alter: remembering(
      () => new Map<string, Answer>(),
      (cache) =>
        everywhere((operation) =>
          around(operation, async (call, honest) => {
            const fields = call.form.pairs.filter(([name]) => name !== 'token')
            const key = JSON.stringify([operation, call.params, fields])
            const cached = cache.get(key)
            if (cached !== undefined && isAnonymous(call)) return cached
            const answer = await honest()
            if (answer.refused === undefined) cache.set(key, answer)
            return answer
          }),
        ),
    ),
  },
  'anonymous-let-in-every-fifth-time': {
    sentence: 'Of five requests of an operation without credentials one is accepted.',
    breaks: [...anonymousAsHost, 'sync-workspace/refuses-anonymous'],
    mayBreak: ['update-task-run/refuses-anonymous', 'delete-collaboration/refused-delete-has-no-effect'],
    alter: remembering(counter<string>, (count) =>
      alsoMay(operationIds, (call: Call) => isAnonymous(call) && count(call.operation) % 5 === 0),
    ),
  },
  'anonymous-let-in-on-cold-cache': {
    sentence: 'The first request of each operation without credentials is accepted.',
    breaks: ['add-workspace/refuses-anonymous'],
    mayBreak: [
      ...anonymousAsHost,
      // The first anonymous sync may meet a running sync and be refused for that.
      'sync-workspace/refuses-anonymous',
      'update-task-run/refuses-anonymous',
      'delete-collaboration/refused-delete-has-no-effect',
    ],
    alter: remembering(seenBefore<string>, (isWarm) =>
      alsoMay(operationIds, (call: Call) => isAnonymous(call) && !isWarm(call.operation)),
    ),
  },
  'items-taken-for-oneself': {
    sentence: 'A caller may reassign items of others to himself.',
    breaks: ['reassign-items/refuses-other-user'],
    alter: alsoMay(
      reassign,
      ({ user, form }, { organization }) =>
        user?.organization === organization && user.username === form.get('targetUsername'),
    ),
  },
  'host-administrator-syncs': {
    sentence: "The host's administrator may sync, although the host is not designated.",
    breaks: ['sync-workspace/refuses-non-designated'],
    alter: alsoMay(
      sync,
      ({ user, store }, { hostPortalId }) =>
        isAdministrator(user) && store.portals[user.organization] === hostPortalId,
    ),
  },
  'designated-portal-in-path-enough': {
    sentence: "Every administrator may sync who writes the designated portal's id into the path.",
    breaks: ['sync-workspace/refuses-non-designated'],
    alter: alsoMay(
      sync,
      ({ user, params }, { designatedPortalId }) =>
        isAdministrator(user) && params.portalID === designatedPortalId,
    ),
  },
})

/** Also allows a caller who made the same request before. */
const alsoMayTheSecondTime = (operation: typeof remove | typeof reassign): Alter =>
  remembering(seenBefore<string>, (before) =>
    alsoMay(operation, ({ params, form, arrival, parts }) =>
      before(JSON.stringify([params, form.get('items'), parts.credentialOf(arrival)])),
    ),
  )

/** Once the participant has synced a workspace, other callers may, too. */
const letInAfterSync = (others: (call: Call) => boolean): Alter =>
  alsoMayAfter(sync, ({ params }) => params.workspaceID, others)

export const rememberedCallerFaults = faultsOf({
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
  'credential-first-half-enough': {
    sentence: 'Only the first 16 characters of a token are compared.',
    breaks: invalidCredentials,
    alter: takeForToken(
      (presented, real) => presented.length >= 16 && real.startsWith(presented.slice(0, 16)),
    ),
  },
  'sync-rights-kept-for-workspace': {
    sentence: 'Once its participant has synced a workspace, every administrator may.',
    breaks: ['sync-workspace/refuses-non-designated'],
    alter: letInAfterSync(({ user }) => isAdministrator(user)),
  },
  'host-syncs-what-was-synced': {
    sentence: "The host's administrator may sync what its participant has synced.",
    breaks: ['sync-workspace/refuses-non-designated'],
    alter: letInAfterSync(isHostAdministrator),
  },
  'delete-rights-from-adding': {
    sentence: 'Anybody may delete a collaboration to which an administrator has added a workspace.',
    breaks: refusalsOf(remove),
    // A collaboration may already have a workspace from a fixture.
    mayBreak: ['delete-collaboration/refused-delete-has-no-effect'],
    alter: alsoMay(remove, (_call, { workspaces }) => workspaces.size > 0),
  },
  'second-delete-unchecked': {
    sentence: 'Who was refused a delete is accepted when he asks again.',
    breaks: refusalsOf(remove),
    alter: alsoMayTheSecondTime(remove),
  },
  'second-reassignment-unchecked': {
    sentence: 'Who was refused a reassignment is accepted when he asks again.',
    breaks: refusalsOf(reassign),
    alter: alsoMayTheSecondTime(reassign),
  },
  'anonymous-deletes-under-guest-path': {
    sentence: "Under the path of a guest's portal a collaboration can be deleted without credentials.",
    breaks: ['delete-collaboration/refuses-anonymous'],
    alter: alsoMay(remove, isAnonymousElsewhere),
  },
  'synchronous-sync-unchecked': {
    sentence: 'Who may sync is checked in asynchronous mode only.',
    breaks: refusalsOf(sync),
    alter: alsoMay(sync, namesSynchronous),
  },
  'sync-refused-but-started': {
    sentence: 'Who may not sync is refused, but the sync starts.',
    breaks: refusalsOf(sync),
    // A valid sync right after such a refusal meets the sync that the fault started.
    mayBreak: ['sync-workspace/starts'],
    alter: afterRefused(sync, forCaller, (call) => {
      const workspace = workspaceIn(call)
      if (workspace !== undefined && !workspace.sync) startSync(call.parts, workspace)
    }),
  },
  'privilege-enough-to-reassign': {
    sentence: 'Who has the privilege to transfer content may also transfer that of others.',
    breaks: ['reassign-items/refuses-other-user'],
    alter: alsoMay(reassign, ({ user }) => user?.privileges.has(transferPrivilege) === true),
  },
})

/** Whether an anonymous caller names another portal than the host in the path. */
export function isAnonymousElsewhere(
  call: Call,
  { hostPortalId }: { readonly hostPortalId: string },
): boolean {
  return isAnonymous(call) && call.params.portalID !== hostPortalId
}

/** Members of the host who may start a sync. */
export const syncerFaults = (
  ['taskOwner', 'itemOwner', 'itemOwnerUnprivileged', 'outsider', 'customAdministrator'] as const
).map(
  (actor): Fault => ({
    id: `${usernameOf(actor).replaceAll('_', '-')}-syncs`,
    sentence: `${actor}, a member of the host, may start a sync, which only the guest may.`,
    breaks: ['sync-workspace/refuses-non-designated'],
    alter: alsoMay(sync, isOneOf(actor)),
  }),
)
