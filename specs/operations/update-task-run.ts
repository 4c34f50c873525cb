import { advice, clausesOf, implied, must, type Operation, open, optional, required } from '../operation.ts'

/** §4.2. */
export const updateTaskRun = {
  id: 'update-task-run',
  title: 'Update task run',
  section: '4.2',
  conformanceClass: 'tasks',
  path: '/community/users/{userName}/tasks/{taskID}/runs/{runID}/update',
  parameters: [required('status'), optional('result'), open('f')],
  introduced: { release: '10.8.1', editions: ['self-hosted'] },
  callers: 'not shown; the owner of the task is used',
  calledBy: 'taskOwner',
  on: 'taskRun',
  usesUp: true,
  effect: 'changes status and result of task runs of the fixture provider',
  requirements: clausesOf({
    'update-task-run/updates': {
      ...must('4.2', 'shape'),
      text: 'An update with status=executing is accepted and answers with taskId and runId as strings.',
    },
    'update-task-run/identifiers': {
      ...must('4.2', 'relations'),
      echoes: [
        ['taskId', 'taskID'],
        ['runId', 'runID'],
      ],
      text: 'taskId and runId are the task and the run of the path, each in its own field.',
    },
    'update-task-run/status-required': {
      ...must('4.2', 'limits'),
      requires: 'status',
      text: 'status is required: without it the request is refused.',
    },
    'update-task-run/result-optional': {
      ...must('4.2', 'limits'),
      doesWithout: 'result',
      text: 'result is optional: without it the request is accepted.',
    },
    'update-task-run/result-empty': {
      ...must('4.2', 'limits'),
      text: 'result may be sent empty.',
    },
    'update-task-run/result-text': {
      ...implied('4.2', 'limits'),
      text: 'Any ordinary text is accepted as result.',
      follows: 'result is a string, and no rule narrows it (§4.2).',
    },
    'update-task-run/statuses': {
      ...must('4.2', 'limits'),
      text: 'Each status that the profile lists is accepted; where it says the list is closed, others are refused.',
      settledBy: 'run-statuses',
    },
    'update-task-run/unknown-run': {
      ...implied('4.2', 'relations'),
      mustExist: ['runID', 'taskID', 'userName'],
      text: 'An unknown run, task or user is refused.',
      follows: 'The operation edits an existing run (§4.2).',
    },
    'update-task-run/run-of-task': {
      ...implied('4.2', 'relations'),
      belongs: 'runID',
      text: 'An existing run under another existing task, or an existing task under another existing user, is refused.',
      follows: 'A task belongs to a user and a run to a task (§2).',
    },
    'update-task-run/refuses-anonymous': {
      ...advice('5', 'roles'),
      refuses: ['anonymous'],
      text: 'A request without credentials is refused.',
    },
  }),
} as const satisfies Operation
