/**
 * Faults that depend on time: on the progress of a sync, on the order of requests, on other operations, or on a delay.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import {
  addedId,
  afterAccepted,
  afterEachDelete,
  afterRefused,
  all,
  around,
  changeAccepted,
  changeParts,
  echoOf,
  onceAccepted,
  overlook,
  startBeside,
  wrapping,
} from '../alterations.ts'
import type { Reason } from '../answers.ts'
import { collaborationIn, syncModeOf, workspaceIn } from '../handlers.ts'
import type { Alter, Call, SyncMode } from '../parts.ts'
import type { SyncJob, Workspace } from '../store.ts'
import { forCaller } from '../users.ts'
import { deleteAnyway } from './delete-collaboration.ts'
import { anyRequestOf, type Fault, faultsOf, lateMs, requirementsOf } from './fault.ts'
import { giveBack, move } from './reassign-items.ts'

const words = (id: string): string => id.replaceAll('-', ' ')

/** The progress of a sync, from 0 to 1. */
const overOf = ({ begunAt, dueAt }: SyncJob): number => (performance.now() - begunAt) / (dueAt - begunAt)

const isLong = ({ begunAt, dueAt }: SyncJob): boolean => dueAt - begunAt >= 700

/** On a busy machine, a request may come too late for a short sync, so that its parts are longer. */
const margin = 0.2

/**
 * Parts of a sync. Near the end of a short sync the next one starts after it is over, so that such a fault would not
 * show.
 */
const overlaps = (
  [
    ['at-its-beginning', 0, 0.2, () => true],
    ['at-its-beginning-where-it-is-short', 0 - margin, 0.2 + margin, (sync) => !isLong(sync)],
    ['at-its-beginning-where-it-is-long', 0, 0.2, isLong],
    ['in-its-middle', 0.35, 0.75, () => true],
    ['in-its-middle-where-it-is-short', 0.35 - margin, 0.75 + margin, (sync) => !isLong(sync)],
    ['in-its-middle-where-it-is-long', 0.35, 0.75, isLong],
    ['before-its-end', 0.7, 1, () => true],
    ['before-its-end-where-it-is-long', 0.7, 1, isLong],
  ] as const satisfies readonly (readonly [string, number, number, (sync: SyncJob) => boolean])[]
).map(
  ([part, from, to, concerns]): Fault => ({
    id: `scheduled-sync-overlapped-${part}`,
    sentence: `A sync that is asked for starts while a scheduled one is in progress: ${words(part)}.`,
    breaks: ['sync-workspace/one-at-a-time'],
    alter: startBeside(
      (running) => running.scheduled && concerns(running) && overOf(running) >= from && overOf(running) <= to,
    ),
  }),
)

/** Whether a sync has the wrong mode. `before`: the modes of the earlier syncs of its workspace. */
type Turn = (before: readonly SyncMode[]) => boolean

/** In some turns an asynchronous sync waits for its end, or a synchronous one does not. */
const waitsWrongly =
  (mode: SyncMode, isWrong: Turn): Alter =>
  (parts) => {
    const modes = new WeakMap<Workspace, SyncMode[]>()
    const modesOf = (call: Call) => modes.get(workspaceIn(call) as Workspace) ?? []
    all(
      changeParts(
        'sync-workspace',
        (call) => workspaceIn(call) !== undefined && syncModeOf(call) === mode && isWrong(modesOf(call)),
        { blocks: () => mode === 'asynchronous' },
      ),
      afterAccepted('sync-workspace', (call) => {
        const workspace = workspaceIn(call)
        if (workspace !== undefined) modes.set(workspace, [...modesOf(call), syncModeOf(call) as SyncMode])
      }),
    )(parts)
  }

const hadOddNumberOf =
  (mode: SyncMode): Turn =>
  (before) =>
    before.filter((each) => each === mode).length % 2 === 1

const wasLast =
  (mode: SyncMode): Turn =>
  (before) =>
    before.at(-1) === mode

