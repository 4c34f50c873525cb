/** Faults in what an answer holds: wrong, missing or mixed up fields, and bytes that are not the JSON of the contract. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import {
  afterEachDelete,
  afterRefused,
  all,
  around,
  changeAccepted,
  changeAdded,
  changeBytes,
  changeDetails,
  changeError,
  changeView,
  counter,
  echoOf,
  everyNth,
  everywhere,
  remembering,
  wrapping,
} from '../alterations.ts'
import { itemIdsIn, itemsIn, syncModeOf, targetOf } from '../handlers.ts'
import type { Alter, Answer, Call, Parts } from '../parts.ts'
import type { User } from '../store.ts'
import {
  acceptancesOf,
  anyRequestOf,
  type Broken,
  dependingOn,
  faultsOf,
  formOf,
  hasNoDescription,
  metBy,
  metByAny,
  namesFolder,
  namesSynchronous,
  requirementsOf,
  rowsOf,
  type WrittenFault,
  words,
} from './fault.ts'

type Body = Answer['body']

const add = 'add-workspace'
const run = 'update-task-run'
const reassign = 'reassign-items'
const sync = 'sync-workspace'
const participant = 'update-participant'
const federation = 'update-federation'

/** Overrides fields of the accepted answers of an operation. */
const answering = (operation: OperationId) => (fields: (call: Call, body: Body) => Body) =>
  changeAccepted(operation, fields)

const runFaults = rowsOf(answering(run), 'update-task-run/identifiers', {
  'run-ids-swapped': [
    'The answer has the task in runId and the run in taskId.',
    (_, { taskId, runId }) => ({ taskId: runId, runId: taskId }),
  ],
  'run-id-as-number': [
    'runId is a number.',
    () => ({ runId: 17 }),
    { breaks: ['update-task-run/updates'], mayBreak: ['update-task-run/identifiers'] },
  ],
  'success-as-number': [
    'success is 1.',
    () => ({ success: 1 }),
    ['protocol/form-post', 'protocol/success-boolean', ...acceptancesOf(run)],
  ],
  'run-ids-capitalised-beside-letters-beyond-ascii': [
    'Where the result has letters beyond ASCII, runId is answered in capitals.',
    ({ form }, { runId }) =>
      /[^\0-\x7f]/.test(form.get('result') ?? '') ? { runId: String(runId).toUpperCase() } : {},
  ],
})

const reassignFaults = rowsOf(answering(reassign), 'reassign-items/reassigns', {
  'reassign-without-item-id': [
    'The answer to an accepted request has no itemId.',
    () => ({ itemId: undefined }),
  ],
  'item-id-missing-without-folder': [
    'The answer has no itemId where no folder was named.',
    (call) => (namesFolder(call) ? {} : { itemId: undefined }),
  ],
  'item-id-missing-from-three-items-on': [
    'The answer to a reassignment of three items or more has no itemId.',
    (call) => (itemIdsIn(call).length > 2 ? { itemId: undefined } : {}),
  ],
})

const syncFaults = rowsOf(answering(sync), 'sync-workspace/starts', {
  'sync-without-job': ['The answer has no jobId.', () => ({ jobId: undefined })],
  'key-missing-in-synchronous-mode': [
    'The answer to a synchronous sync has no key.',
    (call) => (namesSynchronous(call) ? { key: undefined } : {}),
  ],
  'asynchronous-success-as-number': [
    'success is 1 where the client does not wait for the sync.',
    (call) => (syncModeOf(call) === 'asynchronous' ? { success: 1 } : {}),
    {
      breaks: ['protocol/success-boolean', 'sync-workspace/starts'],
      mayBreak: anyRequestOf(sync),
    },
  ],
})

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The id of a workspace with this number. */
const numbered = (value: number): string => value.toString(16).padStart(32, '0')

/** Another node or a workspace made ahead explains one such answer, and not that all are so. */
const timesOfOthers: Broken = { breaks: ['add-workspace/timestamps'], dependsOn: 'earlier requests' }

