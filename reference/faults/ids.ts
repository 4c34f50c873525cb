/** Ids that nothing has, that resemble a known one or that stand elsewhere: each place of a path or a form where an id is sent. */
import { type OperationId, operations } from '../../specs/operations.ts'
import { type RequirementId, requirements } from '../../specs/requirements.ts'
import { overlook } from '../alterations.ts'
import { type Reason, refusals } from '../answers.ts'
import { collaborationIn, syncModeOf } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import { acceptedAnswers, homeOf, isRunOfAnyTask, takeForId, takeForValue, taskOf } from './effects.ts'
import { type Applied, inWords, kebab, product } from './fault.ts'

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

/** What must be refused for a reason and is accepted, always or in some requests, and what more that breaks. */
type Accepted = readonly [
  operation: OperationId,
  reason: Reason,
  breaks: readonly RequirementId[],
  when?: (call: Call) => boolean,
]

const gone: RequirementId = 'delete-collaboration/gone-after-delete'
const runOfTask: RequirementId = 'update-task-run/run-of-task'
const unknownRun: readonly RequirementId[] = ['update-task-run/unknown-run', runOfTask]
const statusRequired: readonly RequirementId[] = ['update-task-run/status-required']
const unknownWorkspace: readonly RequirementId[] = ['sync-workspace/unknown-workspace']
const unknownParticipant: readonly RequirementId[] = ['update-participant/unknown-participant']

const hasStatus =
  (wanted: string | undefined) =>
  ({ form }: Call): boolean =>
    form.get('status') === wanted

const hasNoResult = ({ form }: Call): boolean => form.get('result') === undefined

const takesPartAnywhere = ({ store, params }: Call): boolean =>
  [...store.collaborations.values()].some(({ participants }) =>
    participants.has(params.participantPortalID as string),
  )

const accepted: Readonly<Record<string, Accepted>> = {
  'workspace-in-unknown-collaboration': [
    ...(['add-workspace', 'unknown-collaboration'] as const),
    ['add-workspace/unknown-collaboration', gone],
  ],
  'unknown-group-linked': ['add-workspace', 'unknown-group', ['add-workspace/unknown-group']],
  'unknown-run-accepted': ['update-task-run', 'unknown-run', unknownRun],
  'unknown-task-accepted': ['update-task-run', 'unknown-task', unknownRun],
  'unknown-user-of-task-accepted': ['update-task-run', 'unknown-user', unknownRun.slice(0, 1)],
  'run-under-any-task': ['update-task-run', 'unknown-run', [runOfTask], isRunOfAnyTask],
  'run-under-any-task-without-result': [
    ...(['update-task-run', 'unknown-run', [runOfTask]] as const),
    (call) => hasNoResult(call) && isRunOfAnyTask(call),
  ],
  'task-under-any-user': [
    ...(['update-task-run', 'unknown-task', [runOfTask]] as const),
    ({ store, params }) => store.tasks.has(params.taskID as string),
  ],
  'run-status-not-required': ['update-task-run', 'missing-status', statusRequired, hasStatus(undefined)],
  'run-status-not-required-with-empty-result': [
    ...(['update-task-run', 'missing-status', statusRequired] as const),
    ({ form }) => form.get('result') === '',
  ],
  'any-run-status-accepted': ['update-task-run', 'unknown-status', ['update-task-run/statuses']],
  'empty-run-status-accepted': [
    ...(['update-task-run', 'missing-status', ['update-task-run/statuses']] as const),
    hasStatus(''),
  ],
  'unknown-item-accepted': ['reassign-items', 'unknown-item', ['reassign-items/unknown-item']],
  'unknown-target-accepted': [
    ...(['reassign-items', 'unknown-target'] as const),
    ['reassign-items/unknown-target', 'reassign-items/target-in-organization'],
  ],
  'unknown-workspace-syncs': ['sync-workspace', 'unknown-workspace', unknownWorkspace],
  'unknown-workspace-synced-synchronously': [
    ...(['sync-workspace', 'unknown-workspace', unknownWorkspace] as const),
    (call) => syncModeOf(call) === 'synchronous',
  ],
  'unknown-workspace-of-several-syncs': [
    ...(['sync-workspace', 'unknown-workspace', unknownWorkspace] as const),
    (call) => (collaborationIn(call)?.workspaces.size ?? 0) > 1,
  ],
  'sync-in-unknown-collaboration': [
    ...(['sync-workspace', 'unknown-collaboration'] as const),
    ['sync-workspace/unknown-collaboration', 'delete-collaboration/sharing-stops'],
  ],
  'unknown-participant-accepted': ['update-participant', 'unknown-participant', unknownParticipant],
  'participant-of-other-collaboration-updated': [
    ...(['update-participant', 'unknown-participant', unknownParticipant] as const),
    takesPartAnywhere,
  ],
  'participant-of-unknown-collaboration': [
    ...(['update-participant', 'unknown-collaboration'] as const),
    ['update-participant/unknown-collaboration', gone],
  ],
  'unknown-federation-accepted': [
    ...(['update-federation', 'unknown-federation'] as const),
    ['update-federation/unknown-federation'],
  ],
}

