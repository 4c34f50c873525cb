/** The one judge of each requirement, used by checks, by the watch of a run and for recorded traffic. */
import { type OperationId, operations } from '../specs/operations.ts'
import { type RequirementId, requirementOf, requirements } from '../specs/requirements.ts'
import { addWorkspaceJudges } from './add-workspace.ts'
import type { Judge } from './clause.ts'
import { deleteCollaborationJudges } from './delete-collaboration.ts'
import { profileJudges } from './profile.ts'
import { lifecycleJudges, protocolJudges } from './protocol.ts'
import { reassignItemsJudges } from './reassign-items.ts'
import { shaped } from './shapes.ts'
import { syncWorkspaceJudges } from './sync-workspace.ts'
import { updateFederationJudges } from './update-federation.ts'
import { updateParticipantJudges } from './update-participant.ts'
import { updateTaskRunJudges } from './update-task-run.ts'

/** The requirements of the contract. Recordings are not judged by profiles. */
export type ContractRequirementId = Exclude<RequirementId, `profile/${string}`>

/** The judges that are written for their requirement. */
export const ownJudges: Readonly<Partial<Record<RequirementId, Judge>>> = {
  ...profileJudges,
  ...protocolJudges,
  ...lifecycleJudges,
  ...addWorkspaceJudges,
  ...updateTaskRunJudges,
  ...reassignItemsJudges,
  ...syncWorkspaceJudges,
  ...updateParticipantJudges,
  ...deleteCollaborationJudges,
  ...updateFederationJudges,
}

/** The judge of each requirement. The first requirement of an operation defaults to a judge of the answer's shape. */
export const judges: Readonly<Partial<Record<RequirementId, Judge>>> = {
  ...Object.fromEntries(operations.map(({ id, requirements: [first] }) => [first.id, shaped(id)])),
  ...ownJudges,
}

/** The requirements of the contract, in its order. */
export const contractRequirements = requirements
  .filter(({ level }) => level !== 'must (profile)')
  .map(({ id }) => id as ContractRequirementId)

const inCollaborations = [
  'delete-collaboration/gone-after-delete',
  'delete-collaboration/refused-delete-has-no-effect',
  'delete-collaboration/others-unaffected',
] as const

/** Requirements of one operation that later requests for another operation can show. */
const consequences: Readonly<Partial<Record<OperationId, readonly ContractRequirementId[]>>> = {
  'add-workspace': inCollaborations,
  'update-participant': inCollaborations,
  'sync-workspace': [...inCollaborations, 'delete-collaboration/sharing-stops', 'add-workspace/id-works'],
}

/** Whether exchanges of the operation can show the requirement. */
export function concerns(requirement: ContractRequirementId, operation: OperationId): boolean {
  const subject = requirementOf(requirement).operation
  return (
    subject === 'protocol' ||
    subject === 'lifecycle' ||
    subject === operation ||
    (consequences[operation] ?? []).includes(requirement)
  )
}
