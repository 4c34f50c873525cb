/**
 * Faults in which an unknown id or another value is taken for a known one that it resembles, or that show right after
 * another caller's request.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '../../specs/operations.ts'
import type { RequirementId } from '../../specs/requirements.ts'
import {
  alsoMay,
  around,
  changeAccepted,
  changeAdded,
  changeBytes,
  changeMay,
  counter,
  onceAccepted,
  overlook,
  refuseWhen,
  remembering,
  seenBefore,
  takeFor,
} from '../alterations.ts'
import { done } from '../answers.ts'
import { collaborationIn, isOwner, itemIdsIn, syncModeOf, targetOf } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import { transferPrivilege } from '../users.ts'
import { signedCredential } from '../variants/identity.ts'
import { anyRequestOf, type Fault, faultsOf, invalidCredentials, words } from './fault.ts'
import { ownedItems } from './left-behind.ts'
import { moveNothingFor } from './reassign-items.ts'
import { homeOf, workspaceOfAsynchronous } from './sync-workspace.ts'
import { hasNoResult, isRunOfAnyTask } from './updates.ts'

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
  ([where, concerns]): Fault => ({
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

export const likenessFaults: readonly Fault[] = [...resembling, ...itemsAtPlaces]

const add = 'add-workspace'
const reassign = 'reassign-items'
const sync = 'sync-workspace'
const run = 'update-task-run'

/** How long a race may take. */
const raceMs = 12