const acceptances = Object.entries(accepted).map(
  ([id, [operation, reason, breaks, when]]): Applied => ({
    id,
    sentence:
      `${operation} accepts what it should refuse with "${refusals[reason].message}"${when === undefined ? '' : `, in some requests: ${inWords(id)}`}.`.replace(
        '."',
        '"',
      ),
    breaks,
    mayBreak: alsoBroken[operation] ?? [],
    alter: overlook(operation, reason, acceptedAnswers[operation], when),
  }),
)

/** For administrators, the owner of the task in the place of such a user. */
const ownerFor =
  (isThere: boolean) =>
  ({ user, store, params }: Call, userName: string): string | undefined =>
    user?.role === 'administrator' && store.users.has(userName) === isThere
      ? store.tasks.get(params.taskID as string)?.owner
      : undefined

/** An id in that place of a path that stands for another thing. */
type Misplaced = readonly [
  breaks: RequirementId,
  operation: OperationId,
  name: string,
  found: (call: Call, id: string) => string | undefined,
]

const firstIfCollaboration =
  (within: 'workspaces' | 'participants') =>
  (call: Call, id: string): string | undefined =>
    id === call.params.collaborationID ? collaborationIn(call)?.[within].keys().next().value : undefined

const misplaced: Readonly<Record<string, Misplaced>> = {
  'unknown-user-overlooked-for-administrators': [
    ...(['update-task-run/unknown-run', 'update-task-run', 'userName', ownerFor(false)] as const),
  ],
  'runs-under-any-user-for-administrators': [runOfTask, 'update-task-run', 'userName', ownerFor(true)],
  'task-id-taken-for-run': [
    ...(['update-task-run/unknown-run', 'update-task-run', 'runID'] as const),
    (call, id) => (id === call.params.taskID ? [...(runsOfTask(call)?.keys() ?? [])].at(-1) : undefined),
  ],
  'run-id-taken-for-task': [
    ...(['update-task-run/unknown-run', 'update-task-run', 'taskID'] as const),
    ({ store }, id) => taskOf(store, id),
  ],
  'workspace-id-taken-for-collaboration': [
    ...(['add-workspace/unknown-collaboration', 'add-workspace', 'collaborationID'] as const),
    ({ store }, id) => homeOf(store, id),
  ],
  'collaboration-id-taken-for-workspace': [
    ...(['sync-workspace/unknown-workspace', 'sync-workspace', 'workspaceID'] as const),
    firstIfCollaboration('workspaces'),
  ],
  'collaboration-id-taken-for-participant': [
    ...(['update-participant/unknown-participant', 'update-participant', 'participantPortalID'] as const),
    firstIfCollaboration('participants'),
  ],
  'workspace-of-other-collaboration-syncs': [
    ...(['sync-workspace/unknown-workspace', 'sync-workspace', 'collaborationID'] as const),
    ({ store, params }, id) =>
      store.collaborations.has(id) ? homeOf(store, params.workspaceID as string) : undefined,
  ],
}

const taken = Object.entries(misplaced).map(
  ([id, [breaks, operation, name, found]]): Applied => ({
    id,
    sentence: `${operation} takes an id as ${name} that belongs elsewhere: ${inWords(id)}.`,
    breaks: [breaks],
    alter: takeForId(operation, name, found),
  }),
)

export const idProducts = [
  product('what must be refused is accepted', acceptances),
  product('an id that belongs elsewhere is taken', taken),
  product('an id is compared in part only', alikes),
  product('an unknown id is known after a while', thirdTime, { stateful: true }),
]
