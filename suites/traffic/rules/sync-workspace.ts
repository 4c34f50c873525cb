/** §4.4, as far as recorded traffic shows it: how long a sync takes, and who may start it, stands in no recording. */
import type { RequirementId } from '../../../specs/requirements.ts'
import type { Rule } from '../rule.ts'
import { shaped } from '../shape-rules.ts'

type Ids = Extract<RequirementId, `sync-workspace/${string}`>

export const syncWorkspaceRules: Readonly<Partial<Record<Ids, Rule>>> = {
  'sync-workspace/starts': shaped('sync-workspace', (path) => path !== 'success'),
}
