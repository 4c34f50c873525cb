/** Judges of "update task run" (§4.2). */
import { listedStatus, refuses, runOfTask, unknownInPath } from './callers.ts'
import { acceptedWhere, type JudgesOf } from './clause.ts'
import { isMissing } from './exchange.ts'
import { required } from './limits.ts'
import { echoes, shaped } from './shapes.ts'
import { isJudged } from './texts.ts'

export const updateTaskRunJudges: JudgesOf<'update-task-run'> = {
  'update-task-run/updates': shaped(
    'update-task-run',
    (path) => path !== 'success',
    ({ value }) => (value('status') === 'executing' ? 'kept' : 'in part'),
  ),
  'update-task-run/identifiers': echoes(['taskId', 'taskID'], ['runId', 'runID']),
  'update-task-run/status-required': required('status'),
  'update-task-run/result-optional': acceptedWhere((exchange) => isMissing(exchange, 'result')),
  'update-task-run/result-empty': acceptedWhere(({ value }) => value('result') === ''),
  'update-task-run/statuses': listedStatus,
  'update-task-run/unknown-run': unknownInPath('userName', 'taskID', 'runID'),
  'update-task-run/run-of-task': runOfTask,
  'update-task-run/refuses-anonymous': refuses('anonymous'),
  'update-task-run/result-text': acceptedWhere(({ value }) => isJudged(value('result') ?? '')),
}
