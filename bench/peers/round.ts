/** One run of a tool on a portal of its own, with what it sent, took and said. */
import { subscribe } from 'node:diagnostics_channel'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { startPortal } from '../../reference/portal.ts'
import { now } from '../child.ts'
import type { Peer } from './peer.ts'
import { runTool } from './tool-process.ts'

/** Peers judge by HTTP status: on this portal a refusal has the one that its error says. */
const variants = ['refusals-with-their-status']

/** The complaint of a tool that ended without a report that can be read. */
export const noReport = 'no report'

export interface Measured {
  readonly complaints: readonly string[]
  /** The end of what it printed. */
  readonly output: string
  /** From the first POST on; those for fixtures are not among them. */
  readonly requests: number
  /** From the first POST to the last answer. */
  readonly requestsPerSecond: number
  /** From the start of the process to the first POST, which is the first request of an operation. */
  readonly startMs: number
  readonly wallMs: number
  readonly peakBytes: number
}

/** A tool with the program that was found for it. */
export interface Contestant {
  readonly peer: Peer
  readonly program: readonly string[]
}

/** Rejects where the tool cannot be started or sends nothing. */
export async function measureRound(
  { peer, program }: Contestant,
  { folder, faults, requests }: { folder: string; faults: readonly string[]; requests: number },
): Promise<Measured> {
  const own = await mkdtemp(join(folder, 'round-'))
  const portal = await startPortal({ faults, variants })
  try {
    const prepared = await peer.prepare({ folder: own, portal, requests, program })
    seen = { count: 0, firstAt: 0, lastAt: 0 }
    const end = await runTool([...program, ...prepared.words], own)
    const { count, firstAt, lastAt } = seen
    if (count === 0) throw new Error(`${peer.name} sent nothing: ${end.output.slice(-2000)}`)
    const complaints = await prepared.complaints(end).catch(() => [noReport])
    return {
      complaints: [...new Set(complaints)].sort(),
      output: end.output.slice(-2000),
      requests: count,
      requestsPerSecond: (count / (lastAt - firstAt)) * 1000,
      startMs: firstAt - end.startedAt,
      wallMs: end.wallMs,
      peakBytes: end.peakBytes,
    }
  } finally {
    await portal.close()
    await rm(own, { recursive: true })
  }
}

let seen = { count: 0, firstAt: 0, lastAt: 0 }

subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage }
  // What only asks whether the target is there comes before the first POST, and is no work yet.
  if (isForFixtures(request) || (seen.count === 0 && request.method !== 'POST')) return
  seen = { ...seen, count: seen.count + 1, firstAt: seen.count === 0 ? now() : seen.firstAt }
})

// To the last answer: who sends all at once would otherwise look as fast as a queue grows.
subscribe('http.server.response.finish', (message) => {
  if (!isForFixtures((message as { request: IncomingMessage }).request)) seen = { ...seen, lastAt: now() }
})

function isForFixtures({ url = '' }: IncomingMessage): boolean {
  return url.startsWith('/fixtures/')
}
