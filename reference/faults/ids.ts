/** Ids that nothing has, that resemble a known one or that stand elsewhere: each place of a path or a form where an id is sent. */
import { type OperationId, operations } from '../../specs/operations.ts'
import { type RequirementId, requirementOf, requirements } from '../../specs/requirements.ts'
import { overlook } from '../alterations.ts'
import { type Reason, refusals } from '../answers.ts'
import { collaborationIn } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import {
  acceptedAnswers,
  homeOf,
  isRunOfAnyTask,
  isSynchronous,
  takeForId,
  takeForValue,
  taskOf,
} from './effects.ts'
import { type Applied, type Chapter, inWords, kebab, product } from './fault.ts'

const runsOfTask = ({ store, params }: Call) => store.tasks.get(params.taskID as string)?.runs

/** The ids that are there, by the names of parameters in paths and forms. */
const known: Readonly<Record<string, (call: Call) => Iterable<string> | undefined>> = {
  collaborationID: ({ store }) => store.collaborations.keys(),
  workspaceID: (call) => collaborationIn(call)?.workspaces.keys(),
  participantPortalID: (call) => collaborationIn(call)?.participants.keys(),
  federationID: ({ store }) => store.federations.keys(),
  userName: ({ store }) => store.users.keys(),
  taskID: ({ store }) => store.tasks.keys(),
  runID: (call) => runsOfTask(call)?.keys(),
  portalGroupId: ({ store }) => store.groups.keys(),
  items: ({ store }) => store.items.keys(),
  targetUsername: ({ store }) => store.users.keys(),
}

/** Ids of the kinds that a requirement calls by other names. */
const calledOtherwise: Readonly<Record<string, string>> = {
  participantPortalID: 'participant',
  taskID: 'run',
  portalGroupId: 'group',
  items: 'item',
  targetUsername: 'target',
}

interface IdPlace {
  readonly operation: OperationId
  readonly name: string
  readonly inPath: boolean
  readonly requirement: RequirementId
}

/** The requirement that an id in that place is known. */
function requirementFor(operation: OperationId, name: string): RequirementId | undefined {
  const kind =
    calledOtherwise[name] ?? (operation === 'update-task-run' ? 'run' : kebab(name).replace('-id', ''))
  return requirements.find(({ id, level }) => id === `${operation}/unknown-${kind}` && level !== 'advice')?.id
}

const places: readonly IdPlace[] = operations.flatMap(({ id: operation, path, parameters }) => {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const names = [...inPath, ...parameters.map((each) => each.name)].filter((name) => name in known)
  return names.flatMap((name): IdPlace[] => {
    const requirement = requirementFor(operation, name)
    return requirement === undefined ? [] : [{ operation, name, inPath: inPath.includes(name), requirement }]
  })
})

/** What is broken besides where the id of what was deleted, or never added, is taken. */
const alsoBroken: Readonly<Partial<Record<OperationId, readonly RequirementId[]>>> = {
  'add-workspace': ['delete-collaboration/gone-after-delete'],
  'update-task-run': ['update-task-run/run-of-task'],
  'sync-workspace': [
    'add-workspace/id-works',
    'delete-collaboration/sharing-stops',
    'sync-workspace/unknown-workspace',
  ],
  'update-participant': ['delete-collaboration/gone-after-delete'],
}

/** Takes what is sent in that place for another id, where one is found and nothing has the one that was sent. */
function mistaking(
  { operation, name, inPath }: Pick<IdPlace, 'operation' | 'name' | 'inPath'>,
  found: (call: Call, sent: string, ids: readonly string[]) => string | undefined,
): Alter {
  const instead = (call: Call, sent: string): string | undefined => {
    const ids = [...(known[name]?.(call) ?? [])]
    return ids.includes(sent) ? undefined : found(call, sent, ids)
  }
  if (inPath) return takeForId(operation, name, instead)
  // Several ids stand between commas in a form.
  const each = (call: Call, sent: string) => sent.split(',').map((one) => instead(call, one) ?? one)
  return takeForValue(operation, name, (call, sent) => each(call, sent).join(','))
}

/** So many characters at the end of an id, and in its middle, are not looked at. */
const tail = 4

const isAlike: Readonly<Record<string, (sent: string, known: string) => boolean>> = {
  'end-not-compared': (sent, known) =>
    sent.length === known.length && sent.slice(0, -tail) === known.slice(0, -tail),
  'may-go-on': (sent, known) => sent.startsWith(known),
  'may-be-cut': (sent, known) => known.startsWith(sent) && sent.length >= known.length - tail,
  'middle-not-compared': (sent, known) => {
    const start = Math.floor((known.length - tail) / 2)
    const ends = (id: string) => id.slice(0, start) + id.slice(start + tail)
    return sent.length === known.length && known.length > 3 * tail && ends(sent) === ends(known)
  },
}

