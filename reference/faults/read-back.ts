/** Faults that no answer of an operation shows: only reading back does. */
import type { OperationId } from '../../specs/operations.ts'
import { type RequirementId, requirementOf } from '../../specs/requirements.ts'
import { afterAccepted, afterRefused, around, hasInvalidCredential, isAnonymous } from '../alterations.ts'
import {
  collaborationIn,
  federationIn,
  itemsIn,
  participantIn,
  runIn,
  targetOf,
  workspaceIn,
} from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import { isGuestAdministrator } from '../users.ts'
import { deeds, isOtherGuest, refusing } from './callers.ts'
import { type Applied, faultsOf, inWords, product } from './fault.ts'

/** Refuses as the honest portal does, and does it all the same. */
function secretly(operation: OperationId, whom: (call: Call) => boolean): Alter {
  return around(operation, async (call, honest) => {
    const answer = await honest()
    if (answer.refused === undefined || !whom(call)) return answer
    const { params, store } = call
    const designated = operation === 'sync-workspace' ? 'sync_initiator' : 'host_administrator'
    const user = store.users.get(designated)
    await honest({ ...call, user, params: { ...params, portalID: store.portals.host } })
    return answer
  })
}

const isMember = ({ user }: Call): boolean => user?.role === 'user'

/** The path of another portal: under that of the host nobody of another organization is there. */
const isGuestElsewhere = (call: Call): boolean =>
  isGuestAdministrator(call) && call.params.portalID !== call.store.portals.host

type Secret = readonly [operation: OperationId, as: string, whom: (call: Call) => boolean]

const secrets: Readonly<Record<string, Secret>> = {
  'guests-update-secretly': ['update-participant', 'guestAdministrator', isGuestAdministrator],
  'members-update-secretly': ['update-participant', 'hostMember', isMember],
  'anonymous-updates-secretly': ['update-participant', 'anonymous', isAnonymous],
  'guests-add-secretly': ['add-workspace', 'guestAdministrator', isGuestAdministrator],
  'members-add-secretly': ['add-workspace', 'hostMember', isMember],
  'anonymous-adds-secretly': ['add-workspace', 'anonymous', isAnonymous],
  'invalid-credential-adds-secretly': ['add-workspace', 'impostor', hasInvalidCredential],
  'anonymous-syncs-secretly': ['sync-workspace', 'anonymous', isAnonymous],
  'others-sync-secretly': ['sync-workspace', 'syncNonInitiator', isOtherGuest],
  'members-update-federation-secretly': ['update-federation', 'hostMember', isMember],
  'guests-update-federation-secretly': ['update-federation', 'guestAdministrator', isGuestElsewhere],
}

const done = Object.entries(secrets).map(
  ([id, [operation, as, whom]]): Applied => ({
    id,
    sentence: `A caller who may not ${deeds[operation].may} is refused, and it is done: ${inWords(id)}.`,
    breaks: [refusing(operation, [as]) as RequirementId],
    alter: secretly(operation, whom),
  }),
)

/** What is lost once a request was accepted. */
type Loss = readonly [breaks: RequirementId, lose: (call: Call) => void]

const losses: Readonly<Record<string, Loss>> = {
  'contact-not-kept': [
    'update-participant/updates',
    (call) =>
      Object.assign(participantIn(call) ?? {}, { firstname: 'No', lastname: 'Body', email: 'a@b.example' }),
  ],
  'contact-address-not-kept': [
    'update-participant/updates',
    (call) => Object.assign(participantIn(call) ?? {}, { email: 'somebody@example.com' }),
  ],
  'contact-for-all-collaborations': [
    'update-participant/updates',
    (call) => {
      const { firstname, lastname, email } = participantIn(call) ?? {}
      // The contact alone: a guest that is still answering its invitation goes on doing so.
      for (const { participants } of call.store.collaborations.values())
        for (const other of participants.values()) Object.assign(other, { firstname, lastname, email })
    },
  ],
  'run-status-not-kept': [
    'update-task-run/updates',
    (call) => Object.assign(runIn(call) ?? {}, { status: 'scheduled' }),
  ],
  'run-result-not-kept': [
    'update-task-run/updates',
    (call) => Object.assign(runIn(call) ?? {}, { result: undefined }),
  ],
  'folder-not-used': [
    'reassign-items/folder-created',
    (call) => {
      for (const item of itemsIn(call)) item.folder = ''
    },
  ],
  'folder-not-made': [
    'reassign-items/folder-created',
    (call) => targetOf(call)?.folders.delete(call.form.get('targetFoldername') ?? ''),
  ],
  'workspace-listed-without-description': [
    'add-workspace/creates',
    (call) =>
      Object.assign([...(collaborationIn(call)?.workspaces.values() ?? [])].at(-1) ?? {}, {
        description: '',
      }),
  ],
  'sync-not-started': ['sync-workspace/starts', (call) => workspaceIn(call)?.syncs.pop()],
  'federation-not-kept': [
    'update-federation/updates',
    (call) => {
      const { settings = {} } = federationIn(call) ?? {}
      for (const name of Object.keys(settings)) settings[name] = 'as it was before'
    },
  ],
  'federation-entity-not-kept': [
    'update-federation/updates',
    (call) => Object.assign(federationIn(call)?.settings ?? {}, { entityId: 'urn:same' }),
  ],
}

const lost = Object.entries(losses).map(
  ([id, [breaks, lose]]): Applied => ({
    id,
    sentence: `What ${requirementOf(breaks).operation} accepts is lost: ${inWords(id)}.`,
    breaks: [breaks],
    alter: afterAccepted(requirementOf(breaks).operation as OperationId, lose),
  }),
)

export const readBackProducts = [
  product('what was refused is done, which only reading shows', done),
  product('what was accepted is lost', lost),
]

export const readBackFaults = [
  ...readBackProducts.flatMap(({ faults }) => faults),
  ...faultsOf({
    'run-result-without-status': {
      sentence: 'A result without a status is refused and kept.',
      breaks: ['update-task-run/status-required'],
      alter: afterRefused('update-task-run', ['missing-status'], (call) => {
        const run = runIn(call)
        if (run !== undefined) run.result = call.form.get('result') ?? ''
      }),
    },
    'long-name-added-shortened': {
      sentence: 'A workspace whose name is too long is refused and added under a shorter one.',
      breaks: ['add-workspace/name-limit-rejects'],
      alter: around('add-workspace', async (call, honest) => {
        const answer = await honest()
        if (answer.refused !== 'name-too-long') return answer
        const name = 'collaborationWorkspaceName'
        const shorter = (call.form.get(name) ?? '').slice(0, 100)
        await honest({ ...call, form: call.form.with(name, shorter) })
        return answer
      }),
    },
    'refused-delete-empties': {
      sentence: 'A refused delete without credentials removes the workspaces of the collaboration.',
      breaks: ['delete-collaboration/refuses-anonymous'],
      mayBreak: ['delete-collaboration/refused-delete-has-no-effect'],
      alter: around('delete-collaboration', async (call, honest) => {
        const answer = await honest()
        if (isAnonymous(call)) collaborationIn(call)?.workspaces.clear()
        return answer
      }),
    },
  }),
]
