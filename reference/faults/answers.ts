/** Answers that lack a field, hold another value or type, name other ids, or are no JSON: each field and each operation. */
import { type OperationId, operationIds, operations } from '../../specs/operations.ts'
import { type RequirementId, requirements } from '../../specs/requirements.ts'
import { around, changeAccepted, changeBytes, changeDetails, lastAsked } from '../alterations.ts'
import { isOwner, itemIdsIn, syncModeOf } from '../handlers.ts'
import type { Alter, Answer, Call } from '../parts.ts'
import { namesFolder } from './effects.ts'
import {
  type Applied,
  type Chapter,
  faultsOf,
  firstOf,
  inWords,
  kebab,
  product,
  requirementsOf,
} from './fault.ts'

type Body = Answer['body']

type FieldType = 'string' | 'integer' | 'boolean' | 'object' | 'array'

/** A field of an answer (§2, §4, §7). */
interface AnsweredField {
  /** What has it: an accepted answer, the error for an ineligible target, or an entry of its details. */
  readonly of: OperationId | 'error' | 'details'
  readonly path: readonly string[]
  readonly type: FieldType
  readonly breaks: readonly RequirementId[]
  readonly mayBreak: readonly RequirementId[]
}

const ofErrors = requirementsOf('reassign-items').filter((id) => /\/(?:error|ineligible-target)/.test(id))

/** Fields by their paths; checks of the same operation may compare a field with others. */
const answered = (
  of: AnsweredField['of'],
  breaks: RequirementId,
  fields: Readonly<Record<string, FieldType>>,
): AnsweredField[] =>
  Object.entries(fields).map(([path, type]) => ({
    ...{ of, type, path: path.split('.'), breaks: [breaks] },
    mayBreak: of === 'error' || of === 'details' ? ofErrors : requirementsOf(of),
  }))

/** Where success is broken no request of the operation counts as accepted any more. */
const successOf = (of: OperationId): AnsweredField => ({
  ...{ of, path: ['success'], type: 'boolean' },
  breaks: [firstOf(of), 'protocol/success-boolean'],
  mayBreak: requirementsOf(of, 'protocol'),
})

const answeredFields: readonly AnsweredField[] = [
  ...operationIds.map(successOf),
  ...answered('add-workspace', 'add-workspace/creates', { workspace: 'object' }),
  ...answered('add-workspace', 'add-workspace/workspace-fields', {
    ...{ 'workspace.id': 'string', 'workspace.name': 'string', 'workspace.description': 'string' },
    ...{ 'workspace.collaborationId': 'string', 'workspace.config': 'object' },
    ...{ 'workspace.created': 'integer', 'workspace.modified': 'integer' },
    'workspace.lastSyncSuccess': 'integer',
  }),
  ...answered('add-workspace', 'add-workspace/config-fields', {
    'workspace.config.maxItemSizeInMB': 'integer',
    'workspace.config.maxReplicationPackageSizeInMB': 'integer',
    'workspace.config.bidirectionalSyncCapable': 'boolean',
  }),
  ...answered('update-task-run', 'update-task-run/updates', { taskId: 'string', runId: 'string' }),
  ...answered('reassign-items', 'reassign-items/reassigns', { itemId: 'string' }),
  ...answered('sync-workspace', 'sync-workspace/starts', { jobId: 'string', key: 'string' }),
  ...answered('update-participant', 'update-participant/updates', {
    ...{ collaborationId: 'string', portalId: 'string' },
  }),
  ...answered('update-federation', 'update-federation/updates', { federationId: 'string' }),
  ...answered('error', 'reassign-items/error-shape', {
    ...{ code: 'integer', messageCode: 'string', message: 'string', details: 'array' },
  }),
  ...answered('details', 'reassign-items/error-details-fields', {
    ...{ itemId: 'string', type: 'string', url: 'string', reservedTypeKeywords: 'array', owner: 'string' },
  }),
]