/** Names of those faults that are called otherwise. */
const names: Readonly<Record<string, string>> = {
  'update-federation-federation-id-end-not-compared': 'federation-id-end-not-compared',
  'update-participant-collaboration-id-end-not-compared': 'collaboration-id-end-not-compared',
  'add-workspace-collaboration-id-middle-not-compared': 'collaborations-known-by-their-ends',
  'add-workspace-collaboration-id-known-the-third-time': 'unknown-collaboration-known-the-third-time',
}

const alikes = Object.entries(isAlike).flatMap(([how, alike]) =>
  places.map((place): Applied => {
    const { operation, name, requirement } = place
    const id = `${operation}-${kebab(name)}-${how}`
    return {
      id: names[id] ?? id,
      sentence: `${operation} takes what resembles the id of another thing for ${name}: ${inWords(how)}.`,
      breaks: [requirement],
      mayBreak: alsoBroken[operation] ?? [],
      alter: mistaking(place, (_call, sent, ids) => ids.find((each) => alike(sent, each))),
    }
  }),
)

/** The id that would fit the rest of the request. */
const fitting = (name: string, { store, params }: Call, ids: readonly string[]): string | undefined => {
  if (name === 'userName') return store.tasks.get(params.taskID as string)?.owner
  if (name === 'taskID') return taskOf(store, params.runID as string)
  if (name === 'collaborationID') return homeOf(store, params.workspaceID ?? '') ?? ids.at(-1)
  return ids.at(-1)
}

const thirdTime = places
  .filter(({ operation }) => operation !== 'reassign-items')
  .map((place): Applied => {
    const { operation, name, requirement } = place
    const id = `${operation}-${kebab(name)}-known-the-third-time`
    return {
      id: names[id] ?? id,
      sentence: `${operation} takes an id that nothing has, sent for the third time as ${name}, for a known one.`,
      breaks: [requirement],
      mayBreak: alsoBroken[operation] ?? [],
      alter(parts) {
        const counts = new Map<string, number>()
        mistaking(place, (call, sent, ids) => {
          counts.set(sent, (counts.get(sent) ?? 0) + 1)
          return (counts.get(sent) ?? 0) >= 3 ? fitting(name, call, ids) : undefined
        })(parts)
      },
    }
  })

/** What must be refused for a reason and is accepted, always or in some requests; the first is of the operation. */
type Accepted = readonly [
  reason: Reason,
  breaks: readonly [RequirementId, ...RequirementId[]],
  when?: (call: Call) => boolean,
]

const gone = 'delete-collaboration/gone-after-delete'
const unknownRun = 'update-task-run/unknown-run'
const runOfTask = 'update-task-run/run-of-task'
const statusRequired = 'update-task-run/status-required'
const statuses = 'update-task-run/statuses'
const unknownTarget = 'reassign-items/unknown-target'
const unknownWorkspace = 'sync-workspace/unknown-workspace'
const unknownParticipant = 'update-participant/unknown-participant'

const hasEmpty =
  (name: string) =>
  ({ form }: Call): boolean =>
    form.get(name) === ''

const lacks =
  (name: string) =>
  ({ form }: Call): boolean =>
    form.get(name) === undefined

const isTaskOfOther = ({ store, params }: Call): boolean => store.tasks.has(params.taskID as string)

const hasSeveral = (call: Call): boolean => (collaborationIn(call)?.workspaces.size ?? 0) > 1

const takesPartAnywhere = ({ store, params }: Call): boolean =>
  [...store.collaborations.values()].some(({ participants }) =>
    participants.has(params.participantPortalID as string),
  )

const accepted: Readonly<Record<string, Accepted>> = {
  'workspace-in-unknown-collaboration': [
    'unknown-collaboration',
    ['add-workspace/unknown-collaboration', gone],
  ],
  'unknown-group-linked': ['unknown-group', ['add-workspace/unknown-group']],
  'unknown-run-accepted': ['unknown-run', [unknownRun, runOfTask]],
  'unknown-task-accepted': ['unknown-task', [unknownRun, runOfTask]],
  'unknown-user-of-task-accepted': ['unknown-user', [unknownRun]],
  'run-under-any-task': ['unknown-run', [runOfTask], isRunOfAnyTask],
  'run-under-any-task-without-result': [
    'unknown-run',
    [runOfTask],
    (call) => lacks('result')(call) && isRunOfAnyTask(call),
  ],
  'task-under-any-user': ['unknown-task', [runOfTask], isTaskOfOther],
  'run-status-not-required': ['missing-status', [statusRequired], lacks('status')],
  'run-status-not-required-with-empty-result': ['missing-status', [statusRequired], hasEmpty('result')],
  'any-run-status-accepted': ['unknown-status', [statuses]],
  'empty-run-status-accepted': ['missing-status', [statuses], hasEmpty('status')],
  'unknown-item-accepted': ['unknown-item', ['reassign-items/unknown-item']],
  'unknown-target-accepted': ['unknown-target', [unknownTarget, 'reassign-items/target-in-organization']],
  'unknown-workspace-syncs': ['unknown-workspace', [unknownWorkspace]],
  'unknown-workspace-synced-synchronously': ['unknown-workspace', [unknownWorkspace], isSynchronous],
  'unknown-workspace-of-several-syncs': ['unknown-workspace', [unknownWorkspace], hasSeveral],
  'sync-in-unknown-collaboration': [
    'unknown-collaboration',
    ['sync-workspace/unknown-collaboration', 'delete-collaboration/sharing-stops'],
  ],
  'unknown-participant-accepted': ['unknown-participant', [unknownParticipant]],
  'participant-of-other-collaboration-updated': [
    'unknown-participant',
    [unknownParticipant],
    takesPartAnywhere,
  ],
  'participant-of-unknown-collaboration': [
    'unknown-collaboration',
    ['update-participant/unknown-collaboration', gone],
  ],
  'unknown-federation-accepted': ['unknown-federation', ['update-federation/unknown-federation']],
}

