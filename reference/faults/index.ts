/** Every fault of the embedded portal. */
import { addWorkspaceCallerFaults, addWorkspaceFaults, workspaceTextFaults } from './add-workspace.ts'
import { nearlyRightCallerFaults, rememberedCallerFaults, syncerFaults } from './callers.ts'
import { deleteCollaborationFaults, sharedLossFaults } from './delete-collaboration.ts'
import type { Fault } from './fault.ts'
import { likenessFaults, mistakenIdFaults, resemblanceFaults } from './ids.ts'
import { courseFaults, laterFaults, rareRequestFaults } from './later.ts'
import { leftBehindFaults, lockFaults, partialEffectFaults } from './left-behind.ts'
import { protocolFaults, unreliableFaults } from './protocol.ts'
import {
  excusedFaults,
  itemListFaults,
  reassignCallerFaults,
  reassignErrorFaults,
  reassignItemsFaults,
} from './reassign-items.ts'
import { scopeFaults } from './scopes.ts'
import { syncWorkspaceFaults } from './sync-workspace.ts'
import { ordinaryTextFaults, ordinaryValueFaults } from './texts.ts'
import { updateFederationFaults, updateParticipantFaults, updateTaskRunFaults } from './updates.ts'
import { rareValueFaults, unusualValueFaults } from './values.ts'

/** Faults that are products of a rule and a place. Faults of the same rule resemble each other. */
export const productFaults: readonly Fault[] = [
  ...unreliableFaults,
  ...likenessFaults,
  ...ordinaryTextFaults,
  ...syncerFaults,
  ...excusedFaults,
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
