/** Unknown ids and names that the portal takes for known ones, of another kind or because they resemble one. */
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { takeFor } from '../alterations.ts'
import { collaborationIn } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import { type Fault, faultsOf } from './fault.ts'
import { homeOf } from './sync-workspace.ts'

/** For administrators, replaces the user in the path by the owner of the task. */
const ownerFor = (instead: (call: Call, userName: string) => boolean): Alter =>
  takeFor('update-task-run', 'userName', (call, userName) =>
    call.user?.role === 'administrator' && instead(call, userName)
      ? call.store.tasks.get(call.params.taskID as string)?.owner
      : undefined,
  )

/** Ids of another kind, or ids that differ only at their end, count as known. */
export const mistakenIdFaults = faultsOf({
  'unknown-user-overlooked-for-administrators': {
    sentence: 'An administrator updates a run also under a user who does not exist.',
    breaks: ['update-task-run/unknown-run'],
    alter: ownerFor(({ store }, userName) => !store.users.has(userName)),
  },
  'runs-under-any-user-for-administrators': {
    sentence: 'An administrator updates a run also under another user.',
    breaks: ['update-task-run/run-of-task'],
    alter: ownerFor(({ store }, userName) => store.users.has(userName)),
  },
  'task-id-taken-for-run': {
    sentence: 'The id of a task in the place of a run stands for its newest run.',
    breaks: ['update-task-run/unknown-run'],
    alter: takeFor('update-task-run', 'runID', ({ store, params }, id) =>
      id === params.taskID ? [...(store.tasks.get(id)?.runs.keys() ?? [])].at(-1) : undefined,
    ),
  },
  'workspace-id-taken-for-collaboration': {
    sentence: 'To add to a collaboration, the id of one of its workspaces will do.',
    breaks: ['add-workspace/unknown-collaboration'],
    alter: takeFor('add-workspace', 'collaborationID', ({ store }, id) => homeOf(store, id)),
  },
  'collaboration-id-taken-for-workspace': {
    sentence: 'The id of a collaboration in the place of a workspace stands for its first one.',
    breaks: ['sync-workspace/unknown-workspace'],
    alter: takeFor('sync-workspace', 'workspaceID', (call, id) =>
      id === call.params.collaborationID ? collaborationIn(call)?.workspaces.keys().next().value : undefined,
    ),
  },
  'federation-id-end-not-compared': {
    sentence: 'The last four characters of the id of a federation are not compared.',
    breaks: ['update-federation/unknown-federation'],
    alter: takeFor('update-federation', 'federationID', (call, id) =>
      resembled(call, federations(call), id, likenesses['end-not-compared']),
    ),
  },
  'collaboration-id-end-not-compared': {
    sentence:
      'To update a participant, the last four characters of the id of its collaboration are not compared.',
    breaks: ['update-participant/unknown-collaboration'],
    alter: takeFor('update-participant', 'collaborationID', (call, id) =>
      resembled(call, collaborations(call), id, likenesses['end-not-compared']),
    ),
  },
})

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
  /** Other faults cover ends and continuations of ids in most places. */
  readonly likenesses: readonly (keyof typeof likenesses)[]
}

const place = (
  operation: OperationId,
  parameter: string,
  requirement: RequirementId,
  known: Place['known'],
): Place => {
  const likenesses = ['start-not-compared', 'middle-not-compared'] as const
  return { operation, parameter, requirement, known, likenesses }
}

const withEnds = (where: Place): Place => ({
  ...where,
  likenesses: ['end-not-compared', 'start-not-compared', 'middle-not-compared', 'may-go-on'],
})

const collaborations = ({ store }: Call) => store.collaborations.keys()
const users = ({ store }: Call) => store.users.keys()
const groups = ({ store }: Call) => store.groups.keys()
const tasks = ({ store }: Call) => store.tasks.keys()
const federations = ({ store }: Call) => store.federations.keys()
const runs = ({ store, params }: Call) => store.tasks.get(params.taskID as string)?.runs.keys() ?? []
const workspaces = (call: Call) => collaborationIn(call)?.workspaces.keys() ?? []
const participants = (call: Call) =>
  [...(collaborationIn(call)?.participants.keys() ?? [])].map((id) => call.parts.participantId(id))

const items = withEnds(
  place('reassign-items', 'items', 'reassign-items/unknown-item', ({ store }) => store.items.keys()),
)

const places: readonly Place[] = [
  place('add-workspace', 'collaborationID', 'add-workspace/unknown-collaboration', collaborations),
  withEnds(place('add-workspace', 'portalGroupId', 'add-workspace/unknown-group', groups)),
  withEnds(place('update-task-run', 'userName', 'update-task-run/unknown-run', users)),
  place('update-task-run', 'taskID', 'update-task-run/unknown-run', tasks),
  place('update-task-run', 'runID', 'update-task-run/unknown-run', runs),
  items,
  withEnds(place('reassign-items', 'targetUsername', 'reassign-items/unknown-target', users)),
  place('sync-workspace', 'collaborationID', 'sync-workspace/unknown-collaboration', collaborations),
  place('sync-workspace', 'workspaceID', 'sync-workspace/unknown-workspace', workspaces),
  place('update-participant', 'collaborationID', 'update-participant/unknown-collaboration', collaborations),
  place('update-participant', 'participantPortalID', 'update-participant/unknown-participant', participants),
  place('update-federation', 'federationID', 'update-federation/unknown-federation', federations),
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
    (likeness): Fault => ({
      id: `${where.operation}-${kebab(where.parameter)}-${likeness}`,
      sentence: `${where.operation} takes what resembles a known ${where.parameter} for it: ${likeness.replaceAll('-', ' ')}.`,
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
  ([where, concerns]): Fault => ({
    id: `reassign-items-items-resembling-${where}`,
    sentence: `An id that differs from that of an item in four characters at any place is taken for it: ${where.replaceAll('-', ' ')}.`,
    breaks: ['reassign-items/unknown-item'],
    alter: mistaking(
      items,
      (sent, known) => Object.values(likenesses).some((resembles) => resembles(sent, known)),
      concerns,
    ),
  }),
)

export const likenessFaults: readonly Fault[] = [...resembling, ...itemsAtPlaces]
