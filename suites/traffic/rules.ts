/** What recorded traffic shows of each requirement: a rule, or that it cannot show it. */
import { type OperationId, operations } from '../../specs/operations.ts'
import { type RequirementId, requirementOf, requirements } from '../../specs/requirements.ts'
import type { Rule } from './rule.ts'
import { addWorkspaceRules } from './rules/add-workspace.ts'
import { deleteCollaborationRules } from './rules/delete-collaboration.ts'
import { protocolRules } from './rules/protocol.ts'
import { reassignItemsRules } from './rules/reassign-items.ts'
import { syncWorkspaceRules } from './rules/sync-workspace.ts'
import { updateFederationRules } from './rules/update-federation.ts'
import { updateParticipantRules } from './rules/update-participant.ts'
import { updateTaskRunRules } from './rules/update-task-run.ts'
import { shaped } from './shape-rules.ts'

/** The requirements of the contract; a recording is not judged by a profile. */
export type ContractRequirementId = Exclude<RequirementId, `profile/${string}`>

/** The rules that are written for their requirement. */
export const ownRules: Readonly<Partial<Record<ContractRequirementId, Rule>>> = {
  ...protocolRules,
  ...addWorkspaceRules,
  ...updateTaskRunRules,
  ...reassignItemsRules,
  ...syncWorkspaceRules,
  ...updateParticipantRules,
  ...deleteCollaborationRules,
  ...updateFederationRules,
}

/** The rule of each requirement. Without one of its own, the first of an operation shows in the shape of what is accepted. */
export const trafficRules: Readonly<Partial<Record<ContractRequirementId, Rule>>> = {
  ...Object.fromEntries(operations.map(({ id, requirements: [first] }) => [first.id, shaped(id)])),
  ...ownRules,
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
  return requirement === 'delete-collaboration/gone-after-delete'
}
