/**
 * Faults that depend on time: on the progress of a sync, on the order of requests, on other operations, or on a delay.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { afterAccepted, afterRefused, around, changeAccepted, startBeside, wrapping } from '../alterations.ts'
import { collaborationIn, itemIdsIn, itemsIn, syncModeOf, workspaceIn } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import type { SyncJob, Workspace } from '../store.ts'
import { forCaller } from '../users.ts'
import { deleteAnyway } from './delete-collaboration.ts'
import { type Fault, faultsOf, requirementsOf } from './fault.ts'
import { move } from './reassign-items.ts'

type Written = Omit<Fault, 'id'>

/** The progress of a sync, from 0 to 1. */
const overOf = ({ begunAt, dueAt }: SyncJob): number => (performance.now() - begunAt) / (dueAt - begunAt)

const parts: Readonly<Record<string, readonly [from: number, to: number]>> = {
  'at-its-beginning': [0, 0.2],
  'in-its-middle': [0.35, 0.75],
  'before-its-end': [0.7, 1],
}

/** `margin`: extends the part on both sides. On a busy machine, a request may come too late for a short sync. */
const lengthsOfSyncs: Readonly<
  Record<string, { readonly concerns: (ms: number) => boolean; readonly margin: number }>
> = {
  '': { concerns: () => true, margin: 0 },
  '-where-it-is-short': { concerns: (ms) => ms < 700, margin: 0.2 },
  '-where-it-is-long': { concerns: (ms) => ms >= 700, margin: 0 },
}

const overlaps: Readonly<Record<string, Written>> = Object.fromEntries(
  Object.entries(parts).flatMap(([part, [from, to]]) =>
    // Near the end of a short sync, the next one starts after it is over, so that the fault does not show.
    Object.entries(lengthsOfSyncs)
      .filter(([length]) => part !== 'before-its-end' || length !== '-where-it-is-short')
      .map(([length, { concerns, margin }]) => [
        `scheduled-sync-overlapped-${part}${length}`,
        {
          sentence: `A sync that is asked for starts while a scheduled one is in progress: ${part.replaceAll('-', ' ')}${length.replaceAll('-', ' ')}.`,
          breaks: ['sync-workspace/one-at-a-time'] as const,
          alter: startBeside(
            (running) =>
              running.scheduled &&
              concerns(running.dueAt - running.begunAt) &&
              overOf(running) >= from - margin &&
              overOf(running) <= to + margin,
          ),
        },
      ]),
  ),
)

/** Whether a sync has the wrong mode. `before`: the modes of the workspace's earlier syncs. */
type Turn = (before: readonly string[], mode: string) => boolean

/** In some turns an asynchronous sync waits for its end, or a synchronous one does not. */
const waitsWrongly =
  (isWrong: Turn): Alter =>
  (parts) => {
    const before = new WeakMap<Workspace, string[]>()
    around('sync-workspace', async (call, honest) => {
      const workspace = workspaceIn(call)
      const mode = syncModeOf(call)
      if (workspace === undefined || mode === undefined) return honest()
      const modes = before.get(workspace) ?? []
      const { blocks } = parts
      if (isWrong(modes, mode)) parts.blocks = (asked) => !blocks(asked)
      try {
        const answer = honest()
        parts.blocks = blocks
        const came = await answer
        if (came.refused === undefined) before.set(workspace, [...modes, mode])
        return came
      } finally {
        parts.blocks = blocks
      }
    })(parts)
  }

const count = (modes: readonly string[], mode: string): number => modes.filter((each) => each === mode).length

const turns: Readonly<Record<string, readonly ['synchronous' | 'asynchronous', Turn]>> = {
  'every-second-synchronous-sync-of-a-workspace': [
    'synchronous',
    (before) => count(before, 'synchronous') % 2 === 1,
  ],
  'every-second-asynchronous-sync-of-a-workspace': [
    'asynchronous',
    (before) => count(before, 'asynchronous') % 2 === 1,
  ],
  'synchronous-after-synchronous': ['synchronous', (before) => before.at(-1) === 'synchronous'],
  'synchronous-after-asynchronous': ['synchronous', (before) => before.at(-1) === 'asynchronous'],
  'asynchronous-after-synchronous': ['asynchronous', (before) => before.at(-1) === 'synchronous'],
  'asynchronous-after-asynchronous': ['asynchronous', (before) => before.at(-1) === 'asynchronous'],
}