/** The body with another value in that place; undefined: the field is not there. */
function withField(
  body: Body,
  [name, ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): Body {
  const key = name as string
  const value = rest.length === 0 ? change(body[key]) : withField((body[key] ?? {}) as Body, rest, change)
  return { ...body, [key]: value }
}

function changeField({ of, path }: AnsweredField, change: (value: unknown) => unknown): Alter {
  if (of === 'details') return changeDetails((entry) => withField(entry, path, change))
  if (of !== 'error') return changeAccepted(of, (_call, body) => withField(body, path, change))
  return around('reassign-items', async (_call, honest) => {
    const answer = await honest()
    if (answer.refused !== 'ineligible-target') return answer
    return { ...answer, body: withField(answer.body, ['error', ...path], change) }
  })
}

const ofAnotherType: Readonly<Record<FieldType, (value: unknown) => unknown>> = {
  ...{ string: () => 17, integer: String, boolean: String, object: () => [], array: () => ({}) },
}

const breakages: Readonly<Record<string, (type: FieldType) => (value: unknown) => unknown>> = {
  missing: () => () => undefined,
  null: () => () => null,
  'of-another-type': (type) => ofAnotherType[type],
}

/** Names of those faults that are called otherwise. */
const names: Readonly<Record<string, string>> = {
  'add-workspace-workspace-last-sync-success-missing': 'workspace-without-last-sync',
  'add-workspace-workspace-missing': 'workspace-missing-in-answer',
  'add-workspace-config-max-item-size-in-mb-of-another-type': 'workspace-size-as-string',
  'add-workspace-config-bidirectional-sync-capable-of-another-type': 'config-boolean-as-text',
  'update-task-run-run-id-of-another-type': 'run-id-as-number',
  'update-participant-success-of-another-type': 'participant-success-as-string',
  'delete-collaboration-success-missing': 'delete-without-success',
  'reassign-items-item-id-missing': 'reassign-without-item-id',
  'sync-workspace-job-id-missing': 'sync-without-job',
  'update-federation-federation-id-missing': 'federation-update-without-id',
  'error-code-of-another-type': 'error-code-as-string',
  'error-message-code-missing': 'error-without-message-code',
  'update-federation-federation-id-is-the-portal': 'federation-id-is-portal',
  'update-participant-portal-id-is-the-portal': 'participant-portal-is-host',
  'add-workspace-collaboration-id-mixed-up': 'workspace-answers-mixed-up',
  'update-task-run-run-id-mixed-up': 'run-answers-mixed-up',
  'update-participant-collaboration-id-mixed-up': 'participant-answers-mixed-up',
  'update-federation-federation-id-mixed-up': 'federation-answers-mixed-up',
  'add-workspace-answers-in-latin-1': 'answers-in-latin-1',
  'update-participant-answers-with-trailing-text': 'answer-with-trailing-text',
}

const named = (id: string): string => names[id] ?? id

const brokenFields = answeredFields.flatMap((field) =>
  Object.entries(breakages).map(([how, change]): Applied => {
    const { of, path, type, breaks, mayBreak } = field
    return {
      id: named(`${of}-${path.slice(-2).map(kebab).join('-')}-${how}`),
      sentence: `In answers of ${of} the field ${path.join('.')} is ${inWords(how)}.`,
      breaks,
      mayBreak,
      alter: changeField(field, change(type)),
    }
  }),
)

/** A field that repeats an id of the path. */
interface RepeatedId extends Pick<AnsweredField, 'path'> {
  readonly operation: OperationId
  readonly param: string
  readonly requirement: RequirementId
}

const repeatedBy: Readonly<Partial<Record<OperationId, Readonly<Record<string, string>>>>> = {
  'add-workspace': { collaborationID: 'workspace.collaborationId' },
  'update-task-run': { taskID: 'taskId', runID: 'runId' },
  'update-participant': { collaborationID: 'collaborationId', participantPortalID: 'portalId' },
  'update-federation': { federationID: 'federationId' },
}

const repeatedIds: readonly RepeatedId[] = operations.flatMap(({ id: operation }) =>
  Object.entries(repeatedBy[operation] ?? {}).map(([param, path]) => ({
    ...{ operation, param, path: path.split('.') },
    requirement: requirements.find(({ id }) =>
      ['identifier', 'identifiers', 'collaboration-id'].some((end) => id === `${operation}/${end}`),
    )?.id as RequirementId,
  })),
)

const misnamings: Readonly<Record<string, (id: string, call: Call) => unknown>> = {
  'in-capitals': (id) => id.toUpperCase(),
  'cut-short': (id) => id.slice(0, -1),
  empty: () => '',
  'with-a-space': (id) => `${id} `,
  'is-the-portal': (_id, { params, store }) => params.portalID ?? store.portals.host,
}

const changeRepeated = ({ operation, path }: RepeatedId, change: (id: string, call: Call) => unknown) =>
  changeAccepted(operation, (call, body) => withField(body, path, (id) => change(String(id), call)))

const idOf = ({ operation, path }: RepeatedId): string => `${operation}-${kebab(path.at(-1) as string)}`

const misnamed = Object.entries(misnamings).flatMap(([how, change]) =>
  repeatedIds.map(
    (place): Applied => ({
      id: named(`${idOf(place)}-${how}`),
      sentence: `Answers of ${place.operation} name another ${place.param} than the path: ${inWords(how)}.`,
      breaks: [place.requirement],
      mayBreak: requirementsOf(place.operation),
      alter: changeRepeated(place, change),
    }),
  ),
)

const mixedUp = repeatedIds.map(
  (place): Applied => ({
    id: named(`${idOf(place)}-mixed-up`),
    sentence: `Simultaneous requests of ${place.operation} are answered with the ${place.param} of the last one.`,
    breaks: [place.requirement],
    alter(parts) {
      const last = lastAsked(parts, place.operation)
      changeRepeated(place, () => last().params[place.param])(parts)
    },
  }),
)

const surrounded =
  (before: string, behind: string) =>
  (body: Buffer): Buffer =>
    Buffer.concat([Buffer.from(before), body, Buffer.from(behind, 'latin1')])

const beforeEnd = (body: Buffer): Buffer => body.subarray(0, body.lastIndexOf('}'))

const spoilings: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  'in-latin-1': (body) => surrounded('', ',"server":"Orléans"}')(beforeEnd(body)),
  'with-trailing-text': surrounded('', '\nserved in 3 ms'),
  'as-a-call': surrounded('callback(', ')'),
  'in-a-list': surrounded('[', ']'),
  'without-its-end': beforeEnd,
  'in-single-quotes': (body) => Buffer.from(body.toString('utf8').replaceAll('"', "'")),
}

