/** Faults of update-task-run. */

import { changeAccepted, overlook, refuseText, refuseWhen } from '../alterations.ts'
import type { Call } from '../parts.ts'
import { acceptancesOf, faultsOf, requirementsOf } from './fault.ts'

const operation = 'update-task-run'

/** The ids of the path, as an accepted answer contains them. */
export const echo = ({ params }: Call) => ({ taskId: params.taskID, runId: params.runID })

/** Whether any task has the run of the path. */
export const isRunOfAnyTask = ({ store, params }: Call): boolean =>
  [...store.tasks.values()].some(({ runs }) => runs.has(params.runID as string))

export const updateTaskRunFaults = faultsOf({
  'run-ids-swapped': {
    sentence: 'The answer has the task in runId and the run in taskId.',
    breaks: ['update-task-run/identifiers'],
    alter: changeAccepted(operation, (_, { taskId, runId }) => ({ taskId: runId, runId: taskId })),
  },
  'run-id-as-number': {
    sentence: 'runId is a number.',
    breaks: ['update-task-run/updates'],
    mayBreak: ['update-task-run/identifiers'],
    alter: changeAccepted(operation, () => ({ runId: 17 })),
  },
  'success-as-number': {
    sentence: 'success is 1.',
    breaks: ['protocol/form-post', 'protocol/success-boolean', ...acceptancesOf(operation)],
    alter: changeAccepted(operation, () => ({ success: 1 })),
  },
  'run-status-not-required': {
    sentence: 'An update without status is accepted.',
    breaks: ['update-task-run/status-required'],
    // An empty status counts as missing here, and the list of statuses is closed.
    mayBreak: ['update-task-run/statuses'],
    alter: overlook(operation, 'missing-status', echo),
  },
  'run-result-required': {
    sentence: 'An update without result is refused.',
    breaks: ['update-task-run/result-optional'],
    // Other checks may send the optional result, too.
    mayBreak: requirementsOf(operation, 'protocol'),
    alter: refuseWhen(operation, 'missing-parameter', ({ form }) => form.get('result') === undefined),
  },
  'run-result-required-but-while-executing': {
    sentence: 'An update to any status but executing is refused without result.',
    breaks: ['update-task-run/result-optional'],
    mayBreak: requirementsOf(operation, 'protocol'),
    alter: refuseWhen(
      operation,
      'missing-parameter',
      ({ form }) =>
        form.get('result') === undefined && !['executing', '', undefined].includes(form.get('status')),
    ),
  },
  'run-empty-result-refused': {
    sentence: 'An empty result is refused.',
    breaks: ['update-task-run/result-empty'],
    alter: refuseText('bad-value', ['result'], (text) => text === ''),
  },
  'run-result-ascii-only': {
    sentence: 'A result that holds anything beyond ASCII is refused.',
    breaks: ['update-task-run/result-text'],
    mayBreak: requirementsOf(operation, 'protocol'),
    alter: refuseText('bad-value', ['result'], (text) => /[^\x00-\x7f]/.test(text)),
  },
  'unknown-run-accepted': {
    sentence: 'An update of a run that does not exist is accepted.',
    breaks: ['update-task-run/unknown-run', 'update-task-run/run-of-task'],
    alter: overlook(operation, 'unknown-run', echo),
  },
  'unknown-task-accepted': {
    sentence: 'An update of a run of a task that does not exist is accepted.',
    breaks: ['update-task-run/unknown-run', 'update-task-run/run-of-task'],
    alter: overlook(operation, 'unknown-task', echo),
  },
  'any-run-status-accepted': {
    sentence: 'Any status is accepted, although the list is closed.',
    breaks: ['update-task-run/statuses'],
    alter: overlook(operation, 'unknown-status', echo),
  },
  'skipped-run-refused': {
    sentence: 'The status skipped is refused, although it is on the list.',
    breaks: ['update-task-run/statuses'],
    alter: refuseText('unknown-status', ['status'], (text) => text === 'skipped'),
  },
  'run-under-any-task': {
    sentence: 'A run can be updated under a task to which it does not belong.',
    breaks: ['update-task-run/run-of-task'],
    alter: overlook(operation, 'unknown-run', echo, isRunOfAnyTask),
  },
  'task-under-any-user': {
    sentence: 'A run can be updated under a user to whom its task does not belong.',
    breaks: ['update-task-run/run-of-task'],
    alter: overlook(operation, 'unknown-task', echo, ({ store, params }) =>
      store.tasks.has(params.taskID as string),
    ),
  },
  'run-status-not-required-with-empty-result': {
    sentence: 'An update without status is accepted where its result is empty.',
    breaks: ['update-task-run/status-required'],
    alter: overlook(operation, 'missing-status', echo, ({ form }) => form.get('result') === ''),
  },
})
