/** §4.2, as far as recorded traffic shows it. */
import type { RequirementId } from '../../../specs/requirements.ts'
import { isMissing } from '../exchange.ts'
import { required } from '../limit-rules.ts'
import { acceptedWhere, type Rule } from '../rule.ts'
import { echoes, shaped } from '../shape-rules.ts'
import { isJudged } from '../text-length.ts'

type Ids = Extract<RequirementId, `update-task-run/${string}`>

export const updateTaskRunRules: Readonly<Partial<Record<Ids, Rule>>> = {
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
}
