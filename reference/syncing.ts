/** Syncs of workspaces: one timer each. */
import { randomBytes } from 'node:crypto'
import type { Parts } from './parts.ts'
import type { SyncJob, Workspace } from './store.ts'

/** Timers may fire a little early against another clock: a sync never ends before its time. */
export const timerSlackMs = 10

/** Starts a sync of that many milliseconds, whatever else runs: on request, or on schedule. */
export function startSync(
  parts: Parts,
  workspace: Workspace,
  durationMs = workspace.syncMs,
  scheduled = false,
): SyncJob {
  const job: SyncJob = {
    id: parts.newId('job'),
    key: randomBytes(8).toString('hex'),
    scheduled,
    startTime: parts.now(),
    endTime: -1,
    done: new Promise((resolve) => {
      const finish = () => {
        if (workspace.sync === job) delete workspace.sync
        job.endTime = parts.now()
        workspace.lastSyncSuccess = job.endTime
        resolve()
      }
      setTimeout(finish, durationMs + timerSlackMs).unref()
    }),
  }
  workspace.sync = job
  workspace.syncs.push(job)
  return job
}
