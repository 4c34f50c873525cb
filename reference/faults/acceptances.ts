/** Faults that accept invalid requests, always or where something else holds. */
import type { OperationId } from '../../specs/operations.ts'
import { requirementOf } from '../../specs/requirements.ts'
import { changeCall, changeParts, echoOf, overlook } from '../alterations.ts'
import type { Reason } from '../answers.ts'
import { collaborationIn, isOwner, itemIdsIn, itemsIn, targetOf } from '../handlers.ts'
import type { Alter, Answer, Call, Parts } from '../parts.ts'
import { moveAll } from './effects.ts'
import {
  type Breaks,
  type Broken,
  brokenOf,
  faultsOf,
  hasNoResult,
  isCustom,
  metBy,
  namesFolder,
  namesSynchronous,
  requirementsOf,
  type WrittenFault,
} from './fault.ts'

type Condition = (call: Call) => boolean

const add = 'add-workspace'
const run = 'update-task-run'
const reassign = 'reassign-items'
const sync = 'sync-workspace'
const participant = 'update-participant'

/** Forgets a rule for the requests for which the condition holds. */
type Forgetting = (concerns: Condition) => Alter

/** Accepts what the honest portal refuses for this reason. `fields`: those of the answer. */
const overlooking =
  (
    operation: OperationId,
    reason: Reason,
    fields: (call: Call) => Answer['body'] = echoOf,
    also: Condition = () => true,
  ): Forgetting =>
  (concerns) =>
    overlook(operation, reason, (call) => also(call) && concerns(call), fields)

/** Serves reassignments with other parts. */
const excusing =
  (altered: (parts: Parts) => Partial<Parts>): Forgetting =>
  (concerns) =>
  (parts) =>
    changeParts(reassign, concerns, altered(parts))(parts)

/** Drops the unknown ids for which the condition holds from the list, unless all are unknown. */
const passOverUnknown = (concerns: (call: Call, at: number) => boolean): Alter =>
  changeCall(reassign, (call) => {
    const known = itemIdsIn(call).filter((id, at) => call.store.items.has(id) || !concerns(call, at))
    return known.length === 0 ? call : { ...call, form: call.form.with('items', known.join(',')) }
  })

/** The fields of an answer with a workspace that no collaboration has. */
function unstoredWorkspace({ form, params, parts }: Call): Answer['body'] {
  const workspace = parts.viewWorkspace({
    id: parts.newId('workspace'),
    name: form.get('collaborationWorkspaceName') ?? '',
    description: form.get('collaborationWorkspaceDescription') ?? '',
    collaborationId: params.collaborationID as string,
    portalGroupId: '',
    created: parts.now(),
    modified: parts.now(),
    lastSyncSuccess: -1,
    syncMs: 0,
    syncs: [],
    copied: new Set(),
  })
  return { workspace }
}

const isRunOfAnyTask: Condition = ({ store, params }) =>
  [...store.tasks.values()].some(({ runs }) => runs.has(params.runID as string))

const isParticipantElsewhere: Condition = ({ store, params }) =>
  [...store.collaborations.values()].some(({ participants }) =>
    participants.has(params.participantPortalID as string),
  )

/** Whether the target may receive items, and can receive the first one. */
const canReceiveFirst: Condition = (call) => {
  const target = targetOf(call)
  const [first] = itemsIn(call)
  if (target === undefined || first === undefined) return false
  return call.parts.eligible(target) && call.parts.receivable(first, target)
}

type Place = readonly [where: string, concerns: Condition]

const always: Place = ['', () => true]
const forOwner: Place = [' where the owner asks', isOwner]
const forCustom: Place = [' where a custom administrator asks', isCustom]
const withFolder: Place = [' where a folder is named', namesFolder]

/** The faults that forget one rule. `accepted`: what is accepted without it. */
const forgetting = (
  accepted: string,
  breaks: Breaks,
  forget: Forgetting,
  places: Readonly<Record<string, Place | readonly [...Place, breaks: Breaks]>>,
): WrittenFault[] =>
  Object.entries(places).map(([id, [where, concerns, others = breaks]]) => ({
    id,
    sentence: `${accepted}${where}.`,
    ...brokenOf(others),
    alter: forget(concerns),
  }))

