/** The operations of the contract (§4), in its order. */
import type { Operation } from './operation.ts'
import { addWorkspace } from './operations/add-workspace.ts'
import { deleteCollaboration } from './operations/delete-collaboration.ts'
import { reassignItems } from './operations/reassign-items.ts'
import { syncWorkspace } from './operations/sync-workspace.ts'
import { updateFederation } from './operations/update-federation.ts'
import { updateParticipant } from './operations/update-participant.ts'
import { updateTaskRun } from './operations/update-task-run.ts'

export const operations = [
  addWorkspace,
  updateTaskRun,
  reassignItems,
  syncWorkspace,
  updateParticipant,
  deleteCollaboration,
  updateFederation,
] as const

/** One of the operations, with its literal values: an actor or a fixture that no one knows does not compile where it is used. */
export type KnownOperation = (typeof operations)[number]

export type OperationId = KnownOperation['id']

export const operationIds: readonly OperationId[] = operations.map(({ id }) => id)

/** The operation of that id. */
export function operationOf(id: OperationId): Operation & KnownOperation {
  return operations.find((operation) => operation.id === id) as KnownOperation
}
