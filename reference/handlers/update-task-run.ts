import type { Answer, Call } from '../parts.ts'
import { refuseCaller } from '../permissions.ts'

/** Edits an existing run of a scheduled task (§4.2). */
export function updateTaskRun(call: Call): Answer {
  const { parts, form, store, params } = call
  const user = store.users.get(params.userName as string)
  if (user === undefined) return parts.refuse('unknown-user')
  const task = store.tasks.get(params.taskID as string)
  if (task === undefined || task.owner !== user.username) return parts.refuse('unknown-task')
  if (!parts.may.updateRun(call, task)) return refuseCaller(call)
  const run = task.runs.get(params.runID as string)
  if (run === undefined) return parts.refuse('unknown-run')

  const status = form.get('status')
  if (status === undefined || status === '') return parts.refuse('missing-status')
  if (!parts.runStatuses.includes(status)) return parts.refuse('unknown-status')
  run.status = status
  const result = form.get('result')
  if (result !== undefined) run.result = result
  return { status: 200, body: { success: true, taskId: task.id, runId: run.id } }
}