const acceptances = Object.entries(accepted).map(([id, [reason, breaks, when]]): Applied => {
  const operation = requirementOf(breaks[0]).operation as OperationId
  return {
    id,
    sentence: `${operation} accepts what it must refuse with "${refusals[reason].message}": ${inWords(id)}.`,
    breaks,
    mayBreak: alsoBroken[operation] ?? [],
    alter: overlook(operation, reason, acceptedAnswers[operation], when),
  }
})

/** An id in that place of a path that stands for another thing. */
type Misplaced = readonly [
  breaks: RequirementId,
  name: string,
  found: (call: Call, id: string) => string | undefined,
]

/** For administrators, the owner of the task in the place of such a user. */
const ownerFor =
  (isThere: boolean): Misplaced[2] =>
  ({ user, store, params }, userName) =>
    user?.role === 'administrator' && store.users.has(userName) === isThere
      ? store.tasks.get(params.taskID as string)?.owner
      : undefined

const firstOfCollaboration: Misplaced[2] = (call, id) =>
  id === call.params.collaborationID ? collaborationIn(call)?.workspaces.keys().next().value : undefined

const newestOfTask: Misplaced[2] = (call, id) =>
  id === call.params.taskID ? [...(runsOfTask(call)?.keys() ?? [])].at(-1) : undefined

const homeOfAnother: Misplaced[2] = ({ store, params }, id) =>
  store.collaborations.has(id) ? homeOf(store, params.workspaceID as string) : undefined

const misplaced: Readonly<Record<string, Misplaced>> = {
  'unknown-user-overlooked-for-administrators': [unknownRun, 'userName', ownerFor(false)],
  'runs-under-any-user-for-administrators': [runOfTask, 'userName', ownerFor(true)],
  'task-id-taken-for-run': [unknownRun, 'runID', newestOfTask],
  'run-id-taken-for-task': [unknownRun, 'taskID', ({ store }, id) => taskOf(store, id)],
  'workspace-id-taken-for-collaboration': [
    'add-workspace/unknown-collaboration',
    'collaborationID',
    ({ store }, id) => homeOf(store, id),
  ],
  'collaboration-id-taken-for-workspace': [unknownWorkspace, 'workspaceID', firstOfCollaboration],
  'workspace-of-other-collaboration-syncs': [unknownWorkspace, 'collaborationID', homeOfAnother],
}

const taken = Object.entries(misplaced).map(([id, [breaks, name, found]]): Applied => {
  const operation = requirementOf(breaks).operation as OperationId
  return {
    id,
    sentence: `${operation} takes an id as ${name} that belongs elsewhere: ${inWords(id)}.`,
    breaks: [breaks],
    alter: takeForId(operation, name, found),
  }
})

const ofUsers = 'not found: the suite tries no name that resembles that of a user in this way'
const ofItems = 'not found: the suite tries no id that resembles that of an item'

export const idsChapter: Chapter = {
  products: [
    product('what must be refused is accepted', acceptances),
    product('an id that belongs elsewhere is taken', taken),
    product('an id is compared in part only', alikes, {
      leftOut: {
        'update-task-run-user-name-end-not-compared': ofUsers,
        'update-task-run-user-name-middle-not-compared': ofUsers,
        'reassign-items-target-username-end-not-compared': ofUsers,
        'reassign-items-target-username-may-be-cut': ofUsers,
        'reassign-items-target-username-middle-not-compared': ofUsers,
        'reassign-items-items-end-not-compared': ofItems,
        'reassign-items-items-may-go-on': ofItems,
        'reassign-items-items-may-be-cut': ofItems,
        'reassign-items-items-middle-not-compared': ofItems,
        'update-federation-federation-id-middle-not-compared':
          'not found: tried only where there are many cases',
      },
    }),
    product('an unknown id is known after a while', thirdTime, { stateful: true }),
  ],
}
