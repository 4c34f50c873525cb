/** Faults in which an unknown id or caller resembles a known one, or that show right after another caller's request. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OperationId } from '../../specs/operations.ts'
import {
  afterAccepted,
  alsoMay,
  around,
  changeAccepted,
  changeAdded,
  changeBytes,
  changeCall,
  changeMay,
  overlook,
  refuseWhen,
} from '../alterations.ts'
import { done } from '../answers.ts'
import { itemIdsIn, syncModeOf, targetOf } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import type { Store } from '../store.ts'
import { transferPrivilege } from '../users.ts'
import { signedCredential } from '../variants/identity.ts'
import { faultsOf, invalidCredentials, requirementsOf } from './fault.ts'
import { echo, isRunOfAnyTask } from './update-task-run.ts'

/** Replaces an id in the path if `found` returns another one. */
export const takeForId = (
  operation: OperationId,
  name: string,
  found: (call: Call, id: string) => string | undefined,
): Alter =>
  changeCall(operation, (call) => {
    const id = call.params[name] as string
    return { ...call, params: { ...call.params, [name]: found(call, id) ?? id } }
  })

/** The id of the collaboration with this workspace. */
export const homeOf = ({ collaborations }: Store, workspaceId: string): string | undefined =>
  [...collaborations.values()].find(({ workspaces }) => workspaces.has(workspaceId))?.id

/** A known id of the same length that differs only in the last four characters. */
const butForItsEnd = (ids: Iterable<string>, id: string): string | undefined =>
  [...ids].find((known) => known.length === id.length && known.slice(0, -4) === id.slice(0, -4))

/** For administrators, replaces the user in the path by the owner of the task. */
const ownerFor = (instead: (call: Call, userName: string) => boolean): Alter =>
  takeForId('update-task-run', 'userName', (call, userName) =>
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
    alter: takeForId('update-task-run', 'runID', ({ store, params }, id) =>
      id === params.taskID ? [...(store.tasks.get(id)?.runs.keys() ?? [])].at(-1) : undefined,
    ),
  },
  'workspace-id-taken-for-collaboration': {
    sentence: 'To add to a collaboration, the id of one of its workspaces will do.',
    breaks: ['add-workspace/unknown-collaboration'],
    alter: takeForId('add-workspace', 'collaborationID', ({ store }, id) => homeOf(store, id)),
  },
  'collaboration-id-taken-for-workspace': {
    sentence: 'The id of a collaboration in the place of a workspace stands for its first one.',
    breaks: ['sync-workspace/unknown-workspace'],
    alter: takeForId('sync-workspace', 'workspaceID', ({ store, params }, id) =>
      id === params.collaborationID
        ? store.collaborations.get(id)?.workspaces.keys().next().value
        : undefined,
    ),
  },
  'federation-id-end-not-compared': {
    sentence: 'The last four characters of the id of a federation are not compared.',
    breaks: ['update-federation/unknown-federation'],
    alter: takeForId('update-federation', 'federationID', ({ store }, id) =>
      store.federations.has(id) ? undefined : butForItsEnd(store.federations.keys(), id),
    ),
  },
  'collaboration-id-end-not-compared': {
    sentence:
      'To update a participant, the last four characters of the id of its collaboration are not compared.',
    breaks: ['update-participant/unknown-collaboration'],
    alter: takeForId('update-participant', 'collaborationID', ({ store }, id) =>
      store.collaborations.has(id) ? undefined : butForItsEnd(store.collaborations.keys(), id),
    ),
  },
})

/** Replaces a parameter by a known value if `found` returns one. */
const takeFor = (
  operation: OperationId,
  name: string,
  found: (call: Call, sent: string) => string | undefined,
): Alter =>
  changeCall(operation, (call) => {
    const known = found(call, call.form.get(name) ?? '')
    return known === undefined ? call : { ...call, form: call.form.with(name, known) }
  })

/** How long a race may take. */
const raceMs = 12

