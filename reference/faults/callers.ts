/**
 * Faults that accept the wrong caller: for an almost valid credential, for other parts of the request, or after an
 * earlier request; and callers to whom a rule does not apply.
 */
import { operationIds } from '../../specs/operations.ts'
import {
  afterRefused,
  alsoMay,
  alsoMayAfter,
  around,
  counter,
  everywhere,
  isAnonymous,
  overlook,
  remembering,
  seenBefore,
  wrapping,
} from '../alterations.ts'
import { done } from '../answers.ts'
import { workspaceIn } from '../handlers.ts'
import type { Alter, Answer, Call } from '../parts.ts'
import { startSync } from '../syncing.ts'
import {
  forCaller,
  isAdministrator,
  isHostAdministrator,
  isOneOf,
  transferPrivilege,
  usernameOf,
} from '../users.ts'
import {
  anonymousAsHost,
  type Fault,
  faultsOf,
  invalidCredentials,
  isCustom,
  namesFolder,
  namesSynchronous,
  refusalsOf,
} from './fault.ts'
import { moveAll } from './reassign-items.ts'

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

const syncers = (
  ['taskOwner', 'itemOwner', 'itemOwnerUnprivileged', 'outsider', 'customAdministrator'] as const
).map(
  (actor): Fault => ({
    id: `${usernameOf(actor).replaceAll('_', '-')}-syncs`,
    sentence: `${actor}, a member of the host, may start a sync, which only the guest may.`,
    breaks: ['sync-workspace/refuses-non-designated'],
    alter: alsoMay(sync, isOneOf(actor)),
  }),
)

const excused = faultsOf({
  'custom-administrator-names-no-items': {
    sentence: 'A request without items is accepted of a custom administrator, and moves none.',
    breaks: ['reassign-items/items-required'],
    alter: moveNothingFor(isCustom),
  },
  'custom-administrator-names-no-target': {
    sentence: 'A request without targetUsername is accepted of a custom administrator, and moves nothing.',
    breaks: ['reassign-items/target-required'],
    alter: overlook(reassign, 'missing-target', isCustom),
  },
  'unknown-items-accepted-with-folder': {
    sentence: 'Where a folder is named, ids that no item has are passed over.',
    breaks: ['reassign-items/unknown-item'],
    alter: overlook(reassign, 'unknown-item', namesFolder),
  },
  'foreign-items-given-away-with-folder': {
    sentence: 'Where a folder is named, items of others are given away under any path.',
    breaks: ['reassign-items/not-their-item'],
    mayBreak: ['reassign-items/ownership-moves', 'reassign-items/refuses-other-user'],
    alter: overlook(reassign, 'not-their-item', namesFolder, moveAll),
  },
  'targets-elsewhere-accepted-with-folder': {
    sentence: 'Where a folder is named, items can be given to a user who does not exist.',
    breaks: ['reassign-items/unknown-target'],
    mayBreak: ['reassign-items/target-in-organization'],
    alter: overlook(reassign, 'unknown-target', namesFolder),
  },
})

/** Accepts reassignments without items of some callers. */
export function moveNothingFor(caller: (call: Call) => boolean): Alter {
  return around(reassign, (call, honest) =>
    caller(call) && !call.form.get('items') ? done({ itemId: '' }) : honest(),
  )
}

export const strangerFaults: readonly Fault[] = [...syncers, ...excused]