const viewFaults = rowsOf(changeView, 'add-workspace/timestamps', {
  'workspace-id-from-name': [
    'The id of a workspace is derived from its name, so that equal names get equal ids.',
    ({ name }) => ({ id: createHash('sha256').update(name).digest('hex').slice(0, 32) }),
    {
      breaks: ['add-workspace/id-is-new', 'add-workspace/id-works'],
      mayBreak: ['add-workspace/concurrent-ids-distinct'],
      dependsOn: 'earlier requests',
    },
  ],
  'workspace-id-from-clock': [
    'The id of a workspace is the time in hundredths of a second, so that simultaneous ones collide.',
    ({ created }) => ({ id: numbered(Math.floor(created / 10)) }),
    {
      breaks: ['add-workspace/concurrent-ids-distinct', 'add-workspace/id-works'],
      mayBreak: ['add-workspace/id-is-new'],
      dependsOn: 'simultaneous requests',
    },
  ],
  'workspace-times-in-seconds': [
    'created and modified are in seconds.',
    ({ created, modified }) => ({
      created: Math.floor(created / 1000),
      modified: Math.floor(modified / 1000),
    }),
  ],
  'workspace-modified-before-created': [
    'modified lies a second before created.',
    ({ created }) => ({ modified: created - 1000 }),
  ],
  'created-in-another-time-zone': [
    'created and modified are local times, two hours ahead of Unix time.',
    ({ created, modified }) => ({ created: created + 2 * hourMs, modified: modified + 2 * hourMs }),
    timesOfOthers,
  ],
  'created-in-fractions': [
    'created and modified have microseconds behind a point.',
    ({ created, modified }) => ({ created: created + 0.125, modified: modified + 0.125 }),
    'add-workspace/workspace-fields',
  ],
  'workspace-size-as-string': [
    'maxItemSizeInMB is a string.',
    (_, { config }) => ({ config: { ...(config as object), maxItemSizeInMB: '100' } }),
    'add-workspace/config-fields',
  ],
  'config-boolean-as-text': [
    'bidirectionalSyncCapable is the string "false".',
    (_, { config }) => ({ config: { ...(config as object), bidirectionalSyncCapable: 'false' } }),
    'add-workspace/config-fields',
  ],
  'workspace-without-last-sync': [
    'The workspace has no lastSyncSuccess.',
    () => ({ lastSyncSuccess: undefined }),
    'add-workspace/workspace-fields',
  ],
  'last-sync-in-seconds': [
    'lastSyncSuccess of a new workspace is the present in seconds.',
    ({ created }) => ({ lastSyncSuccess: Math.floor(created / 1000) }),
    'add-workspace/last-sync-milliseconds',
  ],
  'last-sync-in-the-future': [
    'lastSyncSuccess of a new workspace lies two days ahead.',
    ({ created }) => ({ lastSyncSuccess: created + 2 * dayMs }),
    'add-workspace/last-sync-milliseconds',
  ],
  'scalar-names-become-scalars': [
    'A name that reads like a number, a boolean or null comes back as one.',
    ({ name }) => (/^(?:true|false|null|[1-9]\d*)$/.test(name) ? { name: JSON.parse(name) } : {}),
    'add-workspace/workspace-fields',
  ],
})

/** Overrides fields of workspaces in answers, by the parts or a memory of the portal. */
const viewing =
  (fieldsOf: (parts: Parts) => Parameters<typeof changeView>[0]): Alter =>
  (parts) =>
    changeView(fieldsOf(parts))(parts)

const portalViewFaults = rowsOf(viewing, 'add-workspace/id-works', {
  'workspace-id-of-nothing': [
    'The id in the answer is not that of the workspace that was added.',
    (parts) => () => ({ id: parts.newId('workspace') }),
  ],
  'workspaces-named-beyond-ascii-unknown-to-syncs': [
    'The id of a workspace whose name has letters beyond ASCII is not that of the workspace.',
    (parts) =>
      ({ name }) =>
        /[^\0-\x7f]/.test(name) ? { id: parts.newId('workspace') } : {},
  ],
  'every-sixth-workspace-elsewhere': [
    'The answer for every sixth workspace names a wrong collaboration.',
    (parts) => {
      const isSixth = everyNth(6)
      return () => (isSixth() ? { collaborationId: parts.newId('collaboration') } : {})
    },
    { breaks: ['add-workspace/collaboration-id'], dependsOn: 'number of requests' },
  ],
  'created-is-constant': [
    'created and modified are the time at which the portal started.',
    () => {
      const started = Date.now()
      return () => ({ created: started, modified: started })
    },
    timesOfOthers,
  ],
  'workspace-ids-count-in-each-collaboration': [
    'The id of a workspace is its number in its collaboration.',
    () => {
      const count = counter<string>()
      return ({ collaborationId }) => ({ id: numbered(count(collaborationId)) })
    },
    {
      breaks: ['add-workspace/id-is-new'],
      mayBreak: ['add-workspace/concurrent-ids-distinct', 'add-workspace/id-works'],
      dependsOn: 'earlier requests',
    },
  ],
})

