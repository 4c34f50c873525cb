/** Loaded into a process that is measured ahead of it: notes when requests of operations came to it and went, and prints its memory at the end. */
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { isMainThread } from 'node:worker_threads'

/** What came to a portal. Times in milliseconds since the epoch. */
export interface Watched {
  /** Requests of operations, by POST; those for fixtures are counted apart. */
  readonly operations: number
  readonly fixtures: number
  readonly firstAt: number
  readonly lastAt: number
}

const nothing: Watched = { operations: 0, fixtures: 0, firstAt: 0, lastAt: 0 }
let seen = { ...nothing }

const now = (): number => performance.timeOrigin + performance.now()

if (isMainThread) {
  subscribe('http.server.request.start', (message) => {
    const { url = '', method } = (message as { request: IncomingMessage }).request
    if (url.startsWith('/fixtures/')) {
      seen = { ...seen, fixtures: seen.fixtures + 1 }
      return
    }
    // The one GET is the question whether the target is there at all.
    if (method !== 'POST') return
    const firstAt = seen.operations === 0 ? now() : seen.firstAt
    seen = { ...seen, operations: seen.operations + 1, firstAt }
  })
  subscribe('http.server.response.finish', (message) => {
    const { url = '', method } = (message as { request: IncomingMessage }).request
    if (method === 'POST' && !url.startsWith('/fixtures/')) seen = { ...seen, lastAt: now() }
  })
  // Asked by the benchmark: says what was seen, and begins anew.
  process.on('message', () => {
    process.send?.(seen)
    seen = { ...nothing }
  })
  // Sent while the process ends: written at once, or it would be lost.
  process.on('exit', () => process.send?.(process.resourceUsage().maxRSS * 1024))
  process.channel?.unref()
}
