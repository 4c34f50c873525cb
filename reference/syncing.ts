/** Syncs of workspaces, with a timer each. */
import { randomBytes } from 'node:crypto'
import type { Parts } from './parts.ts'
import type { Store, SyncJob, Workspace } from './store.ts'

/** Timers may fire early by other clocks. This margin keeps a sync from ending before its time. */
export const timerSlackMs = 10

/**
 * Copies items that were shared with the host's group since the last sync to the groups of guests. Returns the duration
 * of the sync in ms. The copies belong to the owners of those groups and outlive the collaboration.
 */
export function copyItems({ newId, timings }: Parts, { groups, items }: Store, workspace: Workspace): number {
  const { copied, links, portalGroupId } = workspace
  const syncMs = workspace.syncMs + timings.everySyncMs
  if (links === undefined) return syncMs
  const fresh = [...items.values()].filter((item) => item.groups?.has(portalGroupId) && !copied.has(item.id))
  const linked = [...links.values()].map(({ groupId = '' }) => groups.get(groupId))
  for (const item of fresh) {
    copied.add(item.id)
    for (const group of linked) {
      if (group === undefined || group.id === portalGroupId) continue
      const id = newId('item')
      items.set(id, { ...item, id, owner: group.owner, folder: '', groups: new Set([group.id]) })
    }
  }
  return syncMs + fresh.length * timings.itemMs
}

/** Ends syncs that are due. On a busy machine, a request may arrive before the timer fires. */
export function endDueSyncs({ running }: Store): void {
  for (const { dueAt, finish } of running) if (dueAt <= performance.now()) finish()
}

/** Starts a sync of this duration, even if another one is running. */
export function startSync(
  { parts, store }: { readonly parts: Parts; readonly store: Store },
  workspace: Workspace,
  durationMs = workspace.syncMs,
  scheduled = false,
): SyncJob {
  const begunAt = performance.now()
  let end = (): void => undefined
  const job: SyncJob = {
    begunAt,
    dueAt: begunAt + durationMs + timerSlackMs,
    id: parts.newId('job'),
    key: randomBytes(8).toString('hex'),
    scheduled,
    startTime: parts.now(),
    endTime: -1,
    done: new Promise((resolve) => {
      end = resolve
    }),
    finish: () => {
      if (!store.running.delete(job)) return
      if (workspace.sync === job) delete workspace.sync
      job.endTime = parts.now()
      workspace.lastSyncSuccess = job.endTime
      end()
    },
  }
  store.running.add(job)
  setTimeout(job.finish, durationMs + timerSlackMs).unref()
  workspace.sync = job
  workspace.syncs.push(job)
  return job
}
