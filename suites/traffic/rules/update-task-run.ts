/** §4.2, as far as recorded traffic shows it. */
import type { RequirementId } from '../../../specs/requirements.ts'
import { isMissing } from '../exchange.ts'
import { required } from '../limit-rules.ts'
import { acceptedWhere, type Rule, unshowable } from '../rule.ts'
import { echoes, shaped } from '../shape-rules.ts'
import { isJudged } from '../text-length.ts'

type Ids = Extract<RequirementId, `update-task-run/${string}`>

export const updateTaskRunRules: Readonly<Record<Ids, Rule | typeof unshowable>> = {
  'update-task-run/updates': shaped(
    'update-task-run',
    (path) => path !== 'success',
    ({ value }) => value('status') === 'executing',
  ),
  'update-task-run/identifiers': echoes(['taskId', 'taskID'], ['runId', 'runID']),
  'update-task-run/status-required': required('status'),
  'update-task-run/result-optional': acceptedWhere((exchange) => isMissing(exchange, 'result')),
  'update-task-run/result-empty': acceptedWhere(({ value }) => value('result') === ''),
  'update-task-run/result-text': acceptedWhere(({ value }) => isJudged(value('result') ?? '')),
  'update-task-run/statuses': unshowable,
  'update-task-run/unknown-run': unshowable,
  'update-task-run/refuses-anonymous': unshowable,
}