const errorFaults = rowsOf(changeError, 'reassign-items/error-details-items', {
  'error-code-as-string': [
    'error.code is a string.',
    () => ({ code: '403' }),
    ['reassign-items/error-shape', 'reassign-items/ineligible-target'],
  ],
  'error-code-400': [
    'error.code is 400 where the contract says 403.',
    () => ({ code: 400 }),
    'reassign-items/ineligible-target',
  ],
  'error-code-400-for-many-items': [
    'Where more than 20 items are named, error.code is 400.',
    (details) => (details.length > 20 ? { code: 400 } : {}),
    'reassign-items/ineligible-target',
  ],
  'error-without-message-code': [
    'The error has no messageCode.',
    () => ({ messageCode: undefined }),
    'reassign-items/error-shape',
  ],
  'error-details-empty': [
    'error.details is empty.',
    () => ({ details: [] }),
    {
      breaks: ['reassign-items/error-details-items'],
      // An empty list has no entry that could lack a field.
      mayBreak: ['reassign-items/error-details-fields', 'reassign-items/error-details-owner'],
    },
  ],
  'error-details-only-first': [
    'error.details names only the first of the items.',
    (details) => ({ details: details.slice(0, 1) }),
  ],
  'error-details-at-most-ten': [
    'error.details names no more than ten items.',
    (details) => ({ details: details.slice(0, 10) }),
  ],
  'error-details-item-twice': [
    'error.details names the first item twice.',
    (details) => ({ details: [...details.slice(0, 1), ...details] }),
  ],
})

/** Remembers for each item of a reassignment what its first or its last request says about it. */
const recalling =
  (
    said: (call: Call, itemId: string) => unknown,
    fields: (remembered: unknown) => Body,
    keeps: 'first' | 'last',
  ): Alter =>
  (parts) => {
    const remembered = new Map<unknown, unknown>()
    around(reassign, (call, honest) => {
      for (const id of itemIdsIn(call))
        if (keeps === 'last' || !remembered.has(id)) remembered.set(id, said(call, id))
      return honest()
    })(parts)
    changeDetails(({ itemId }) => fields(remembered.get(itemId)))(parts)
  }

/** Omits the type from the entries of `error.details`, for callers with this role. */
const untypedFor = (role: string): Alter =>
  recalling(
    ({ user }) => user?.role,
    (asking) => (asking === role ? { type: undefined } : {}),
    'last',
  )

