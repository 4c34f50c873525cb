/** Faults in what an answer holds: wrong, missing or mixed up fields, and bytes that are not the JSON of the contract. */
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import {
  around,
  changeAccepted,
  changeAdded,
  changeBytes,
  changeDetails,
  changeError,
  changeView,
  echoOf,
} from '../alterations.ts'
import { itemIdsIn, itemsIn, syncModeOf, targetOf } from '../handlers.ts'
import type { Alter, Answer, Call } from '../parts.ts'
import type { User } from '../store.ts'
import {
  acceptancesOf,
  anyRequestOf,
  type Broken,
  dependingOn,
  faultsOf,
  formOf,
  hasNoDescription,
  metByAny,
  namesFolder,
  namesSynchronous,
  placesOf,
  type WrittenFault,
  words,
} from './fault.ts'
import { add, federation, reassign, run, sync, update } from './operation-names.ts'

type Body = Answer['body']

/** Overrides fields of the accepted answers of an operation. */
const answering = (operation: OperationId) => (fields: (call: Call, body: Body) => Body) =>
  changeAccepted(operation, fields)

/** Without a valid `success`, no request of the operation counts as accepted. */
const noSuccess = (operation: OperationId, requirement: RequirementId): Broken => ({
  breaks: ['protocol/success-boolean', requirement],
  mayBreak: anyRequestOf(operation),
})

const runFaults = placesOf(answering(run), `${run} answers wrongly`, 'update-task-run/identifiers', {
  'run-ids-swapped': [(_, { taskId, runId }) => ({ taskId: runId, runId: taskId })],
  'run-id-as-number': [
    () => ({ runId: 17 }),
    { breaks: ['update-task-run/updates'], mayBreak: ['update-task-run/identifiers'] },
  ],
  'success-as-number': [
    () => ({ success: 1 }),
    ['protocol/form-post', 'protocol/success-boolean', ...acceptancesOf(run)],
  ],
  'run-ids-capitalised-beside-letters-beyond-ascii': [
    ({ form }, { runId }) =>
      /[^\0-\x7f]/.test(form.get('result') ?? '') ? { runId: String(runId).toUpperCase() } : {},
  ],
})

const noItemId = { itemId: undefined }

const reassignFaults = placesOf(
  answering(reassign),
  `${reassign} answers without itemId`,
  'reassign-items/reassigns',
  {
    'reassign-without-item-id': [() => noItemId],
    'item-id-missing-without-folder': [(call) => (namesFolder(call) ? {} : noItemId)],
    'item-id-missing-from-three-items-on': [(call) => (itemIdsIn(call).length > 2 ? noItemId : {})],
  },
)

const syncFaults = placesOf(answering(sync), `${sync} answers wrongly`, 'sync-workspace/starts', {
  'sync-without-job': [() => ({ jobId: undefined })],
  'key-missing-in-synchronous-mode': [(call) => (namesSynchronous(call) ? { key: undefined } : {})],
  'asynchronous-success-as-number': [
    (call) => (syncModeOf(call) === 'asynchronous' ? { success: 1 } : {}),
    noSuccess(sync, 'sync-workspace/starts'),
  ],
})

const participantFaults = placesOf(
  answering(update),
  `${update} answers wrongly`,
  'update-participant/identifiers',
  {
    'participant-portal-is-host': [({ store }) => ({ portalId: store.portals.host })],
    'participant-success-as-string': [
      () => ({ success: 'true' }),
      noSuccess(update, 'update-participant/updates'),
    ],
  },
)

const federationFaults = placesOf(
  answering(federation),
  `${federation} answers wrongly`,
  'update-federation/identifier',
  {
    'federation-id-is-portal': [({ params }) => ({ federationId: params.portalID })],
    'federation-update-without-id': [() => ({ federationId: undefined }), 'update-federation/updates'],
  },
)

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The id of a workspace with this number. */
const numbered = (value: number): string => value.toString(16).padStart(32, '0')

/** Another node or a workspace made ahead explains one such answer, and not that all are so. */
const timesOfOthers: Broken = { breaks: ['add-workspace/timestamps'], dependsOn: 'earlier requests' }

const fields = 'add-workspace/workspace-fields'
const configFields = 'add-workspace/config-fields'
const lastSync = 'add-workspace/last-sync-milliseconds'

