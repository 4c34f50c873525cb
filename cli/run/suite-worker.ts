/** The worker thread of the suite: may be started ahead, while the run is prepared, and serves run after run of a process. */
import { Worker } from 'node:worker_threads'
import type { PoolRunnerInitializer, PoolWorker } from 'vitest/node'

/**
 * Old space of the worker, in MiB. What a run leaves behind is garbage, and without a bound V8 lets it grow with the
 * number of requests; answers under way need some tens of MiB at most.
 */
const workerMemory = 256

/** How long a thread waits for another run, in milliseconds; it keeps no process from its end. */
const idleMs = 30_000

const name = 'portal-conformance'

/** Loads the suite or has it, and no run has taken it. */
let idle: Worker | undefined
let idleTimer: NodeJS.Timeout | undefined

/** Starts the thread that the next run will take, where none waits; it loads the suite and sends nothing. */
export function startWorkerAhead(): void {
  // Sources cannot be loaded without Vitest.
  if (import.meta.url.endsWith('.ts')) return
  clearTimeout(idleTimer)
  idle ??= startWorker()
  idle.unref()
}

/** Ends the thread that no run has taken, unless one takes it soon. */
export function letWorkerWait(): void {
  clearTimeout(idleTimer)
  idleTimer = setTimeout(() => void endIdleWorker(), idleMs).unref()
}

/** Ends the thread that no run has taken. */
export async function endIdleWorker(): Promise<void> {
  const worker = idle
  idle = undefined
  clearTimeout(idleTimer)
  await worker?.terminate()
}

/**
 * For Vitest, whose minor versions may change what a pool is: runs the suite on a thread of ours, once it is compiled.
 * `mayServeAgain` is asked when a run is over: nothing of it may be under way any more.
 */
export const suitePool = (mayServeAgain: () => boolean): PoolRunnerInitializer => ({
  name,
  createPoolWorker: () => new SuiteWorker(mayServeAgain),
})

function startWorker(): Worker {
  const worker = new Worker(new URL('../../runner/worker.js', import.meta.url), {
    workerData: { preload: new URL('../../suites/preload.js', import.meta.url).href },
    resourceLimits: { maxOldGenerationSizeMb: workerMemory },
    // Never read: whoever reads them holds the process.
    stdout: true,
    stderr: true,
  })
  // Where no run has it, the next one starts another, and is told why that one ends as well.
  worker.on('error', () => undefined)
  worker.on('exit', () => {
    if (idle === worker) idle = undefined
  })
  return worker
}

class SuiteWorker implements PoolWorker {
  readonly name = name
  readonly #mayServeAgain: () => boolean
  readonly #listeners: [event: string, callback: (value: unknown) => void][] = []
  #worker: Worker | undefined

  constructor(mayServeAgain: () => boolean) {
    this.#mayServeAgain = mayServeAgain
  }

  async start(): Promise<void> {
    // Called again where Vitest goes on with the same thread.
    if (this.#worker !== undefined) return
    this.#worker = idle ?? startWorker()
    this.#worker.ref()
    idle = undefined
    clearTimeout(idleTimer)
  }

  async stop(): Promise<void> {
    const worker = this.#worker
    // Vitest leaves some of its listeners, which would hear the next run.
    for (const [event, callback] of this.#listeners) worker?.off(event, callback)
    this.#worker = undefined
    if (worker === undefined) return
    if (idle !== undefined || !this.#mayServeAgain()) {
      await worker.terminate()
      return
    }
    idle = worker
    idle.unref()
    letWorkerWait()
  }

  on(event: string, callback: (value: unknown) => void): void {
    this.#listeners.push([event, callback])
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