const detailFaults = rowsOf((alter: Alter) => alter, 'reassign-items/error-details-fields', {
  'error-second-detail-without-keywords': [
    'The second entry of error.details has no reservedTypeKeywords.',
    changeDetails((_, at) => (at === 1 ? { reservedTypeKeywords: undefined } : {})),
  ],
  'error-details-foreign-item': [
    'error.details names an item that was not in the request in place of the first.',
    (parts) => changeDetails((_, at) => (at === 0 ? { itemId: parts.newId('item') } : {}))(parts),
    'reassign-items/error-details-items',
  ],
  'error-details-url-is-path': [
    'url in error.details is a path without a host.',
    changeDetails(({ itemId }) => ({ url: `/items/${itemId}` })),
    'reassign-items/error-details-url',
  ],
  'error-details-owner-is-target': [
    'owner in error.details is the target user.',
    wrapping(
      'errorDetails',
      (honest) => (items, target) =>
        honest(items, target).map((entry) => ({ ...(entry as object), owner: target.username })),
    ),
    'reassign-items/error-details-owner',
  ],
  'error-details-owner-is-former': [
    'owner in error.details is the owner that the item had when somebody first asked for it.',
    recalling(
      ({ store }, id) => store.items.get(id)?.owner,
      (owner) => ({ owner }),
      'first',
    ),
    { breaks: ['reassign-items/error-details-owner'], dependsOn: 'earlier requests' },
  ],
  'error-details-untyped-for-owner': [
    'Where the owner asks, the entries of error.details have no type.',
    untypedFor('user'),
  ],
  'error-details-untyped-for-custom-administrator': [
    'Where a custom administrator asks, the entries of error.details have no type.',
    untypedFor('custom'),
  ],
  'error-details-list-all-items': [
    'error.details names all items of the request where the target could receive some.',
    around(reassign, async (call, honest) => {
      const { parts } = call
      const answer = await honest()
      if (answer.refused !== 'ineligible-target') return answer
      return parts.refuse('ineligible-target', parts.errorDetails(itemsIn(call), targetOf(call) as User))
    }),
    'reassign-items/error-details-items',
  ],
  'error-beside-success': [
    'The error for an ineligible target stands beside success: false.',
    around(reassign, async (_call, honest) => {
      const answer = await honest()
      if (answer.refused !== 'ineligible-target') return answer
      return { ...answer, body: { success: false, ...answer.body } }
    }),
    'reassign-items/error-alone',
  ],
  'items-reported-once': [
    'error.details leaves out the items that an earlier refusal has named.',
    (parts) => {
      const reported = new Set<unknown>()
      changeError((all) => {
        const details = all.filter(({ itemId }) => !reported.has(itemId))
        for (const { itemId } of details) reported.add(itemId)
        return { details }
      })(parts)
    },
    { breaks: ['reassign-items/error-details-items'], dependsOn: 'earlier requests' },
  ],
})

/** Changes the bytes of the accepted answers of an operation. */
const sending =
  (operation: OperationId) =>
  (change: (body: string) => string | Buffer): Alter =>
    changeBytes(operation, (body) => Buffer.from(change(body.toString('utf8')) as string))

const notJson: Broken = { breaks: ['protocol/json-format'], mayBreak: anyRequestOf(add) }

const brokenJsonFaults = rowsOf(sending(add), notJson, {
  'answers-in-latin-1': [
    'The answer to an accepted request has a further field in Latin-1 where JSON is UTF-8.',
    (body) =>
      Buffer.concat([
        Buffer.from(body.slice(0, body.lastIndexOf('}'))),
        Buffer.from(',"server":"Orléans"}', 'latin1'),
      ]),
    ['protocol/form-post', 'protocol/json-format', ...acceptancesOf(add)],
  ],
  'astral-characters-as-surrogates': [
    'Characters beyond the Basic Multilingual Plane are written as two surrogates of three bytes each.',
    surrogatesApart,
  ],
  'quotes-not-escaped': [
    'Quotes of a name stand in the answer without a backslash.',
    (body) => body.replaceAll('\\"', '"'),
  ],
  'quotes-of-descriptions-not-escaped': [
    'Quotes of a description stand in the answer without a backslash.',
    (body) =>
      body.replace(
        /("description":\s*")((?:[^"\\]|\\.)*)/,
        (_, field: string, text: string) => field + text.replaceAll('\\"', '"'),
      ),
  ],
})

/** Encodes each astral character as two surrogates, which is invalid UTF-8. */
function surrogatesApart(body: string): Buffer {
  const pieces = [...body].map((character) =>
    character.length === 1 ? Buffer.from(character) : Buffer.concat([0, 1].map((at) => alone(character, at))),
  )
  return Buffer.concat(pieces)
}

function alone(character: string, at: number): Buffer {
  const unit = character.charCodeAt(at)
  return Buffer.from([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)])
}

const brokenBodyFaults = faultsOf({
  'workspace-missing-in-answer': {
    sentence: 'The workspace is added, but the answer does not hold it.',
    breaks: ['add-workspace/creates'],
    alter: changeAccepted(add, () => ({ workspace: undefined })),
  },
  'answer-with-trailing-text': {
    sentence: 'Something stands behind the JSON object of the answer to an accepted update.',
    breaks: ['protocol/form-post', 'protocol/json-format', ...acceptancesOf(participant)],
    alter: changeBytes(participant, (body) => Buffer.concat([body, Buffer.from('\nserved in 3 ms')])),
  },
  'true-as-python-writes-it': {
    sentence: 'Where several items are given away, success is True.',
    ...metBy('protocol/json-format', reassign, 'protocol'),
    alter: changeBytes(
      reassign,
      (body) => Buffer.from(body.toString().replace(/("success":\s*)true/, '$1True')),
      (call) => itemIdsIn(call).length > 1,
    ),
  },
})