const viewFaults = placesOf(changeView, 'The answer shows a workspace wrongly', fields, {
  'workspace-id-from-name': [
    ({ name }) => ({ id: createHash('sha256').update(name).digest('hex').slice(0, 32) }),
    {
      breaks: ['add-workspace/id-is-new', 'add-workspace/id-works'],
      mayBreak: ['add-workspace/concurrent-ids-distinct'],
      dependsOn: 'earlier requests',
    },
  ],
  // In hundredths of a second.
  'workspace-id-from-clock': [
    ({ created }) => ({ id: numbered(Math.floor(created / 10)) }),
    {
      breaks: ['add-workspace/concurrent-ids-distinct', 'add-workspace/id-works'],
      mayBreak: ['add-workspace/id-is-new'],
      dependsOn: 'simultaneous requests',
    },
  ],
  'workspace-id-of-nothing': [() => ({ id: randomUUID().replaceAll('-', '') }), 'add-workspace/id-works'],
  'workspace-times-in-seconds': [
    ({ created, modified }) => ({
      created: Math.floor(created / 1000),
      modified: Math.floor(modified / 1000),
    }),
    'add-workspace/timestamps',
  ],
  'workspace-modified-before-created': [
    ({ created }) => ({ modified: created - 1000 }),
    'add-workspace/timestamps',
  ],
  'created-in-another-time-zone': [
    ({ created, modified }) => ({ created: created + 2 * hourMs, modified: modified + 2 * hourMs }),
    timesOfOthers,
  ],
  'created-in-fractions': [
    ({ created, modified }) => ({ created: created + 0.125, modified: modified + 0.125 }),
  ],
  'workspace-size-as-string': [
    (_, { config }) => ({ config: { ...(config as object), maxItemSizeInMB: '100' } }),
    configFields,
  ],
  'config-boolean-as-text': [
    (_, { config }) => ({ config: { ...(config as object), bidirectionalSyncCapable: 'false' } }),
    configFields,
  ],
  'workspace-without-last-sync': [() => ({ lastSyncSuccess: undefined })],
  'last-sync-in-seconds': [({ created }) => ({ lastSyncSuccess: Math.floor(created / 1000) }), lastSync],
  'last-sync-in-the-future': [({ created }) => ({ lastSyncSuccess: created + 2 * dayMs }), lastSync],
  'scalar-names-become-scalars': [
    ({ name }) => (/^(?:true|false|null|[1-9]\d*)$/.test(name) ? { name: JSON.parse(name) } : {}),
  ],
})

const descriptionFaults = placesOf(changeAdded, 'Where no description was sent', fields, {
  'description-null-where-none-was-sent': [(call) => (hasNoDescription(call) ? { description: null } : {})],
  'description-missing-where-none-was-sent': [
    (call) => (hasNoDescription(call) ? { description: undefined } : {}),
  ],
})

const items = 'reassign-items/error-details-items'
const shape = 'reassign-items/error-shape'
const code = 'reassign-items/ineligible-target'

const errorFaults = placesOf(changeError, 'The error for an ineligible target is wrong', items, {
  'error-code-as-string': [() => ({ code: '403' }), [shape, code]],
  'error-code-400': [() => ({ code: 400 }), code],
  'error-code-400-for-many-items': [(details) => (details.length > 20 ? { code: 400 } : {}), code],
  'error-code-400-where-some-can-be-received': [
    (details, call) => (details.length < itemsIn(call).length ? { code: 400 } : {}),
    code,
  ],
  'error-without-message-code': [() => ({ messageCode: undefined }), shape],
  // An empty list has no entry that could lack a field.
  'error-details-empty': [
    () => ({ details: [] }),
    {
      breaks: [items],
      mayBreak: ['reassign-items/error-details-fields', 'reassign-items/error-details-owner'],
    },
  ],
  'error-details-only-first': [(details) => ({ details: details.slice(0, 1) })],
  'error-details-at-most-ten': [(details) => ({ details: details.slice(0, 10) })],
  'error-details-item-twice': [(details) => ({ details: [...details.slice(0, 1), ...details] })],
  'error-details-list-all-items': [
    (_, call) => ({ details: call.parts.errorDetails(itemsIn(call), targetOf(call) as User) }),
  ],
})

/** Omits the type from the entries of `error.details`, for callers with this role. */
const untypedFor =
  (role: string): Parameters<typeof changeDetails>[0] =>
  (_entry, _at, { user }) =>
    user?.role === role ? { type: undefined } : {}

const detailFaults = placesOf(
  changeDetails,
  'The entries of error.details are wrong',
  'reassign-items/error-details-fields',
  {
    'error-second-detail-without-keywords': [
      (_, at) => (at === 1 ? { reservedTypeKeywords: undefined } : {}),
    ],
    'error-details-foreign-item': [
      (_, at, { parts }) => (at === 0 ? { itemId: parts.newId('item') } : {}),
      items,
    ],
    'error-details-url-is-path': [
      ({ itemId }) => ({ url: `/items/${itemId}` }),
      'reassign-items/error-details-url',
    ],
    'error-details-owner-is-target': [
      (_entry, _at, { form }) => ({ owner: form.get('targetUsername') }),
      'reassign-items/error-details-owner',
    ],
    'error-details-untyped-for-owner': [untypedFor('user')],
    'error-details-untyped-for-custom-administrator': [untypedFor('custom')],
  },
)

/** Changes the bytes of the accepted answers of an operation. */
const sending = ([operation, change]: readonly [OperationId, (body: string) => string | Buffer]): Alter =>
  changeBytes(operation, (body) => Buffer.from(change(body.toString('utf8')) as string))

