/** §4.4, as far as recorded traffic shows it: how long a sync takes, and who may start it, stands in no recording. */
import type { RequirementId } from '../../../specs/requirements.ts'
import { type Rule, unshowable } from '../rule.ts'
import { shaped } from '../shape-rules.ts'

type Ids = Extract<RequirementId, `sync-workspace/${string}`>

export const syncWorkspaceRules: Readonly<Record<Ids, Rule | typeof unshowable>> = {
  'sync-workspace/starts': shaped('sync-workspace', (path) => path !== 'success'),
  'sync-workspace/refuses-non-designated': unshowable,
  'sync-workspace/refuses-anonymous': unshowable,
  'sync-workspace/synchronous-blocks': unshowable,
  'sync-workspace/asynchronous-returns': unshowable,
  'sync-workspace/one-at-a-time': unshowable,
  'sync-workspace/after-finish': unshowable,
  'sync-workspace/refuses-invalid-credential': unshowable,
  'sync-workspace/unknown-workspace': unshowable,
  'sync-workspace/unknown-collaboration': unshowable,
}
