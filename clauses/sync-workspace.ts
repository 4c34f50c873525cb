/** §4.4, as far as recorded traffic shows it: how long a sync takes, and who may start it, stands in no recording. */
import type { RequirementId } from '../specs/requirements.ts'
import type { Judge } from './clause.ts'
import { shaped } from './shapes.ts'

type Ids = Extract<RequirementId, `sync-workspace/${string}`>

export const syncWorkspaceJudges: Readonly<Partial<Record<Ids, Judge>>> = {
  'sync-workspace/starts': shaped('sync-workspace', (path) => path !== 'success'),
}
