/** The checks whose time is mostly waiting, by design: for syncs to end and for guests to refresh. */

/** A glob for --requirement that leaves them out. */
export const withoutTimedChecks =
  '!{sync-workspace/{synchronous-blocks,asynchronous-returns,one-at-a-time,after-finish}*,delete-collaboration/sharing-stops*}'

/** Globs for --requirement that select nothing else. */
export const timedChecks: readonly string[] = [
  'sync-workspace/{synchronous-blocks,asynchronous-returns,one-at-a-time,after-finish}',
  'delete-collaboration/sharing-stops',
]
