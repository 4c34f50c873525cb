/** Faults in the effects of a request: too small, too large, or carried over into the next request. */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  afterAccepted,
  afterRefused,
  alsoMay,
  around,
  changeAccepted,
  changeAdded,
  changeMay,
  changeParts,
  keepDeleted,
  lastAsked,
  refuseWhen,
  seenBefore,
  showDeleted,
} from '../alterations.ts'
import { collaborationIn, itemIdsIn, itemsIn, participantIn, workspaceIn } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import type { Item, Workspace } from '../store.ts'
import { forCaller } from '../users.ts'
import { faultsOf, requirementsOf } from './fault.ts'
import { echo } from './update-task-run.ts'

/** Accepts the request and then returns some items to their owner. */
const giveBack = (picked: (items: Item[], call: Call) => Item[]): Alter =>
  afterAccepted('reassign-items', (call) => {
    for (const item of picked(itemsIn(call), call)) item.owner = call.params.userName as string
  })

/** Acts although the caller's delete was refused. */
const afterRefusedDelete = (act: (call: Call) => void): Alter =>
  afterRefused('delete-collaboration', ['forbidden', 'token-required'], act)

/** Effects that are too small, too large, or on the wrong object. */
export const partialEffectFaults = faultsOf({
  'refused-delete-drops-participants': {
    sentence: 'A refused delete takes the participants away, and leaves the rest.',
    breaks: ['delete-collaboration/refused-delete-has-no-effect'],
    alter: afterRefusedDelete((call) => collaborationIn(call)?.participants.clear()),
  },
  'refused-delete-stops-syncs': {
    sentence: 'After a refused delete the workspaces cannot be synced any more.',
    breaks: ['delete-collaboration/refused-delete-has-no-effect'],
    alter(parts) {
      const stopped = new Set<unknown>()
      afterRefusedDelete(({ params }) => stopped.add(params.collaborationID))(parts)
      changeMay('sync', (may, _call, { id }) => may && !stopped.has(id))(parts)
    },
  },
  'delete-refused-with-workspaces': {
    sentence: 'A collaboration that has a workspace cannot be deleted.',
    breaks: ['delete-collaboration/deletes'],
    alter: refuseWhen('delete-collaboration', 'bad-value', (call) => {
      const { workspaces } = collaborationIn(call) ?? {}
      return workspaces !== undefined && workspaces.size > 0
    }),
  },
  'deleted-comes-back': {
    sentence: 'A deleted collaboration refuses the first workspace, and takes the next.',
    breaks: ['delete-collaboration/gone-after-delete'],
    alter(parts) {
      const refused = seenBefore<string>()
      showDeleted(({ id }, operation) => operation === 'add-workspace' && refused(id))(parts)
    },
  },
  'foreign-item-rides-along': {
    sentence: 'Of the items of a request only the first is checked for its owner.',
    breaks: ['reassign-items/not-their-item'],
    alter: around('reassign-items', (call, honest) => {
      const owner = call.store.users.get(call.params.userName as string)
      const [first, ...rest] = itemsIn(call)
      if (owner !== undefined && first?.owner === owner.username && call.parts.may.reassign(call, owner))
        for (const item of rest) item.owner = owner.username
      return honest()
    }),
  },
  'only-fifty-items-move': {
    sentence: 'Of more than 50 items the first 50 move, and the request is accepted.',
    breaks: ['reassign-items/ownership-moves'],
    alter: giveBack((items) => items.slice(50)),
  },
  'items-stay-where-folder-is-named': {
    sentence: 'A reassignment that names a folder is accepted, but the items stay where they are.',
    breaks: ['reassign-items/ownership-moves'],
    mayBreak: ['reassign-items/concurrent-one-wins'],
    alter: giveBack((items, { form }) => (form.get('targetFoldername') === undefined ? [] : items)),
  },
  'custom-administrator-moves-nothing': {
    sentence: 'A reassignment by a custom administrator is accepted, but the items stay where they are.',
    breaks: ['reassign-items/ownership-moves'],
    alter: giveBack((items, { user }) => (user?.role === 'custom' ? items : [])),
  },
  'former-owner-refused': {
    sentence: 'An item cannot be given back to a user who has had it before.',
    breaks: ['reassign-items/ownership-moves'],
    alter(parts) {
      const former = new Set<string>()
      afterAccepted('reassign-items', (call) => {
        for (const { id } of itemsIn(call)) former.add(`${id} ${call.params.userName}`)
      })(parts)
      refuseWhen('reassign-items', 'bad-value', (call) =>
        itemsIn(call).some(({ id }) => former.has(`${id} ${call.form.get('targetUsername')}`)),
      )(parts)
    },
  },
  'missing-target-orphans-items': {
    sentence: 'Without targetUsername the request is refused, but the items have no owner any more.',
    breaks: ['reassign-items/target-required'],
    mayBreak: requirementsOf('protocol'),
    alter: afterRefused('reassign-items', ['missing-target'], (call) => {
      for (const item of itemsIn(call)) item.owner = ''
    }),
  },
})

