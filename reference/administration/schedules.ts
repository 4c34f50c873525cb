/** Scheduled tasks, their runs and the scheduler that starts them, and the schedules of syncs. */
import { done, shown } from '../answers.ts'
import type { Parts } from '../parts.ts'
import type { Run, Store, Task } from '../store.ts'
import { copyItems, startSync } from '../syncing.ts'
import { type Access, owner, page, paged, type Route, within } from './call.ts'
import { oneWorkspace, workspaceOfGuest } from './collaborations.ts'

/** How long a run takes, as a fraction of a minute. */
const executionShare = 0.1

/** The types of tasks that the portal executes. */
const types = ['ExecuteNotebook', 'ExecuteReport']

/** Starts a run of every active task. Called once in each minute of the scheduler. */
function fireDue(parts: Parts, store: Store): void {
  for (const { schedule, runs } of store.tasks.values()) {
    if (schedule?.active !== true) continue
    const run: Run = { id: parts.newId('run'), status: 'executing' }
    runs.set(run.id, run)
    schedule.fired += 1
    if (schedule.fired >= schedule.maxOccurrences) schedule.active = false
    const end = () => {
      if (run.status === 'executing') run.status = 'succeeded'
    }
    setTimeout(end, parts.administration.minuteMs * executionShare).unref()
  }
}

/** Starts the scheduler with the first task. It stops without tasks, so that a closed portal leaves no timer. */
function startScheduler(parts: Parts, store: Store): void {
  if (store.scheduler !== undefined || !parts.administration.runsTasks) return
  const everyMinute = () => {
    if (store.tasks.size > 0) return fireDue(parts, store)
    clearInterval(store.scheduler)
    delete store.scheduler
  }
  store.scheduler = setInterval(everyMinute, parts.administration.minuteMs).unref()
}

function viewTask({ id, owner, schedule }: Task) {
  return {
    id,
    userId: owner,
    title: schedule?.title ?? id,
    type: schedule?.type ?? 'ExecuteNotebook',
    itemId: schedule?.itemId ?? '',
    maxOccurrences: schedule?.maxOccurrences ?? 1,
    active: schedule?.active ?? false,
  }
}

function viewRun(task: Task, { id, status, result = '' }: Run) {
  return { runId: id, task: viewTask(task), status, result }
}

/** The task in the path. */
const task: Access<Task> = within(owner, ({ params, store }, { username }) => {
  const found = store.tasks.get(params.task as string)
  return found?.owner === username ? found : 'unknown-task'
})

/** The run in the path, and its task. */
const taskRun: Access<{ readonly of: Task; readonly run: Run }> = within(task, ({ params }, of) => {
  const run = of.runs.get(params.run as string)
  return run === undefined ? 'unknown-run' : { of, run }
})

const all = '/community/users/:user/tasks'
const one = `${all}/:task`

export const taskRoutes: readonly Route[] = [
  page(`${all}/createTask`, owner, ({ field, parts, store, user }, { username }) => {
    if (user?.username !== username) return 'forbidden'
    const [title, type, itemId = ''] = [field('title'), field('type'), field('itemId')]
    if (title === undefined || type === undefined) return 'missing-parameter'
    if (!types.includes(type)) return 'bad-value'
    if (store.items.get(itemId)?.owner !== username) return 'unknown-item'
    const maxOccurrences = Number(field('maxOccurrences') ?? Number.POSITIVE_INFINITY)
    const schedule = { title, type, itemId, maxOccurrences, active: true, fired: 0 }
    const id = parts.newId('task')
    store.tasks.set(id, { id, owner: username, runs: new Map(), schedule })
    startScheduler(parts, store)
    return done({ taskId: id })
  }),
  page(all, owner, (call, { username }) => {
    const own = [...call.store.tasks.values()].filter((each) => each.owner === username)
    return shown(paged(call, 'tasks', own.map(viewTask), 10))
  }),
  page(one, task, (_, found) => shown(viewTask(found))),
  page(`${one}/enable`, task, (_, { id, schedule }) => {
    if (schedule !== undefined) schedule.active = true
    return done({ taskId: id })
  }),
  page(`${one}/delete`, task, ({ store }, { id }) => {
    store.tasks.delete(id)
    return done({ taskId: id })
  }),
  page(`${one}/runs`, task, (call, found) => {
    const runs = [...found.runs.values()].map((run) => viewRun(found, run))
    return shown(paged(call, 'runs', runs.slice(-30), 30))
  }),
  page(`${one}/runs/:run`, taskRun, (_, { of, run }) => shown(viewRun(of, run))),
]

/** The API documentation allows whole hours up to this many. */
const longestIntervalHours = 24

export const scheduleRoutes: readonly Route[] = [
  page(`${oneWorkspace}/schedule/update`, workspaceOfGuest, ({ field, parts, store }, { workspace }) => {
    const startTime = Number(field('startTime') ?? parts.now())
    const intervalHours = Number(field('interval') ?? longestIntervalHours)
    const fits = intervalHours >= 1 && intervalHours <= longestIntervalHours
    if (![startTime, intervalHours].every(Number.isInteger) || !fits) return 'bad-value'
    // A portal of a test does not last until the second sync of a schedule.
    const fire = () => {
      if (workspace.scheduledAt !== startTime || !store.collaborations.has(workspace.collaborationId)) return
      if (workspace.sync === undefined)
        startSync({ parts, store }, workspace, copyItems(parts, store, workspace), true)
    }
    workspace.scheduledAt = startTime
    setTimeout(fire, Math.max(0, startTime - parts.now())).unref()
    return done()
  }),
]
