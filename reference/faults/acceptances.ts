/** Faults that accept invalid requests: without a check, beyond a limit, or for a path that names nothing. */
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { changeCall, changeParts, echoOf, overlook } from '../alterations.ts'
import type { Reason } from '../answers.ts'
import { collaborationIn, isOwner, itemIdsIn, itemsIn, targetOf } from '../handlers.ts'
import type { Alter, Answer, Call, Parts } from '../parts.ts'
import { moveAll } from './effects.ts'
import {
  type Broken,
  type Fault,
  hasNoResult,
  isCustom,
  namesFolder,
  namesSynchronous,
  requirementsOf,
  rowsOf,
} from './fault.ts'

type Condition = (call: Call) => boolean

/** Accepts what the honest portal refuses for this reason. `fields`: those of the answer. */
const accepting =
  (operation: OperationId, fields: (call: Call) => Answer['body'] = echoOf) =>
  ([reason, concerns]: readonly [Reason, Condition?]): Alter =>
    overlook(operation, reason, concerns, fields)

const add = 'add-workspace'
const run = 'update-task-run'
const reassign = 'reassign-items'
const sync = 'sync-workspace'

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

const workspaceFaults = rowsOf(accepting(add, unstoredWorkspace), {
  'workspace-in-unknown-collaboration': [
    'A workspace can be added to a collaboration that does not exist.',
    ['add-workspace/unknown-collaboration', 'delete-collaboration/gone-after-delete'],
    ['unknown-collaboration'],
  ],
})

/** Whether any task has the run of the path. */
const isRunOfAnyTask: Condition = ({ store, params }) =>
  [...store.tasks.values()].some(({ runs }) => runs.has(params.runID as string))

const unknownRun: readonly RequirementId[] = ['update-task-run/unknown-run', 'update-task-run/run-of-task']

const runFaults = rowsOf(accepting(run), {
  'run-status-not-required': [
    'An update without status is accepted.',
    // An empty status counts as missing here, and the list of statuses is closed.
    { breaks: ['update-task-run/status-required'], mayBreak: ['update-task-run/statuses'] },
    ['missing-status'],
  ],
  'run-status-not-required-with-empty-result': [
    'An update without status is accepted where its result is empty.',
    'update-task-run/status-required',
    ['missing-status', ({ form }) => form.get('result') === ''],
  ],
  'empty-run-status-accepted': [
    'An empty status is accepted, although the list is closed.',
    'update-task-run/statuses',
    ['missing-status', ({ form }) => form.get('status') === ''],
  ],
  'any-run-status-accepted': [
    'Any status is accepted, although the list is closed.',
    'update-task-run/statuses',
    ['unknown-status'],
  ],
  'unknown-run-accepted': [
    'An update of a run that does not exist is accepted.',
    unknownRun,
    ['unknown-run'],
  ],
  'unknown-task-accepted': [
    'An update of a run of a task that does not exist is accepted.',
    unknownRun,
    ['unknown-task'],
  ],
  'run-under-any-task': [
    'A run can be updated under a task to which it does not belong.',
    'update-task-run/run-of-task',
    ['unknown-run', isRunOfAnyTask],
  ],
  'run-under-any-task-without-result': [
    'Where there is no result, a run is found under any task.',
    'update-task-run/run-of-task',
    ['unknown-run', (call) => hasNoResult(call) && isRunOfAnyTask(call)],
  ],
  'task-under-any-user': [
    'A run can be updated under a user to whom its task does not belong.',
    'update-task-run/run-of-task',
    ['unknown-task', ({ store, params }) => store.tasks.has(params.taskID as string)],
  ],
})

const listFaults = rowsOf(accepting(reassign), {
  'items-not-required': [
    'A request without items is accepted.',
    'reassign-items/items-required',
    ['missing-items'],
  ],
  'owner-names-no-items': [
    'A request without items is accepted of the owner, and moves none.',
    'reassign-items/items-required',
    ['missing-items', isOwner],
  ],
  'custom-administrator-names-no-items': [
    'A request without items is accepted of a custom administrator, and moves none.',
    'reassign-items/items-required',
    ['missing-items', isCustom],
  ],
  'target-not-required': [
    'A request without targetUsername is accepted.',
    'reassign-items/target-required',
    ['missing-target'],
  ],
  'custom-administrator-names-no-target': [
    'A request without targetUsername is accepted of a custom administrator, and moves nothing.',
    'reassign-items/target-required',
    ['missing-target', isCustom],
  ],
  'unknown-item-accepted': [
    'An id that no item has is accepted.',
    'reassign-items/unknown-item',
    ['unknown-item'],
  ],
  'unknown-items-accepted-with-folder': [
    'Where a folder is named, ids that no item has are passed over.',
    'reassign-items/unknown-item',
    ['unknown-item', namesFolder],
  ],
  'targets-elsewhere-accepted-with-folder': [
    'Where a folder is named, items can be given to a user who does not exist.',
    { breaks: ['reassign-items/unknown-target'], mayBreak: ['reassign-items/target-in-organization'] },
    ['unknown-target', namesFolder],
  ],
})

