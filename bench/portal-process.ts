/** The embedded portal in a process of its own, started as users start it, with a watch on its requests. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { ended, program, scriptOf, start } from './child.ts'
import type { Watched } from './portal-watch.ts'

export interface PortalProcess {
  /** A configuration file for it. */
  readonly configuration: string
  /** Scheme, host and port. */
  readonly origin: string
  /** What came since the last time this was asked. */
  watched(): Promise<Watched>
  close(): Promise<void>
}

/** Starts it; the configuration goes into that folder. Rejects where the portal ends instead. */
export async function startPortalProcess(folder: string, latencyMs = 0): Promise<PortalProcess> {
  const configuration = join(folder, `portal-${process.hrtime.bigint()}.yaml`)
  const watch = pathToFileURL(scriptOf('portal-watch')).href
  const started = start([
    '--import',
    watch,
    program,
    'serve',
    '--write',
    configuration,
    '--latency',
    String(latencyMs),
  ])
  const { child } = started
  const end = ended(started)
  const text = await Promise.race([written(configuration), end.then(({ stderr }) => stderr)])
  const origin = /baseUrl: (https?:\/\/[^/\s]+)/.exec(text)?.[1]
  if (origin === undefined) throw new Error(`the portal did not start: ${text}`)
  return {
    configuration,
    origin,
    watched: async () => {
      const answer = once(child, 'message')
      child.send('what came?')
      return (await answer)[0] as Watched
    },
    close: async () => {
      child.kill('SIGTERM')
      await end
    },
  }
}

/** The text of a file once it is complete: it ends with a line that is. */
async function written(file: string): Promise<string> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (/guestRefresh: .*\n$/.test(text)) return text
    await sleep(20)
  }
}
