/** The catalogue of requirements: those of the contract in its order, then what a profile can add. */
import type { Requirement } from './requirement.ts'
import { addWorkspaceRequirements } from './requirements/add-workspace.ts'
import { deleteCollaborationRequirements } from './requirements/delete-collaboration.ts'
import { lifecycleRequirements } from './requirements/lifecycle.ts'
import { profileRequirements } from './requirements/profile.ts'
import { protocolRequirements } from './requirements/protocol.ts'
import { reassignItemsRequirements } from './requirements/reassign-items.ts'
import { syncWorkspaceRequirements } from './requirements/sync-workspace.ts'
import { updateFederationRequirements } from './requirements/update-federation.ts'
import { updateParticipantRequirements } from './requirements/update-participant.ts'
import { updateTaskRunRequirements } from './requirements/update-task-run.ts'

const catalogue = [
  ...protocolRequirements,
  ...addWorkspaceRequirements,
  ...updateTaskRunRequirements,
  ...reassignItemsRequirements,
  ...syncWorkspaceRequirements,
  ...updateParticipantRequirements,
  ...deleteCollaborationRequirements,
  ...updateFederationRequirements,
  ...lifecycleRequirements,
  ...profileRequirements,
] as const

/** The id of a requirement: a check that names another does not compile. */
export type RequirementId = (typeof catalogue)[number]['id']

export const requirements: readonly (Requirement & { readonly id: RequirementId })[] = catalogue

const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]))

/** The requirement of that id. */
export function requirementOf(id: RequirementId): Requirement {
  return byId.get(id) as Requirement
}

/** What is judged on a target of that profile: without one, only what the contract says. */
export function requirementsFor(profile: string): typeof requirements {
  return profile === 'none' ? requirements.filter(({ level }) => level !== 'must (profile)') : requirements
}