/** Ids given again, and answers with something from an earlier request. */
const recalledFaults = faultsOf({
  'workspace-ids-from-a-small-space': {
    sentence: 'The ids of workspaces are drawn from 4096.',
    breaks: ['add-workspace/id-is-new'],
    // A made-up id may belong to an existing workspace.
    mayBreak: [
      'add-workspace/concurrent-ids-distinct',
      'add-workspace/id-works',
      ...requirementsOf('sync-workspace'),
    ],
    alter: wrapping(
      'newId',
      (honest) => (kind) =>
        kind === 'workspace' ? numbered(Math.floor(Math.random() * 4096)) : honest(kind),
    ),
  },
  'ids-of-the-deleted-given-again': {
    sentence: 'New workspaces get the ids of those that went with a deleted collaboration.',
    breaks: ['add-workspace/id-is-new'],
    mayBreak: ['add-workspace/concurrent-ids-distinct'],
    alter: remembering(
      () => [] as string[],
      (free) =>
        all(
          afterEachDelete((_, { workspaces }) => void free.push(...workspaces.keys())),
          wrapping(
            'newId',
            (honest) => (kind) => (kind === 'workspace' ? free.pop() : undefined) ?? honest(kind),
          ),
        ),
    ),
  },
  'name-of-the-refused-one': {
    sentence: 'After a workspace was refused for its name, the next one gets the beginning of that name.',
    // The old name may show in the answer to any request, even one in an unusual form.
    ...metByAny('add-workspace/name-kept'),
    alter(parts) {
      let left: string | undefined
      all(
        afterRefused(add, ['name-too-long'], ({ form }) => {
          left = form.get('collaborationWorkspaceName')?.slice(0, 100)
        }),
        changeAdded((_, { name }) => {
          const instead = left ?? name
          left = undefined
          return { name: instead }
        }),
      )(parts)
    },
  },
  'similar-name-answers-with-the-first': {
    sentence:
      'A name that differs in letter case or accents from another one of its collaboration is answered with the id of that workspace.',
    breaks: ['add-workspace/id-is-new'],
    alter(parts) {
      const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
      const ids = new Map<string, { readonly name: string; readonly id: unknown }>()
      changeAdded(({ params, form }, { id }) => {
        const name = form.get('collaborationWorkspaceName') ?? ''
        const same = `${params.collaborationID} ${folded(name)}`
        // Identical names do not show the fault.
        const known = ids.get(same)
        if (known === undefined) ids.set(same, { name, id })
        return known !== undefined && known.name !== name ? { id: known.id } : {}
      })(parts)
    },
  },
})

/** Answers simultaneous requests with fields of the last one. Delays requests, so that they overlap. */
const mixingUp =
  ([operation, fields]: readonly [OperationId, (last: Call, own: Body) => Body]): Alter =>
  (parts) => {
    let last: Call
    around(operation, async (call, honest) => {
      last = call
      await sleep(5)
      return honest()
    })(parts)
    const change = (_: Call, own: Body) => fields(last, own)
    if (operation === add) changeAdded(change)(parts)
    else changeAccepted(operation, change)(parts)
  }

const mixedUpFaults = rowsOf(mixingUp, 'add-workspace/collaboration-id', {
  'workspace-answers-mixed-up': [
    'Of workspaces that are added at the same moment all are answered with the collaboration of the last one.',
    [add, ({ params }) => ({ collaborationId: params.collaborationID })],
  ],
  // Another name than the one sent looks like a misread form.
  'workspace-names-mixed-up': [
    'Of workspaces that are added at the same moment all are answered with the name of the last one.',
    [add, ({ form }, { name }) => ({ name: form.get('collaborationWorkspaceName') ?? name })],
    metByAny('add-workspace/name-kept'),
  ],
  'run-answers-mixed-up': [
    'Of runs that are updated at the same moment all are answered with the ids of the last one.',
    [run, echoOf],
    'update-task-run/identifiers',
  ],
  'federation-answers-mixed-up': [
    'Of federations that are updated at the same moment all are answered with the id of the last one.',
    [federation, echoOf],
    'update-federation/identifier',
  ],
  'participant-answers-mixed-up': [
    'Of simultaneous updates all are answered with the collaboration of the last one.',
    [participant, ({ params }) => ({ collaborationId: params.collaborationID })],
    'update-participant/identifiers',
  ],
})

