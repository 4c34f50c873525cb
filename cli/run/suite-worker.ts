/** The worker thread of the suite: may be started ahead, so that it loads the suite while the run is prepared. */
import { Worker } from 'node:worker_threads'
import type { PoolRunnerInitializer, PoolWorker } from 'vitest/node'

/**
 * Old space of the worker, in MiB. What a run leaves behind is garbage, and without a bound V8 lets it grow with the
 * number of requests; answers under way need some tens of MiB at most.
 */
const workerMemory = 256

const name = 'portal-conformance'

/** Started, and not yet taken by a run. */
let ahead: Worker | undefined

/** Starts the thread that the next run will take; it loads the suite and sends nothing. */
export function startWorkerAhead(): void {
  // Sources cannot be loaded without Vitest.
  if (ahead !== undefined || import.meta.url.endsWith('.ts')) return
  const worker = startWorker()
  ahead = worker
  // The run starts another one then, and is told why that one ends as well.
  worker.once('error', () => undefined)
  worker.once('exit', () => {
    if (ahead === worker) ahead = undefined
  })
}

/** Ends the thread that no run has taken. */
export async function endWorkerAhead(): Promise<void> {
  const worker = ahead
  ahead = undefined
  await worker?.terminate()
}

/** For Vitest, whose minor versions may change what a pool is: runs the suite on a thread of ours, once it is compiled. */
export const suitePool: PoolRunnerInitializer = { name, createPoolWorker: () => new SuiteWorker() }

function startWorker(): Worker {
  const worker = new Worker(new URL('../../runner/worker.js', import.meta.url), {
    workerData: { preload: new URL('../../suites/preload.js', import.meta.url).href },
    resourceLimits: { maxOldGenerationSizeMb: workerMemory },
    stdout: true,
    stderr: true,
  })
  // Suites print nothing, and what a library prints is meant for nobody.
  worker.stdout.resume()
  worker.stderr.resume()
  return worker
}

class SuiteWorker implements PoolWorker {
  readonly name = name
  #worker: Worker | undefined

  async start(): Promise<void> {
    // Called again where Vitest goes on with the same thread.
    this.#worker ??= ahead ?? startWorker()
    ahead = undefined
  }

  async stop(): Promise<void> {
    await this.#worker?.terminate()
  }

  on(event: string, callback: (value: unknown) => void): void {
    this.#worker?.on(event, callback)
  }

  off(event: string, callback: (value: unknown) => void): void {
    this.#worker?.off(event, callback)
  }

  send(message: unknown): void {
    this.#worker?.postMessage(message)
  }

  deserialize(data: unknown): unknown {
    return data
  }
}