const add = 'add-workspace'

/** Faults in which a refused text, a refused caller, a deletion or another answer affects the next request. */
export const leftBehindFaults = faultsOf({
  'second-of-two-workspaces-lost': {
    sentence: 'Of two workspaces that are added to a collaboration at once one is not stored.',
    breaks: ['add-workspace/id-works'],
    mayBreak: requirementsOf('add-workspace'),
    alter(parts) {
      const underWay = new Set<unknown>()
      around(add, async (call, honest) => {
        const { collaborationID } = call.params
        const isSecond = underWay.has(collaborationID)
        underWay.add(collaborationID)
        await sleep(5)
        const answer = await honest()
        underWay.delete(collaborationID)
        if (isSecond && answer.refused === undefined)
          collaborationIn(call)?.workspaces.delete((answer.body.workspace as { id: string }).id)
        return answer
      })(parts)
    },
  },
  'refused-delete-remembered': {
    sentence: 'A delete that was refused to somebody is refused to everybody from then on.',
    breaks: ['delete-collaboration/deletes'],
    mayBreak: requirementsOf('delete-collaboration', 'protocol'),
    alter(parts) {
      const tried = new Set<unknown>()
      afterRefused('delete-collaboration', ['forbidden', 'token-required'], ({ params }) =>
        tried.add(params.collaborationID),
      )(parts)
      refuseWhen('delete-collaboration', 'forbidden', ({ params }) => tried.has(params.collaborationID))(
        parts,
      )
    },
  },
  'items-given-back-stay': {
    sentence: 'An item that was given back cannot be given away a second time by the same owner.',
    breaks: ['reassign-items/ownership-moves'],
    mayBreak: requirementsOf('reassign-items'),
    alter(parts) {
      const given = new Set<string>()
      const keysOf = (call: Call) => itemIdsIn(call).map((id) => `${call.params.userName}/${id}`)
      afterAccepted('reassign-items', (call) => {
        for (const key of keysOf(call)) given.add(key)
      })(parts)
      refuseWhen('reassign-items', 'not-their-item', (call) => keysOf(call).some((key) => given.has(key)))(
        parts,
      )
    },
  },
  'workspace-answers-mixed-up': {
    sentence:
      'Of workspaces that are added at the same moment all are answered with the collaboration of the last one.',
    breaks: ['add-workspace/collaboration-id'],
    alter(parts) {
      const last = lastAsked(parts, add)
      changeAdded(() => ({ collaborationId: last().params.collaborationID }))(parts)
    },
  },
  'workspace-names-mixed-up': {
    sentence:
      'Of workspaces that are added at the same moment all are answered with the name of the last one.',
    breaks: ['add-workspace/name-kept'],
    // Another name than the one sent looks like a misread form.
    mayBreak: requirementsOf(add, 'protocol'),
    alter(parts) {
      const last = lastAsked(parts, add)
      changeAdded((_, { name }) => ({
        name: last().form.get('collaborationWorkspaceName') ?? name,
      }))(parts)
    },
  },
  'run-answers-mixed-up': {
    sentence: 'Of runs that are updated at the same moment all are answered with the ids of the last one.',
    breaks: ['update-task-run/identifiers'],
    alter(parts) {
      const last = lastAsked(parts, 'update-task-run')
      changeAccepted('update-task-run', () => echo(last()))(parts)
    },
  },
  'federation-answers-mixed-up': {
    sentence:
      'Of federations that are updated at the same moment all are answered with the id of the last one.',
    breaks: ['update-federation/identifier'],
    alter(parts) {
      const last = lastAsked(parts, 'update-federation')
      changeAccepted('update-federation', () => ({ federationId: last().params.federationID }))(parts)
    },
  },
  'name-of-the-refused-one': {
    sentence: 'After a workspace was refused for its name, the next one gets the beginning of that name.',
    breaks: ['add-workspace/name-kept'],
    // The old name may show in the answer to any request, even one in an unusual form.
    mayBreak: requirementsOf(add, 'protocol'),
    alter(parts) {
      let left: string | undefined
      around(add, async (call, honest) => {
        const name = call.form.get('collaborationWorkspaceName')
        const answer = await honest()
        if (answer.refused === 'name-too-long') left = name?.slice(0, 100)
        if (answer.refused !== undefined || left === undefined) return answer
        const { workspace } = answer.body as { workspace: object }
        const body = { ...answer.body, workspace: { ...workspace, name: left } }
        left = undefined
        return { ...answer, body }
      })(parts)
    },
  },
  'first-workspace-without-limits': {
    sentence: 'The limits of texts are looked at once a collaboration has a workspace.',
    breaks: ['add-workspace/name-limit-rejects', 'add-workspace/description-limit-rejects'],
    alter: changeParts(add, (call) => collaborationIn(call)?.workspaces.size === 0, { fits: () => true }),
  },
  'first-workspace-by-anybody': {
    sentence: 'No one is asked who he is who adds the first workspace of a collaboration.',
    breaks: [
      'add-workspace/refuses-guest',
      'add-workspace/refuses-non-administrator',
      'add-workspace/refuses-anonymous',
    ],
    mayBreak: ['add-workspace/refuses-invalid-credential'],
    alter: alsoMay('addWorkspace', (_call, { workspaces }) => workspaces.size === 0),
  },
  'second-delete-brings-back': {
    sentence: 'A second delete of a collaboration is refused, and brings it back.',
    breaks: ['delete-collaboration/gone-after-delete'],
    mayBreak: ['delete-collaboration/delete-twice', 'delete-collaboration/concurrent-once'],
    alter(parts) {
      keepDeleted(parts)
      around('delete-collaboration', (call, honest) => {
        const collaboration = collaborationIn(call)
        if (collaboration?.deletedAt === undefined) return honest()
        delete collaboration.deletedAt
        return parts.refuse('unknown-collaboration')
      })(parts)
    },
  },
  'deletion-drops-participants-elsewhere': {
    sentence:
      'A delete takes the participants out of the collaborations in which one was updated since the last delete.',
    breaks: ['delete-collaboration/others-unaffected'],
    mayBreak: requirementsOf('update-participant', 'delete-collaboration', 'protocol'),
    alter(parts) {
      const updated = new Set<string>()
      afterAccepted('update-participant', ({ params }) => updated.add(params.collaborationID as string))(
        parts,
      )
      const honest = parts.remove
      parts.remove = (store, collaboration) => {
        for (const id of updated) store.collaborations.get(id)?.participants.clear()
        updated.clear()
        honest(store, collaboration)
      }
    },
  },
  'deleted-takes-participants': {
    sentence: 'Participants of a deleted collaboration can still be updated.',
    breaks: ['delete-collaboration/gone-after-delete'],
    alter: showDeleted((_collaboration, asked) => asked === 'update-participant'),
  },
  'deleted-participants-come-back': {
    sentence: 'A deleted collaboration refuses the first update of a participant, and takes the next.',
    breaks: ['delete-collaboration/gone-after-delete'],
    alter(parts) {
      const refused = seenBefore<string>()
      showDeleted(({ id }, asked) => asked === 'update-participant' && refused(id))(parts)
    },
  },
  'deleted-syncs-what-was-synced': {
    sentence: 'In a deleted collaboration those workspaces can be synced that were synced before.',
    breaks: ['delete-collaboration/sharing-stops'],
    alter(parts) {
      const honestly = parts.visible
      const wasSynced = (workspace?: Workspace) => workspace !== undefined && workspace.syncs.length > 0
      showDeleted(
        ({ workspaces }, asked) => asked === 'sync-workspace' && [...workspaces.values()].some(wasSynced),
      )(parts)
      changeMay(
        'sync',
        (may, call, collaboration) =>
          may && (honestly(collaboration, 'sync-workspace') || wasSynced(workspaceIn(call))),
      )(parts)
    },
  },
  'refused-update-drops-participant': {
    sentence: 'An update that is refused to its caller takes the participant out of the collaboration.',
    breaks: ['update-participant/updates'],
    mayBreak: requirementsOf('update-participant', 'protocol', 'delete-collaboration'),
    alter: afterRefused('update-participant', forCaller, (call) =>
      collaborationIn(call)?.participants.delete(call.params.participantPortalID as string),
    ),
  },
  'participants-updated-only-once': {
    sentence: 'A participant that was updated refuses every further update.',
    breaks: ['update-participant/updates'],
    mayBreak: requirementsOf('update-participant', 'protocol', 'delete-collaboration'),
    alter: refuseWhen('update-participant', 'being-edited', (call) => {
      const contact = participantIn(call)
      return contact?.email !== undefined
    }),
  },
  'second-workspace-not-synced': {
    sentence: 'Of the workspaces of a collaboration only the first can be synced.',
    breaks: ['sync-workspace/starts'],
    mayBreak: requirementsOf('sync-workspace', 'delete-collaboration', 'add-workspace', 'protocol'),
    alter: refuseWhen('sync-workspace', 'not-linked', (call) => {
      const [first] = collaborationIn(call)?.workspaces.keys() ?? []
      return first !== undefined && first !== call.params.workspaceID
    }),
  },
  'folders-of-others-refused': {
    sentence: 'A folder is refused where another user has one of that name.',
    breaks: ['reassign-items/folder-created'],
    mayBreak: requirementsOf('reassign-items', 'protocol'),
    alter: refuseWhen('reassign-items', 'bad-value', ({ form, store }) => {
      const folder = form.get('targetFoldername')
      const target = form.get('targetUsername')
      return (
        folder !== undefined &&
        [...store.users.values()].some(({ username, folders }) => username !== target && folders.has(folder))
      )
    }),
  },
})
