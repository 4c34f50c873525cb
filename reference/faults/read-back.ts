/** Faults that no answer of an operation shows: only reading back does. */

import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
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
import type { Alter, Answer, Call } from '../parts.ts'
import { isGuestAdministrator } from '../permissions.ts'
import type { Fault } from './fault.ts'

/** Accepts as the honest portal does, and puts everything back as it was. */
function forgetting(operation: OperationId, keep: (call: Call) => () => void): Alter {
  return around(operation, async (call, honest) => {
    const restore = keep(call)
    const answer = await honest()
    if (answer.refused === undefined) restore()
    return answer
  })
}

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

const addedIn = (call: Call, { body }: Answer) =>
  collaborationIn(call)?.workspaces.get(String((body.workspace as { id?: unknown } | undefined)?.id))

const fault = (id: string, sentence: string, breaks: RequirementId, alter: Alter): Fault => ({
  id,
  sentence,
  breaks: [breaks],
  alter,
})

export const readBackFaults: readonly Fault[] = [
  fault(
    'contact-not-kept',
    'An update of a contact is accepted and forgotten.',
    'update-participant/updates',
    forgetting('update-participant', (call) => {
      const contact = participantIn(call)
      const before = { ...contact }
      return () => {
        if (contact === undefined) return
        for (const name of ['firstname', 'lastname', 'email'] as const) delete contact[name]
        Object.assign(contact, before)
      }
    }),
  ),
  fault(
    'contact-address-not-kept',
    'Of a contact everything is kept but the address.',
    'update-participant/updates',
    afterAccepted('update-participant', (call) => {
      const contact = participantIn(call)
      if (contact !== undefined) contact.email = 'somebody@example.com'
    }),
  ),
  fault(
    'contact-for-all-collaborations',
    'An update of a contact changes that participant in every collaboration.',
    'update-participant/updates',
    afterAccepted('update-participant', (call) => {
      const contact = participantIn(call)
      for (const { participants } of call.store.collaborations.values())
        for (const other of participants.values()) Object.assign(other, contact)
    }),
  ),
  fault(
    'guests-update-secretly',
    "A guest's update of a contact is refused and done.",
    'update-participant/refuses-guest',
    secretly('update-participant', isGuestAdministrator),
  ),
  fault(
    'members-update-secretly',
    "A member's update of a contact is refused and done.",
    'update-participant/refuses-non-administrator',
    secretly('update-participant', isMember),
  ),
  fault(
    'anonymous-updates-secretly',
    'An update of a contact without credentials is refused and done.',
    'update-participant/refuses-anonymous',
    secretly('update-participant', isAnonymous),
  ),
  fault(
    'run-status-not-kept',
    'An update of a run is accepted and its status forgotten.',
    'update-task-run/updates',
    forgetting('update-task-run', (call) => {
      const run = runIn(call)
      const status = run?.status
      return () => {
        if (run !== undefined && status !== undefined) run.status = status
      }
    }),
  ),
  fault(
    'run-result-not-kept',
    'An update of a run is accepted and its result forgotten.',
    'update-task-run/updates',
    afterAccepted('update-task-run', (call) => {
      delete runIn(call)?.result
    }),
  ),
  fault(
    'run-result-without-status',
    'A result without a status is refused and kept.',
    'update-task-run/status-required',
    afterRefused('update-task-run', ['missing-status'], (call) => {
      const run = runIn(call)
      if (run !== undefined) run.result = call.form.get('result') ?? ''
    }),
  ),
  fault(
    'folder-not-used',
    'Items that are reassigned go to the root, whatever folder is named.',
    'reassign-items/folder-created',
    afterAccepted('reassign-items', (call) => {
      for (const item of itemsIn(call)) item.folder = ''
    }),
  ),
  fault(
    'folder-not-made',
    'The folder that is named for reassigned items is not made.',
    'reassign-items/folder-created',
    afterAccepted('reassign-items', (call) => {
      targetOf(call)?.folders.delete(call.form.get('targetFoldername') ?? '')
    }),
  ),
  fault(
    'guests-add-secretly',
    "A guest's workspace is refused and added.",
    'add-workspace/refuses-guest',
    secretly('add-workspace', isGuestAdministrator),
  ),
  fault(
    'members-add-secretly',
    "A member's workspace is refused and added.",
    'add-workspace/refuses-non-administrator',
    secretly('add-workspace', isMember),
  ),
  fault(
    'anonymous-adds-secretly',
    'A workspace without credentials is refused and added.',
    'add-workspace/refuses-anonymous',
    secretly('add-workspace', isAnonymous),
  ),
  fault(
    'invalid-credential-adds-secretly',
    'A workspace with a credential that nobody was given is refused and added.',
    'add-workspace/refuses-invalid-credential',
    secretly('add-workspace', hasInvalidCredential),
  ),
  fault(
    'long-name-added-shortened',
    'A workspace whose name is too long is refused and added under a shorter one.',
    'add-workspace/name-limit-rejects',
    around('add-workspace', async (call, honest) => {
      const answer = await honest()
      if (answer.refused !== 'name-too-long') return answer
      const name = 'collaborationWorkspaceName'
      const shorter = (call.form.get(name) ?? '').slice(0, 100)
      await honest({ ...call, form: call.form.with(name, shorter) })
      return answer
    }),
  ),
  fault(
    'workspace-listed-without-description',
    'A workspace keeps no description, although the answer shows it.',
    'add-workspace/creates',
    afterAccepted('add-workspace', (call, answer) => {
      const workspace = addedIn(call, answer)
      if (workspace !== undefined) workspace.description = ''
    }),
  ),
  fault(
    'sync-not-started',
    'A sync is accepted, and none is started.',
    'sync-workspace/starts',
    afterAccepted('sync-workspace', (call) => {
      workspaceIn(call)?.syncs.pop()
    }),
  ),
  fault(
    'anonymous-syncs-secretly',
    'A sync without credentials is refused and started.',
    'sync-workspace/refuses-anonymous',
    secretly('sync-workspace', isAnonymous),
  ),
  fault(
    'others-sync-secretly',
    'A sync by a participant who is not designated is refused and started.',
    'sync-workspace/refuses-non-designated',
    secretly('sync-workspace', ({ user }) => user?.organization === 'otherGuest'),
  ),
  {
    ...fault(
      'refused-delete-empties',
      'A refused delete without credentials removes the workspaces of the collaboration.',
      'delete-collaboration/refuses-anonymous',
      around('delete-collaboration', async (call, honest) => {
        const answer = await honest()
        if (isAnonymous(call)) collaborationIn(call)?.workspaces.clear()
        return answer
      }),
    ),
    mayBreak: ['delete-collaboration/refused-delete-has-no-effect'],
  },
  fault(
    'federation-not-kept',
    'An update of a federation is accepted and forgotten.',
    'update-federation/updates',
    forgetting('update-federation', (call) => {
      const federation = federationIn(call)
      const before = federation?.settings
      return () => {
        if (federation !== undefined && before !== undefined) federation.settings = before
      }
    }),
  ),
  fault(
    'federation-entity-not-kept',
    'Of a federation everything is kept but the entity id.',
    'update-federation/updates',
    afterAccepted('update-federation', (call) => {
      const federation = federationIn(call)
      if (federation !== undefined) federation.settings = { ...federation.settings, entityId: 'urn:same' }
    }),
  ),
  fault(
    'members-update-federation-secretly',
    "A member's update of a federation is refused and done.",
    'update-federation/refuses-non-administrator',
    secretly('update-federation', isMember),
  ),
  fault(
    'guests-update-federation-secretly',
    "A guest's update of the host's federation, on the path of its own portal, is refused and done.",
    'update-federation/refuses-other-organization',
    secretly(
      'update-federation',
      (call) => isGuestAdministrator(call) && call.params.portalID !== call.store.portals.host,
    ),
  ),
]
