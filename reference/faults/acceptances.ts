/** Faults that accept invalid requests, always or where something else holds. */
import { requirementOf } from '../../specs/requirements.ts'
import { all, changeCall, changeParts, overlook, replacing } from '../alterations.ts'
import { collaborationIn, isOwner, itemIdsIn, itemsIn, targetOf } from '../handlers.ts'
import type { Alter, Call, Parts } from '../parts.ts'
import { isAdministrator } from '../users.ts'
import { moveAll } from './effects.ts'
import {
  type Broken,
  hasNoResult,
  isCustom,
  namesFolder,
  namesSynchronous,
  placesOf,
  requirementsOf,
  type WrittenFault,
} from './fault.ts'
import { federation, reassign, run, sync, update } from './operation-names.ts'

type Condition = (call: Call) => boolean

const isRunOfAnyTask: Condition = ({ store, params }) =>
  [...store.tasks.values()].some(({ runs }) => runs.has(params.runID as string))

const isTaskOfAnyUser: Condition = ({ store, params }) => store.tasks.has(params.taskID as string)

const isParticipantElsewhere: Condition = ({ store, params }) =>
  [...store.collaborations.values()].some(({ participants }) =>
    participants.has(params.participantPortalID as string),
  )

const hasSeveralWorkspaces: Condition = (call) => (collaborationIn(call)?.workspaces.size ?? 0) > 1

const targetExists: Condition = (call) => targetOf(call) !== undefined

const always: Condition = () => true

const overlooking = (rule: Parameters<typeof overlook>): Alter => overlook(...rule)

const runOfTask = 'update-task-run/run-of-task'
const statusRequired = 'update-task-run/status-required'

const runFaults = placesOf(overlooking, 'An invalid update of a run is accepted', runOfTask, {
  // An empty status counts as missing here, and the list of statuses is closed.
  'run-status-not-required': [
    [run, 'missing-status'],
    { breaks: [statusRequired], mayBreak: ['update-task-run/statuses'] },
  ],
  'run-status-not-required-with-empty-result': [
    [run, 'missing-status', ({ form }) => form.get('result') === ''],
    statusRequired,
  ],
  'empty-run-status-accepted': [
    [run, 'missing-status', ({ form }) => form.get('status') === ''],
    'update-task-run/statuses',
  ],
  'any-run-status-accepted': [[run, 'unknown-status'], 'update-task-run/statuses'],
  'unknown-run-accepted': [
    [run, 'unknown-run'],
    ['update-task-run/unknown-run', runOfTask],
  ],
  'run-under-any-task': [[run, 'unknown-run', isRunOfAnyTask]],
  'run-under-any-task-without-result': [
    [run, 'unknown-run', (call) => hasNoResult(call) && isRunOfAnyTask(call)],
  ],
  'unknown-task-accepted': [
    [run, 'unknown-task'],
    ['update-task-run/unknown-run', runOfTask],
  ],
  'task-under-any-user': [[run, 'unknown-task', isTaskOfAnyUser]],
})

/** Runs that a check draws one after the other are often of the same task. */
const fewTaskFaults = placesOf(
  (condition: Condition) => all(overlook(run, 'unknown-run', condition), replacing({ runsOfTask: 4 })),
  'Four runs in a row are of the same task, and an invalid update of a run is accepted',
  runOfTask,
  { 'run-under-any-of-few-tasks': [isRunOfAnyTask] },
)

const itemsRequired = 'reassign-items/items-required'
const targetRequired = 'reassign-items/target-required'
const notTheirItem = 'reassign-items/not-their-item'
const unknownTarget = 'reassign-items/unknown-target'
const inOrganization = 'reassign-items/target-in-organization'
const someTarget: Broken = { breaks: [unknownTarget], mayBreak: [inOrganization] }

const reassignFaults = placesOf(
  overlooking,
  'An invalid reassignment is accepted',
  'reassign-items/unknown-item',
  {
    'items-not-required': [[reassign, 'missing-items'], itemsRequired],
    'owner-names-no-items': [[reassign, 'missing-items', isOwner], itemsRequired],
    'custom-administrator-names-no-items': [[reassign, 'missing-items', isCustom], itemsRequired],
    'unknown-item-accepted': [[reassign, 'unknown-item']],
    'unknown-items-accepted-with-folder': [[reassign, 'unknown-item', namesFolder]],
    'items-of-others-given-away': [
      [reassign, 'not-their-item', always, moveAll],
      {
        breaks: [notTheirItem, 'reassign-items/ownership-moves'],
        mayBreak: ['reassign-items/concurrent-one-wins'],
      },
    ],
    'items-of-others-given-away-by-custom-administrator': [
      [reassign, 'not-their-item', isCustom, moveAll],
      notTheirItem,
    ],
    'items-of-others-given-away-into-folders-by-administrators': [
      [reassign, 'not-their-item', (call) => namesFolder(call) && isAdministrator(call.user), moveAll],
      {
        breaks: [notTheirItem],
        mayBreak: ['reassign-items/ownership-moves', 'reassign-items/concurrent-one-wins'],
      },
    ],
    'own-items-given-away-on-paths-of-others': [
      [
        reassign,
        'forbidden',
        (call) => !isOwner(call) && itemsIn(call).some(({ owner }) => owner === call.user?.username),
        moveAll,
      ],
      { breaks: [notTheirItem], mayBreak: ['reassign-items/refuses-other-user'] },
    ],
    'first-hundred-items-taken': [
      [reassign, 'too-many-items', always, (call) => moveAll(call, itemIdsIn(call).slice(0, 100))],
      'reassign-items/items-limit-rejects',
    ],
    'target-not-required': [[reassign, 'missing-target'], targetRequired],
    'custom-administrator-names-no-target': [[reassign, 'missing-target', isCustom], targetRequired],
    'unknown-target-accepted': [
      [reassign, 'unknown-target', always, moveAll],
      [unknownTarget, inOrganization],
    ],
    'targets-elsewhere-accepted-with-folder': [
      [reassign, 'unknown-target', namesFolder, moveAll],
      someTarget,
    ],
    'target-of-other-organization-accepted': [
      [reassign, 'unknown-target', targetExists, moveAll],
      inOrganization,
    ],
    'owner-gives-to-other-organization': [
      [reassign, 'unknown-target', (call) => isOwner(call) && targetExists(call), moveAll],
      inOrganization,
    ],
  },
)

