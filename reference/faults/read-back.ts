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
  syncModeOf,
  targetOf,
  workspaceIn,
} from '../handlers.ts'
import type { Alter, Answer, Call } from '../parts.ts'
import type { Collaboration, Contact } from '../store.ts'
import { isGuestAdministrator } from '../users.ts'
import { faultsOf, placesOf, type WrittenFault, words } from './fault.ts'
import { add, federation, reassign, run, sync, update } from './operation-names.ts'

/** Longer than pages are late, in ms. */
const besideMs = 1000

/** Long enough to read a page twice, in ms. */
const shortMs = 200

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

const contactFaults = placesOf(
  changing(update, participantIn),
  'A contact is not kept as sent',
  'update-participant/updates',
  {
    'contact-not-kept': [
      (contact, before) =>
        Object.assign(contact, { firstname: undefined, lastname: undefined, email: undefined }, before),
    ],
    'contact-address-not-kept': [(contact) => Object.assign(contact, { email: 'somebody@example.com' })],
    'contact-for-all-collaborations': [
      (contact, _, { store }) => spread(contact, store.collaborations.values()),
    ],
    'contact-name-for-all-collaborations': [
      ({ lastname }, _, { store }) => {
        for (const { participants } of store.collaborations.values())
          for (const other of participants.values()) Object.assign(other, { lastname })
      },
    ],
    'contact-plus-lost': [
      (contact) => Object.assign(contact, { email: contact.email?.replaceAll('+', ' ') }),
    ],
    'contact-kept-as-latin-1': [
      (contact) =>
        Object.assign(contact, {
          lastname: Buffer.from(contact.lastname ?? '', 'latin1').toString('latin1'),
        }),
    ],
    'contact-for-all-participants': [
      (contact, _, call) => spread(contact, [collaborationIn(call) as Collaboration]),
    ],
    'contact-for-all-guests': [
      ({ firstname, lastname, email }, _, call) => {
        const { participants, hostPortalId } = collaborationIn(call) as Collaboration
        for (const [id, other] of participants)
          if (id !== hostPortalId) Object.assign(other, { firstname, lastname, email })
      },
    ],
    'contact-spaces-escaped': [
      (contact, _, { arrival }) =>
        arrival.body.includes('%20') &&
        Object.assign(contact, { firstname: contact.firstname?.replaceAll(' ', '%20') }),
    ],
  },
)

const runFaults = placesOf(changing(run, runIn), 'A run is not kept as sent', 'update-task-run/updates', {
  'run-status-not-kept': [(updated, { status }) => Object.assign(updated, { status })],
  'run-result-not-kept': [(updated) => Object.assign(updated, { result: undefined })],
  'run-result-plus-lost': [
    (updated) => Object.assign(updated, { result: updated.result?.replaceAll('+', ' ') }),
  ],
  'run-result-for-all-runs': [
    ({ result }, _, { store }) => {
      if (result === undefined) return
      for (const { runs } of store.tasks.values()) for (const other of runs.values()) other.result = result
    },
  ],
})

const addedIn = (call: Call, answer?: Answer) =>
  answer === undefined ? undefined : collaborationIn(call)?.workspaces.get(addedId(answer))

const workspaceFaults = placesOf(
  changing(add, addedIn),
  'A workspace is not kept as sent',
  'add-workspace/creates',
  {
    'workspace-listed-without-description': [(workspace) => Object.assign(workspace, { description: '' })],
    'workspace-listed-with-short-description': [
      (workspace) => Object.assign(workspace, { description: workspace.description.slice(0, 100) }),
    ],
    'workspace-added-twice': [
      (workspace, _, call) => createWorkspace(call.parts, collaborationIn(call) as Collaboration, workspace),
    ],
  },
)

const federationFaults = placesOf(
  changing(federation, federationIn),
  'A federation is not kept as sent',
  'update-federation/updates',
  {
    'federation-not-kept': [(updated, { settings }) => Object.assign(updated, { settings })],
    'federation-entity-not-kept': [({ settings }) => Object.assign(settings, { entityId: 'urn:same' })],
    'federation-certificate-kept': [
      ({ settings }, { settings: { certificate } }) =>
        certificate !== undefined && Object.assign(settings, { certificate }),
    ],
    'federation-first-group-only': [
      ({ settings }) => {
        const [first] = groupIdsOf(settings.groups ?? '') ?? []
        if (first !== undefined) settings.groups = first
      },
    ],
  },
)

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

/** Starts short syncs beside a scheduled one, where the request is one of those. */
const shortBesideScheduled = (which: (call: Call) => boolean): Alter =>
  around(sync, async (call, honest) => {
    const workspace = workspaceIn(call)
    const running = workspace?.sync
    if (workspace === undefined || running?.scheduled !== true || !which(call)) return honest()
    const { syncMs } = workspace
    delete workspace.sync
    workspace.syncMs = shortMs
    const answered = honest()
    workspace.syncMs = syncMs
    workspace.sync = running
    return answered
  })

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
  'sync-not-started': {
    sentence: 'A sync is accepted, and none is started.',
    breaks: ['sync-workspace/starts'],
    alter: afterAccepted(sync, (call) => workspaceIn(call)?.syncs.pop()),
  },
  'contact-address-refused-and-kept': {
    sentence: 'The e-mail address of an anonymous update of a participant is refused and kept.',
    breaks: ['update-participant/refuses-anonymous'],
    alter: afterRefused(update, ['token-required'], (call) =>
      Object.assign(participantIn(call) ?? {}, { email: call.form.get('contactEmailAddress') }),
    ),
  },
  'sync-beside-scheduled-one': {
    sentence: 'A sync runs beside a scheduled one, and is answered once both are over.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter: around(sync, async (call, honest) => {
      const workspace = workspaceIn(call)
      const running = workspace?.sync
      if (workspace === undefined || running?.scheduled !== true) return honest()
      delete workspace.sync
      workspace.syncMs += besideMs
      const answer = await honest()
      workspace.syncMs -= besideMs
      workspace.sync ??= running
      await running.done
      return answer
    }),
  },
  'short-sync-beside-scheduled-one': {
    sentence: 'A short sync runs beside a scheduled one, and ends before it.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter: shortBesideScheduled(() => true),
  },
  'short-asynchronous-sync-beside-scheduled-one': {
    sentence: 'A short asynchronous sync runs beside a scheduled one, and ends before it.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter: shortBesideScheduled((call) => syncModeOf(call) === 'asynchronous'),
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