/** Values that resemble a known one, and requests right after another caller's. */
export const resemblanceFaults = faultsOf({
  'group-ids-compared-as-far-as-they-go': {
    sentence: 'Ids of groups are compared up to the end of the shorter one.',
    breaks: ['add-workspace/unknown-group'],
    alter: takeFor('add-workspace', 'portalGroupId', ({ store }, sent) =>
      [...store.groups.keys()].find((id) => sent.length >= 8 && (id.startsWith(sent) || sent.startsWith(id))),
    ),
  },
  'target-called-so-up-to-a-dot': {
    sentence: 'A target is looked up by what stands before the first dot.',
    breaks: ['reassign-items/unknown-target'],
    alter: takeFor('reassign-items', 'targetUsername', ({ store }, sent) => {
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
    alter(parts) {
      const former = new Map<string, Set<string>>()
      alsoMay('reassign', (call) =>
        itemIdsIn(call).every((id) => former.get(id)?.has(call.user?.username ?? '') === true),
      )(parts)
      afterAccepted('reassign-items', (call) => {
        for (const id of itemIdsIn(call))
          former.set(id, (former.get(id) ?? new Set()).add(call.params.userName as string))
      })(parts)
    },
  },
  'privilege-kept-from-administrator': {
    sentence: 'For ten seconds after an administrator gave something of a user away, that user may as well.',
    breaks: ['reassign-items/refuses-owner-without-privilege'],
    alter(parts) {
      const until = new Map<string, number>()
      changeMay('reassign', (may, { user }, owner) => {
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
      const key = ({ user }: Call) => user?.username ?? ''
      parts.beforeMove = () => sleep(raceMs)
      around('reassign-items', (call, honest) => {
        const mine = (under.get(key(call)) ?? Promise.resolve()).then(() => honest())
        under.set(
          key(call),
          mine.catch(() => undefined),
        )
        return mine
      })(parts)
    },
  },
  'description-limit-unless-name-is-full': {
    sentence: 'The limit of descriptions is not looked at where the name is as long as it may be.',
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
    alter(parts) {
      const ended = new Set<unknown>()
      around('sync-workspace', async (call, honest) => {
        const { workspaceID } = call.params
        const asynchronous = syncModeOf(call) === 'asynchronous'
        if (!asynchronous && ended.has(workspaceID)) return parts.refuse('sync-running')
        const answer = await honest()
        if (asynchronous && answer.refused === undefined) ended.add(workspaceID)
        return answer
      })(parts)
    },
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
    alter(parts) {
      const asked = new Set<string>()
      changeCall('add-workspace', (call) => {
        const { store, form } = call
        const id = form.get('portalGroupId') ?? ''
        if (id === '' || store.groups.has(id)) return call
        const [first = ''] = store.groups.keys()
        if (asked.has(id)) return { ...call, form: form.with('portalGroupId', first) }
        asked.add(id)
        return call
      })(parts)
    },
  },
  'unknown-collaboration-known-the-third-time': {
    sentence:
      'An id that no collaboration has, asked for the third time, stands for the one that was used last.',
    breaks: ['add-workspace/unknown-collaboration'],
    mayBreak: ['delete-collaboration/gone-after-delete'],
    alter(parts) {
      const asked = new Map<string, number>()
      let last = ''
      takeForId('add-workspace', 'collaborationID', ({ store }, id) => {
        if (store.collaborations.has(id)) last = id
        else asked.set(id, (asked.get(id) ?? 0) + 1)
        return asked.get(id) === 3 ? last : undefined
      })(parts)
    },
  },
  'owner-names-no-items': {
    sentence: 'A request without items is accepted of the owner, and moves none.',
    breaks: ['reassign-items/items-required'],
    alter: around('reassign-items', ({ form, params, user }, honest) =>
      user !== undefined && user.username === params.userName && !form.get('items')
        ? done({ itemId: '' })
        : honest(),
    ),
  },
  'run-under-any-task-once-updated': {
    sentence: 'A run that was updated before is found under any task.',
    breaks: ['update-task-run/run-of-task'],
    alter(parts) {
      const updated = new Set<unknown>()
      afterAccepted('update-task-run', ({ params }) => updated.add(params.runID))(parts)
      overlook('update-task-run', 'unknown-run', echo, ({ params }) => updated.has(params.runID))(parts)
    },
  },
  'parameters-with-a-dot-refused': {
    sentence: 'A parameter with a dot in its name is refused.',
    breaks: ['protocol/unknown-parameter'],
    alter: refuseWhen('update-task-run', 'bad-value', ({ form }) =>
      form.pairs.some(([name]) => name.includes('.')),
    ),
  },
  'true-as-python-writes-it': {
    sentence: 'Where several items are given away, success is True.',
    breaks: ['protocol/json-format'],
    mayBreak: requirementsOf('reassign-items', 'protocol'),
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
      'reassign',
      (call, owner) => call.user === owner && targetOf(call)?.privileges.has(transferPrivilege) === true,
    ),
  },
  'collaborations-known-by-their-ends': {
    sentence: 'Of the id of a collaboration only the first and the last eight characters are compared.',
    breaks: ['add-workspace/unknown-collaboration'],
    alter: takeForId('add-workspace', 'collaborationID', ({ store }, asked) => {
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
    alter: overlook(
      'update-task-run',
      'unknown-run',
      echo,
      (call) => call.form.get('result') === undefined && isRunOfAnyTask(call),
    ),
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
