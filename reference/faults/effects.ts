/** What several faults do behind an answer: items move, collaborations go, syncs overlap, ids are mistaken. */
import type { OperationId } from '../../specs/operations.ts'
import { changeCall, changeParts } from '../alterations.ts'
import { collaborationIn, itemIdsIn, syncModeOf } from '../handlers.ts'
import type { Alter, Call } from '../parts.ts'
import type { Store } from '../store.ts'

/** Has something happen within the settle time of the embedded portal. */
export function later(act: () => void): void {
  setTimeout(act, 150).unref()
}

/** Deletes the collaboration of the path although its caller was refused. */
export function deleteAnyway(call: Call): void {
  const collaboration = collaborationIn(call)
  if (collaboration !== undefined) call.parts.remove(call.store, collaboration)
}

/** Gives items away without a look at anything. */
export function move(call: Call, ids = itemIdsIn(call)): void {
  for (const id of ids) {
    const item = call.store.items.get(id)
    if (item !== undefined) item.owner = call.form.get('targetUsername') ?? item.owner
  }
}

/** Whether a request asks for a synchronous sync. */
export const isSynchronous = (call: Call): boolean => syncModeOf(call) === 'synchronous'

/** Whether a reassignment names a folder. */
export const namesFolder = ({ form }: Call): boolean => form.get('targetFoldername') !== undefined

/** What the answer to an accepted reassignment holds beside success. */
export const firstItem = (call: Call) => ({ itemId: itemIdsIn(call)[0] })

/** Gives all of them away, and says what the answer then holds. */
export function moveAll(call: Call): { itemId: string | undefined } {
  move(call)
  return firstItem(call)
}

/** Leaves ids that no item has out of such requests, unless they have no others. */
export const passOverUnknown = (concerns: (call: Call, at: number) => boolean = () => true): Alter =>
  changeCall('reassign-items', (call) => {
    const known = itemIdsIn(call).filter((id, at) => call.store.items.has(id) || !concerns(call, at))
    return known.length === 0 ? call : { ...call, form: call.form.with('items', known.join(',')) }
  })

/** Takes any number of items in such requests. */
export const takeAnyNumber =
  (concerns: (call: Call) => boolean): Alter =>
  (parts) =>
    changeParts('reassign-items', concerns, { limits: { ...parts.limits, items: 10_000 } })(parts)

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

/** Puts another value into a parameter that was sent, where one is found for it. */
export const takeForValue = (
  operation: OperationId,
  name: string,
  found: (call: Call, sent: string) => string | undefined,
): Alter =>
  changeCall(operation, (call) => {
    const sent = call.form.get(name)
    const other = sent === undefined ? undefined : found(call, sent)
    return other === undefined ? call : { ...call, form: call.form.with(name, other) }
  })

/** The id of the collaboration that has a workspace of that id. */
export const homeOf = ({ collaborations }: Store, workspaceId: string): string | undefined =>
  [...collaborations.values()].find(({ workspaces }) => workspaces.has(workspaceId))?.id

/** Whether any task has the run that the path names. */
export const isRunOfAnyTask = ({ store, params }: Call): boolean =>
  [...store.tasks.values()].some(({ runs }) => runs.has(params.runID as string))

/** The id of the task that has a run of that id. */
export const taskOf = ({ tasks }: Store, runId: string): string | undefined =>
  [...tasks.values()].find(({ runs }) => runs.has(runId))?.id

const newJob = ({ parts }: Call) => ({ jobId: parts.newId('job'), key: parts.newId('job') })

/** A workspace that was never added. */
const madeUpWorkspace = ({ form, params, parts }: Call) => ({
  workspace: parts.viewWorkspace({
    id: parts.newId('workspace'),
    name: form.get('collaborationWorkspaceName') ?? '',
    description: form.get('collaborationWorkspaceDescription') ?? '',
    collaborationId: params.collaborationID as string,
    ...{ portalGroupId: '', created: parts.now(), modified: parts.now(), lastSyncSuccess: -1, syncMs: 0 },
    ...{ syncs: [], copied: new Set<string>() },
  }),
})

/** What an answer holds beside success where a request is accepted that should be refused. */
export const acceptedAnswers: Readonly<
  Record<OperationId, (call: Call) => Readonly<Record<string, unknown>>>
> = {
  'add-workspace': madeUpWorkspace,
  'update-task-run': ({ params }) => ({ taskId: params.taskID, runId: params.runID }),
  'reassign-items': moveAll,
  'sync-workspace': newJob,
  'update-participant': ({ params }) => ({
    collaborationId: params.collaborationID,
    portalId: params.participantPortalID,
  }),
  'delete-collaboration': () => ({}),
  'update-federation': ({ params }) => ({ federationId: params.federationID }),
}
