/** What recorded traffic shows of each requirement: a rule, or that it cannot show it. A requirement without a word here does not compile. */
import type { OperationId } from '../../specs/operations.ts'
import { type RequirementId, requirementOf } from '../../specs/requirements.ts'
import { type Rule, unshowable } from './rule.ts'
import { addWorkspaceRules } from './rules/add-workspace.ts'
import { deleteCollaborationRules } from './rules/delete-collaboration.ts'
import { protocolRules } from './rules/protocol.ts'
import { reassignItemsRules } from './rules/reassign-items.ts'
import { syncWorkspaceRules } from './rules/sync-workspace.ts'
import { updateFederationRules } from './rules/update-federation.ts'
import { updateParticipantRules } from './rules/update-participant.ts'
import { updateTaskRunRules } from './rules/update-task-run.ts'

/** The requirements of the contract; a recording is not judged by a profile. */
export type ContractRequirementId = Exclude<RequirementId, `profile/${string}`>

export const trafficRules: Readonly<Record<ContractRequirementId, Rule | typeof unshowable>> = {
  ...protocolRules,
  ...addWorkspaceRules,
  ...updateTaskRunRules,
  ...reassignItemsRules,
  ...syncWorkspaceRules,
  ...updateParticipantRules,
  ...deleteCollaborationRules,
  ...updateFederationRules,
  'lifecycle/consistent': unshowable,
}

/** Whether exchanges of an operation can show the requirement. */
export function concerns(requirement: ContractRequirementId, operation: OperationId): boolean {
  const subject = requirementOf(requirement).operation
  if (subject === 'protocol' || subject === operation) return true
  // Consequences of a deletion show in what is asked of the collaboration afterwards.
  return requirement === 'delete-collaboration/gone-after-delete'
}