const brokenJsonFaults = placesOf(
  sending,
  'The bytes of an accepted answer are wrong',
  'protocol/json-format',
  {
    'answers-in-latin-1': [
      [add, (body) => Buffer.from(body.replace(/}\s*$/, ',"server":"Orléans"}'), 'latin1')],
      ['protocol/form-post', 'protocol/json-format', ...acceptancesOf(add)],
    ],
    'quotes-not-escaped': [
      [add, (body) => body.replaceAll('\\"', '"')],
      { breaks: ['protocol/json-format'], mayBreak: anyRequestOf(add) },
    ],
    'answer-with-trailing-text': [
      [update, (body) => `${body}\nserved in 3 ms`],
      ['protocol/form-post', 'protocol/json-format', ...acceptancesOf(update)],
    ],
  },
)

const otherFaults = faultsOf({
  'created-is-constant': {
    sentence: 'created and modified are the time at which the portal started.',
    ...timesOfOthers,
    alter(parts) {
      const started = Date.now()
      changeView(() => ({ created: started, modified: started }))(parts)
    },
  },
  'error-beside-success': {
    sentence: 'The error for an ineligible target comes with success: false beside it.',
    breaks: ['reassign-items/error-alone'],
    alter: around(reassign, async (_call, honest) => {
      const answer = await honest()
      if (answer.refused !== 'ineligible-target') return answer
      return { ...answer, body: { success: false, ...answer.body } }
    }),
  },
  'workspace-missing-in-answer': {
    sentence: 'The workspace is added, but the answer does not hold it.',
    breaks: ['add-workspace/creates'],
    alter: changeAccepted(add, () => ({ workspace: undefined })),
  },
})

/** Answers simultaneous requests with fields of the last one. Delays requests, so that they overlap. */
const mixingUp =
  ([operation, change]: readonly [OperationId, (last: Call, own: Body) => Body]): Alter =>
  (parts) => {
    let last: Call
    around(operation, async (call, honest) => {
      last = call
      await sleep(5)
      return honest()
    })(parts)
    const changed = (_: Call, own: Body) => change(last, own)
    if (operation === add) changeAdded(changed)(parts)
    else changeAccepted(operation, changed)(parts)
  }

const mixedUpFaults = placesOf(
  mixingUp,
  'Requests that come at the same moment are answered with something of the last one',
  'add-workspace/collaboration-id',
  {
    'workspace-answers-mixed-up': [[add, ({ params }) => ({ collaborationId: params.collaborationID })]],
    // Another name than the one sent looks like a misread form.
    'workspace-names-mixed-up': [
      [add, ({ form }, { name }) => ({ name: form.get('collaborationWorkspaceName') ?? name })],
      metByAny('add-workspace/name-kept'),
    ],
    'run-answers-mixed-up': [[run, echoOf], 'update-task-run/identifiers'],
    'federation-answers-mixed-up': [[federation, echoOf], 'update-federation/identifier'],
    'participant-answers-mixed-up': [
      [update, ({ params }) => ({ collaborationId: params.collaborationID })],
      'update-participant/identifiers',
    ],
  },
)

type Key = (call: Call) => string

const parameter =
  (name: string): Key =>
  ({ params, form }) =>
    String(params[name] ?? form.get(name))

const cachedForMs = 500

/** For a short time, answers the operation with the cached answer to an earlier request with the same key. */
const cachedBy =
  (operation: OperationId, key: Key): Alter =>
  (parts) => {
    const known = new Map<string, readonly [until: number, body: Body]>()
    changeAccepted(operation, (call, body) => {
      const [until, cached] = known.get(key(call)) ?? [0, body]
      if (performance.now() < until) return cached
      known.set(key(call), [performance.now() + cachedForMs, body])
      return {}
    })(parts)
  }

export const cacheFaults = (
  [
    [run, 'user', 'update-task-run/identifiers', parameter('userName')],
    [run, 'form', 'update-task-run/identifiers', formOf],
    [update, 'participant', 'update-participant/identifiers', parameter('participantPortalID')],
    [update, 'form', 'update-participant/identifiers', formOf],
    [federation, 'portal', 'update-federation/identifier', parameter('portalID')],
    [federation, 'form', 'update-federation/identifier', formOf],
    [add, 'name', 'add-workspace/id-is-new', parameter('collaborationWorkspaceName')],
  ] as const satisfies readonly (readonly [OperationId, string, RequirementId, Key])[]
).map(
  ([operation, by, requirement, key]): WrittenFault => ({
    id: `${operation}-answers-cached-by-${by}`,
    sentence: `For half a second ${operation} is answered as the last one was, by ${words(by)}.`,
    ...metByAny(requirement),
    dependsOn: 'earlier requests',
    alter: cachedBy(operation, key),
  }),
)

/** Faults in what an answer holds. */
export const answerFaults: readonly WrittenFault[] = [
  ...runFaults,
  ...reassignFaults,
  ...syncFaults,
  ...participantFaults,
  ...federationFaults,
  ...viewFaults,
  ...descriptionFaults,
  ...errorFaults,
  ...detailFaults,
  ...brokenJsonFaults,
  ...otherFaults,
  ...dependingOn('simultaneous requests', mixedUpFaults),
]
