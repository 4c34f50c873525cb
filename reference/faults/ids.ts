/** Faults in which an unknown id is taken for a known one: for its likeness, its kind, or how often it was asked for. */
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { counter, onceAccepted, overlook, remembering, seenBefore, takeFor } from '../alterations.ts'
import { collaborationIn } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import type { Store } from '../store.ts'
import { faultsOf, type WrittenFault, words } from './fault.ts'

const add = 'add-workspace'
const run = 'update-task-run'
const reassign = 'reassign-items'
const sync = 'sync-workspace'

type Likeness = (sent: string, known: string) => boolean

/** The number of characters that are not compared. */
const part = 4

/** When an unknown id counts as a known one. */
const likenesses = {
  'end-not-compared': (sent, known) =>
    sent.length === known.length && sent.slice(0, -part) === known.slice(0, -part),
  'start-not-compared': (sent, known) =>
    sent.length === known.length && sent.slice(part) === known.slice(part),
  'middle-not-compared': (sent, known) => {
    const start = Math.floor((known.length - part) / 2)
    const ends = (id: string) => id.slice(0, start) + id.slice(start + part)
    return sent.length === known.length && known.length > 2 * part && ends(sent) === ends(known)
  },
  'may-go-on': (sent, known) => known.length >= part && sent.startsWith(known),
} as const satisfies Readonly<Record<string, Likeness>>

/** The known id for which an unknown one is taken. Of several users, the owner of the task. */
function resembled(call: Call, ids: Iterable<string>, sent: string, resembles: Likeness): string | undefined {
  const all = [...ids]
  if (all.includes(sent)) return undefined
  const resembling = all.filter((each) => resembles(sent, each))
  const owner = call.store.tasks.get(call.params.taskID ?? '')?.owner
  return resembling.find((each) => each === owner) ?? resembling[0]
}

interface Place {
  readonly operation: OperationId
  readonly parameter: string
  readonly requirement: RequirementId
  readonly known: (call: Call) => Iterable<string>
  readonly likenesses: readonly (keyof typeof likenesses)[]
}

const inside = ['start-not-compared', 'middle-not-compared'] as const
const upToTheEnd = ['end-not-compared', ...inside] as const
const anywhere = [...upToTheEnd, 'may-go-on'] as const

const place = (
  operation: OperationId,
  parameter: string,
  requirement: RequirementId,
  known: Place['known'],
  likenesses: Place['likenesses'] = inside,
): Place => ({ operation, parameter, requirement, known, likenesses })

const collaborations = ({ store }: Call) => store.collaborations.keys()
const groups = ({ store }: Call) => store.groups.keys()
const users = ({ store }: Call) => store.users.keys()
const tasks = ({ store }: Call) => store.tasks.keys()
const federations = ({ store }: Call) => store.federations.keys()
const runs = ({ store, params }: Call) => store.tasks.get(params.taskID as string)?.runs.keys() ?? []
const workspaces = (call: Call) => collaborationIn(call)?.workspaces.keys() ?? []
const participants = (call: Call) =>
  [...(collaborationIn(call)?.participants.keys() ?? [])].map((id) => call.parts.participantId(id))

const items = place(
  reassign,
  'items',
  'reassign-items/unknown-item',
  ({ store }) => store.items.keys(),
  anywhere,
)

const places: readonly Place[] = [
  place(add, 'collaborationID', 'add-workspace/unknown-collaboration', collaborations),
  place(add, 'portalGroupId', 'add-workspace/unknown-group', groups, anywhere),
  place(run, 'userName', 'update-task-run/unknown-run', users, anywhere),
  place(run, 'taskID', 'update-task-run/unknown-run', tasks),
  place(run, 'runID', 'update-task-run/unknown-run', runs),
  items,
  place(reassign, 'targetUsername', 'reassign-items/unknown-target', users, anywhere),
  place(sync, 'collaborationID', 'sync-workspace/unknown-collaboration', collaborations),
  place(sync, 'workspaceID', 'sync-workspace/unknown-workspace', workspaces),
  place(
    'update-participant',
    'collaborationID',
    'update-participant/unknown-collaboration',
    collaborations,
    upToTheEnd,
  ),
  place('update-participant', 'participantPortalID', 'update-participant/unknown-participant', participants),
  place('update-federation', 'federationID', 'update-federation/unknown-federation', federations, upToTheEnd),
]