const modes = (
  [
    ['every-second-synchronous-sync-of-a-workspace', 'synchronous', hadOddNumberOf('synchronous')],
    ['every-second-asynchronous-sync-of-a-workspace', 'asynchronous', hadOddNumberOf('asynchronous')],
    ['synchronous-after-synchronous', 'synchronous', wasLast('synchronous')],
    ['synchronous-after-asynchronous', 'synchronous', wasLast('asynchronous')],
    ['asynchronous-after-synchronous', 'asynchronous', wasLast('synchronous')],
    ['asynchronous-after-asynchronous', 'asynchronous', wasLast('asynchronous')],
  ] as const
).map(([turn, mode, isWrong]): Fault => {
  const isSynchronous = mode === 'synchronous'
  const what = isSynchronous
    ? 'No caller waits for the end of such a sync'
    : 'An asynchronous request waits for the end of its sync'
  return {
    id: `wrong-mode-${turn}`,
    sentence: `${what}: ${words(turn)}.`,
    breaks: [isSynchronous ? 'sync-workspace/synchronous-blocks' : 'sync-workspace/asynchronous-returns'],
    mayBreak: ['sync-workspace/own-syncs-one-at-a-time'],
    alter: waitsWrongly(mode, isWrong),
  }
})

const gone = [
  'delete-collaboration/gone-after-delete',
  'delete-collaboration/sharing-stops',
  'delete-collaboration/delete-twice',
] as const satisfies readonly RequirementId[]

/** Changes that are undone, or made after all, some time after the answer. */
const undone = faultsOf({
  'added-workspaces-vanish-later': {
    sentence: 'A workspace that was added is gone a little more than a second later.',
    breaks: ['add-workspace/id-works'],
    mayBreak: ['delete-collaboration/sharing-stops', 'sync-workspace/starts'],
    alter: afterAccepted(
      'add-workspace',
      (call, answer) => collaborationIn(call)?.workspaces.delete(addedId(answer)),
      lateMs,
    ),
  },
  'reassigned-items-go-back-later': {
    sentence: 'Items that were given away are with their former owner a little more than a second later.',
    breaks: ['reassign-items/ownership-moves'],
    mayBreak: requirementsOf('reassign-items'),
    alter: giveBack(
      (items, { form }) => items.filter(({ owner }) => owner === form.get('targetUsername')),
      lateMs,
    ),
  },
  'deleted-collaborations-come-back-later': {
    sentence: 'A deleted collaboration is there again a little more than a second later.',
    breaks: ['delete-collaboration/gone-after-delete'],
    mayBreak: gone,
    alter: afterEachDelete(({ collaborations }, collaboration) => {
      delete collaboration.deletedAt
      collaborations.set(collaboration.id, collaboration)
    }, lateMs),
  },
  'refused-deletes-happen-a-second-later': {
    sentence: 'A delete that was refused to its caller happens a little more than a second later.',
    breaks: ['delete-collaboration/refused-delete-has-no-effect'],
    mayBreak: requirementsOf('delete-collaboration'),
    alter: afterRefused('delete-collaboration', forCaller, deleteAnyway, lateMs),
  },
  'refused-reassignments-happen-a-second-later': {
    sentence:
      'A reassignment without credentials is refused, and its items move a little more than a second later.',
    breaks: ['reassign-items/refuses-anonymous'],
    mayBreak: requirementsOf('reassign-items'),
    alter: afterRefused('reassign-items', ['token-required'], (call) => move(call), lateMs),
  },
})

type Key = (call: Call) => string

const parameter =
  (name: string): Key =>
  ({ params, form }) =>
    String(params[name] ?? form.get(name))

/** The form without its token. */
const formOf: Key = ({ form }) => JSON.stringify(form.pairs.filter(([name]) => name !== 'token'))

const cachedForMs = 500

/** For a short time, answers the operation with the cached answer to an earlier request with the same key. */
const cachedBy =
  (operation: OperationId, key: Key): Alter =>
  (parts) => {
    const known = new Map<string, readonly [until: number, body: Readonly<Record<string, unknown>>]>()
    changeAccepted(operation, (call, body) => {
      const [until, cached] = known.get(key(call)) ?? [0, body]
      if (performance.now() < until) return cached
      known.set(key(call), [performance.now() + cachedForMs, body])
      return {}
    })(parts)
  }

