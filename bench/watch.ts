/** Preloaded into a measured process: records when requests of operations came and went, and prints the memory at the end. */
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { isMainThread } from 'node:worker_threads'

/** The requests to a portal. Times in ms since the epoch. */
export interface Watched {
  /** POST requests of operations, without those for fixtures. */
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
    // The only GET asks whether the target is reachable.
    if (method !== 'POST') return
    const firstAt = seen.operations === 0 ? now() : seen.firstAt
    seen = { ...seen, operations: seen.operations + 1, firstAt }
  })
  subscribe('http.server.response.finish', (message) => {
    const { url = '', method } = (message as { request: IncomingMessage }).request
    if (method === 'POST' && !url.startsWith('/fixtures/')) seen = { ...seen, lastAt: now() }
  })
  // The benchmark asks for the counts, which start again at zero.
  process.on('message', () => {
    process.send?.(seen)
    seen = { ...nothing }
  })
  // Written synchronously, because the process is ending.
  process.on('exit', () => process.send?.(process.resourceUsage().maxRSS * 1024))
  process.channel?.unref()
}