/** Replaces an unknown id in this place by a known id that it resembles. Each id of a list is replaced separately. */
const mistaking = (
  { operation, parameter, known }: Place,
  resembles: Likeness,
  concerns: (list: readonly string[], at: number) => boolean = () => true,
): Alter =>
  takeFor(operation, parameter, (call, sent) => {
    if (parameter in call.params) return resembled(call, known(call), sent, resembles)
    const list = sent.split(',')
    const taken = list.map(
      (one, at) => (concerns(list, at) && resembled(call, known(call), one, resembles)) || one,
    )
    // A replaced id may equal another one in the list. Keep it once.
    return [...new Set(taken)].join(',')
  })

/** These checks send ids that are deleted or belong to another task, which also count as unknown. */
const also: readonly RequirementId[] = [
  'add-workspace/id-works',
  'delete-collaboration/gone-after-delete',
  'delete-collaboration/sharing-stops',
  'update-task-run/run-of-task',
  'reassign-items/target-in-organization',
]

const kebab = (name: string): string =>
  name
    .replace(/ID$/, 'Id')
    .replace(/(?<=[a-z])([A-Z])/g, '-$1')
    .toLowerCase()

const resembling = places.flatMap((where) =>
  where.likenesses.map(
    (likeness): WrittenFault => ({
      id: `${where.operation}-${kebab(where.parameter)}-${likeness}`,
      sentence: `${where.operation} takes what resembles a known ${where.parameter} for it: ${words(likeness)}.`,
      breaks: [where.requirement],
      mayBreak: also,
      alter: mistaking(where, likenesses[likeness]),
    }),
  ),
)

const itemsAtPlaces = (
  [
    ['alone', ({ length }) => length === 1],
    ['first', ({ length }, at) => length > 1 && at === 0],
    ['in-the-middle', ({ length }, at) => at > 0 && at < length - 1],
    ['last', ({ length }, at) => length > 1 && at === length - 1],
  ] as const satisfies readonly (readonly [string, (list: readonly string[], at: number) => boolean])[]
).map(
  ([where, concerns]): WrittenFault => ({
    id: `reassign-items-items-resembling-${where}`,
    sentence: `An id that differs from that of an item in four characters at any place is taken for it: ${words(where)}.`,
    breaks: ['reassign-items/unknown-item'],
    alter: mistaking(
      items,
      (sent, known) => Object.values(likenesses).some((resembles) => resembles(sent, known)),
      concerns,
    ),
  }),
)

export const likenessFaults: readonly WrittenFault[] = [...resembling, ...itemsAtPlaces]

/** The id of the collaboration with this workspace. */
const homeOf = ({ collaborations }: Store, workspaceId: string): string | undefined =>
  [...collaborations.values()].find(({ workspaces }) => workspaces.has(workspaceId))?.id

const firstGroup = ({ groups }: Store): string => groups.keys().next().value ?? ''

/** For administrators, replaces the user in the path by the owner of the task. */
const ownerFor = (instead: (store: Store, userName: string) => boolean): Alter =>
  takeFor(run, 'userName', ({ user, store, params }, userName) =>
    user?.role === 'administrator' && instead(store, userName)
      ? store.tasks.get(params.taskID as string)?.owner
      : undefined,
  )

