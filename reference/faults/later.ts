/**
 * Faults that show only in some requests, only later, or while other requests are running: they depend on the progress
 * of a sync, on the order of requests, on other operations, or on a delay.
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
  changeAdded,
  changeDetails,
  changeParts,
  counter,
  echoOf,
  everywhere,
  onceAccepted,
  onceRefused,
  overlook,
  refuseWhen,
  remembering,
  seenBefore,
  startBeside,
  wrapping,
} from '../alterations.ts'
import type { Reason } from '../answers.ts'
import { collaborationIn, isOwner, itemsIn, syncModeOf, workspaceIn } from '../handlers.ts'
import type { Alter, Call, SyncMode } from '../parts.ts'
import type { SyncJob, Workspace } from '../store.ts'
import { forCaller } from '../users.ts'
import { deleteAnyway } from './delete-collaboration.ts'
import {
  anyRequestOf,
  type Fault,
  faultsOf,
  lateMs,
  namesFolder,
  namesSynchronous,
  refusalsOf,
  requirementsOf,
  soonMs,
  words,
} from './fault.ts'
import { giveBack, move, takeAnyNumber } from './reassign-items.ts'
import { freeing, freeScheduled } from './scopes.ts'
import { waitsWhere } from './sync-workspace.ts'

const add = 'add-workspace'
const reassign = 'reassign-items'

/** Faults that depend on parameters, on the caller, or on earlier requests. */
export const rareRequestFaults = faultsOf({
  'ineligible-target-accepted-with-folder': {
    sentence: 'Where a folder is named, items go to a user who may not receive them.',
    breaks: ['reassign-items/ineligible-target'],
    // Without a refusal there is no error to check.
    mayBreak: requirementsOf(reassign).filter((id) => id.includes('/error-')),
    alter: changeParts(reassign, namesFolder, { eligible: () => true }),
  },
  'ineligible-target-accepted-for-owner': {
    sentence: 'An owner may give items to a user who may not receive them.',
    breaks: ['reassign-items/ineligible-target'],
    alter: changeParts(reassign, isOwner, { eligible: () => true }),
  },
  'too-many-items-with-folder': {
    sentence: 'Where a folder is named, more than 100 items are accepted.',
    breaks: ['reassign-items/items-limit-rejects'],
    alter: takeAnyNumber(namesFolder),
  },
  'item-id-missing-without-folder': {
    sentence: 'The answer has no itemId where no folder was named.',
    breaks: ['reassign-items/reassigns'],
    alter: changeAccepted(reassign, (call) => (namesFolder(call) ? {} : { itemId: undefined })),
  },
  'error-details-owner-is-former': {
    sentence: 'owner in error.details is the owner that the item had when somebody first asked for it.',
    breaks: ['reassign-items/error-details-owner'],
    alter(parts) {
      const first = new Map<unknown, string>()
      around(reassign, (call, honest) => {
        for (const { id, owner } of itemsIn(call)) if (!first.has(id)) first.set(id, owner)
        return honest()
      })(parts)
      changeDetails(({ itemId }) => ({ owner: first.get(itemId) }))(parts)
    },
  },
  'empty-run-status-accepted': {
    sentence: 'An empty status is accepted, although the list is closed.',
    breaks: ['update-task-run/statuses'],
    alter: overlook('update-task-run', 'missing-status', ({ form }) => form.get('status') === ''),
  },
  'syncs-overlap-after-refusal': {
    sentence: 'Once a second sync was refused, a third one starts while the first is in progress.',
    breaks: ['sync-workspace/one-at-a-time'],
    mayBreak: ['sync-workspace/own-syncs-one-at-a-time'],
    alter: remembering(seenBefore<SyncJob>, startBeside),
  },
  'synchronous-sync-leaves-lock': {
    sentence: 'After a synchronous sync every further one is refused.',
    breaks: ['sync-workspace/after-finish'],
    alter: wrapping('syncGate', (honest, parts) => {
      const locked = new WeakSet<Workspace>()
      return (call, workspace) => {
        if (locked.has(workspace)) return parts.refuse('sync-running')
        const instead = honest(call, workspace)
        if (instead === undefined && namesSynchronous(call)) locked.add(workspace)
        return instead
      }
    }),
  },
})

/** Omits lastSyncSuccess from some answers to add-workspace. */
const lastSyncMissing = (condition: (call: Call) => boolean): Alter =>
  remembering(
    () => new WeakSet<Call>(),
    (marked) =>
      all(
        changeAdded((call) => (marked.has(call) ? { lastSyncSuccess: undefined } : {})),
        around(add, (call, honest) => {
          if (condition(call)) marked.add(call)
          return honest()
        }),
      ),
  )

/** After a refusal for this reason, the path is refused for ever. */
const lockedAfter = (operation: OperationId, why: Reason): Alter => {
  const path = ({ params }: Call) => JSON.stringify(params)
  return onceRefused(operation, [why], path, (locked) =>
    refuseWhen(operation, why, (call) => locked.has(path(call))),
  )
}

