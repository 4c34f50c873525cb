/** The portal that measured runs act on. It counts the requests of operations, and keeps them where that is asked for. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Served } from '../reference/application.ts'
import { startWatchedPortal } from '../reference/portal.ts'
import { type Listening, serve } from '../selftest/hostile/servers.ts'

/** The requests to a portal. Times in ms since the epoch. */
export interface Watched {
  readonly operations: number
  readonly firstAt: number
  readonly lastAt: number
}

export interface MeasuredPortal {
  /** A configuration file for it. */
  readonly configuration: string
  readonly origin: string
  /** The requests since the last call. */
  watched(): Watched
  close(): Promise<void>
}

interface MeasuredPortalOptions {
  /** The delay of every answer. */
  readonly latencyMs?: number
  /** Called with every request of an operation and its answer. */
  readonly onServed?: (served: Served) => void
  /** Keeps fixtures at the end of a run, so that its requests can be sent again. */
  readonly keepsFixtures?: boolean
}

const nothing: Watched = { operations: 0, firstAt: 0, lastAt: 0 }

/** Starts the portal and writes its configuration into that folder. */
export async function startMeasuredPortal(
  folder: string,
  { latencyMs = 0, onServed, keepsFixtures = false }: MeasuredPortalOptions = {},
): Promise<MeasuredPortal> {
  let seen = nothing
  const watch = (served: Served): void => {
    // The only GET asks whether the target is reachable.
    if (served.arrival.method !== 'POST') return
    const firstAt = seen.operations === 0 ? served.arrivedAt : seen.firstAt
    seen = { operations: seen.operations + 1, firstAt, lastAt: Date.now() }
    onServed?.(served)
  }
  const portal = await startWatchedPortal({ latencyMs }, { watch })
  const lasting = keepsFixtures ? await lastingFixtures(portal.configuration.fixtures.url) : undefined
  const fixtures = lasting === undefined ? {} : { fixtures: { url: lasting.origin } }
  const configuration = join(folder, `portal-${process.hrtime.bigint()}.json`)
  await writeFile(configuration, JSON.stringify({ ...portal.configuration, ...fixtures }))
  return {
    configuration,
    origin: new URL(portal.baseUrl).origin,
    watched() {
      const counted = seen
      seen = nothing
      return counted
    },
    async close() {
      await Promise.all([lasting?.close(), portal.close()])
    },
  }
}

/** Hands out the fixtures of the provider at that URL, and never cleans up. */
function lastingFixtures(url: string): Promise<Listening> {
  return serve(async (request, response) => {
    if (request.url === '/cleanup') {
      response.end('{}')
      return
    }
    const answer = await fetch(url + request.url, { method: 'POST', body: await text(request) })
    response.writeHead(answer.status).end(await answer.text())
  })
}
