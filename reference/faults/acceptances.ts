/** Faults that accept invalid requests, always or where something else holds. */
import type { OperationId } from '../../specs/operations.ts'
import { changeCall, changeParts, echoOf, overlook } from '../alterations.ts'
import type { Reason } from '../answers.ts'
import { collaborationIn, isOwner, itemIdsIn, itemsIn, targetOf } from '../handlers.ts'
import type { Alter, Answer, Call, Parts } from '../parts.ts'
import { moveAll } from './effects.ts'
import {
  type Breaks,
  type Broken,
  brokenOf,
  type Fault,
  hasNoResult,
  isCustom,
  namesFolder,
  namesSynchronous,
  requirementsOf,
} from './fault.ts'

type Condition = (call: Call) => boolean

const add = 'add-workspace'
const run = 'update-task-run'
const reassign = 'reassign-items'
const sync = 'sync-workspace'
const participant = 'update-participant'

/** A rule that the portal forgets, and how it forgets the rule for some requests. */
interface Rule {
  readonly accepted: string
  readonly broken: Breaks
  readonly forget: (concerns: Condition) => Alter
}

/** Accepts what the honest portal refuses for this reason. `fields`: those of the answer. */
const overlooking =
  (
    operation: OperationId,
    reason: Reason,
    fields: (call: Call) => Answer['body'] = echoOf,
    also: Condition = () => true,
  ): Rule['forget'] =>
  (concerns) =>
    overlook(operation, reason, (call) => also(call) && concerns(call), fields)

/** Serves reassignments with other parts. */
const excusing =
  (altered: (parts: Parts) => Partial<Parts>): Rule['forget'] =>
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

const targetExists: Condition = (call) => targetOf(call) !== undefined

const rules = {
  collaborationOfWorkspace: {
    accepted: 'A workspace can be added to a collaboration that does not exist',
    broken: ['add-workspace/unknown-collaboration', 'delete-collaboration/gone-after-delete'],
    forget: overlooking(add, 'unknown-collaboration', unstoredWorkspace),
  },
  missingStatus: {
    accepted: 'An update without status is accepted',
    broken: 'update-task-run/status-required',
    forget: overlooking(run, 'missing-status'),
  },
  unknownStatus: {
    accepted: 'Any status is accepted, although the list is closed',
    broken: 'update-task-run/statuses',
    forget: overlooking(run, 'unknown-status'),
  },
  run: {
    accepted: 'An update of a run that does not exist under the task is accepted',
    broken: 'update-task-run/run-of-task',
    forget: overlooking(run, 'unknown-run'),
  },
  task: {
    accepted: 'An update of a run of a task that does not exist under the user is accepted',
    broken: 'update-task-run/run-of-task',
    forget: overlooking(run, 'unknown-task'),
  },
  missingItems: {
    accepted: 'A request without items is accepted',
    broken: 'reassign-items/items-required',
    forget: overlooking(reassign, 'missing-items'),
  },
  missingTarget: {
    accepted: 'A request without targetUsername is accepted, and moves nothing',
    broken: 'reassign-items/target-required',
    forget: overlooking(reassign, 'missing-target'),
  },
  unknownItem: {
    accepted: 'A request with an id that no item has is accepted, and moves nothing',
    broken: 'reassign-items/unknown-item',
    forget: overlooking(reassign, 'unknown-item'),
  },
  unknownItemBeside: {
    accepted: 'Ids that no item has are passed over beside others, and those move',
    broken: 'reassign-items/unknown-item',
    forget: passOverUnknown,
  },
  itemOfOther: {
    accepted: 'Items are given away under the path of a user who does not own them',
    broken: 'reassign-items/not-their-item',
    forget: overlooking(reassign, 'not-their-item', moveAll),
  },
  target: {
    accepted: 'Items can be given to a user who does not exist or is of another organization',
    broken: {
      breaks: ['reassign-items/unknown-target'],
      mayBreak: ['reassign-items/target-in-organization'],
    },
    forget: overlooking(reassign, 'unknown-target', moveAll),
  },
  unknownTarget: {
    accepted: 'Items can be given to a user who does not exist',
    broken: 'reassign-items/unknown-target',
    forget: overlooking(reassign, 'unknown-target', moveAll, (call) => !targetExists(call)),
  },
  targetOfOther: {
    accepted: 'Items can be given to a user of another organization',
    broken: 'reassign-items/target-in-organization',
    forget: overlooking(reassign, 'unknown-target', moveAll, targetExists),
  },
  firstHundred: {
    accepted: 'Of more than 100 items the first 100 are taken, and the request is accepted',
    broken: 'reassign-items/items-limit-rejects',
    forget: overlooking(reassign, 'too-many-items', (call) => moveAll(call, itemIdsIn(call).slice(0, 100))),
  },
  manyItems: {
    accepted: 'More than 100 items are accepted',
    broken: 'reassign-items/items-limit-rejects',
    forget: excusing(({ limits }) => ({ limits: { ...limits, items: 10_000 } })),
  },
  ineligibleTarget: {
    accepted: 'Items go to a user who lacks the privileges to receive them',
    broken: {
      breaks: ['reassign-items/ineligible-target'],
      // Without a refusal there is no error to check.
      mayBreak: requirementsOf(reassign).filter((id) => /\/error-|-keeps-owner/.test(id)),
    },
    forget: excusing(() => ({ eligible: () => true })),
  },
  unreceivableItem: {
    accepted: 'Items go to a user who cannot receive them',
    broken: { breaks: ['reassign-items/ineligible-target'], mayBreak: requirementsOf(reassign) },
    forget: overlooking(reassign, 'ineligible-target', moveAll),
  },
  collaborationOfSync: {
    accepted: 'A sync in a collaboration that does not exist is accepted',
    broken: ['sync-workspace/unknown-collaboration', 'delete-collaboration/sharing-stops'],
    forget: overlooking(sync, 'unknown-collaboration'),
  },
  workspace: {
    accepted: 'A sync of a workspace that does not exist is accepted',
    broken: {
      breaks: ['sync-workspace/unknown-workspace'],
      // Deleted workspaces do not exist either.
      mayBreak: ['add-workspace/id-works', 'delete-collaboration/sharing-stops'],
    },
    forget: overlooking(sync, 'unknown-workspace'),
  },
  participant: {
    accepted: 'An update of a participant that the collaboration does not have is accepted',
    broken: 'update-participant/unknown-participant',
    forget: overlooking(participant, 'unknown-participant'),
  },
  collaborationOfParticipant: {
    accepted: 'An update of a participant of a collaboration that does not exist is accepted',
    broken: ['update-participant/unknown-collaboration', 'delete-collaboration/gone-after-delete'],
    forget: overlooking(participant, 'unknown-collaboration'),
  },
  federation: {
    accepted: 'An update of a federation that does not exist is accepted',
    broken: 'update-federation/unknown-federation',
    forget: overlooking('update-federation', 'unknown-federation'),
  },
} as const satisfies Readonly<Record<string, Rule>>

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