/** Deleted workspaces do not exist either. */
const unknownWorkspace: Broken = {
  breaks: ['sync-workspace/unknown-workspace'],
  mayBreak: ['add-workspace/id-works', 'delete-collaboration/sharing-stops'],
}

const pathFaults = placesOf(overlooking, 'What a path names need not exist', unknownWorkspace, {
  'unknown-workspace-syncs': [[sync, 'unknown-workspace']],
  'unknown-workspace-synced-synchronously': [[sync, 'unknown-workspace', namesSynchronous]],
  'unknown-workspace-of-several-syncs': [
    [sync, 'unknown-workspace', hasSeveralWorkspaces],
    { ...unknownWorkspace, dependsOn: 'earlier requests' },
  ],
  'unknown-participant-accepted': [[update, 'unknown-participant'], 'update-participant/unknown-participant'],
  'participant-of-other-collaboration-updated': [
    [update, 'unknown-participant', isParticipantElsewhere],
    'update-participant/unknown-participant',
  ],
  'sync-in-unknown-collaboration': [
    [sync, 'unknown-collaboration'],
    ['sync-workspace/unknown-collaboration', 'delete-collaboration/sharing-stops'],
  ],
  'participant-of-unknown-collaboration': [
    [update, 'unknown-collaboration'],
    ['update-participant/unknown-collaboration', 'delete-collaboration/gone-after-delete'],
  ],
  'unknown-federation-accepted': [[federation, 'unknown-federation'], 'update-federation/unknown-federation'],
})

/** Drops the unknown ids for which the condition holds from the list, unless all are unknown. */
const passingOver = (concerns: (call: Call, at: number) => boolean): Alter =>
  changeCall(reassign, (call) => {
    const known = itemIdsIn(call).filter((id, at) => call.store.items.has(id) || !concerns(call, at))
    return known.length === 0 ? call : { ...call, form: call.form.with('items', known.join(',')) }
  })

const passedOverFaults = placesOf(
  passingOver,
  'Ids that no item has are passed over beside others, and those move',
  'reassign-items/unknown-item',
  {
    'unknown-items-passed-over': [always],
    'unknown-items-passed-over-for-owner': [isOwner],
    'unknown-item-in-the-middle-passed-over': [(call, at) => at > 0 && at < itemIdsIn(call).length - 1],
  },
)

/** Serves some reassignments with other parts. */
const excusing =
  (altered: (parts: Parts) => Partial<Parts>) =>
  (concerns: Condition): Alter =>
  (parts) =>
    changeParts(reassign, concerns, altered(parts))(parts)

const limitFaults = placesOf(
  excusing(({ limits }) => ({ limits: { ...limits, items: 10_000 } })),
  'More than 100 items are accepted',
  'reassign-items/items-limit-rejects',
  {
    'hundred-and-one-items-accepted': [(call) => itemIdsIn(call).length === 101],
    'items-over-160-accepted': [(call) => itemIdsIn(call).length > 160],
    'too-many-items-with-folder': [namesFolder],
    'too-many-items-for-custom-administrator': [isCustom],
    'too-many-items-for-owner': [isOwner],
  },
)

const eligibilityFaults = placesOf(
  excusing(() => ({ eligible: () => true })),
  'Items go to a user who lacks the privileges to receive them',
  {
    breaks: ['reassign-items/ineligible-target'],
    // Without a refusal there is no error to check.
    mayBreak: requirementsOf(reassign).filter((id) => {
      const { section, unaffected } = requirementOf(id)
      return section === '7' || unaffected === true
    }),
  },
  {
    'ineligible-target-accepted': [always],
    'ineligible-target-accepted-with-folder': [namesFolder],
    'ineligible-target-accepted-for-owner': [isOwner],
  },
)

/** Faults that accept invalid requests. */
export const acceptanceFaults: readonly WrittenFault[] = [
  ...runFaults,
  ...fewTaskFaults,
  ...reassignFaults,
  ...pathFaults,
  ...passedOverFaults,
  ...limitFaults,
  ...eligibilityFaults,
]
