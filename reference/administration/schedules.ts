/** The sync schedule of a workspace. The guest sets it. */
import { done, shown } from '../answers.ts'
import type { Parts } from '../parts.ts'
import type { Store, SyncSchedule, Workspace } from '../store.ts'
import { copyItems, startSync } from '../syncing.ts'
import type { AdministrativeCall, Route } from './call.ts'
import { forGuests, oneWorkspace, withWorkspace } from './collaborations.ts'

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