/** Faults in which an unknown id is taken for a known one. */
export const idFaults = faultsOf({
  'unknown-group-known-the-second-time': {
    sentence: 'The id of a group that does not exist is accepted at the second request.',
    breaks: ['add-workspace/unknown-group'],
    dependsOn: 'earlier requests',
    alter: remembering(seenBefore<string>, (asked) =>
      takeFor(add, 'portalGroupId', ({ store }, id) =>
        id !== '' && !store.groups.has(id) && asked(id) ? firstGroup(store) : undefined,
      ),
    ),
  },
  'unknown-collaboration-known-the-third-time': {
    sentence:
      'An id that no collaboration has, asked for the third time, stands for the one that was used last.',
    breaks: ['add-workspace/unknown-collaboration'],
    mayBreak: ['delete-collaboration/gone-after-delete'],
    dependsOn: 'earlier requests',
    alter: remembering(counter<string>, (asked) => {
      let last = ''
      return takeFor(add, 'collaborationID', ({ store }, id) => {
        if (!store.collaborations.has(id)) return asked(id) === 3 ? last : undefined
        last = id
        return undefined
      })
    }),
  },
  'run-under-any-task-once-updated': {
    sentence: 'A run that was updated before is found under any task.',
    breaks: ['update-task-run/run-of-task'],
    dependsOn: 'earlier requests',
    alter: onceAccepted(
      run,
      ({ params }) => params.runID,
      (updated) => overlook(run, 'unknown-run', ({ params }) => updated.has(params.runID)),
    ),
  },
  'workspace-id-taken-for-collaboration': {
    sentence: 'To add to a collaboration, the id of one of its workspaces will do.',
    breaks: ['add-workspace/unknown-collaboration'],
    alter: takeFor(add, 'collaborationID', ({ store }, id) => homeOf(store, id)),
  },
  'unknown-group-linked': {
    sentence: 'A workspace can be linked with a group that does not exist.',
    breaks: ['add-workspace/unknown-group'],
    alter: takeFor(add, 'portalGroupId', ({ store }, id) =>
      store.groups.has(id) ? undefined : firstGroup(store),
    ),
  },
  'task-id-taken-for-run': {
    sentence: 'The id of a task in the place of a run stands for its newest run.',
    breaks: ['update-task-run/unknown-run'],
    alter: takeFor(run, 'runID', ({ store, params }, id) =>
      id === params.taskID ? [...(store.tasks.get(id)?.runs.keys() ?? [])].at(-1) : undefined,
    ),
  },
  'unknown-user-overlooked-for-administrators': {
    sentence: 'An administrator updates a run also under a user who does not exist.',
    breaks: ['update-task-run/unknown-run'],
    alter: ownerFor(({ users }, userName) => !users.has(userName)),
  },
  'runs-under-any-user-for-administrators': {
    sentence: 'An administrator updates a run also under another user.',
    breaks: ['update-task-run/run-of-task'],
    alter: ownerFor(({ users }, userName) => users.has(userName)),
  },
  'target-called-so-up-to-a-dot': {
    sentence: 'A target is looked up by what stands before the first dot.',
    breaks: ['reassign-items/unknown-target'],
    alter: takeFor(reassign, 'targetUsername', ({ store }, sent) => {
      const [start = ''] = sent.split('.')
      return store.users.has(start) ? start : undefined
    }),
  },
  'collaboration-id-taken-for-workspace': {
    sentence: 'The id of a collaboration in the place of a workspace stands for its first one.',
    breaks: ['sync-workspace/unknown-workspace'],
    alter: takeFor(sync, 'workspaceID', (call, id) =>
      id === call.params.collaborationID ? collaborationIn(call)?.workspaces.keys().next().value : undefined,
    ),
  },
  'workspace-of-other-collaboration-syncs': {
    sentence: 'A workspace can be synced under the path of another collaboration.',
    breaks: ['sync-workspace/unknown-workspace'],
    alter: takeFor(sync, 'collaborationID', ({ store, params }, id) =>
      store.collaborations.has(id) ? homeOf(store, params.workspaceID as string) : undefined,
    ),
  },
})
