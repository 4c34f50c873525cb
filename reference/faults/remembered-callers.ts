/** Faults in who is let in that show only after something else: a refusal, an earlier call, a nearly right credential. */
import { afterRefused, alsoMay, alsoMayAfter, isAnonymous, seenBefore, wrapping } from '../alterations.ts'
import { workspaceIn } from '../handlers.ts'
import type { Alter, Call, Parts } from '../parts.ts'
import { forCaller, isAdministrator, isHostAdministrator } from '../permissions.ts'
import { startSync } from '../syncing.ts'
import { transferPrivilege } from '../users.ts'
import { anonymousAsHost, faultsOf, invalidCredentials, refusalsOf } from './fault.ts'

/** Remembers each call by what it asks for and who asks; whether it was asked before. */
function rememberer({ credentialOf }: Parts): (call: Call) => boolean {
  const before = seenBefore<string>()
  return ({ params, form, arrival }) =>
    before(JSON.stringify([params, form.get('items'), credentialOf(arrival)]))
}

/** Others may sync a workspace, too, once its participant has. */
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
    // A collaboration of which a workspace was handed out has one, too.
    mayBreak: ['delete-collaboration/refused-delete-has-no-effect'],
  },
  'second-delete-unchecked': {
    sentence: 'Who was refused a delete is let in when he asks again.',
    breaks: refusalsOf('delete-collaboration'),
    alter: (parts) => alsoMay('deleteCollaboration', rememberer(parts))(parts),
  },
  'second-reassignment-unchecked': {
    sentence: 'Who was refused a reassignment is let in when he asks again.',
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
