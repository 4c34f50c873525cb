/** Faults that no answer of an operation shows. Only read-back finds them. */
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import {
  addedId,
  afterAccepted,
  afterRefused,
  around,
  hasInvalidCredential,
  isAnonymous,
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
import type { Collaboration, Contact, Workspace } from '../store.ts'
import { isGuestAdministrator } from '../users.ts'
import { faultsOf, rowsOf, type WrittenFault, words } from './fault.ts'

const add = 'add-workspace'
const run = 'update-task-run'
const reassign = 'reassign-items'
const sync = 'sync-workspace'
const update = 'update-participant'
const federation = 'update-federation'

/** Changes a thing after each accepted request. `before`: a copy from before the request. */
const changing =
  <Thing extends object>(operation: OperationId, find: (call: Call, answer?: Answer) => Thing | undefined) =>
  (change: (thing: Thing, before: Thing, call: Call) => void): Alter =>
    around(operation, async (call, honest) => {
      const before = { ...find(call) } as Thing
      const answer = await honest()
      const thing = answer.refused === undefined ? find(call, answer) : undefined
      if (thing !== undefined) change(thing, before, call)
      return answer
    })

/** Gives a contact to all participants of these collaborations. Their status stays: a guest may still be joining. */
function spread({ firstname, lastname, email }: Contact, collaborations: Iterable<Collaboration>): void {
  for (const { participants } of collaborations)
    for (const other of participants.values()) Object.assign(other, { firstname, lastname, email })
}

const contactFaults = rowsOf(changing(update, participantIn), 'update-participant/updates', {
  'contact-not-kept': [
    'An update of a contact is accepted and forgotten.',
    (contact, before) =>
      Object.assign(contact, { firstname: undefined, lastname: undefined, email: undefined }, before),
  ],
  'contact-address-not-kept': [
    'Of a contact everything is kept but the address.',
    (contact) => Object.assign(contact, { email: 'somebody@example.com' }),
  ],
  'contact-for-all-collaborations': [
    'An update of a contact changes that participant in every collaboration.',
    (contact, _, { store }) => spread(contact, store.collaborations.values()),
  ],
  'contact-plus-lost': [
    'A plus sign in the address of a contact is kept as a space.',
    (contact) => Object.assign(contact, { email: contact.email?.replaceAll('+', ' ') }),
  ],
  'contact-kept-as-latin-1': [
    'Letters beyond Latin-1 in the name of a contact are kept garbled.',
    (contact) =>
      Object.assign(contact, { lastname: Buffer.from(contact.lastname ?? '', 'latin1').toString('latin1') }),
  ],
  'contact-for-all-participants': [
    'An update of a contact changes every participant of the collaboration.',
    (contact, _, call) => spread(contact, [collaborationIn(call) as Collaboration]),
  ],
})

const runFaults = rowsOf(changing(run, runIn), 'update-task-run/updates', {
  'run-status-not-kept': [
    'An update of a run is accepted and its status forgotten.',
    (updated, { status }) => Object.assign(updated, { status }),
  ],
  'run-result-not-kept': [
    'An update of a run is accepted and its result forgotten.',
    (updated) => Object.assign(updated, { result: undefined }),
  ],
  'run-result-plus-lost': [
    'A plus sign in the result of a run is kept as a space.',
    (updated) => Object.assign(updated, { result: updated.result?.replaceAll('+', ' ') }),
  ],
  'run-result-for-all-runs': [
    'An update of a run gives its result to every run.',
    ({ result }, _, { store }) => {
      if (result === undefined) return
      for (const { runs } of store.tasks.values()) for (const other of runs.values()) other.result = result
    },
  ],
})

const addedIn = (call: Call, answer?: Answer) =>
  answer === undefined ? undefined : collaborationIn(call)?.workspaces.get(addedId(answer))

const workspaceFaults = rowsOf(changing(add, addedIn), 'add-workspace/creates', {
  'workspace-listed-without-description': [
    'A workspace keeps no description, although the answer shows it.',
    (workspace) => Object.assign(workspace, { description: '' }),
  ],
  'workspace-added-twice': [
    'A workspace is added twice.',
    (workspace, _, call) => createWorkspace(call.parts, collaborationIn(call) as Collaboration, workspace),
  ],
  'workspace-linked-with-first-group': [
    'A workspace is linked with the group of the first workspace of its collaboration.',
    (workspace, _, call) => {
      const { workspaces, hostPortalId } = collaborationIn(call) as Collaboration
      const [{ portalGroupId }] = [...workspaces.values()] as [Workspace]
      const link = workspace.links?.get(hostPortalId)
      if (link !== undefined) link.groupId = portalGroupId
      workspaces.set(workspace.id, { ...workspace, portalGroupId })
    },
  ],
})

const federationFaults = rowsOf(changing(federation, federationIn), 'update-federation/updates', {
  'federation-not-kept': [
    'An update of a federation is accepted and forgotten.',
    (updated, { settings }) => Object.assign(updated, { settings }),
  ],
  'federation-entity-not-kept': [
    'Of a federation everything is kept but the entity id.',
    ({ settings }) => Object.assign(settings, { entityId: 'urn:same' }),
  ],
  'federation-certificate-kept': [
    'The first certificate of a federation is kept, whatever later updates send.',
    ({ settings }, { settings: { certificate } }) =>
      certificate !== undefined && Object.assign(settings, { certificate }),
  ],
  'federation-first-group-only': [
    'Of the groups of a federation, only the first is kept.',
    ({ settings }) => {
      const [first] = groupIdsOf(settings.groups ?? '') ?? []
      if (first !== undefined) settings.groups = first
    },
  ],
})

/** Refuses like the honest portal, but performs the request. */
const secretly = (operation: OperationId, whom: (call: Call) => boolean): Alter =>
  around(operation, async (call, honest) => {
    const answer = await honest()
    if (answer.refused === undefined || !whom(call)) return answer
    const { params, store } = call
    const user = store.users.get(operation === sync ? 'sync_initiator' : 'host_administrator')
    await honest({ ...call, user, params: { ...params, portalID: store.portals.host } })
    return answer
  })

const isMember = ({ user }: Call): boolean => user?.role === 'user'
const isOfOtherGuest = ({ user }: Call): boolean => user?.organization === 'otherGuest'
const isGuestAtHome = (call: Call): boolean =>
  isGuestAdministrator(call) && call.params.portalID !== call.store.portals.host

const secretFaults = (
  [
    ['guests-update', update, isGuestAdministrator, 'update-participant/refuses-guest'],
    ['members-update', update, isMember, 'update-participant/refuses-non-administrator'],
    ['anonymous-updates', update, isAnonymous, 'update-participant/refuses-anonymous'],
    ['guests-add', add, isGuestAdministrator, 'add-workspace/refuses-guest'],
    ['members-add', add, isMember, 'add-workspace/refuses-non-administrator'],
    ['anonymous-adds', add, isAnonymous, 'add-workspace/refuses-anonymous'],
    ['invalid-credential-adds', add, hasInvalidCredential, 'add-workspace/refuses-invalid-credential'],
    ['anonymous-syncs', sync, isAnonymous, 'sync-workspace/refuses-anonymous'],
    ['others-sync', sync, isOfOtherGuest, 'sync-workspace/refuses-non-designated'],
    ['members-update-federation', federation, isMember, 'update-federation/refuses-non-administrator'],
    ['guests-update-federation', federation, isGuestAtHome, 'update-federation/refuses-other-organization'],
  ] as const satisfies readonly (readonly [string, OperationId, (call: Call) => boolean, RequirementId])[]
).map(
  ([who, operation, whom, requirement]): WrittenFault => ({
    id: `${who}-secretly`,
    sentence: `${operation} is refused and done: ${words(who)}.`,
    breaks: [requirement],
    alter: secretly(operation, whom),
  }),
)

const otherFaults = faultsOf({
  'run-result-without-status': {
    sentence: 'A result without a status is refused and kept.',
    breaks: ['update-task-run/status-required'],
    alter: afterRefused(run, ['missing-status'], (call) =>
      Object.assign(runIn(call) ?? {}, { result: call.form.get('result') ?? '' }),
    ),
  },
  'folder-not-used': {
    sentence: 'Items that are reassigned go to the root, whatever folder is named.',
    breaks: ['reassign-items/folder-created'],
    alter: afterAccepted(reassign, (call) => {
      for (const item of itemsIn(call)) item.folder = ''
    }),
  },
  'folder-not-made': {
    sentence: 'The folder that is named for reassigned items is not made.',
    breaks: ['reassign-items/folder-created'],
    alter: afterAccepted(reassign, (call) =>
      targetOf(call)?.folders.delete(call.form.get('targetFoldername') ?? ''),
    ),
  },
  'long-name-added-shortened': {
    sentence: 'A workspace whose name is too long is refused and added under a shorter one.',
    breaks: ['add-workspace/name-limit-rejects'],
    alter: around(add, async (call, honest) => {
      const answer = await honest()
      if (answer.refused !== 'name-too-long') return answer
      const name = 'collaborationWorkspaceName'
      const shorter = (call.form.get(name) ?? '').slice(0, 100)
      await honest({ ...call, form: call.form.with(name, shorter) })
      return answer
    }),
  },
  'sync-not-started': {
    sentence: 'A sync is accepted, and none is started.',
    breaks: ['sync-workspace/starts'],
    alter: afterAccepted(sync, (call) => workspaceIn(call)?.syncs.pop()),
  },
  'refused-delete-empties': {
    sentence: 'A refused delete without credentials removes the workspaces of the collaboration.',
    breaks: ['delete-collaboration/refuses-anonymous'],
    mayBreak: ['delete-collaboration/refused-delete-has-no-effect'],
    alter: afterRefused('delete-collaboration', ['token-required'], (call) =>
      collaborationIn(call)?.workspaces.clear(),
    ),
  },
})

export const unseenFaults: readonly WrittenFault[] = [
  ...contactFaults,
  ...runFaults,
  ...workspaceFaults,
  ...federationFaults,
  ...secretFaults,
  ...otherFaults,
]
