/** Faults in which an unknown id is taken for a known one: for its likeness, or for its kind. */
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { takeFor } from '../alterations.ts'
import { collaborationIn } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import type { Store } from '../store.ts'
import { placesOf, type WrittenFault, words } from './fault.ts'
import { add, federation, reassign, run, sync, update } from './operation-names.ts'

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

/** Where an unknown id may be taken for a known one. */
type Place = readonly [
  OperationId,
  parameter: string,
  RequirementId,
  known: (call: Call) => Iterable<string>,
  likenesses?: readonly (keyof typeof likenesses)[],
]

const inside = ['start-not-compared', 'middle-not-compared'] as const
const upToTheEnd = ['end-not-compared', ...inside] as const
const anywhere = [...upToTheEnd, 'may-go-on'] as const

const collaborations = ({ store }: Call) => store.collaborations.keys()
const groups = ({ store }: Call) => store.groups.keys()
const users = ({ store }: Call) => store.users.keys()
const tasks = ({ store }: Call) => store.tasks.keys()
const itemIds = ({ store }: Call) => store.items.keys()
const federations = ({ store }: Call) => store.federations.keys()
const runs = ({ store, params }: Call) => store.tasks.get(params.taskID as string)?.runs.keys() ?? []
const workspaces = (call: Call) => collaborationIn(call)?.workspaces.keys() ?? []
const participants = (call: Call) =>
  [...(collaborationIn(call)?.participants.keys() ?? [])].map((id) => call.parts.participantId(id))

const items: Place = [reassign, 'items', 'reassign-items/unknown-item', itemIds, anywhere]

const places: readonly Place[] = [
  [add, 'collaborationID', 'add-workspace/unknown-collaboration', collaborations],
  [add, 'portalGroupId', 'add-workspace/unknown-group', groups, anywhere],
  [run, 'userName', 'update-task-run/unknown-run', users, anywhere],
  [run, 'taskID', 'update-task-run/unknown-run', tasks],
  [run, 'runID', 'update-task-run/unknown-run', runs],
  items,
  [reassign, 'targetUsername', 'reassign-items/unknown-target', users, anywhere],
  [sync, 'collaborationID', 'sync-workspace/unknown-collaboration', collaborations],
  [sync, 'workspaceID', 'sync-workspace/unknown-workspace', workspaces],
  [update, 'collaborationID', 'update-participant/unknown-collaboration', collaborations, upToTheEnd],
  [update, 'participantPortalID', 'update-participant/unknown-participant', participants],
  [federation, 'federationID', 'update-federation/unknown-federation', federations, upToTheEnd],
]

/** Replaces an unknown id in this place by a known id that it resembles. Each id of a list is replaced separately. */
const mistaking = (
  [operation, parameter, , known]: Place,
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

const resembling = places.flatMap((where) => {
  const [operation, parameter, requirement, , its = inside] = where
  return its.map(
    (likeness): WrittenFault => ({
      id: `${operation}-${kebab(parameter)}-${likeness}`,
      sentence: `${operation} takes what resembles a known ${parameter} for it: ${words(likeness)}.`,
      breaks: [requirement],
      mayBreak: also,
      alter: mistaking(where, likenesses[likeness]),
    }),
  )
})

const resemblesAnyhow: Likeness = (sent, known) =>
  Object.values(likenesses).some((resembles) => resembles(sent, known))

const itemsAtPlaces = placesOf(
  (concerns: (list: readonly string[], at: number) => boolean) => mistaking(items, resemblesAnyhow, concerns),
  'An id that differs from that of an item in four characters at any place is taken for it',
  'reassign-items/unknown-item',
  {
    'reassign-items-items-resembling-alone': [({ length }) => length === 1],
    'reassign-items-items-resembling-first': [({ length }, at) => length > 1 && at === 0],
    'reassign-items-items-resembling-in-the-middle': [({ length }, at) => at > 0 && at < length - 1],
    'reassign-items-items-resembling-last': [({ length }, at) => length > 1 && at === length - 1],
  },
)

export const likenessFaults: readonly WrittenFault[] = [...resembling, ...itemsAtPlaces]

/** The id of the collaboration with this workspace. */
const homeOf = ({ collaborations }: Store, workspaceId: string): string | undefined =>
  [...collaborations.values()].find(({ workspaces }) => workspaces.has(workspaceId))?.id

const firstGroup = ({ groups }: Store): string => groups.keys().next().value ?? ''

const unknownGroup = 'add-workspace/unknown-group'
const unknownRun = 'update-task-run/unknown-run'
const unknownWorkspace = 'sync-workspace/unknown-workspace'

/** Faults in which an unknown id is taken for a known one. */
export const idFaults = placesOf(
  (rule: Parameters<typeof takeFor>) => takeFor(...rule),
  'Another id stands for a known one',
  unknownGroup,
  {
    'unknown-group-linked': [
      [add, 'portalGroupId', ({ store }, id) => (store.groups.has(id) ? undefined : firstGroup(store))],
    ],
    'workspace-id-taken-for-collaboration': [
      [add, 'collaborationID', ({ store }, id) => homeOf(store, id)],
      'add-workspace/unknown-collaboration',
    ],
    'task-id-taken-for-run': [
      [
        run,
        'runID',
        ({ store, params }, id) =>
          id === params.taskID ? [...(store.tasks.get(id)?.runs.keys() ?? [])].at(-1) : undefined,
      ],
      unknownRun,
    ],
    'collaboration-id-taken-for-workspace': [
      [
        sync,
        'workspaceID',
        (call, id) => (id === call.params.collaborationID ? [...workspaces(call)][0] : undefined),
      ],
      unknownWorkspace,
    ],
    'workspace-of-other-collaboration-syncs': [
      [
        sync,
        'collaborationID',
        ({ store, params }, id) =>
          store.collaborations.has(id) ? homeOf(store, params.workspaceID as string) : undefined,
      ],
      unknownWorkspace,
    ],
  },
)
