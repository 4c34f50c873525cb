import type { Probe } from './probe.fixture.ts'
import { reassignProbes } from './reassigning.fixture.ts'
import { deletionProbes, syncProbes, workspaceSequences } from './sequences.fixture.ts'
import {
  federationProbes,
  participantProbes,
  protocolProbes,
  runProbes,
  workspaceProbes,
} from './simple.fixture.ts'

export const probes: readonly Probe[] = [
  ...protocolProbes,
  ...workspaceProbes,
  ...workspaceSequences,
  ...runProbes,
  ...reassignProbes,
  ...syncProbes,
  ...participantProbes,
  ...deletionProbes,
  ...federationProbes,
]