/** Where a rule is forgotten. */
const places = {
  always: ['', () => true],
  forOwner: [' where the owner asks', isOwner],
  forCustom: [' where a custom administrator asks', isCustom],
  withFolder: [' where a folder is named', namesFolder],
  over160: [' where more than 160 are named', (call) => itemIdsIn(call).length > 160],
  only101: [' where 101 are named', (call) => itemIdsIn(call).length === 101],
  firstReceivable: [' where they could receive the first item', canReceiveFirst],
  emptyResult: [' where the result is empty', ({ form }) => form.get('result') === ''],
  emptyStatus: [' where the status is empty', ({ form }) => form.get('status') === ''],
  ofAnyTask: [' where any task has the run', isRunOfAnyTask],
  ofAnyTaskWithoutResult: [
    ' where any task has the run, and no result is sent',
    (call) => hasNoResult(call) && isRunOfAnyTask(call),
  ],
  ofAnyUser: [
    ' where any user has the task',
    ({ store, params }) => store.tasks.has(params.taskID as string),
  ],
  synchronously: [' in synchronous mode', namesSynchronous],
  amongSeveral: [
    ' where the collaboration has several',
    (call) => (collaborationIn(call)?.workspaces.size ?? 0) > 1,
  ],
  elsewhere: [' where any collaboration has it', isParticipantElsewhere],
} as const satisfies Readonly<Record<string, readonly [string, Condition]>>

/** `broken`: what it breaks instead of what its rule says. */
type Row = readonly [rule: keyof typeof rules, place?: keyof typeof places, broken?: Breaks]

const runBroken: Breaks = ['update-task-run/unknown-run', 'update-task-run/run-of-task']
const statusBroken: Broken = {
  breaks: ['update-task-run/status-required'],
  // An empty status counts as missing here, and the list of statuses is closed.
  mayBreak: ['update-task-run/statuses'],
}