const caches = (
  [
    ['update-task-run', 'user', 'update-task-run/identifiers', parameter('userName')],
    ['update-task-run', 'form', 'update-task-run/identifiers', formOf],
    ['update-participant', 'participant', 'update-participant/identifiers', parameter('participantPortalID')],
    ['update-participant', 'form', 'update-participant/identifiers', formOf],
    ['update-federation', 'portal', 'update-federation/identifier', parameter('portalID')],
    ['update-federation', 'form', 'update-federation/identifier', formOf],
    ['add-workspace', 'name', 'add-workspace/id-is-new', parameter('collaborationWorkspaceName')],
  ] as const
).map(
  ([operation, by, requirement, key]): Fault => ({
    id: `${operation}-answers-cached-by-${by}`,
    sentence: `For half a second ${operation} is answered as the last one was, by ${by}.`,
    breaks: [requirement],
    mayBreak: anyRequestOf(operation),
    alter: cachedBy(operation, key),
  }),
)

type Rule = readonly [OperationId, rule: string, Reason, RequirementId, Key]

const rules: readonly Rule[] = [
  [
    'add-workspace',
    'description-limit',
    'description-too-long',
    'add-workspace/description-limit-rejects',
    parameter('collaborationWorkspaceName'),
  ],
  ['reassign-items', 'items', 'unknown-item', 'reassign-items/unknown-item', parameter('targetUsername')],
  ['update-task-run', 'status', 'missing-status', 'update-task-run/status-required', parameter('runID')],
]

/** Rules that do not apply if an earlier request with the same key was accepted. */
const forgotten = rules.map(
  ([operation, rule, reason, requirement, key]): Fault => ({
    id: `${operation}-${rule}-not-looked-at-for-known`,
    sentence: `${operation} does not look at ${rule} where it has accepted a request for the same before.`,
    breaks: [requirement],
    mayBreak: requirementsOf(operation),
    alter: onceAccepted(operation, key, (known) =>
      overlook(operation, reason, (call) => known.has(key(call)), answerTo),
    ),
  }),
)

/** The fields of an accepted answer besides `success`. */
function answerTo(call: Call): Readonly<Record<string, unknown>> {
  const { operation, parts, form } = call
  if (operation !== 'add-workspace') return echoOf(call)
  const [workspace] = collaborationIn(call)?.workspaces.values() ?? []
  if (workspace === undefined) return {}
  const name = form.get('collaborationWorkspaceName')
  const description = form.get('collaborationWorkspaceDescription')
  return { workspace: { ...parts.viewWorkspace(workspace), id: parts.newId('workspace'), name, description } }
}

/** How long deletes take, so that other requests overlap with them. */
const deletionMs = 15
const raceMs = 10

/** If a use overlaps with a delete, both are accepted, but the collaboration stays. */
const keptBy =
  (operation: OperationId): Alter =>
  (parts) => {
    const used = new Set<string>()
    all(
      around('delete-collaboration', async (_call, honest) => {
        await sleep(deletionMs)
        return honest()
      }),
      around(operation, async (call, honest) => {
        const id = call.params.collaborationID as string
        used.add(id)
        await sleep(deletionMs + raceMs)
        used.delete(id)
        return honest()
      }),
      wrapping('remove', (honest) => (store, collaboration) => {
        if (!used.has(collaboration.id)) honest(store, collaboration)
      }),
    )(parts)
  }

const races = (['add-workspace', 'update-participant', 'sync-workspace'] as const).map(
  (operation): Fault => ({
    id: `${operation}-keeps-what-is-being-deleted`,
    sentence: `Where ${operation} is accepted while its collaboration is deleted, that stays.`,
    breaks: ['delete-collaboration/gone-after-delete'],
    mayBreak: gone,
    alter: keptBy(operation),
  }),
)

export const courseFaults: readonly Fault[] = [
  ...overlaps,
  ...modes,
  ...undone,
  ...caches,
  ...forgotten,
  ...races,
]