/** Omits lastSyncSuccess from some answers to add-workspace. */
const lastSyncMissing =
  (conditionIn: (parts: Parts) => (call: Call) => boolean): Alter =>
  (parts) => {
    const marked = new WeakSet<Call>()
    changeAdded((call) => (marked.has(call) ? { lastSyncSuccess: undefined } : {}))(parts)
    around(add, (call, honest) => {
      if (condition(call)) marked.add(call)
      return honest()
    })(parts)
    // What the condition wraps itself comes before it in a request.
    const condition = conditionIn(parts)
  }

const fieldMissingFaults = rowsOf(lastSyncMissing, 'add-workspace/workspace-fields', {
  'field-missing-after-300-workspaces': [
    'From the three hundredth workspace on, workspaces have no lastSyncSuccess.',
    () => {
      let added = 0
      return () => ++added > 300
    },
  ],
  'field-missing-with-eight-at-once': [
    'While eight requests are under way, workspaces have no lastSyncSuccess.',
    (parts) => {
      const underWay = new Set<Call>()
      everywhere((operation) =>
        around(operation, async (call, honest) => {
          underWay.add(call)
          // The honest portal answers at once, so that requests would never overlap.
          await sleep(2)
          const answer = await honest()
          underWay.delete(call)
          return answer
        }),
      )(parts)
      return () => underWay.size >= 8
    },
  ],
  'field-missing-on-second-request-of-connection': [
    'In the second answer of a connection workspaces have no lastSyncSuccess.',
    (parts) => {
      const count = counter<object>()
      const isSecond = new WeakSet<object>()
      const honest = parts.admit
      parts.admit = (arrival) => {
        if (count(arrival.socket) === 2) isSecond.add(arrival)
        return honest(arrival)
      }
      return ({ arrival }) => isSecond.has(arrival)
    },
  ],
})

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
    [participant, 'participant', 'update-participant/identifiers', parameter('participantPortalID')],
    [participant, 'form', 'update-participant/identifiers', formOf],
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

const participantFaults = rowsOf(answering(participant), 'update-participant/identifiers', {
  'participant-portal-is-host': [
    "portalId is the id of the host where it is the participant's.",
    ({ store }) => ({ portalId: store.portals.host }),
  ],
  'participant-success-as-string': [
    'success is the string "true".',
    () => ({ success: 'true' }),
    {
      breaks: ['update-participant/updates', 'protocol/success-boolean'],
      // Without a valid `success`, no request of the operation counts as accepted.
      mayBreak: anyRequestOf(participant),
    },
  ],
})

const federationFaults = rowsOf(answering(federation), 'update-federation/identifier', {
  'federation-id-is-portal': [
    'federationId is the id of the portal.',
    ({ params }) => ({ federationId: params.portalID }),
  ],
  'federation-update-without-id': [
    'The answer to an accepted update has no federationId.',
    () => ({ federationId: undefined }),
    'update-federation/updates',
  ],
})

const descriptionFaults = rowsOf(changeAdded, 'add-workspace/workspace-fields', {
  'description-null-where-none-was-sent': [
    'Where no description was sent, description is null in the answer.',
    (call) => (hasNoDescription(call) ? { description: null } : {}),
  ],
  'description-missing-where-none-was-sent': [
    'Where no description was sent, the answer has none.',
    (call) => (hasNoDescription(call) ? { description: undefined } : {}),
  ],
})

/** Faults in what an answer holds. */
export const answerFaults: readonly WrittenFault[] = [
  ...runFaults,
  ...reassignFaults,
  ...syncFaults,
  ...viewFaults,
  ...portalViewFaults,
  ...errorFaults,
  ...detailFaults,
  ...brokenJsonFaults,
  ...brokenBodyFaults,
  ...dependingOn('simultaneous requests', mixedUpFaults),
  ...dependingOn('number of requests', fieldMissingFaults),
  ...dependingOn('earlier requests', recalledFaults),
  ...participantFaults,
  ...federationFaults,
  ...descriptionFaults,
]
