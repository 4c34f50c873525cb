/** An embedded portal on its own thread, so that the suite and the portal use two cores. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ConfigurationFile } from './configuration.ts'
import type { PortalOptions } from './portal.ts'

/** The first message of the thread. */
export type Greeting =
  | { readonly configuration: ConfigurationFile }
  | { readonly failure: Pick<NodeJS.ErrnoException, 'name' | 'message' | 'code'> }

export interface PortalThread {
  /** Ready for a run, in the format of a configuration file. */
  readonly configuration: ConfigurationFile
  close(): Promise<void>
}

/** Rejects like `startPortal`, with an error of the same name, message and code. */
export async function startPortalThread(options: Omit<PortalOptions, 'alter'>): Promise<PortalThread> {
  const worker = new Worker(new URL('./portal-worker.js', import.meta.url), { workerData: options })
  const close = async (): Promise<void> => void (await worker.terminate())
  const [greeting] = (await once(worker, 'message')) as [Greeting]
  if ('configuration' in greeting) return { configuration: greeting.configuration, close }
  await close()
  throw Object.assign(new Error(), greeting.failure)
}
