/** Faults in which a value resembles a known one, or that show right after another caller's request. */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  afterAccepted,
  all,
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
import { isOwner, itemIdsIn, syncModeOf, targetOf } from '../handlers.ts'
import { transferPrivilege } from '../users.ts'
import { signedCredential } from '../variants/identity.ts'
import { moveNothingFor } from './callers.ts'
import { anyRequestOf, faultsOf, invalidCredentials } from './fault.ts'
import { ownedItems } from './left-behind.ts'
import { hasNoResult, isRunOfAnyTask } from './updates.ts'

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
    alter: remembering(
      () => new Set<unknown>(),
      (ended) =>
        all(
          afterAccepted(sync, (call) => {
            if (syncModeOf(call) === 'asynchronous') ended.add(call.params.workspaceID)
          }),
          refuseWhen(
            sync,
            'sync-running',
            (call) => syncModeOf(call) !== 'asynchronous' && ended.has(call.params.workspaceID),
          ),
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