const rows: Readonly<Record<string, Row>> = {
  'workspace-in-unknown-collaboration': ['collaborationOfWorkspace'],

  'run-status-not-required': ['missingStatus', 'always', statusBroken],
  'run-status-not-required-with-empty-result': ['missingStatus', 'emptyResult'],
  'empty-run-status-accepted': ['missingStatus', 'emptyStatus', 'update-task-run/statuses'],
  'any-run-status-accepted': ['unknownStatus'],
  'unknown-run-accepted': ['run', 'always', runBroken],
  'run-under-any-task': ['run', 'ofAnyTask'],
  'run-under-any-task-without-result': ['run', 'ofAnyTaskWithoutResult'],
  'unknown-task-accepted': ['task', 'always', runBroken],
  'task-under-any-user': ['task', 'ofAnyUser'],

  'items-not-required': ['missingItems'],
  'owner-names-no-items': ['missingItems', 'forOwner'],
  'custom-administrator-names-no-items': ['missingItems', 'forCustom'],
  'target-not-required': ['missingTarget'],
  'custom-administrator-names-no-target': ['missingTarget', 'forCustom'],
  'unknown-item-accepted': ['unknownItem'],
  'unknown-items-accepted-with-folder': ['unknownItem', 'withFolder'],
  'unknown-items-passed-over': ['unknownItemBeside'],
  'unknown-items-passed-over-for-owner': ['unknownItemBeside', 'forOwner'],
  'items-of-others-given-away': [
    'itemOfOther',
    'always',
    {
      breaks: ['reassign-items/not-their-item', 'reassign-items/ownership-moves'],
      mayBreak: ['reassign-items/concurrent-one-wins'],
    },
  ],
  'items-of-others-given-away-by-custom-administrator': ['itemOfOther', 'forCustom'],
  'foreign-items-given-away-with-folder': [
    'itemOfOther',
    'withFolder',
    {
      breaks: ['reassign-items/not-their-item'],
      mayBreak: ['reassign-items/ownership-moves', 'reassign-items/refuses-other-user'],
    },
  ],
  'unknown-target-accepted': [
    'target',
    'always',
    ['reassign-items/unknown-target', 'reassign-items/target-in-organization'],
  ],
  'targets-elsewhere-accepted-with-folder': ['target', 'withFolder'],
  'unknown-target-accepted-for-owner': ['unknownTarget', 'forOwner'],
  'target-of-other-organization-accepted': ['targetOfOther'],
  'owner-gives-to-other-organization': ['targetOfOther', 'forOwner'],
  'custom-administrator-gives-to-other-organization': ['targetOfOther', 'forCustom'],
  'first-hundred-items-taken': ['firstHundred'],
  'hundred-and-one-items-accepted': ['manyItems', 'only101'],
  'items-over-160-accepted': ['manyItems', 'over160'],
  'too-many-items-with-folder': ['manyItems', 'withFolder'],
  'too-many-items-for-custom-administrator': ['manyItems', 'forCustom'],
  'ineligible-target-accepted': ['ineligibleTarget'],
  'ineligible-target-accepted-with-folder': ['ineligibleTarget', 'withFolder'],
  'ineligible-target-accepted-for-owner': ['ineligibleTarget', 'forOwner'],
  'first-item-alone-must-be-receivable': ['unreceivableItem', 'firstReceivable'],

  'sync-in-unknown-collaboration': ['collaborationOfSync'],
  'unknown-workspace-syncs': ['workspace'],
  'unknown-workspace-synced-synchronously': ['workspace', 'synchronously'],
  'unknown-workspace-of-several-syncs': ['workspace', 'amongSeveral'],

  'unknown-participant-accepted': ['participant'],
  'participant-of-other-collaboration-updated': ['participant', 'elsewhere'],
  'participant-of-unknown-collaboration': ['collaborationOfParticipant'],
  'unknown-federation-accepted': ['federation'],
}

/** Faults that accept invalid requests. */
export const acceptanceFaults: readonly Fault[] = [
  ...Object.entries(rows).map(([id, [ruleName, placeName = 'always', instead]]): Fault => {
    const rule: Rule = rules[ruleName]
    const [where, concerns] = places[placeName]
    return {
      id,
      sentence: `${rule.accepted}${where}.`,
      ...brokenOf(instead ?? rule.broken),
      alter: rule.forget(concerns),
    }
  }),
  {
    id: 'unknown-item-in-the-middle-passed-over',
    sentence: 'An id that no item has is passed over where it stands neither first nor last.',
    breaks: ['reassign-items/unknown-item'],
    alter: passOverUnknown((call, at) => at > 0 && at < itemIdsIn(call).length - 1),
  },
]