/** Faults that depend on an earlier refusal, the n-th use, other running requests, or a used connection. */
export const laterFaults = faultsOf({
  'refused-delete-happens-later': {
    sentence: 'A delete that was refused to its caller happens a little later.',
    breaks: [
      'delete-collaboration/refused-delete-has-no-effect',
      'delete-collaboration/refuses-invalid-credential',
    ],
    alter: afterRefused('delete-collaboration', forCaller, deleteAnyway, soonMs),
  },
  'participant-locked-after-bad-address': {
    sentence: 'A participant that was refused an e-mail address is updated no more.',
    breaks: ['update-participant/updates'],
    mayBreak: requirementsOf('update-participant'),
    alter: lockedAfter('update-participant', 'bad-email'),
  },
  'federation-locked-after-bad-setting': {
    sentence: 'A federation that was refused a setting is updated no more.',
    breaks: ['update-federation/updates'],
    mayBreak: requirementsOf('update-federation'),
    alter: lockedAfter('update-federation', 'bad-setting'),
  },
  'refused-reassignment-happens-later': {
    sentence: 'A reassignment that was refused to its caller happens a little later.',
    breaks: refusalsOf(reassign),
    alter: afterRefused(reassign, forCaller, (call) => move(call), soonMs),
  },
  'field-missing-after-300-workspaces': {
    sentence: 'From the three hundredth workspace on, workspaces have no lastSyncSuccess.',
    breaks: ['add-workspace/workspace-fields'],
    alter: remembering(counter<string>, (count) => lastSyncMissing(() => count(add) > 300)),
  },
  'field-missing-with-eight-at-once': {
    sentence: 'While eight requests are under way, workspaces have no lastSyncSuccess.',
    breaks: ['add-workspace/workspace-fields'],
    alter(parts) {
      let under = 0
      const counted = (operation: OperationId) =>
        around(operation, async (_call, honest) => {
          under += 1
          try {
            // The honest portal answers at once, so that requests would never overlap.
            await sleep(2)
            return await honest()
          } finally {
            under -= 1
          }
        })
      all(
        lastSyncMissing(() => under >= 8),
        everywhere(counted),
      )(parts)
    },
  },
  'field-missing-on-second-request-of-connection': {
    sentence: 'In the second answer of a connection workspaces have no lastSyncSuccess.',
    breaks: ['add-workspace/workspace-fields'],
    alter(parts) {
      const counts = new WeakMap<object, number>()
      const honest = parts.admit
      parts.admit = (arrival) => {
        counts.set(arrival.socket, (counts.get(arrival.socket) ?? 0) + 1)
        return honest(arrival)
      }
      lastSyncMissing(({ arrival }) => counts.get(arrival.socket) === 2)(parts)
    },
  },
  'second-synchronous-sync-returns-at-once': {
    sentence: 'From the second sync of a workspace on, synchronous mode does not wait.',
    breaks: ['sync-workspace/synchronous-blocks'],
    alter: remembering(seenBefore<Workspace>, (isSecond) => waitsWhere(false, isSecond)),
  },
  'second-asynchronous-sync-blocks': {
    sentence: 'From the second sync of a workspace on, asynchronous mode waits as synchronous mode does.',
    breaks: ['sync-workspace/asynchronous-returns'],
    alter: remembering(seenBefore<Workspace>, (isSecond) => waitsWhere(true, isSecond)),
  },
  'long-synchronous-sync-let-go': {
    sentence: 'In synchronous mode the answer does not wait for a sync of more than a second.',
    breaks: ['sync-workspace/synchronous-blocks'],
    mayBreak: ['sync-workspace/one-at-a-time'],
    alter: waitsWhere(false, ({ syncMs }) => syncMs > 1000),
  },
  'asynchronous-sync-overlaps-scheduled': {
    sentence: 'An asynchronous sync starts while a scheduled one is in progress; a synchronous one does not.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter: startBeside(({ scheduled }, call) => scheduled && syncModeOf(call) === 'asynchronous'),
  },
  'lock-of-scheduled-sync-ends-with-time': {
    sentence: 'Half a second after a scheduled sync was first met, another one may start.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter(parts) {
      const met = new WeakMap<SyncJob, number>()
      startBeside((running) => {
        if (!running.scheduled) return false
        const since = met.get(running) ?? performance.now()
        met.set(running, since)
        return performance.now() - since > 500
      })(parts)
    },
  },
  'lock-of-scheduled-sync-ends-with-deletion': {
    sentence: 'Deleting a collaboration lets syncs start in all others, whatever runs there.',
    breaks: ['sync-workspace/one-at-a-time'],
    alter: freeing((freed) => afterEachDelete((store) => freeScheduled(freed, store))),
  },
})

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
