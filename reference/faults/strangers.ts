/** Callers who are let in for what nearly is a credential, for what else a request names, or for what happened before. */
import { operationIds } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { alsoMay, around, changeMay, isAnonymous, seenBefore, wrapping } from '../alterations.ts'
import { isOwner, itemIdsIn, syncModeOf, targetOf } from '../handlers.ts'
import type { Alter, Answer, Call } from '../parts.ts'
import type { User } from '../store.ts'
import { isAdministrator, isGuestAdministrator, transferPrivilege } from '../users.ts'
import { signedCredential } from '../variants/identity.ts'
import { alsoSeen, deeds } from './callers.ts'
import {
  type Applied,
  anonymousAsHost,
  type Chapter,
  faultsOf,
  invalidCredentials,
  inWords,
  product,
  refusalsOf,
  requirementsOf,
  storiesOf,
} from './fault.ts'

/** Who else has a right, and what that breaks. */
const also: Readonly<Record<string, readonly [breaks: readonly RequirementId[], alter: Alter]>> = {
  'items-taken-for-oneself': [
    ['reassign-items/refuses-other-user'],
    alsoMay('reassign', (call, owner) => isOwnTarget(call) && call.user?.organization === owner.organization),
  ],
  'privilege-enough-to-reassign': [
    ['reassign-items/refuses-other-user'],
    alsoMay('reassign', ({ user }) => user?.privileges.has(transferPrivilege) === true),
  ],
  'privilege-of-the-target-counts': [
    ['reassign-items/refuses-owner-without-privilege'],
    alsoMay(
      'reassign',
      (call) => isOwner(call) && targetOf(call)?.privileges.has(transferPrivilege) === true,
    ),
  ],
  'designated-portal-in-path-enough': [
    ['sync-workspace/refuses-non-designated'],
    alsoMay(
      'sync',
      (call, of) => isAdministrator(call.user) && call.params.portalID === of.designatedPortalId,
    ),
  ],
  'synchronous-sync-unchecked': [
    refusalsOf('sync-workspace'),
    alsoMay('sync', (call) => syncModeOf(call) === 'synchronous'),
  ],
  'delete-rights-from-adding': [
    refusalsOf('delete-collaboration'),
    alsoMay('deleteCollaboration', (_call, { workspaces }) => workspaces.size > 0),
  ],
  'first-workspace-by-anybody': [
    refusalsOf('add-workspace').slice(0, 3),
    alsoMay('addWorkspace', (_call, { workspaces }) => workspaces.size === 0),
  ],
  'workspace-rights-from-syncing': [
    ['add-workspace/refuses-guest'],
    alsoMay(
      'addWorkspace',
      (call, { workspaces }) =>
        isGuestAdministrator(call) && [...workspaces.values()].some(({ syncs }) => syncs.length > 0),
    ),
  ],
}

const isOwnTarget = ({ user, form }: Call): boolean =>
  user !== undefined && user.username === form.get('targetUsername')

const letIn = Object.entries(also).map(
  ([id, [breaks, alter]]): Applied => ({
    id,
    sentence: `Others than those who may are let in: ${inWords(id)}.`,
    breaks,
    mayBreak: [...alsoSeen('delete-collaboration'), 'add-workspace/refuses-invalid-credential'],
    alter,
  }),
)

const strangerProducts = [product('a right comes from something else', letIn)]

/** Lets others do whatever an operation does. */
const alsoMayAnything =
  (others: (call: Call) => boolean): Alter =>
  (parts) => {
    for (const { right } of Object.values(deeds)) alsoMay(right, others)(parts)
  }

const anonymousAnywhere: readonly RequirementId[] = [
  ...anonymousAsHost,
  'sync-workspace/refuses-anonymous',
  'update-task-run/refuses-anonymous',
  'delete-collaboration/refused-delete-has-no-effect',
]