const runFaults = [
  ...forgetting(
    'An update without status is accepted',
    'update-task-run/status-required',
    overlooking(run, 'missing-status'),
    {
      // An empty status counts as missing here, and the list of statuses is closed.
      'run-status-not-required': [
        ...always,
        { breaks: ['update-task-run/status-required'], mayBreak: ['update-task-run/statuses'] },
      ],
      'run-status-not-required-with-empty-result': [
        ' where the result is empty',
        ({ form }) => form.get('result') === '',
      ],
      'empty-run-status-accepted': [
        ' where the status is empty',
        ({ form }) => form.get('status') === '',
        'update-task-run/statuses',
      ],
    },
  ),
  ...forgetting(
    'An update of a run that does not exist under the task is accepted',
    'update-task-run/run-of-task',
    overlooking(run, 'unknown-run'),
    {
      'unknown-run-accepted': [...always, ['update-task-run/unknown-run', 'update-task-run/run-of-task']],
      'run-under-any-task': [' where any task has the run', isRunOfAnyTask],
      'run-under-any-task-without-result': [
        ' where any task has the run, and no result is sent',
        (call) => hasNoResult(call) && isRunOfAnyTask(call),
      ],
    },
  ),
  ...forgetting(
    'An update of a run of a task that does not exist under the user is accepted',
    'update-task-run/run-of-task',
    overlooking(run, 'unknown-task'),
    {
      'unknown-task-accepted': [...always, ['update-task-run/unknown-run', 'update-task-run/run-of-task']],
      'task-under-any-user': [
        ' where any user has the task',
        ({ store, params }) => store.tasks.has(params.taskID as string),
      ],
    },
  ),
]

const listFaults = [
  ...forgetting(
    'A request without items is accepted',
    'reassign-items/items-required',
    overlooking(reassign, 'missing-items'),
    {
      'items-not-required': always,
      'owner-names-no-items': forOwner,
      'custom-administrator-names-no-items': forCustom,
    },
  ),
  ...forgetting(
    'A request with an id that no item has is accepted, and moves nothing',
    'reassign-items/unknown-item',
    overlooking(reassign, 'unknown-item'),
    { 'unknown-item-accepted': always, 'unknown-items-accepted-with-folder': withFolder },
  ),
  ...forgetting(
    'Ids that no item has are passed over beside others, and those move',
    'reassign-items/unknown-item',
    passOverUnknown,
    { 'unknown-items-passed-over': always, 'unknown-items-passed-over-for-owner': forOwner },
  ),
  ...forgetting(
    'Items are given away under the path of a user who does not own them',
    'reassign-items/not-their-item',
    overlooking(reassign, 'not-their-item', moveAll),
    {
      'items-of-others-given-away': [
        ...always,
        {
          breaks: ['reassign-items/not-their-item', 'reassign-items/ownership-moves'],
          mayBreak: ['reassign-items/concurrent-one-wins'],
        },
      ],
      'items-of-others-given-away-by-custom-administrator': forCustom,
      'foreign-items-given-away-with-folder': [
        ...withFolder,
        {
          breaks: ['reassign-items/not-their-item'],
          mayBreak: ['reassign-items/ownership-moves', 'reassign-items/refuses-other-user'],
        },
      ],
    },
  ),
  ...forgetting(
    'More than 100 items are accepted',
    'reassign-items/items-limit-rejects',
    excusing(({ limits }) => ({ limits: { ...limits, items: 10_000 } })),
    {
      'hundred-and-one-items-accepted': [' where 101 are named', (call) => itemIdsIn(call).length === 101],
      'items-over-160-accepted': [' where more than 160 are named', (call) => itemIdsIn(call).length > 160],
      'too-many-items-with-folder': withFolder,
      'too-many-items-for-custom-administrator': forCustom,
    },
  ),
]

const targetFaults = [
  ...forgetting(
    'A request without targetUsername is accepted, and moves nothing',
    'reassign-items/target-required',
    overlooking(reassign, 'missing-target'),
    { 'target-not-required': always, 'custom-administrator-names-no-target': forCustom },
  ),
  ...forgetting(
    'Items can be given to a user who does not exist or is of another organization',
    { breaks: ['reassign-items/unknown-target'], mayBreak: ['reassign-items/target-in-organization'] },
    overlooking(reassign, 'unknown-target', moveAll),
    {
      'unknown-target-accepted': [
        ...always,
        ['reassign-items/unknown-target', 'reassign-items/target-in-organization'],
      ],
      'targets-elsewhere-accepted-with-folder': withFolder,
    },
  ),
  ...forgetting(
    'Items can be given to a user of another organization',
    'reassign-items/target-in-organization',
    overlooking(reassign, 'unknown-target', moveAll, (call) => targetOf(call) !== undefined),
    {
      'target-of-other-organization-accepted': always,
      'owner-gives-to-other-organization': forOwner,
      'custom-administrator-gives-to-other-organization': forCustom,
    },
  ),
  ...forgetting(
    'Items go to a user who lacks the privileges to receive them',
    {
      breaks: ['reassign-items/ineligible-target'],
      // Without a refusal there is no error to check.
      mayBreak: requirementsOf(reassign).filter((id) => {
        const { section, unaffected } = requirementOf(id)
        return section === '7' || unaffected === true
      }),
    },
    excusing(() => ({ eligible: () => true })),
    {
      'ineligible-target-accepted': always,
      'ineligible-target-accepted-with-folder': withFolder,
      'ineligible-target-accepted-for-owner': forOwner,
    },
  ),
]

