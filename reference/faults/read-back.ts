/** Faults that no answer of an operation shows. Only read-back finds them. */
import type { OperationId } from '../../specs/operations.ts'
import {
  addedId,
  afterAccepted,
  afterRefused,
  around,
  hasInvalidCredential,
  isAnonymous,
  remembering,
} from '../alterations.ts'
import {
  collaborationIn,
  createWorkspace,
  federationIn,
  groupIdsOf,
  itemsIn,
  participantIn,
  runIn,
  targetOf,
  workspaceIn,
} from '../handlers.ts'
import type { Alter, Answer, Call } from '../parts.ts'
import type { Collaboration, Workspace } from '../store.ts'
import { isAdministrator, isGuestAdministrator } from '../users.ts'
import { faultsOf } from './fault.ts'

/** Accepts like the honest portal, and then restores these fields of a thing. */
function forgetting<Thing extends object>(
  operation: OperationId,
  find: (call: Call) => Thing | undefined,
  fields: readonly (keyof Thing)[],
): Alter {
  return around(operation, async (call, honest) => {
    const thing = find(call)
    const before = { ...thing } as Thing
    const answer = await honest()
    if (thing === undefined || answer.refused !== undefined) return answer
    for (const field of fields)
      if (field in before) thing[field] = before[field]
      else delete thing[field]
    return answer
  })
}

/** The value that was there first for that key. */
function firstOf<Key, Value>(kept: Map<Key, Value>, key: Key, value: Value): Value {
  if (!kept.has(key)) kept.set(key, value)
  return kept.get(key) as Value
}

/** Changes a thing after each accepted request. */
function changing<Thing>(
  operation: OperationId,
  find: (call: Call, answer: Answer) => Thing | undefined,
  change: (thing: Thing, call: Call) => void,
): Alter {
  return afterAccepted(operation, (call, answer) => {
    const thing = find(call, answer)
    if (thing !== undefined) change(thing, call)
  })
}

/** Refuses like the honest portal, but performs the request. */
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

const addedIn = (call: Call, answer: Answer) => collaborationIn(call)?.workspaces.get(addedId(answer))