const exists: Condition = (call) => targetOf(call) !== undefined

/** Whether the target may receive items, and can receive the first one. */
const canReceiveFirst: Condition = (call) => {
  const target = targetOf(call)
  const [first] = itemsIn(call)
  if (target === undefined || first === undefined) return false
  return call.parts.eligible(target) && call.parts.receivable(first, target)
}

const transferFaults = rowsOf(accepting(reassign, moveAll), {
  'unknown-target-accepted': [
    'Items can be given to a user who does not exist.',
    ['reassign-items/unknown-target', 'reassign-items/target-in-organization'],
    ['unknown-target'],
  ],
  'unknown-target-accepted-for-owner': [
    'An owner may give items to a user who does not exist.',
    'reassign-items/unknown-target',
    ['unknown-target', (call) => isOwner(call) && !exists(call)],
  ],
  'target-of-other-organization-accepted': [
    'Items can be given to a user of another organization.',
    'reassign-items/target-in-organization',
    ['unknown-target', exists],
  ],
  'owner-gives-to-other-organization': [
    'An owner may give items to a user of another organization.',
    'reassign-items/target-in-organization',
    ['unknown-target', (call) => isOwner(call) && exists(call)],
  ],
  'custom-administrator-gives-to-other-organization': [
    'A custom administrator may give items to a user of another organization.',
    'reassign-items/target-in-organization',
    ['unknown-target', (call) => isCustom(call) && exists(call)],
  ],
  'items-of-others-given-away': [
    'Items are given away under the path of a user who does not own them.',
    {
      breaks: ['reassign-items/not-their-item', 'reassign-items/ownership-moves'],
      mayBreak: ['reassign-items/concurrent-one-wins'],
    },
    ['not-their-item'],
  ],
  'items-of-others-given-away-by-custom-administrator': [
    'A custom administrator may give items away under the path of a user who does not own them.',
    'reassign-items/not-their-item',
    ['not-their-item', isCustom],
  ],
  'foreign-items-given-away-with-folder': [
    'Where a folder is named, items of others are given away under any path.',
    {
      breaks: ['reassign-items/not-their-item'],
      mayBreak: ['reassign-items/ownership-moves', 'reassign-items/refuses-other-user'],
    },
    ['not-their-item', namesFolder],
  ],
  'first-item-alone-must-be-receivable': [
    'Of the items of a request only the first is checked, whether its target can receive it.',
    { breaks: ['reassign-items/ineligible-target'], mayBreak: requirementsOf(reassign) },
    ['ineligible-target', canReceiveFirst],
  ],
})

const firstHundredFaults = rowsOf(
  accepting(reassign, (call) => moveAll(call, itemIdsIn(call).slice(0, 100))),
  {
    'first-hundred-items-taken': [
      'Of more than 100 items the first 100 are taken, and the request is accepted.',
      'reassign-items/items-limit-rejects',
      ['too-many-items'],
    ],
  },
)

/** Drops unknown ids from the list, unless all are unknown. */
const passOverUnknown = (concerns: (call: Call, at: number) => boolean): Alter =>
  changeCall(reassign, (call) => {
    const known = itemIdsIn(call).filter((id, at) => call.store.items.has(id) || !concerns(call, at))
    return known.length === 0 ? call : { ...call, form: call.form.with('items', known.join(',')) }
  })

const passedOverFaults = rowsOf(passOverUnknown, {
  'unknown-items-passed-over': [
    'Ids that no item has are passed over where others stand beside them, and those move.',
    'reassign-items/unknown-item',
    () => true,
  ],
  'unknown-items-passed-over-for-owner': [
    'Where the owner asks, ids that no item has are passed over.',
    'reassign-items/unknown-item',
    isOwner,
  ],
  'unknown-item-in-the-middle-passed-over': [
    'An id that no item has is passed over where it stands neither first nor last.',
    'reassign-items/unknown-item',
    (call, at) => at > 0 && at < itemIdsIn(call).length - 1,
  ],
})

/** Serves some reassignments with other parts. */
const excused = ([concerns, altered]: readonly [Condition, (parts: Parts) => Partial<Parts>]): Alter => {
  return (parts) => changeParts(reassign, concerns, altered(parts))(parts)
}