const strangerFaults = faultsOf({
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
  'ended-credential-let-in': {
    sentence: 'A token is as good as ever when its time is over.',
    breaks: invalidCredentials,
    alter(parts) {
      parts.identify = (arrival, store) => store.tokens.get(parts.credentialOf(arrival) ?? '')
    },
  },
  'guest-that-hosts-another-let-in': {
    sentence: 'The administrator of a guest that hosts a collaboration of its own may do what a host does.',
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
})

const strangerStories = storiesOf({
  'signature-not-looked-at': {
    sentence: 'Credentials are signed, and any signature will do.',
    breaks: invalidCredentials,
    ...signedCredential(() => true),
  },
  'signature-may-be-missing': {
    sentence: 'Credentials are signed, and those without a signature are taken as well.',
    breaks: invalidCredentials,
    ...signedCredential((signature, right) => signature === '' || signature === right),
  },
  'any-signature-that-was-given': {
    sentence: 'Credentials are signed, and the signature of any other will do.',
    breaks: invalidCredentials,
    ...signedCredential((signature, right, given) => signature === right || given.has(signature)),
  },
  'success-replayed-to-anonymous': {
    sentence: 'The success of a request is replayed to a caller without credentials who sends the same.',
    breaks: [
      ...anonymousAsHost.filter((id) => !id.startsWith('delete-')),
      'sync-workspace/refuses-anonymous',
    ],
    // Deletions that are accepted are not always asked for again.
    mayBreak: anonymousAnywhere,
    alter(parts) {
      const cache = new Map<string, Answer>()
      for (const operation of operationIds)
        around(operation, async (call, honest) => {
          const fields = call.form.pairs.filter(([name]) => name !== 'token')
          const key = JSON.stringify([operation, call.params, fields])
          const cached = cache.get(key)
          if (cached !== undefined && isAnonymous(call)) return cached
          const answer = await honest()
          if (answer.refused === undefined) cache.set(key, answer)
          return answer
        })(parts)
    },
  },
  'anonymous-let-in-every-fifth-time': {
    sentence: 'Of five requests of an operation without credentials one is let in.',
    breaks: [...anonymousAsHost, 'sync-workspace/refuses-anonymous'],
    mayBreak: anonymousAnywhere,
    alter(parts) {
      const counts = new Map<string, number>()
      alsoMayAnything((call) => {
        if (!isAnonymous(call)) return false
        const count = (counts.get(call.operation) ?? 0) + 1
        counts.set(call.operation, count)
        return count % 5 === 0
      })(parts)
    },
  },
  'anonymous-let-in-on-cold-cache': {
    sentence: 'The first request of each operation without credentials is let in.',
    breaks: ['add-workspace/refuses-anonymous'],
    // The first one may come while a sync runs, and is refused for that.
    mayBreak: anonymousAnywhere,
    alter(parts) {
      const isWarm = seenBefore<string>()
      alsoMayAnything((call) => isAnonymous(call) && !isWarm(call.operation))(parts)
    },
  },
  'connection-keeps-its-caller': {
    sentence:
      'On a connection that an administrator of the host has used, every caller is that administrator.',
    breaks: ['add-workspace/refuses-guest', 'update-participant/refuses-guest'],
    mayBreak: requirementsOf(...operationIds, 'protocol'),
    alter: wrapping('identify', (honest) => {
      const callers = new WeakMap<object, User>()
      return (arrival, store) => {
        const kept = callers.get(arrival.socket)
        if (kept !== undefined) return kept
        const user = honest(arrival, store)
        if (user?.actor === 'hostAdministrator') callers.set(arrival.socket, user)
        return user
      }
    }),
  },
  'rights-linger': {
    sentence: 'For some 20 ms after an administrator has added a workspace, every caller may.',
    breaks: ['add-workspace/refuses-anonymous'],
    mayBreak: refusalsOf('add-workspace'),
    alter(parts) {
      let until = 0
      changeMay('addWorkspace', (may) => {
        if (may) until = performance.now() + 20
        return may || performance.now() < until
      })(parts)
    },
  },
  'former-owner-gives-away': {
    sentence: 'A user who owned an item before gives it away on the path of its present owner.',
    breaks: ['reassign-items/refuses-other-user'],
    alter(parts) {
      const former = new Set<string>()
      const keys = (call: Call, name?: string) => itemIdsIn(call).map((id) => `${id} ${name}`)
      changeMay('reassign', (may, call) => {
        const isFormer = keys(call, call.user?.username).every((key) => former.has(key))
        if (may) for (const key of keys(call, call.params.userName)) former.add(key)
        return may || isFormer
      })(parts)
    },
  },
  'privilege-kept-from-administrator': {
    sentence: 'For ten seconds after an administrator gave away something of a user, that user may as well.',
    breaks: ['reassign-items/refuses-owner-without-privilege'],
    alter(parts) {
      const until = new Map<string, number>()
      changeMay('reassign', (may, { user }, owner) => {
        const { username } = owner
        if (may && user !== owner) until.set(username, performance.now() + 10_000)
        return may || (user === owner && performance.now() < (until.get(username) ?? 0))
      })(parts)
    },
  },
})

export const strangersChapter: Chapter = {
  products: strangerProducts,
  faults: [...strangerFaults, ...strangerStories],
}