const modes: Readonly<Record<string, Written>> = Object.fromEntries(
  Object.entries(turns).map(([turn, [mode, isWrong]]) => [
    `wrong-mode-${turn}`,
    {
      sentence:
        mode === 'synchronous'
          ? `No caller waits for the end of such a sync: ${turn.replaceAll('-', ' ')}.`
          : `An asynchronous request waits for the end of its sync: ${turn.replaceAll('-', ' ')}.`,
      breaks: [
        mode === 'synchronous' ? 'sync-workspace/synchronous-blocks' : 'sync-workspace/asynchronous-returns',
      ] as const,
      mayBreak: ['sync-workspace/own-syncs-one-at-a-time'] as const,
      alter: waitsWrongly((before, asked) => asked === mode && isWrong(before, asked)),
    },
  ]),
)

/** How long after its answer a change is undone, or made after all. */
const laterMs = 1200

const afterwards = (act: () => void): void => void setTimeout(act, laterMs).unref()

const gone = [
  'delete-collaboration/gone-after-delete',
  'delete-collaboration/sharing-stops',
  'delete-collaboration/delete-twice',
] as const satisfies readonly RequirementId[]

const undone: Readonly<Record<string, Written>> = {
  'added-workspaces-vanish-later': {
    sentence: 'A workspace that was added is gone a little more than a second later.',
    breaks: ['add-workspace/id-works'],
    mayBreak: ['delete-collaboration/sharing-stops', 'sync-workspace/starts'],
    alter: afterAccepted('add-workspace', (call, { body }) => {
      const { id } = body.workspace as { readonly id: string }
      afterwards(() => void collaborationIn(call)?.workspaces.delete(id))
    }),
  },
  'reassigned-items-go-back-later': {
    sentence: 'Items that were given away are with their former owner a little more than a second later.',
    breaks: ['reassign-items/ownership-moves'],
    mayBreak: requirementsOf('reassign-items'),
    alter: afterAccepted('reassign-items', (call) => {
      const target = call.form.get('targetUsername')
      afterwards(() => {
        for (const item of itemsIn(call))
          if (item.owner === target) item.owner = call.params.userName as string
      })
    }),
  },
  'deleted-collaborations-come-back-later': {
    sentence: 'A deleted collaboration is there again a little more than a second later.',
    breaks: ['delete-collaboration/gone-after-delete'],
    mayBreak: gone,
    alter: wrapping('remove', (honest) => (store, collaboration) => {
      honest(store, collaboration)
      afterwards(() => {
        delete collaboration.deletedAt
        store.collaborations.set(collaboration.id, collaboration)
      })
    }),
  },
  'refused-deletes-happen-a-second-later': {
    sentence: 'A delete that was refused to its caller happens a little more than a second later.',
    breaks: ['delete-collaboration/refused-delete-has-no-effect'],
    mayBreak: requirementsOf('delete-collaboration'),
    alter: afterRefused('delete-collaboration', forCaller, (call) => afterwards(() => deleteAnyway(call))),
  },
  'refused-reassignments-happen-a-second-later': {
    sentence:
      'A reassignment without credentials is refused, and its items move a little more than a second later.',
    breaks: ['reassign-items/refuses-anonymous'],
    mayBreak: requirementsOf('reassign-items'),
    alter: afterRefused('reassign-items', ['token-required'], (call) => afterwards(() => move(call))),
  },
}

/** For a short time, answers the operation with the cached answer to an earlier request with the same key. */
const cachedBy =
  (operation: OperationId, key: (call: Call) => string, forMs: number): Alter =>
  (parts) => {
    const known = new Map<string, readonly [until: number, body: Readonly<Record<string, unknown>>]>()
    changeAccepted(operation, (call, body) => {
      const [until, cached] = known.get(key(call)) ?? [0, body]
      if (performance.now() < until) return cached
      known.set(key(call), [performance.now() + forMs, body])
      return {}
    })(parts)
  }

/** The form without its token. */
const formOf = ({ form }: Call): string => JSON.stringify(form.pairs.filter(([name]) => name !== 'token'))

