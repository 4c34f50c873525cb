/** §4.4, as far as one exchange shows it. */
import type { RequirementId } from '../specs/requirements.ts'
import { all, inItsCollaboration, refuses, unknownInPath } from './callers.ts'
import type { Judge } from './clause.ts'
import { shaped } from './shapes.ts'

type Ids = Extract<RequirementId, `sync-workspace/${string}`>

export const syncWorkspaceJudges: Readonly<Partial<Record<Ids, Judge>>> = {
  'sync-workspace/starts': shaped('sync-workspace', (path) => path !== 'success'),
  'sync-workspace/refuses-non-designated': refuses('syncNonInitiator'),
  'sync-workspace/refuses-anonymous': refuses('anonymous'),
  'sync-workspace/refuses-invalid-credential': refuses('impostor'),
  'sync-workspace/unknown-workspace': all(unknownInPath('workspaceID'), inItsCollaboration),
  'sync-workspace/unknown-collaboration': unknownInPath('collaborationID'),
}
