/** The worker of `startPortalThread`. Serves one portal until the thread ends. */
import { parentPort, workerData } from 'node:worker_threads'
import { type PortalOptions, startPortal } from './portal.ts'
import type { Greeting } from './portal-thread.ts'

const say = (greeting: Greeting): void => parentPort?.postMessage(greeting)

try {
  const { configuration } = await startPortal(workerData as PortalOptions)
  say({ configuration })
} catch (error) {
  const { name, message, code } = error as NodeJS.ErrnoException
  say({ failure: { name, message, ...(code === undefined ? {} : { code }) } })
}
