/** Unknown ids and names that the portal takes for known ones that resemble them, in every path and form parameter. */
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import { changeCall } from '../alterations.ts'
import { collaborationIn } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import { faultsOf } from './fault.ts'
import { takeForId } from './resemblance.ts'

interface Place {
  readonly operation: OperationId
  readonly name: string
  /** True: a path parameter. False: a form parameter. */
  readonly inPath: boolean
  readonly requirement: RequirementId
  readonly known: (call: Call) => Iterable<string>
}

const inPath = (
  operation: OperationId,
  name: string,
  requirement: RequirementId,
  known: Place['known'],
): Place => ({ operation, name, inPath: true, requirement, known })

const inForm = (
  operation: OperationId,
  name: string,
  requirement: RequirementId,
  known: Place['known'],
): Place => ({ operation, name, inPath: false, requirement, known })

const collaborations = ({ store }: Call) => store.collaborations.keys()
const users = ({ store }: Call) => store.users.keys()

const places: readonly Place[] = [
  inPath('add-workspace', 'collaborationID', 'add-workspace/unknown-collaboration', collaborations),
  inForm('add-workspace', 'portalGroupId', 'add-workspace/unknown-group', ({ store }) => store.groups.keys()),
  inPath('update-task-run', 'userName', 'update-task-run/unknown-run', users),
  inPath('update-task-run', 'taskID', 'update-task-run/unknown-run', ({ store }) => store.tasks.keys()),
  inPath(
    'update-task-run',
    'runID',
    'update-task-run/unknown-run',
    ({ store, params }) => store.tasks.get(params.taskID as string)?.runs.keys() ?? [],
  ),
  inForm('reassign-items', 'items', 'reassign-items/unknown-item', ({ store }) => store.items.keys()),
  inForm('reassign-items', 'targetUsername', 'reassign-items/unknown-target', users),
  inPath('sync-workspace', 'collaborationID', 'sync-workspace/unknown-collaboration', collaborations),
  inPath(
    'sync-workspace',
    'workspaceID',
    'sync-workspace/unknown-workspace',
    (call) => collaborationIn(call)?.workspaces.keys() ?? [],
  ),
  inPath('update-participant', 'collaborationID', 'update-participant/unknown-collaboration', collaborations),
  inPath('update-participant', 'participantPortalID', 'update-participant/unknown-participant', (call) =>
    [...(collaborationIn(call)?.participants.keys() ?? [])].map((id) => call.parts.participantId(id)),
  ),
  inPath('update-federation', 'federationID', 'update-federation/unknown-federation', ({ store }) =>
    store.federations.keys(),
  ),
]

/** The number of characters that are not compared. */
const part = 4

/** When an unknown id counts as a known one. */
const likenesses: Readonly<Record<string, (sent: string, known: string) => boolean>> = {
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
}

/** Replaces an unknown id in this place by a known id that it resembles. Each id of a list is replaced separately. */
function mistaking(
  { operation, name, inPath, known }: Place,
  resembles: (sent: string, known: string) => boolean,
  concerns: (list: readonly string[], at: number) => boolean = () => true,
): Alter {
  const instead = (call: Call, sent: string): string | undefined => {
    const ids = [...known(call)]
    if (ids.includes(sent)) return undefined
    const resembled = ids.filter((each) => resembles(sent, each))
    // Of several users, take the owner of the task.
    const owner = call.store.tasks.get(call.params.taskID ?? '')?.owner
    return resembled.find((each) => each === owner) ?? resembled[0]
  }
  if (inPath) return takeForId(operation, name, instead)
  return changeCall(operation, (call) => {
    const sent = call.form.get(name)
    if (sent === undefined) return call
    const list = sent.split(',')
    const taken = list.map((one, at) => (concerns(list, at) && instead(call, one)) || one)
    // A replaced id may equal another one in the list. Keep it once.
    return { ...call, form: call.form.with(name, [...new Set(taken)].join(',')) }
  })
}

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

/** Other faults already cover ends and continuations of ids in most paths. */
const likenessesOf = ({ name, operation }: Place) =>
  Object.entries(likenesses).filter(
    ([likeness]) =>
      /start|middle/.test(likeness) ||
      operation === 'reassign-items' ||
      ['userName', 'portalGroupId'].includes(name),
  )

const resembling = Object.fromEntries(
  places.flatMap((place) =>
    likenessesOf(place).map(([likeness, resembles]) => [
      `${place.operation}-${kebab(place.name)}-${likeness}`,
      {
        sentence: `${place.operation} takes what resembles a known ${place.name} for it: ${likeness.replaceAll('-', ' ')}.`,
        breaks: [place.requirement],
        mayBreak: also,
        alter: mistaking(place, resembles),
      },
    ]),
  ),
)

const ofItems = places.find(({ name }) => name === 'items') as Place

const wherever: Readonly<Record<string, (list: readonly string[], at: number) => boolean>> = {
  alone: ({ length }) => length === 1,
  first: ({ length }, at) => length > 1 && at === 0,
  'in-the-middle': ({ length }, at) => at > 0 && at < length - 1,
  last: ({ length }, at) => length > 1 && at === length - 1,
}

const itemsAtPlaces = Object.fromEntries(
  Object.entries(wherever).map(([where, concerns]) => [
    `reassign-items-items-resembling-${where}`,
    {
      sentence: `An id that differs from that of an item in four characters at any place is taken for it: ${where.replaceAll('-', ' ')}.`,
      breaks: ['reassign-items/unknown-item'] as const,
      alter: mistaking(
        ofItems,
        (sent, known) => Object.values(likenesses).some((resembles) => resembles(sent, known)),
        concerns,
      ),
    },
  ]),
)

export const likenessFaults = faultsOf({ ...resembling, ...itemsAtPlaces })
