/** Faults in ids: one of another kind is taken for what was asked for, or one that is known but for its end. */
import type { OperationId } from '../../specs/operations.ts'
import { changeCall } from '../alterations.ts'
import type { Alter, Call } from '../parts.ts'
import type { Store } from '../store.ts'
import { faultsOf } from './fault.ts'

/** Puts another id into the path where one is found for it. */
export const takeForId = (
  operation: OperationId,
  name: string,
  found: (call: Call, id: string) => string | undefined,
): Alter =>
  changeCall(operation, (call) => {
    const id = call.params[name] as string
    return { ...call, params: { ...call.params, [name]: found(call, id) ?? id } }
  })

/** The id of the collaboration that has a workspace of that id. */
export const homeOf = ({ collaborations }: Store, workspaceId: string): string | undefined =>
  [...collaborations.values()].find(({ workspaces }) => workspaces.has(workspaceId))?.id

/** The id among these that is as long, and the same but for four characters at its end. */
const butForItsEnd = (ids: Iterable<string>, id: string): string | undefined =>
  [...ids].find((known) => known.length === id.length && known.slice(0, -4) === id.slice(0, -4))

/** For administrators, the owner of the task in the place of such a user. */
const ownerFor = (instead: (call: Call, userName: string) => boolean): Alter =>
  takeForId('update-task-run', 'userName', (call, userName) =>
    call.user?.role === 'administrator' && instead(call, userName)
      ? call.store.tasks.get(call.params.taskID as string)?.owner
      : undefined,
  )

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