const anyNumber = ({ limits }: Parts): Partial<Parts> => ({ limits: { ...limits, items: 10_000 } })

const anyTarget = (): Partial<Parts> => ({ eligible: () => true })

/** Without a refusal of an ineligible target there is no error to check. */
const ineligible: Broken = {
  breaks: ['reassign-items/ineligible-target'],
  mayBreak: requirementsOf(reassign).filter((id) => id.includes('/error-')),
}

const excusedFaults = rowsOf(excused, {
  'items-over-160-accepted': [
    'More than 160 items are accepted.',
    'reassign-items/items-limit-rejects',
    [(call) => itemIdsIn(call).length > 160, anyNumber],
  ],
  'too-many-items-with-folder': [
    'Where a folder is named, more than 100 items are accepted.',
    'reassign-items/items-limit-rejects',
    [namesFolder, anyNumber],
  ],
  'too-many-items-for-custom-administrator': [
    'A custom administrator may name more than 100 items.',
    'reassign-items/items-limit-rejects',
    [isCustom, anyNumber],
  ],
  'ineligible-target-accepted': [
    'Items go to a user who lacks the privileges to receive them.',
    {
      breaks: ['reassign-items/ineligible-target'],
      mayBreak: [...(ineligible.mayBreak ?? []), 'reassign-items/ineligible-target-keeps-owner'],
    },
    [() => true, anyTarget],
  ],
  'ineligible-target-accepted-with-folder': [
    'Where a folder is named, items go to a user who may not receive them.',
    ineligible,
    [namesFolder, anyTarget],
  ],
  'ineligible-target-accepted-for-owner': [
    'An owner may give items to a user who may not receive them.',
    'reassign-items/ineligible-target',
    [isOwner, anyTarget],
  ],
  'hundred-and-one-items-accepted': [
    'A request with 101 items is accepted.',
    'reassign-items/items-limit-rejects',
    [() => true, ({ limits }) => ({ limits: { ...limits, items: 101 } })],
  ],
})

/** Deleted workspaces do not exist either. */
const unknownWorkspace: Broken = {
  breaks: ['sync-workspace/unknown-workspace'],
  mayBreak: ['add-workspace/id-works', 'delete-collaboration/sharing-stops'],
}

const syncFaults = rowsOf(accepting(sync), {
  'sync-in-unknown-collaboration': [
    'A sync in a collaboration that does not exist is accepted.',
    ['sync-workspace/unknown-collaboration', 'delete-collaboration/sharing-stops'],
    ['unknown-collaboration'],
  ],
  'unknown-workspace-syncs': [
    'A sync of a workspace that does not exist is accepted.',
    'sync-workspace/unknown-workspace',
    ['unknown-workspace'],
  ],
  'unknown-workspace-synced-synchronously': [
    'A sync of a workspace that does not exist is accepted in synchronous mode.',
    unknownWorkspace,
    ['unknown-workspace', namesSynchronous],
  ],
  'unknown-workspace-of-several-syncs': [
    'A sync of a workspace that does not exist is accepted where the collaboration has several.',
    unknownWorkspace,
    ['unknown-workspace', (call) => (collaborationIn(call)?.workspaces.size ?? 0) > 1],
  ],
})

const participantFaults = rowsOf(accepting('update-participant'), {
  'unknown-participant-accepted': [
    'An update of a participant that the collaboration does not have is accepted.',
    'update-participant/unknown-participant',
    ['unknown-participant'],
  ],
  'participant-of-other-collaboration-updated': [
    'An update of a participant of another collaboration than that of the path is accepted.',
    'update-participant/unknown-participant',
    [
      'unknown-participant',
      ({ store, params }) =>
        [...store.collaborations.values()].some(({ participants }) =>
          participants.has(params.participantPortalID as string),
        ),
    ],
  ],
  'participant-of-unknown-collaboration': [
    'An update of a participant of a collaboration that does not exist is accepted.',
    ['update-participant/unknown-collaboration', 'delete-collaboration/gone-after-delete'],
    ['unknown-collaboration'],
  ],
})

const federationFaults = rowsOf(accepting('update-federation'), {
  'unknown-federation-accepted': [
    'An update of a federation that does not exist is accepted.',
    'update-federation/unknown-federation',
    ['unknown-federation'],
  ],
})

/** Faults that accept invalid requests. */
export const acceptanceFaults: readonly Fault[] = [
  ...workspaceFaults,
  ...runFaults,
  ...listFaults,
  ...transferFaults,
  ...firstHundredFaults,
  ...passedOverFaults,
  ...excusedFaults,
  ...syncFaults,
  ...participantFaults,
  ...federationFaults,
]
