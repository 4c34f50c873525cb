/** Judges of "update task run" (§4.2). */
import { listedStatus, runOfTask } from './callers.ts'
import { acceptedWhere, type JudgesOf } from './clause.ts'
import { shaped } from './shapes.ts'
import { isJudged } from './texts.ts'

export const updateTaskRunJudges: JudgesOf<'update-task-run'> = {
  'update-task-run/updates': shaped('update-task-run', {
    shows: ({ value }) => (value('status') === 'executing' ? 'kept' : 'in part'),
  }),
  'update-task-run/result-empty': acceptedWhere(({ value }) => value('result') === ''),
  'update-task-run/statuses': listedStatus,
  'update-task-run/run-of-task': runOfTask,
  'update-task-run/result-text': acceptedWhere(({ value }) => isJudged(value('result') ?? '')),
}
