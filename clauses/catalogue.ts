/** What recorded traffic shows of each requirement: a rule, or that it cannot show it. */
import { type OperationId, operations } from '../specs/operations.ts'
import { type RequirementId, requirementOf, requirements } from '../specs/requirements.ts'
import { addWorkspaceJudges } from './add-workspace.ts'
import type { Judge } from './clause.ts'
import { deleteCollaborationJudges } from './delete-collaboration.ts'
import { protocolJudges } from './protocol.ts'
import { reassignItemsJudges } from './reassign-items.ts'
import { shaped } from './shapes.ts'
import { syncWorkspaceJudges } from './sync-workspace.ts'
import { updateFederationJudges } from './update-federation.ts'
import { updateParticipantJudges } from './update-participant.ts'
import { updateTaskRunJudges } from './update-task-run.ts'

/** The requirements of the contract; a recording is not judged by a profile. */
export type ContractRequirementId = Exclude<RequirementId, `profile/${string}`>

/** The rules that are written for their requirement. */
export const ownJudges: Readonly<Partial<Record<ContractRequirementId, Judge>>> = {
  ...protocolJudges,
  ...addWorkspaceJudges,
  ...updateTaskRunJudges,
  ...reassignItemsJudges,
  ...syncWorkspaceJudges,
  ...updateParticipantJudges,
  ...deleteCollaborationJudges,
  ...updateFederationJudges,
}

/** The rule of each requirement. Without one of its own, the first of an operation shows in the shape of what is accepted. */
export const judges: Readonly<Partial<Record<ContractRequirementId, Judge>>> = {
  ...Object.fromEntries(operations.map(({ id, requirements: [first] }) => [first.id, shaped(id)])),
  ...ownJudges,
}

/** The requirements of the contract, in its order. */
export const contractRequirements = requirements
  .filter(({ level }) => level !== 'must (profile)')
  .map(({ id }) => id as ContractRequirementId)

/** Whether exchanges of an operation can show the requirement. */
export function concerns(requirement: ContractRequirementId, operation: OperationId): boolean {
  const subject = requirementOf(requirement).operation
  if (subject === 'protocol' || subject === operation) return true
  // Consequences of a deletion show in what is asked of the collaboration afterwards.
  return (
    requirement === 'delete-collaboration/gone-after-delete' ||
    requirement === 'delete-collaboration/sharing-stops'
  )
}