const nameOf = ({ form }: Call): string => String(form.get('collaborationWorkspaceName'))

const keyed: readonly (readonly [string, OperationId, RequirementId, (call: Call) => string])[] = [
  ['by-user', 'update-task-run', 'update-task-run/identifiers', ({ params }) => params.userName as string],
  ['by-form', 'update-task-run', 'update-task-run/identifiers', formOf],
  [
    'by-participant',
    'update-participant',
    'update-participant/identifiers',
    ({ params }) => params.participantPortalID as string,
  ],
  ['by-form', 'update-participant', 'update-participant/identifiers', formOf],
  [
    'by-portal',
    'update-federation',
    'update-federation/identifier',
    ({ params }) => params.portalID as string,
  ],
  ['by-form', 'update-federation', 'update-federation/identifier', formOf],
  ['by-name', 'add-workspace', 'add-workspace/id-is-new', nameOf],
]

const caches: Readonly<Record<string, Written>> = Object.fromEntries(
  keyed.map(([by, operation, requirement, key]) => [
    `${operation}-answers-cached-${by}`,
    {
      sentence: `For half a second ${operation} is answered as the last one was, ${by.replaceAll('-', ' ')}.`,
      breaks: [requirement],
      mayBreak: requirementsOf(operation, 'protocol'),
      alter: cachedBy(operation, key, 500),
    },
  ]),
)

/** Rules that do not apply if an earlier request with the same key was accepted. */
const forgotten: Readonly<Record<string, Written>> = Object.fromEntries(
  (
    [
      [
        'description-limit',
        'add-workspace',
        'description-too-long',
        'add-workspace/description-limit-rejects',
        nameOf,
      ],
      [
        'items',
        'reassign-items',
        'unknown-item',
        'reassign-items/unknown-item',
        ({ form }: Call) => String(form.get('targetUsername')),
      ],
      [
        'status',
        'update-task-run',
        'missing-status',
        'update-task-run/status-required',
        ({ params }: Call) => String(params.runID),
      ],
    ] as const
  ).map(([what, operation, reason, requirement, key]) => [
    `${operation}-${what}-not-looked-at-for-known`,
    {
      sentence: `${operation} does not look at ${what} where it has accepted a request for the same before.`,
      breaks: [requirement],
      mayBreak: requirementsOf(operation),
      alter: (parts) => {
        const known = new Set<string>()
        around(operation, async (call, honest) => {
          const answer = await honest()
          if (answer.refused === undefined) known.add(key(call))
          if (answer.refused !== reason || !known.has(key(call))) return answer
          return { status: 200, body: { success: true, ...echoOf(call) } }
        })(parts)
      },
    } satisfies Written,
  ]),
)

/** The fields of an accepted answer besides `success`. */
function echoOf(call: Call): Readonly<Record<string, unknown>> {
  const { params, operation, parts, form } = call
  if (operation === 'update-task-run') return { taskId: params.taskID, runId: params.runID }
  if (operation === 'reassign-items') return { itemId: itemIdsIn(call)[0] }
  const collaboration = collaborationIn(call)
  const [workspace] = collaboration?.workspaces.values() ?? []
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
    around('delete-collaboration', async (_call, honest) => {
      await sleep(deletionMs)
      return honest()
    })(parts)
    around(operation, async (call, honest) => {
      const id = call.params.collaborationID as string
      used.add(id)
      await sleep(deletionMs + raceMs)
      used.delete(id)
      return honest()
    })(parts)
    wrapping('remove', (honest) => (store, collaboration) => {
      if (!used.has(collaboration.id)) honest(store, collaboration)
    })(parts)
  }

const races: Readonly<Record<string, Written>> = Object.fromEntries(
  (['add-workspace', 'update-participant', 'sync-workspace'] as const).map((operation) => [
    `${operation}-keeps-what-is-being-deleted`,
    {
      sentence: `Where ${operation} is accepted while its collaboration is deleted, that stays.`,
      breaks: ['delete-collaboration/gone-after-delete'] as const,
      mayBreak: gone,
      alter: keptBy(operation),
    },
  ]),
)

export const courseFaults = faultsOf({
  ...overlaps,
  ...modes,
  ...undone,
  ...caches,
  ...forgotten,
  ...races,
})