const spoilt = Object.entries(spoilings).flatMap(([how, change]) =>
  operationIds.map(
    (operation): Applied => ({
      id: named(`${operation}-answers-${how}`),
      sentence: `The answer to an accepted ${operation} is not one JSON object in UTF-8: ${inWords(how)}.`,
      breaks: ['protocol/form-post', 'protocol/json-format', firstOf(operation)],
      mayBreak: requirementsOf(operation, 'protocol'),
      alter: changeBytes(operation, change),
    }),
  ),
)

/** A field that is broken in the answers to some requests only. */
type Sometimes = readonly [of: OperationId, path: string, value: unknown, when: (call: Call) => boolean]

const hasNoDescription = ({ form }: Call): boolean =>
  form.get('collaborationWorkspaceDescription') === undefined

const inSome: Readonly<Record<string, Sometimes>> = {
  'description-missing-where-none-was-sent': [
    'add-workspace',
    'workspace.description',
    undefined,
    hasNoDescription,
  ],
  'description-null-where-none-was-sent': ['add-workspace', 'workspace.description', null, hasNoDescription],
  'key-missing-in-synchronous-mode': [
    'sync-workspace',
    'key',
    undefined,
    (call) => syncModeOf(call) === 'synchronous',
  ],
  'key-missing-in-asynchronous-mode': [
    'sync-workspace',
    'key',
    undefined,
    (call) => syncModeOf(call) === 'asynchronous',
  ],
  'asynchronous-success-as-number': [
    'sync-workspace',
    'success',
    1,
    (call) => syncModeOf(call) === 'asynchronous',
  ],
  'item-id-missing-without-folder': ['reassign-items', 'itemId', undefined, (call) => !namesFolder(call)],
  'item-id-missing-with-folder': ['reassign-items', 'itemId', undefined, namesFolder],
  'item-id-missing-from-three-items-on': [
    'reassign-items',
    'itemId',
    undefined,
    (call) => itemIdsIn(call).length > 2,
  ],
  'item-id-missing-for-owner': ['reassign-items', 'itemId', undefined, isOwner],
  'run-id-missing-without-result': [
    'update-task-run',
    'runId',
    undefined,
    ({ form }) => form.get('result') === undefined,
  ],
}

/** What a field is broken by, wherever it is. */
const breaksOf = (of: OperationId, path: string): AnsweredField =>
  answeredFields.find((field) => field.of === of && field.path.join('.') === path) as AnsweredField

const brokenInSome = Object.entries(inSome).map(([id, [of, path, value, when]]): Applied => {
  const { breaks, mayBreak } = breaksOf(of, path)
  const broken = (body: Body): Body => withField(body, path.split('.'), () => value)
  return {
    id,
    sentence: `In some answers of ${of} the field ${path} is broken: ${inWords(id)}.`,
    breaks,
    mayBreak,
    alter: changeAccepted(of, (call, body) => (when(call) ? broken(body) : body)),
  }
})

const anyCase = 'left open: the letter case of ids in answers (variant ids-echoed-in-upper-case)'

const answerProducts = [
  product('a field of an answer is broken', brokenFields),
  product('an id of the path comes back otherwise', misnamed, {
    leftOut: Object.fromEntries(repeatedIds.map((place) => [`${idOf(place)}-in-capitals`, anyCase])),
  }),
  product('simultaneous answers are mixed up', mixedUp, {
    stateful: true,
    leftOut: { 'update-participant-portal-id-mixed-up': 'equivalent: it is the same participant' },
  }),
  product('a field of some answers is broken', brokenInSome),
  product('an answer is not one JSON object in UTF-8', spoilt),
]

const answerFaults = faultsOf({
  'run-ids-swapped': {
    sentence: 'The answer has the task in runId and the run in taskId.',
    breaks: ['update-task-run/identifiers'],
    alter: changeAccepted('update-task-run', (_, { taskId, runId }) => ({ taskId: runId, runId: taskId })),
  },
})

export const answersChapter: Chapter = { products: answerProducts, faults: answerFaults }
