/** Every fault of the embedded portal. */
import { addWorkspaceCallerFaults, addWorkspaceFaults, workspaceTextFaults } from './add-workspace.ts'
import { nearlyRightCallerFaults, rememberedCallerFaults } from './callers.ts'
import { courseFaults } from './courses.ts'
import { deleteCollaborationFaults } from './delete-collaboration.ts'
import type { Fault } from './fault.ts'
import { itemListFaults } from './item-lists.ts'
import { laterFaults, rareRequestFaults } from './later.ts'
import { leftBehindFaults, partialEffectFaults } from './left-behind.ts'
import { likenessFaults } from './likenesses.ts'
import { lockFaults } from './locks.ts'
import { ordinaryTextFaults } from './ordinary-texts.ts'
import { ordinaryValueFaults } from './ordinary-values.ts'
import { protocolFaults } from './protocol.ts'
import { reassignCallerFaults, reassignErrorFaults, reassignItemsFaults } from './reassign-items.ts'
import { mistakenIdFaults, resemblanceFaults } from './resemblance.ts'
import { scopeFaults } from './scopes.ts'
import { sharedLossFaults } from './shared-losses.ts'
import { strangerFaults } from './strangers.ts'
import { syncWorkspaceFaults } from './sync-workspace.ts'
import { unreliableFaults } from './unreliable.ts'
import { rareValueFaults, unusualValueFaults } from './unusual-values.ts'
import { updateFederationFaults } from './update-federation.ts'
import { updateParticipantFaults } from './update-participant.ts'
import { updateTaskRunFaults } from './update-task-run.ts'

/** Faults that are products of a rule and a place. Faults of the same rule resemble each other. */
export const productFaults: readonly Fault[] = [
  ...unreliableFaults,
  ...likenessFaults,
  ...ordinaryTextFaults,
  ...strangerFaults,
  ...courseFaults,
  ...lockFaults,
  ...sharedLossFaults,
]

export const faults: readonly Fault[] = [
  ...protocolFaults,
  ...workspaceTextFaults,
  ...addWorkspaceFaults,
  ...addWorkspaceCallerFaults,
  ...updateTaskRunFaults,
  ...reassignItemsFaults,
  ...reassignCallerFaults,
  ...reassignErrorFaults,
  ...syncWorkspaceFaults,
  ...updateParticipantFaults,
  ...deleteCollaborationFaults,
  ...updateFederationFaults,
  ...rememberedCallerFaults,
  ...partialEffectFaults,
  ...rareRequestFaults,
  ...rareValueFaults,
  ...unusualValueFaults,
  ...nearlyRightCallerFaults,
  ...laterFaults,
  ...itemListFaults,
  ...scopeFaults,
  ...leftBehindFaults,
  ...ordinaryValueFaults,
  ...mistakenIdFaults,
  ...resemblanceFaults,
  ...productFaults,
]
