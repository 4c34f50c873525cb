/** Loaded into the process of a run ahead of it: tells at the end how much memory it held at most. */
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  // Sent while the process ends: written at once, or it would be lost.
  process.on('exit', () => process.send?.(process.resourceUsage().maxRSS * 1024))
  process.channel?.unref()
}