export const unseenFaults = faultsOf({
  'contact-not-kept': {
    sentence: 'An update of a contact is accepted and forgotten.',
    breaks: ['update-participant/updates'],
    alter: forgetting('update-participant', participantIn, ['firstname', 'lastname', 'email']),
  },
  'contact-address-not-kept': {
    sentence: 'Of a contact everything is kept but the address.',
    breaks: ['update-participant/updates'],
    alter: changing('update-participant', participantIn, (contact) => {
      contact.email = 'somebody@example.com'
    }),
  },
  'contact-for-all-collaborations': {
    sentence: 'An update of a contact changes that participant in every collaboration.',
    breaks: ['update-participant/updates'],
    alter: changing('update-participant', participantIn, ({ firstname, lastname, email }, { store }) => {
      // Only the contact. The status must stay, because a guest may still be answering its invitation.
      for (const { participants } of store.collaborations.values())
        for (const other of participants.values()) Object.assign(other, { firstname, lastname, email })
    }),
  },
  'contact-plus-lost': {
    sentence: 'A plus sign in the address of a contact is kept as a space.',
    breaks: ['update-participant/updates'],
    alter: changing('update-participant', participantIn, (contact) => {
      if (contact.email !== undefined) contact.email = contact.email.replaceAll('+', ' ')
    }),
  },
  'contact-kept-as-latin-1': {
    sentence: 'Letters beyond Latin-1 in the name of a contact are kept garbled.',
    breaks: ['update-participant/updates'],
    alter: changing('update-participant', participantIn, (contact) => {
      contact.lastname = Buffer.from(contact.lastname ?? '', 'latin1').toString('latin1')
    }),
  },
  'contact-kept-once': {
    sentence: 'The first update of a contact is kept, and later ones are accepted and forgotten.',
    breaks: ['update-participant/updates'],
    alter: remembering(
      () => new Map<object, object>(),
      (kept) =>
        changing('update-participant', participantIn, (contact) => {
          const { firstname, lastname, email } = contact
          Object.assign(contact, firstOf(kept, contact, { firstname, lastname, email }))
        }),
    ),
  },
  'contact-for-all-participants': {
    sentence: 'An update of a contact changes every participant of the collaboration.',
    breaks: ['update-participant/updates'],
    alter: changing('update-participant', participantIn, ({ firstname, lastname, email }, call) => {
      for (const other of collaborationIn(call)?.participants.values() ?? [])
        Object.assign(other, { firstname, lastname, email })
    }),
  },
  'guests-update-secretly': {
    sentence: "A guest's update of a contact is refused and done.",
    breaks: ['update-participant/refuses-guest'],
    alter: secretly('update-participant', isGuestAdministrator),
  },
  'members-update-secretly': {
    sentence: "A member's update of a contact is refused and done.",
    breaks: ['update-participant/refuses-non-administrator'],
    alter: secretly('update-participant', isMember),
  },
  'anonymous-updates-secretly': {
    sentence: 'An update of a contact without credentials is refused and done.',
    breaks: ['update-participant/refuses-anonymous'],
    alter: secretly('update-participant', isAnonymous),
  },
  'run-status-not-kept': {
    sentence: 'An update of a run is accepted and its status forgotten.',
    breaks: ['update-task-run/updates'],
    alter: forgetting('update-task-run', runIn, ['status']),
  },
  'run-result-not-kept': {
    sentence: 'An update of a run is accepted and its result forgotten.',
    breaks: ['update-task-run/updates'],
    alter: changing('update-task-run', runIn, (run) => {
      delete run.result
    }),
  },
  'run-result-plus-lost': {
    sentence: 'A plus sign in the result of a run is kept as a space.',
    breaks: ['update-task-run/updates'],
    alter: changing('update-task-run', runIn, (run) => {
      if (run.result !== undefined) run.result = run.result.replaceAll('+', ' ')
    }),
  },
  'run-result-for-all-runs': {
    sentence: 'An update of a run gives its result to every run.',
    breaks: ['update-task-run/updates'],
    alter: changing('update-task-run', runIn, ({ result }, { store }) => {
      if (result === undefined) return
      for (const { runs } of store.tasks.values()) for (const run of runs.values()) run.result = result
    }),
  },
  'run-result-without-status': {
    sentence: 'A result without a status is refused and kept.',
    breaks: ['update-task-run/status-required'],
    alter: afterRefused('update-task-run', ['missing-status'], (call) => {
      const run = runIn(call)
      if (run !== undefined) run.result = call.form.get('result') ?? ''
    }),
  },
  'folder-not-used': {
    sentence: 'Items that are reassigned go to the root, whatever folder is named.',
    breaks: ['reassign-items/folder-created'],
    alter: afterAccepted('reassign-items', (call) => {
      for (const item of itemsIn(call)) item.folder = ''
    }),
  },
  'folder-not-made': {
    sentence: 'The folder that is named for reassigned items is not made.',
    breaks: ['reassign-items/folder-created'],
    alter: afterAccepted('reassign-items', (call) => {
      targetOf(call)?.folders.delete(call.form.get('targetFoldername') ?? '')
    }),
  },
  'guests-add-secretly': {
    sentence: "A guest's workspace is refused and added.",
    breaks: ['add-workspace/refuses-guest'],
    alter: secretly('add-workspace', isGuestAdministrator),
  },
  'members-add-secretly': {
    sentence: "A member's workspace is refused and added.",
    breaks: ['add-workspace/refuses-non-administrator'],
    alter: secretly('add-workspace', isMember),
  },
  'anonymous-adds-secretly': {
    sentence: 'A workspace without credentials is refused and added.',
    breaks: ['add-workspace/refuses-anonymous'],
    alter: secretly('add-workspace', isAnonymous),
  },
  'invalid-credential-adds-secretly': {
    sentence: 'A workspace with an invalid credential is refused and added.',
    breaks: ['add-workspace/refuses-invalid-credential'],
    alter: secretly('add-workspace', hasInvalidCredential),
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
  'workspace-listed-without-description': {
    sentence: 'A workspace keeps no description, although the answer shows it.',
    breaks: ['add-workspace/creates'],
    alter: changing('add-workspace', addedIn, (workspace) => {
      workspace.description = ''
    }),
  },
  'workspace-added-twice': {
    sentence: 'A workspace is added twice.',
    breaks: ['add-workspace/creates'],
    alter: changing('add-workspace', addedIn, (workspace, call) => {
      const collaboration = collaborationIn(call)
      if (collaboration !== undefined) createWorkspace(call.parts, collaboration, workspace)
    }),
  },
  'workspace-linked-with-first-group': {
    sentence: 'A workspace is linked with the group of the first workspace of its collaboration.',
    breaks: ['add-workspace/creates'],
    alter: changing('add-workspace', addedIn, (workspace, call) => {
      const { workspaces, hostPortalId } = collaborationIn(call) as Collaboration
      const [{ portalGroupId }] = [...workspaces.values()] as [Workspace]
      const link = workspace.links?.get(hostPortalId)
      if (link !== undefined) link.groupId = portalGroupId
      workspaces.set(workspace.id, { ...workspace, portalGroupId })
    }),
  },
  'sync-not-started': {
    sentence: 'A sync is accepted, and none is started.',
    breaks: ['sync-workspace/starts'],
    alter: afterAccepted('sync-workspace', (call) => {
      workspaceIn(call)?.syncs.pop()
    }),
  },
  'anonymous-syncs-secretly': {
    sentence: 'A sync without credentials is refused and started.',
    breaks: ['sync-workspace/refuses-anonymous'],
    alter: secretly('sync-workspace', isAnonymous),
  },
  'others-sync-secretly': {
    sentence: 'A sync by a participant who is not designated is refused and started.',
    breaks: ['sync-workspace/refuses-non-designated'],
    alter: secretly('sync-workspace', ({ user }) => isAdministrator(user) && user.organization !== 'guest'),
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
  'federation-not-kept': {
    sentence: 'An update of a federation is accepted and forgotten.',
    breaks: ['update-federation/updates'],
    alter: forgetting('update-federation', federationIn, ['settings']),
  },
  'federation-entity-not-kept': {
    sentence: 'Of a federation everything is kept but the entity id.',
    breaks: ['update-federation/updates'],
    alter: changing('update-federation', federationIn, ({ settings }) => {
      settings.entityId = 'urn:same'
    }),
  },
  'federation-certificate-kept': {
    sentence: 'The first certificate of a federation is kept, whatever later updates send.',
    breaks: ['update-federation/updates'],
    alter: remembering(
      () => new Map<string, string>(),
      (kept) =>
        changing('update-federation', federationIn, ({ id, settings }) => {
          const { certificate } = settings
          if (certificate !== undefined) settings.certificate = firstOf(kept, id, certificate)
        }),
    ),
  },
  'federation-first-group-only': {
    sentence: 'Of the groups of a federation, only the first is kept.',
    breaks: ['update-federation/updates'],
    alter: changing('update-federation', federationIn, ({ settings }) => {
      const [first] = groupIdsOf(settings.groups ?? '') ?? []
      if (first !== undefined) settings.groups = first
    }),
  },
  'members-update-federation-secretly': {
    sentence: "A member's update of a federation is refused and done.",
    breaks: ['update-federation/refuses-non-administrator'],
    alter: secretly('update-federation', isMember),
  },
  'guests-update-federation-secretly': {
    sentence:
      "A guest's update of the host's federation, on the path of its own portal, is refused and done.",
    breaks: ['update-federation/refuses-other-organization'],
    alter: secretly(
      'update-federation',
      (call) => isGuestAdministrator(call) && call.params.portalID !== call.store.portals.host,
    ),
  },
})
