/** Scheduled tasks, their runs and the scheduler that starts them, and the schedules of syncs. */
import { done, shown } from '../answers.ts'
import type { Answer, Parts } from '../parts.ts'
import type { Run, Store, SyncSchedule, Task, User, Workspace } from '../store.ts'
import { copyItems, startSync } from '../syncing.ts'
import { type AdministrativeCall, forOwner, paged, type Route } from './call.ts'
import { forGuests, oneWorkspace, withWorkspace } from './collaborations.ts'

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

const schedulers = new WeakMap<Store, NodeJS.Timeout>()

/** Starts the scheduler with the first task. It runs until the portal stops. */
function startScheduler(parts: Parts, store: Store): void {
  if (schedulers.has(store) || !parts.administration.runsTasks) return
  schedulers.set(store, setInterval(() => fireDue(parts, store), parts.administration.minuteMs).unref())
}

const create = forOwner(({ field, parts, store, user }, owner) => {
  if (user !== owner) return parts.refuse('forbidden')
  const [title, type, itemId] = [field('title'), field('type'), field('itemId')]
  if (title === undefined || type === undefined) return parts.refuse('missing-parameter')
  if (!types.includes(type)) return parts.refuse('bad-value')
  if (store.items.get(itemId ?? '')?.owner !== owner.username) return parts.refuse('unknown-item')
  const cron = ['minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek'].map((name) => field(name) ?? '*')
  const task: Task = {
    id: parts.newId('task'),
    owner: owner.username,
    runs: new Map(),
    schedule: {
      title,
      type,
      itemId: itemId as string,
      cron: cron.join(' '),
      maxOccurrences: Number(field('maxOccurrences') ?? Number.POSITIVE_INFINITY),
      active: true,
      fired: 0,
    },
  }
  store.tasks.set(task.id, task)
  startScheduler(parts, store)
  return done({ taskId: task.id })
})

function viewTask({ id, owner, schedule }: Task) {
  return {
    id,
    userId: owner,
    title: schedule?.title ?? id,
    type: schedule?.type ?? 'ExecuteNotebook',
    itemId: schedule?.itemId ?? '',
    cronSchedule: schedule?.cron ?? '',
    maxOccurrences: schedule?.maxOccurrences ?? 1,
    active: schedule?.active ?? false,
    taskState: schedule?.active === true ? 'scheduled' : 'finished',
  }
}

function viewRun(task: Task, { id, status, result = '' }: Run) {
  return { runId: id, task: viewTask(task), status, result }
}

const withTask = (handle: (call: AdministrativeCall, task: Task, owner: User) => Answer) =>
  forOwner((call, owner) => {
    const task = call.store.tasks.get(call.params.task as string)
    return task === undefined || task.owner !== owner.username
      ? call.parts.refuse('unknown-task')
      : handle(call, task, owner)
  })

const withRun = (handle: (call: AdministrativeCall, run: Run, task: Task) => Answer) =>
  withTask((call, task) => {
    const run = task.runs.get(call.params.run as string)
    return run === undefined ? call.parts.refuse('unknown-run') : handle(call, run, task)
  })

const steer = (active: boolean) =>
  withTask((_, { id, schedule }) => {
    if (schedule !== undefined) schedule.active = active
    return done({ taskId: id })
  })

const all = '/community/users/:user/tasks'
const one = `${all}/:task`

export const taskRoutes: readonly Route[] = [
  { path: `${all}/createTask`, handle: create },
  {
    path: all,
    handle: forOwner((call, { username }) => {
      const own = [...call.store.tasks.values()].filter(({ owner }) => owner === username)
      return shown(paged(call, 'tasks', own.map(viewTask), 10))
    }),
  },
  { path: one, handle: withTask((_, task) => shown(viewTask(task))) },
  { path: `${one}/enable`, handle: steer(true) },
  { path: `${one}/disable`, handle: steer(false) },
  {
    path: `${one}/delete`,
    handle: withTask(({ store }, { id }) => {
      store.tasks.delete(id)
      return done({ taskId: id })
    }),
  },
  {
    path: `${one}/runs`,
    handle: withTask((call, task) => {
      const runs = [...task.runs.values()].map((run) => viewRun(task, run))
      return shown(paged(call, 'runs', runs.slice(-30), 30))
    }),
  },
  { path: `${one}/runs/:run`, handle: withRun((_, run, task) => shown(viewRun(task, run))) },
  {
    path: `${one}/runs/:run/delete`,
    handle: withRun((_, { id }, task) => {
      task.runs.delete(id)
      return done({ taskId: task.id, runId: id })
    }),
  },
]

const hourMs = 3_600_000

/** The API documentation allows whole hours up to this many. */
const longestIntervalHours = 24

const update = withWorkspace(({ field, parts, store }, workspace) => {
  const startTime = Number(field('startTime') ?? parts.now())
  const intervalHours = Number(field('interval') ?? longestIntervalHours)
  const repeatCount = Number(field('repeatCount') ?? -1)
  const fits = intervalHours >= 1 && intervalHours <= longestIntervalHours
  if (![startTime, intervalHours, repeatCount].every(Number.isInteger) || !fits)
    return parts.refuse('bad-value')
  const schedule = { startTime, intervalHours, repeatCount, timesTriggered: 0, paused: false }
  workspace.schedule = schedule
  waitForNext({ parts, store }, workspace, schedule)
  return done()
})

const nextOf = ({ startTime, intervalHours, timesTriggered }: SyncSchedule): number =>
  startTime + timesTriggered * intervalHours * hourMs

/** Syncs the workspace at each due time, until its schedule is replaced or deleted. */
function waitForNext(
  portal: { readonly parts: Parts; readonly store: Store },
  workspace: Workspace,
  schedule: SyncSchedule,
): void {
  const { parts, store } = portal
  const fire = () => {
    if (workspace.schedule !== schedule || !store.collaborations.has(workspace.collaborationId)) return
    schedule.timesTriggered += 1
    if (!schedule.paused && workspace.sync === undefined)
      startSync(parts, workspace, copyItems(parts, store, workspace), true)
    const isLast = schedule.repeatCount >= 0 && schedule.timesTriggered > schedule.repeatCount
    if (!isLast) waitForNext(portal, workspace, schedule)
  }
  setTimeout(fire, Math.max(0, nextOf(schedule) - parts.now())).unref()
}

const show = withWorkspace(({ parts }, { schedule }) => {
  if (schedule === undefined) return parts.refuse('not-found')
  const { startTime, intervalHours, repeatCount, timesTriggered, paused } = schedule
  return shown({
    interval: intervalHours,
    repeatCount,
    timesTriggered,
    startTime,
    nextFireTime: nextOf(schedule),
    status: paused ? 'paused' : 'active',
  })
})

const pause = (paused: boolean) =>
  withWorkspace(({ parts }, { schedule }) => {
    if (schedule === undefined) return parts.refuse('not-found')
    schedule.paused = paused
    return done()
  })

const remove = withWorkspace((_: AdministrativeCall, workspace) => {
  delete workspace.schedule
  return done()
})

const at = `${oneWorkspace}/schedule`

export const scheduleRoutes: readonly Route[] = [
  { path: at, handle: forGuests(show) },
  { path: `${at}/update`, handle: forGuests(update) },
  { path: `${at}/pause`, handle: forGuests(pause(true)) },
  { path: `${at}/resume`, handle: forGuests(pause(false)) },
  { path: `${at}/delete`, handle: forGuests(remove) },
]