/** Deleted workspaces do not exist either. */
const unknownWorkspace: Broken = {
  breaks: ['sync-workspace/unknown-workspace'],
  mayBreak: ['add-workspace/id-works', 'delete-collaboration/sharing-stops'],
}

const pathFaults = [
  ...forgetting(
    'A sync of a workspace that does not exist is accepted',
    unknownWorkspace,
    overlooking(sync, 'unknown-workspace'),
    {
      'unknown-workspace-syncs': always,
      'unknown-workspace-synced-synchronously': [' in synchronous mode', namesSynchronous],
      'unknown-workspace-of-several-syncs': [
        ' where the collaboration has several',
        (call) => (collaborationIn(call)?.workspaces.size ?? 0) > 1,
        { ...unknownWorkspace, dependsOn: 'earlier requests' },
      ],
    },
  ),
  ...forgetting(
    'An update of a participant that the collaboration does not have is accepted',
    'update-participant/unknown-participant',
    overlooking(participant, 'unknown-participant'),
    {
      'unknown-participant-accepted': always,
      'participant-of-other-collaboration-updated': [
        ' where any other collaboration has it',
        isParticipantElsewhere,
      ],
    },
  ),
]

const otherFaults = faultsOf({
  'workspace-in-unknown-collaboration': {
    sentence: 'A workspace can be added to a collaboration that does not exist.',
    breaks: ['add-workspace/unknown-collaboration', 'delete-collaboration/gone-after-delete'],
    alter: overlook(add, 'unknown-collaboration', undefined, unstoredWorkspace),
  },
  'any-run-status-accepted': {
    sentence: 'Any status is accepted, although the list is closed.',
    breaks: ['update-task-run/statuses'],
    alter: overlook(run, 'unknown-status'),
  },
  'unknown-item-in-the-middle-passed-over': {
    sentence: 'An id that no item has is passed over where it stands neither first nor last.',
    breaks: ['reassign-items/unknown-item'],
    alter: passOverUnknown((call, at) => at > 0 && at < itemIdsIn(call).length - 1),
  },
  'first-hundred-items-taken': {
    sentence: 'Of more than 100 items the first 100 are taken, and the request is accepted.',
    breaks: ['reassign-items/items-limit-rejects'],
    alter: overlook(reassign, 'too-many-items', undefined, (call) =>
      moveAll(call, itemIdsIn(call).slice(0, 100)),
    ),
  },
  'unknown-target-accepted-for-owner': {
    sentence: 'An owner may give items to a user who does not exist.',
    breaks: ['reassign-items/unknown-target'],
    alter: overlook(
      reassign,
      'unknown-target',
      (call) => isOwner(call) && targetOf(call) === undefined,
      moveAll,
    ),
  },
  'first-item-alone-must-be-receivable': {
    sentence: 'Of the items of a request only the first is checked, whether its target can receive it.',
    ...metBy('reassign-items/ineligible-target', reassign),
    alter: overlook(reassign, 'ineligible-target', canReceiveFirst, moveAll),
  },
  'sync-in-unknown-collaboration': {
    sentence: 'A sync in a collaboration that does not exist is accepted.',
    breaks: ['sync-workspace/unknown-collaboration', 'delete-collaboration/sharing-stops'],
    alter: overlook(sync, 'unknown-collaboration'),
  },
  'participant-of-unknown-collaboration': {
    sentence: 'An update of a participant of a collaboration that does not exist is accepted.',
    breaks: ['update-participant/unknown-collaboration', 'delete-collaboration/gone-after-delete'],
    alter: overlook(participant, 'unknown-collaboration'),
  },
  'unknown-federation-accepted': {
    sentence: 'An update of a federation that does not exist is accepted.',
    breaks: ['update-federation/unknown-federation'],
    alter: overlook('update-federation', 'unknown-federation'),
  },
})

/** Faults that accept invalid requests. */
export const acceptanceFaults: readonly WrittenFault[] = [
  ...runFaults,
  ...listFaults,
  ...targetFaults,
  ...pathFaults,
  ...otherFaults,
]
