/**
 * Faults that accept the wrong caller: for an almost valid credential, for other parts of the request, or after an
 * earlier request.
 */
import { operationIds } from '../../specs/operations.ts'
import {
  afterRefused,
  alsoMay,
  alsoMayAfter,
  around,
  isAnonymous,
  seenBefore,
  wrapping,
} from '../alterations.ts'
import { workspaceIn } from '../handlers.ts'
import type { Alter, Answer, Call, Parts } from '../parts.ts'
import { startSync } from '../syncing.ts'
import { forCaller, isAdministrator, isHostAdministrator, transferPrivilege } from '../users.ts'
import { anonymousAsHost, faultsOf, invalidCredentials, refusalsOf } from './fault.ts'

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
    alter(parts) {
      parts.identify = (arrival, store) => store.tokens.get(parts.credentialOf(arrival) ?? '')
    },
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
    alter(parts) {
      const hostsOne = ({ user, store }: Call): boolean =>
        isAdministrator(user) &&
        [...store.collaborations.values()].some(
          ({ hostPortalId }) => hostPortalId === store.portals[user.organization],
        )
      for (const right of ['addWorkspace', 'updateParticipant', 'deleteCollaboration'] as const)
        alsoMay(right, hostsOne)(parts)
    },
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
    alter(parts) {
      const cache = new Map<string, Answer>()
      for (const operation of operationIds) {
        around(operation, async (call, honest) => {
          const fields = call.form.pairs.filter(([name]) => name !== 'token')
          const key = JSON.stringify([operation, call.params, fields])
          const cached = cache.get(key)
          if (cached !== undefined && isAnonymous(call)) return cached
          const answer = await honest()
          if (answer.refused === undefined) cache.set(key, answer)
          return answer
        })(parts)
      }
    },
  },
  'anonymous-let-in-every-fifth-time': {
    sentence: 'Of five requests of an operation without credentials one is accepted.',
    breaks: [...anonymousAsHost, 'sync-workspace/refuses-anonymous'],
    mayBreak: ['update-task-run/refuses-anonymous', 'delete-collaboration/refused-delete-has-no-effect'],
    alter(parts) {
      const strangers = new Map<string, number>()
      for (const right of Object.keys(parts.may) as (keyof Parts['may'])[])
        alsoMay(right, (call: Call) => {
          if (!isAnonymous(call)) return false
          const count = (strangers.get(right) ?? 0) + 1
          strangers.set(right, count)
          return count % 5 === 0
        })(parts)
    },
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
    alter(parts) {
      const isWarm = seenBefore<string>()
      for (const right of Object.keys(parts.may) as (keyof Parts['may'])[])
        alsoMay(right, (call: Call) => isAnonymous(call) && !isWarm(call.operation))(parts)
    },
  },
  'items-taken-for-oneself': {
    sentence: 'A caller may reassign items of others to himself.',
    breaks: ['reassign-items/refuses-other-user'],
    alter: alsoMay(
      'reassign',
      ({ user, form }, owner) =>
        user !== undefined &&
        user.organization === owner.organization &&
        user.username === form.get('targetUsername'),
    ),
  },
  'host-administrator-syncs': {
    sentence: "The host's administrator may sync, although the host is not designated.",
    breaks: ['sync-workspace/refuses-non-designated'],
    alter: alsoMay(
      'sync',
      ({ user, store }, { hostPortalId }) =>
        isAdministrator(user) && store.portals[user.organization] === hostPortalId,
    ),
  },
  'designated-portal-in-path-enough': {
    sentence: "Every administrator may sync who writes the designated portal's id into the path.",
    breaks: ['sync-workspace/refuses-non-designated'],
    alter: alsoMay(
      'sync',
      ({ user, params }, { designatedPortalId }) =>
        isAdministrator(user) && params.portalID === designatedPortalId,
    ),
  },
})

/** Returns for each call whether the same caller made the same request before. */
function rememberer({ credentialOf }: Parts): (call: Call) => boolean {
  const before = seenBefore<string>()
  return ({ params, form, arrival }) =>
    before(JSON.stringify([params, form.get('items'), credentialOf(arrival)]))
}

/** Once the participant has synced a workspace, other callers may, too. */
const letInAfterSync = (others: (call: Call) => boolean): Alter =>
  alsoMayAfter('sync', others, ({ params }) => params.workspaceID)

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
    alter(parts) {
      parts.identify = (arrival, store) => {
        const start = (parts.credentialOf(arrival) ?? '').slice(0, 16)
        return [...store.tokens].find(([token]) => start.length === 16 && token.startsWith(start))?.[1]
      }
    },
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
    breaks: refusalsOf('delete-collaboration'),
    alter: alsoMay('deleteCollaboration', (_call, { workspaces }) => workspaces.size > 0),
    // A collaboration may already have a workspace from a fixture.
    mayBreak: ['delete-collaboration/refused-delete-has-no-effect'],
  },
  'second-delete-unchecked': {
    sentence: 'Who was refused a delete is accepted when he asks again.',
    breaks: refusalsOf('delete-collaboration'),
    alter: (parts) => alsoMay('deleteCollaboration', rememberer(parts))(parts),
  },
  'second-reassignment-unchecked': {
    sentence: 'Who was refused a reassignment is accepted when he asks again.',
    breaks: refusalsOf('reassign-items'),
    alter: (parts) => alsoMay('reassign', rememberer(parts))(parts),
  },
  'anonymous-deletes-under-guest-path': {
    sentence: "Under the path of a guest's portal a collaboration can be deleted without credentials.",
    breaks: ['delete-collaboration/refuses-anonymous'],
    alter: alsoMay(
      'deleteCollaboration',
      (call, { hostPortalId }) => isAnonymous(call) && call.params.portalID !== hostPortalId,
    ),
  },
  'synchronous-sync-unchecked': {
    sentence: 'Who may sync is checked in asynchronous mode only.',
    breaks: refusalsOf('sync-workspace'),
    alter: alsoMay('sync', ({ form, parts }) => form.get(parts.sync.parameter) === parts.sync.synchronous),
  },
  'sync-refused-but-started': {
    sentence: 'Who may not sync is refused, but the sync starts.',
    breaks: refusalsOf('sync-workspace'),
    // A valid sync right after such a refusal meets the sync that the fault started.
    mayBreak: ['sync-workspace/starts'],
    alter: afterRefused('sync-workspace', forCaller, (call) => {
      const workspace = workspaceIn(call)
      if (workspace !== undefined && !workspace.sync) startSync(call.parts, workspace)
    }),
  },
  'privilege-enough-to-reassign': {
    sentence: 'Who has the privilege to transfer content may also transfer that of others.',
    breaks: ['reassign-items/refuses-other-user'],
    alter: alsoMay('reassign', ({ user }) => user?.privileges.has(transferPrivilege) === true),
  },
})