/** Values that resemble a known one, and requests right after another caller's. */
export const resemblanceFaults = faultsOf({
  'group-ids-compared-as-far-as-they-go': {
    sentence: 'Ids of groups are compared up to the end of the shorter one.',
    breaks: ['add-workspace/unknown-group'],
    alter: takeFor(add, 'portalGroupId', ({ store }, sent) =>
      [...store.groups.keys()].find((id) => sent.length >= 8 && (id.startsWith(sent) || sent.startsWith(id))),
    ),
  },
  'target-called-so-up-to-a-dot': {
    sentence: 'A target is looked up by what stands before the first dot.',
    breaks: ['reassign-items/unknown-target'],
    alter: takeFor(reassign, 'targetUsername', ({ store }, sent) => {
      const [start = ''] = sent.split('.')
      return store.users.has(start) ? start : undefined
    }),
  },
  'any-signature-that-was-given': {
    sentence: 'Credentials are signed, and the signature of any other will do.',
    breaks: invalidCredentials,
    ...signedCredential((signature, right, given) => signature === right || given.has(signature)),
  },
  'former-owner-gives-away': {
    sentence: 'Who owned an item before its present owner gives it away on the path of that one.',
    breaks: ['reassign-items/refuses-other-user'],
    alter: onceAccepted(
      reassign,
      (call) => ownedItems(call, call.params.userName),
      (former) =>
        alsoMay(reassign, (call) => ownedItems(call, call.user?.username).every((item) => former.has(item))),
    ),
  },
  'privilege-kept-from-administrator': {
    sentence: 'For ten seconds after an administrator gave something of a user away, that user may as well.',
    breaks: ['reassign-items/refuses-owner-without-privilege'],
    alter(parts) {
      const until = new Map<string, number>()
      changeMay('reassign-items', (may, { user }, owner) => {
        const { username } = owner
        if (may && user !== owner) until.set(username, performance.now() + 10_000)
        return may || (user === owner && performance.now() < (until.get(username) ?? 0))
      })(parts)
    },
  },
  'reassignments-serialised-by-caller': {
    sentence: 'Reassignments of one caller wait for each other, those of two callers do not.',
    breaks: ['reassign-items/concurrent-one-wins'],
    alter(parts) {
      const under = new Map<string, Promise<unknown>>()
      parts.beforeMove = () => sleep(raceMs)
      around(reassign, (call, honest) => {
        const caller = call.user?.username ?? ''
        const mine = (under.get(caller) ?? Promise.resolve()).then(() => honest())
        const ended = mine.catch(() => undefined)
        under.set(caller, ended)
        return mine
      })(parts)
    },
  },
  'description-limit-unless-name-is-full': {
    sentence: 'The limit of descriptions is not checked where the name is as long as it may be.',
    breaks: ['add-workspace/description-limit-rejects'],
    alter: around('add-workspace', ({ form, parts }, honest) => {
      const { limits } = parts
      const { name, description } = limits
      if ([...(form.get('collaborationWorkspaceName') ?? '')].length === name) limits.description = 5000
      try {
        return honest()
      } finally {
        limits.description = description
      }
    }),
  },
  'asynchronous-sync-ends-synchronous-ones': {
    sentence: 'Once a workspace was synced asynchronously, it is not synced synchronously any more.',
    breaks: ['sync-workspace/after-finish'],
    // A caller that waits for a sync may meet the sync of another caller.
    mayBreak: ['sync-workspace/starts', 'sync-workspace/synchronous-blocks', 'sync-workspace/one-at-a-time'],
    alter: onceAccepted(sync, workspaceOfAsynchronous, (ended) =>
      refuseWhen(
        sync,
        'sync-running',
        (call) => syncModeOf(call) !== 'asynchronous' && ended.has(call.params.workspaceID),
      ),
    ),
  },
  'delete-after-unknown-does-nothing': {
    sentence:
      'After a delete of what is not there, the next delete of the same user is a success without effect.',
    breaks: ['delete-collaboration/gone-after-delete'],
    // Refused callers also get this success.
    mayBreak: [
      'delete-collaboration/delete-twice',
      'delete-collaboration/sharing-stops',
      'delete-collaboration/refuses-guest',
      'delete-collaboration/refuses-non-administrator',
    ],
    alter(parts) {
      const missed = new Set<unknown>()
      around('delete-collaboration', async (call, honest) => {
        const { collaborations } = call.store
        const there = collaborations.has(call.params.collaborationID as string)
        if (call.user !== undefined && there && missed.delete(call.user))
          return done({ collaborationId: call.params.collaborationID })
        const answer = await honest()
        if (!there && answer.refused === 'unknown-collaboration') missed.add(call.user)
        return answer
      })(parts)
    },
  },
  'unknown-group-known-the-second-time': {
    sentence: 'The id of a group that does not exist is accepted at the second request.',
    breaks: ['add-workspace/unknown-group'],
    alter: remembering(seenBefore<string>, (asked) =>
      takeFor(add, 'portalGroupId', ({ store }, id) =>
        id !== '' && !store.groups.has(id) && asked(id)
          ? (store.groups.keys().next().value ?? '')
          : undefined,
      ),
    ),
  },
  'unknown-collaboration-known-the-third-time': {
    sentence:
      'An id that no collaboration has, asked for the third time, stands for the one that was used last.',
    breaks: ['add-workspace/unknown-collaboration'],
    mayBreak: ['delete-collaboration/gone-after-delete'],
    alter: remembering(counter<string>, (asked) => {
      let last = ''
      return takeFor(add, 'collaborationID', ({ store }, id) => {
        if (!store.collaborations.has(id)) return asked(id) === 3 ? last : undefined
        last = id
        return undefined
      })
    }),
  },
  'owner-names-no-items': {
    sentence: 'A request without items is accepted of the owner, and moves none.',
    breaks: ['reassign-items/items-required'],
    alter: moveNothingFor(isOwner),
  },
  'run-under-any-task-once-updated': {
    sentence: 'A run that was updated before is found under any task.',
    breaks: ['update-task-run/run-of-task'],
    alter: onceAccepted(
      run,
      ({ params }) => params.runID,
      (updated) => overlook(run, 'unknown-run', ({ params }) => updated.has(params.runID)),
    ),
  },
  'parameters-with-a-dot-refused': {
    sentence: 'A parameter with a dot in its name is refused.',
    breaks: ['protocol/unknown-parameter'],
    alter: refuseWhen(run, 'bad-value', ({ form }) => form.pairs.some(([name]) => name.includes('.'))),
  },
  'true-as-python-writes-it': {
    sentence: 'Where several items are given away, success is True.',
    breaks: ['protocol/json-format'],
    mayBreak: anyRequestOf(reassign),
    alter: changeBytes(
      'reassign-items',
      (body) => Buffer.from(body.toString().replace(/("success":\s*)true/, '$1True')),
      (call) => itemIdsIn(call).length > 1,
    ),
  },
  'similar-name-answers-with-the-first': {
    sentence:
      'A name that differs in letter case or accents from another one of its collaboration is answered with the id of that workspace.',
    breaks: ['add-workspace/id-is-new'],
    alter(parts) {
      const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
      const ids = new Map<string, unknown>()
      changeAdded(({ params, form }, { id }) => {
        const name = form.get('collaborationWorkspaceName') ?? ''
        const same = `${params.collaborationID} ${folded(name)}`
        // Identical names do not show the fault.
        const known = ids.get(same) as { readonly name: string; readonly id: unknown } | undefined
        if (known === undefined) ids.set(same, { name, id })
        return known !== undefined && known.name !== name ? { id: known.id } : {}
      })(parts)
    },
  },
  'privilege-of-the-target-counts': {
    sentence: 'An owner without the privilege may give items to a user who has it.',
    breaks: ['reassign-items/refuses-owner-without-privilege'],
    alter: alsoMay(
      'reassign-items',
      (call, owner) => call.user === owner && targetOf(call)?.privileges.has(transferPrivilege) === true,
    ),
  },
  'collaborations-known-by-their-ends': {
    sentence: 'Of the id of a collaboration only the first and the last eight characters are compared.',
    breaks: ['add-workspace/unknown-collaboration'],
    alter: takeFor(add, 'collaborationID', ({ store }, asked) => {
      const [start, end] = [asked.slice(0, 8), asked.slice(-8)]
      const known = [...store.collaborations.keys()].find(
        (id) => id.length === asked.length && id.startsWith(start) && id.endsWith(end),
      )
      return store.collaborations.has(asked) ? undefined : known
    }),
  },
  'run-under-any-task-without-result': {
    sentence: 'Where there is no result, a run is found under any task.',
    breaks: ['update-task-run/run-of-task'],
    alter: overlook(run, 'unknown-run', (call) => hasNoResult(call) && isRunOfAnyTask(call)),
  },
  'federation-known-by-its-settings': {
    sentence: 'Settings that another federation has been given are answered with the id of that one.',
    breaks: ['update-federation/identifier'],
    alter(parts) {
      const first = new Map<string, unknown>()
      changeAccepted('update-federation', ({ form }, body) => {
        const settings = JSON.stringify(form.pairs.filter(([name]) => name !== 'token').sort())
        const federationId = first.get(settings) ?? body.federationId
        first.set(settings, federationId)
        return { federationId }
      })(parts)
    },
  },
})
